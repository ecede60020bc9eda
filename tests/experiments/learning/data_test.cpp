// What is read from the four files, and what is refused.
#include "experiments/learning/data.hpp"

#include <doctest/doctest.h>
#include <zlib.h>

#include <epsilary/epsilary.hpp>

#include "tests/experiments/learning/strokes.hpp"

using epsilary::learning::read_data;
using experiments_test::Scratch;
using experiments_test::slurp;
using experiments_test::spill;
using learning_test::number;

namespace {

std::string refusal(const std::filesystem::path& folder) {
  try {
    read_data(folder);
  } catch (const epsilary::Error& e) {
    CHECK(e.next.find("experiments/learning/fetch-mnist") != std::string::npos);
    return e.what();
  }
  return "";
}

void gzip(const std::filesystem::path& file) {
  const std::string bytes = slurp(file);
  gzFile out = gzopen((file.string() + ".gz").c_str(), "wb");
  gzwrite(out, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(out);
  std::filesystem::remove(file);
}

}  // namespace

TEST_CASE("images and labels are read as they were written, gzipped or not") {
  const Scratch scratch;
  learning_test::write_digits(scratch.folder, 30, 20);
  const auto plain = read_data(scratch.folder);
  CHECK(plain.train.images == learning_test::draw_digits(30, 1).images);
  CHECK(plain.test.labels == learning_test::draw_digits(20, 2).labels);
  for (const char* name : {"train-images-idx3-ubyte", "t10k-labels-idx1-ubyte"}) gzip(scratch / name);
  const auto zipped = read_data(scratch.folder);
  CHECK(zipped.digest == plain.digest);
  CHECK(zipped.train.images == plain.train.images);
}

TEST_CASE("files that are missing, cut short, damaged or swapped are refused with their name and how to get them") {
  const Scratch scratch;
  learning_test::write_digits(scratch.folder, 30, 20);
  const auto images = scratch / "train-images-idx3-ubyte", labels = scratch / "train-labels-idx1-ubyte";
  const std::string whole = slurp(images), whole_labels = slurp(labels);
  const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };

  CHECK(has(refusal(scratch / "nowhere"), "is not a folder"));
  spill(images, whole.substr(0, 5000));
  CHECK(has(refusal(scratch.folder), "train-images-idx3-ubyte ends too early"));
  spill(images, whole + "x");
  CHECK(has(refusal(scratch.folder), "longer than its header says"));
  spill(images, whole_labels);
  CHECK(has(refusal(scratch.folder), "holds labels where images are expected; are two files swapped?"));
  spill(images, "GIF89a, certainly no images of digits");
  CHECK(has(refusal(scratch.folder), "is not an IDX file"));
  spill(images, number(0x803) + number(0xFFFFFFFF) + number(28) + number(28));
  CHECK(has(refusal(scratch.folder), "4294967295 examples"));
  spill(images, number(0x803) + number(30) + number(32) + number(32));
  CHECK(has(refusal(scratch.folder), "32 x 32, not 28 x 28"));
  spill(images, "");
  CHECK(has(refusal(scratch.folder), "ends too early"));
  spill(images, whole);
  gzip(images);
  const std::string packed = slurp(images.string() + ".gz");
  spill(images.string() + ".gz", packed.substr(0, packed.size() / 2));
  CHECK(!refusal(scratch.folder).empty());
  std::filesystem::remove(images.string() + ".gz");
  CHECK(has(refusal(scratch.folder), "has no train-images-idx3-ubyte"));
  spill(images, whole);
  std::string wrong = whole_labels;
  wrong[10] = 11;
  spill(labels, wrong);
  CHECK(has(refusal(scratch.folder), "label 11"));
  spill(labels, slurp(scratch / "t10k-labels-idx1-ubyte"));
  CHECK(has(refusal(scratch.folder), "20 labels for the 30 images"));
  // Both pairs whole, in each other's place.
  spill(labels, whole_labels);
  for (const char* kind : {"images-idx3-ubyte", "labels-idx1-ubyte"}) {
    std::filesystem::rename(scratch / (std::string("train-") + kind), scratch / "aside");
    std::filesystem::rename(scratch / (std::string("t10k-") + kind), scratch / (std::string("train-") + kind));
    std::filesystem::rename(scratch / "aside", scratch / (std::string("t10k-") + kind));
  }
  CHECK(has(refusal(scratch.folder), "more images to test (30) than to train (20); are they swapped?"));
}
