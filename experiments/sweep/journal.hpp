// What a sweep has computed, kept in a file as it comes, so that one that was stopped goes on where it was.
#pragma once

#include <filesystem>
#include <memory>
#include <mutex>
#include <string>

#include "experiments/sweep/database.hpp"
#include "experiments/tables/table.hpp"

namespace epsilary::experiments {

// What a result depends on besides its cell: the sources it was compiled from and the libraries.
std::string fingerprint();

// An SQLite file in WAL mode. A row is found again by its bound and form, its exact parameters, the digits, the
// number type and the program; no other program's row is ever taken for one of this. Rows are committed in batches by
// one thread of its own within milliseconds, and what is committed survives the death of the process. Any number of
// processes may share a file.
class Journal {
 public:
  // Opens or makes the file. Throws BadJournal, and leaves the file as it is, when it is damaged or not a journal.
  Journal(const std::filesystem::path& file, const bounds::Accuracy& accuracy, std::string program = fingerprint());
  ~Journal();

  // Completes a record whose bound and params are set; false when the journal does not hold it.
  bool find(Record& record);

  // Throws BadJournal when this or an earlier record could not be written.
  void keep(const Record& record);
  void flush();

  std::size_t size() const;  // the rows of this program and accuracy when the file was opened

 private:
  class Cells;
  class Writer;
  std::size_t rows_ = 0;
  std::mutex one_reader_;
  std::unique_ptr<Cells> reading_;
  std::unique_ptr<Writer> writer_;
};

}  // namespace epsilary::experiments
