#include "experiments/learning/data.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <epsilary/epsilary.hpp>
#include <memory>

#include "experiments/sweep/checksum.hpp"

namespace epsilary::learning {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t images_magic = 0x803, labels_magic = 0x801, most = 10'000'000;

[[noreturn]] void refuse(const std::string& what) {
  throw Error(Problem::could_not, what, "get the four files with: experiments/learning/fetch-mnist DIR");
}

// As it is named by its makers, by others with a dot for the second dash, and with .gz.
fs::path find(const fs::path& folder, const std::string& stem, const std::string& kind) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) refuse(fmt::format("{} is not a folder", folder.string()));
  for (const char* between : {"-", "."})
    for (const char* ending : {"", ".gz"})
      if (const fs::path file = folder / (stem + between + kind + "-ubyte" + ending); fs::exists(file, error))
        return file;
  refuse(fmt::format("{} has no {}-{}-ubyte, gzipped or not", folder.string(), stem, kind));
}

// zlib reads what is not gzipped as it is.
class File {
 public:
  explicit File(const fs::path& path) : name_(path.string()), file_(gzopen(path.c_str(), "rb")) {
    if (!file_) refuse(fmt::format("cannot read {}: {}", name_, std::strerror(errno)));
  }
  void read(void* to, std::size_t bytes) {
    auto* at = static_cast<std::uint8_t*>(to);
    while (bytes > 0) {
      const int got = gzread(file_.get(), at, static_cast<unsigned>(std::min(bytes, std::size_t{1} << 20)));
      if (got < 0) refuse(fmt::format("{} is damaged: {}", name_, why()));
      if (got == 0) refuse(fmt::format("{} ends too early", name_));
      at += got;
      bytes -= static_cast<std::size_t>(got);
    }
  }
  std::uint32_t number() {
    std::uint8_t b[4];
    read(b, 4);
    return std::uint32_t{b[0]} << 24 | std::uint32_t{b[1]} << 16 | std::uint32_t{b[2]} << 8 | b[3];
  }
  void end() {
    std::uint8_t more = 0;
    const int got = gzread(file_.get(), &more, 1);
    if (got < 0) refuse(fmt::format("{} is damaged: {}", name_, why()));
    if (got > 0) refuse(fmt::format("{} is longer than its header says", name_));
  }
  const std::string& name() const { return name_; }

 private:
  std::string why() {
    int code = 0;
    const char* text = gzerror(file_.get(), &code);
    return code == Z_ERRNO ? std::strerror(errno) : text;
  }
  struct Close {
    void operator()(gzFile_s* f) const { gzclose(f); }
  };
  std::string name_;
  std::unique_ptr<gzFile_s, Close> file_;
};

std::uint32_t header(File& file, std::uint32_t expected) {
  const std::uint32_t magic = file.number();
  if (magic != expected) {
    const char* kind = magic == images_magic ? "images" : magic == labels_magic ? "labels" : nullptr;
    if (!kind) refuse(fmt::format("{} is not an IDX file of bytes (it begins with {:#x})", file.name(), magic));
    refuse(fmt::format("{} holds {} where {} are expected; are two files swapped?", file.name(), kind,
                       expected == images_magic ? "images" : "labels"));
  }
  const std::uint32_t count = file.number();
  if (count == 0 || count > most)
    refuse(fmt::format("{} says it has {} examples, not 1 to {}", file.name(), count, most));
  return count;
}

Examples read_examples(const fs::path& folder, const std::string& part) {
  Examples out;
  File images(find(folder, part + "-images", "idx3"));
  const std::uint32_t count = header(images, images_magic), height = images.number(), width = images.number();
  if (height != 28 || width != 28)
    refuse(fmt::format("{} has images of {} x {}, not 28 x 28", images.name(), height, width));
  out.images.resize(std::size_t{count} * 784);
  images.read(out.images.data(), out.images.size());
  images.end();
  File labels(find(folder, part + "-labels", "idx1"));
  if (const std::uint32_t labelled = header(labels, labels_magic); labelled != count)
    refuse(fmt::format("{} has {} labels for the {} images of {}; are two files swapped?", labels.name(), labelled,
                       count, images.name()));
  out.labels.resize(count);
  labels.read(out.labels.data(), count);
  labels.end();
  for (const std::uint8_t label : out.labels)
    if (label > 9) refuse(fmt::format("{} has the label {}, which is no digit", labels.name(), label));
  return out;
}

}  // namespace

Data read_data(const fs::path& folder) {
  Data data{read_examples(folder, "train"), read_examples(folder, "t10k"), {}};
  if (data.test.size() > data.train.size())
    refuse(fmt::format("{} has more images to test ({}) than to train ({}); are they swapped?", folder.string(),
                       data.test.size(), data.train.size()));
  experiments::Checksum sum;
  for (const Examples* e : {&data.train, &data.test})
    sum.add(e->images.data(), e->images.size()).add(e->labels.data(), e->labels.size());
  data.digest = fmt::format("{:016x}", sum.value());
  return data;
}

}  // namespace epsilary::learning
