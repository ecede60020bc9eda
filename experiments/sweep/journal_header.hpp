// The first bytes of a journal.
#pragma once

#include <filesystem>

namespace epsilary::experiments {

inline constexpr int application_id = 0x45505359;  // "EPSY" at byte 68 of the file

// The header is read before SQLite touches the file, so that what is not ours stays as it is. Throws BadJournal.
void refuse_foreign_journal(const std::filesystem::path& file);

}  // namespace epsilary::experiments
