// Tables and specs from somebody else: whatever they hold, no command of theirs is run.
#include <doctest/doctest.h>

#include <fstream>

#include "tests/cli/run.hpp"

using cli_test::run_epsilary;
using cli_test::scratch;
using cli_test::slurp;

namespace {

// Texts that leave a gnuplot string, a data block or an HTML attribute when they are pasted there. Each would make the
// file `canary`.
const std::string payloads[] = {
    "b\nsystem(\"touch canary\")\n#",
    "1\nEOD\nsystem('touch canary')\n",
    "'\n!touch canary\n'",
    "`touch canary`",
    "a'; system('touch canary'); '",
    "\"; system(\"touch canary\"); \"",
    "$(touch canary)",
    "a\rsystem('touch canary')\r",
    "\\\nsystem('touch canary')\n",
    "| touch canary",
    "<script>\"'&",
    "'",
    "''' . system('touch canary') . '",
    "\xff\xfe\n!touch canary\n",
};

bool canary() { return std::filesystem::exists(scratch() / "canary"); }

std::string in_csv(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}
std::string in_toml(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      out += std::string("\\") + c;
    else if (byte < 0x20 || byte >= 0x7F)
      out += byte >= 0x7F ? "?" : "\\u00" + std::string(1, "01"[byte >> 4]) + "0123456789abcdef"[byte & 15];
    else
      out += c;
  }
  return out + "\"";
}

}  // namespace

TEST_CASE("no cell, column or label of a table is run") {
  for (const std::string& payload : payloads)
    for (int place = 0; place < 5; ++place) {
      const std::string text = in_csv(payload), bound = place == 0 ? text : "b", column = place == 1 ? text : "eps0",
                        x = place == 2 ? text : "1", y = place == 3 ? text : "2", color = place == 4 ? text : "3";
      std::ofstream(scratch() / "t.csv") << "bound,standing,side,status," << column << ",value,n\n"
                                         << bound << ",proved,upper,ok," << x << "," << y << "," << color << "\n"
                                         << bound << ",proved,upper,ok,2,3," << color << "\n";
      for (const char* out : {"t.svg", "t.png", "t.gp"}) {
        CAPTURE(payload);
        CAPTURE(place);
        if (place == 1) {
          // The name of the column comes from the command line too; here from a file, as no shell may see it.
          std::ofstream(scratch() / "x", std::ios::binary) << payload;
          run_epsilary("plot t.csv --x \"$(cat x)\" --colors n -o " + std::string(out));
        } else {
          run_epsilary("plot t.csv --x eps0 --colors n -o " + std::string(out));
        }
        if (std::string(out) == "t.gp" && std::filesystem::exists(scratch() / "t.gp"))
          std::system(("cd '" + scratch().string() + "' && gnuplot t.gp >/dev/null 2>&1 </dev/null").c_str());
        CHECK_FALSE(canary());
      }
    }
}

TEST_CASE("no label of a spec is run") {
  for (const std::string& payload : payloads)
    for (int place = 0; place < 4; ++place) {
      const auto label = [&](int at, const char* otherwise) { return in_toml(place == at ? payload : otherwise); };
      std::ofstream(scratch() / "q.toml")
          << "id = " << label(3, "mine") << "\nsource = \"s\"\n"
          << "bounds = [\"balle2020-thm5.1\"]\naxes = { eps0 = \"1,2\" }\n"
          << "fixed = { n = \"1e4\", delta = \"1e-6\" }\n[figure]\n"
          << "x = { column = \"eps0\", label = " << label(0, "x") << " }\n"
          << "y = { column = \"value\", label = " << label(1, "y") << " }\n"
          << "line = [{ bound = \"balle2020-thm5.1\", label = " << label(2, "a") << " }]\n";
      CAPTURE(payload);
      CAPTURE(place);
      const auto drawn = run_epsilary("plot q.toml -o q.svg");
      if (place < 3) CHECK(drawn.code == 0);
      run_epsilary("plot q.toml -o q.gp");
      if (std::filesystem::exists(scratch() / "q.gp"))
        std::system(("cd '" + scratch().string() + "' && gnuplot q.gp >/dev/null 2>&1 </dev/null").c_str());
      CHECK_FALSE(canary());
    }
}

TEST_CASE("what is drawn must be numbers, and a script that fails leaves the old picture") {
  std::ofstream(scratch() / "n.csv") << "bound,standing,side,status,eps0,value\nb,proved,upper,ok,1,2\n"
                                     << "b,proved,upper,ok,2,3\n";
  REQUIRE(run_epsilary("plot n.csv --x eps0 -o n.svg").code == 0);
  const std::string before = slurp(scratch() / "n.svg");
  for (const char* cell : {"nan", "inf", "0x10", "three", "1 2", "1,2"}) {
    CAPTURE(cell);
    std::ofstream(scratch() / "n.csv") << "bound,standing,side,status,eps0,value\nb,proved,upper,ok,1,\"" << cell
                                       << "\"\n";
    const auto refused = run_epsilary("plot n.csv --x eps0 -o n.svg");
    CHECK(refused.code == 2);
    CHECK(refused.err.find("row 1 of the table has") != std::string::npos);
    CHECK(slurp(scratch() / "n.svg") == before);
  }
}

TEST_CASE("an SVG is well-formed whatever a table says, and its text is all there") {
  std::ofstream(scratch() / "font.csv") << "bound,standing,side,status,eps0,value\n"
                                        << "{/x<i>alert(1)</i> {/=50 text},proved,upper,ok,1,2\n"
                                        << "{/x<i>alert(1)</i> {/=50 text},proved,upper,ok,2,3\n";
  REQUIRE(run_epsilary("plot font.csv --x eps0 -o font.svg").code == 0);
  const std::string picture = slurp(scratch() / "font.svg");
  CHECK(picture.find("<i>") == std::string::npos);
  CHECK(picture.find("{/x&lt;i>alert(1)&lt;/i> {/=50 text}") != std::string::npos);
}

TEST_CASE("a result does not take the place of SQLite's own files") {
  for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
    CAPTURE(suffix);
    const auto refused = run_epsilary(std::string("sweep --bounds balle2020-thm5.1 --eps0 1,2 --n 1e4 --delta 1e-6 "
                                                  "--journal kept -o kept") +
                                      suffix);
    CHECK(refused.code == 2);
    CHECK(refused.err.find("is to be the journal" + std::string(suffix) + " and the result") != std::string::npos);
  }
}

TEST_CASE("a long table cannot block gnuplot and us") {
  std::ofstream table(scratch() / "long.csv");
  table << "bound,standing,side,status,eps0,value\n";
  for (int i = 0; i < 20000; ++i) table << "b" << i % 7 << ",proved,upper,ok," << i << "," << i << "\n";
  table.close();
  CHECK(run_epsilary("plot long.csv --x eps0 -o long.svg").code == 0);
  CHECK(slurp(scratch() / "long.svg").find("</svg>") != std::string::npos);
}

TEST_CASE("a picture is the same in every time zone, and two programs may draw into one folder") {
  REQUIRE(run_epsilary("plot girgis2021-bits -o a.pdf", "TZ=UTC").code == 0);
  REQUIRE(run_epsilary("plot girgis2021-bits -o b.pdf", "TZ=Asia/Kathmandu").code == 0);
  CHECK(slurp(scratch() / "a.pdf") == slurp(scratch() / "b.pdf"));
  REQUIRE(run_epsilary("plot girgis2021-bits -o b.pdf", "GNUTERM=nosuch").code == 0);
  CHECK(slurp(scratch() / "a.pdf") == slurp(scratch() / "b.pdf"));
  const std::string two =
      "(" EPSILARY_EXECUTABLE " reproduce girgis2021-bits -o both 2>/dev/null & " EPSILARY_EXECUTABLE
      " reproduce girgis2021-bits -o both 2>/dev/null; code=$?; wait $! && exit $code)";
  CHECK(std::system(("cd '" + scratch().string() + "' && " + two).c_str()) == 0);
  for (const auto& file : std::filesystem::directory_iterator(scratch() / "both"))
    CHECK_FALSE(file.path().filename().string().starts_with(".part"));
}

TEST_CASE("a picture that is cut off by a full disk does not replace the old one") {
  // A limit on the size of files stands for the full disk; SIGXFSZ is ignored so that writing fails instead.
  REQUIRE(run_epsilary("plot girgis2021-bits -o full.svg").code == 0);
  const std::string before = slurp(scratch() / "full.svg");
  const auto cut = run_epsilary("plot girgis2021-bits -o full.svg", "trap '' XFSZ; ulimit -f 4;");
  CHECK(cut.code == 1);
  CHECK(cut.err.find("cut off") != std::string::npos);
  CHECK(slurp(scratch() / "full.svg") == before);
}

TEST_CASE("standard error may be closed or full, and the work is done all the same") {
  CHECK(run_epsilary("eval nosuch 2>&-").code == 2);
  CHECK(run_epsilary("evil 2>/dev/full").code == 2);
  CHECK(run_epsilary("sweep --bounds balle2020-thm5.1 --eps0 0.1:1:500 --n 1e4 --delta 1e-6 -o closed.csv 2>&-").code ==
        0);
  CHECK(slurp(scratch() / "closed.csv").size() > 10000);
  for (const char* words : {"--help", "--version", "eval --help", "list"}) {
    CAPTURE(words);
    CHECK(run_epsilary(std::string(words) + " >/dev/full").code == 1);
  }
}

TEST_CASE("what is refused is echoed in short") {
  const std::string many(100000, '1');
  for (const std::string& words : {"eval 0." + many, "evil" + many, "eval balle2020-thm5.1 --eps0 x" + many,
                                   "plot " + many, "eval --nonsense" + many + " 1"}) {
    const auto refused = run_epsilary(words);
    CHECK(refused.code != 0);
    CHECK(refused.err.size() < 2000);
    CHECK(refused.err.find("error: ") == 0);
  }
}

TEST_CASE("a name of fifty thousand parts, and a journal that would be its own result") {
  std::string parts, strings;
  for (int i = 0; i < 50000; ++i) parts += ".a", strings += ".'a'";
  for (const std::string& text :
       {"[a" + parts + "]", "[\"a\"" + parts + "]", "[a" + strings + "]", "a" + parts + " = 1",
        "x = { a" + parts + " = 1 }", "x = [\n1, { a" + parts + " = 1 }]"}) {
    std::ofstream(scratch() / "deep.toml") << text << "\n";
    const auto refused = run_epsilary("sweep deep.toml");
    CHECK(refused.code == 2);
    CHECK(refused.err.find("parts") != std::string::npos);
  }
  const std::string same = "sweep --bounds balle2020-thm5.1 --eps0 1 --n 1e4 --delta 1e-6 --journal same.csv -o ";
  for (const char* name : {"same.csv", "./same.csv"}) CHECK(run_epsilary(same + name).code == 2);
  CHECK_FALSE(std::filesystem::exists(scratch() / "same.csv"));
  std::filesystem::create_symlink("behind.csv", scratch() / "same.csv");  // a link to what is not there yet
  CHECK(run_epsilary(same + "behind.csv").code == 2);
  CHECK_FALSE(std::filesystem::exists(scratch() / "behind.csv"));
  std::filesystem::remove(scratch() / "same.csv");
}

TEST_CASE("what is far too large is refused before any of it is made") {
  const auto spec = [](const std::string& eps0, const std::string& label = "x", const std::string& look = "") {
    std::ofstream(scratch() / "big.toml")
        << "id = \"big\"\nsource = \"s\"\nbounds = [\"balle2020-thm5.1\"]\n"
        << "axes = { eps0 = \"" << eps0 << "\", n = \"10:1e9:1000000\" }\nfixed = { delta = \"1e-6\" }\n[figure]\n"
        << "x = { column = \"eps0\", label = \"" << label << "\"" << look << " }\n"
        << "y = { column = \"value\", label = \"y\" }\nline = [{ bound = \"balle2020-thm5.1\", label = \"a\" }]\n";
  };
  const auto check_soon = [](const std::string& words, const char* why) {
    const auto refused = run_epsilary(words, "ulimit -t 2;");  // it takes 0.02 s; to make the values takes over 4 s
    CHECK_MESSAGE(refused.code == 2, refused.code);
    CHECK_MESSAGE(refused.err.find(why) != std::string::npos, refused.err);
    CHECK(refused.err.size() < 500);
  };
  spec("0.1:4:1000000");
  for (const char* words : {"sweep big.toml", "sweep big.toml --dry-run", "plot big.toml"})
    check_soon(words, "1 000 000 000 000 cells");
  for (const char* words : {"sweep --bounds balle2020-thm5.1", "eval balle2020-thm5.1", "tightness shuffle"})
    check_soon(words + std::string(" --delta 1e-6 --eps0 0.1:4:1000000 --n 10:1e9:1000000"), "10");
  spec(std::string(1000000, '7'));
  check_soon("sweep big.toml", "digits");
  spec("1:2:99999999999999999999999");
  check_soon("sweep big.toml", "more than 1000000 values");
}

TEST_CASE("axes that no picture has are refused by name, and a quote is a label") {
  const auto plot = [](const std::string& x) {
    std::ofstream(scratch() / "axis.toml")
        << "id = \"axis\"\nsource = \"s\"\nbounds = [\"balle2020-thm5.1\"]\naxes = { eps0 = \"1,2\" }\n"
        << "fixed = { n = \"1e4\", delta = \"1e-6\" }\n[figure]\nx = { column = \"eps0\", " << x << " }\n"
        << "y = { column = \"value\", label = \"y\" }\nline = [{ bound = \"balle2020-thm5.1\", label = \"a\" }]\n";
    return run_epsilary("plot axis.toml -o axis.svg");
  };
  CHECK(plot("label = \"'\"").code == 0);
  for (const auto& [x, why] : {std::pair{"label = \"x\", from = \"2\", to = \"1\"", "from < to"},
                               std::pair{"label = \"x\", scale = \"log\", from = \"-1\"", "must be > 0"},
                               std::pair{"label = \"x\", to = \"1e999\"", "no picture reaches"}}) {
    const auto refused = plot(x);
    CHECK(refused.code == 2);
    CHECK_MESSAGE(refused.err.find(why) != std::string::npos, refused.err);
  }
}
