// A file in the making, beside the one it will replace when it is whole.
#pragma once

#include <filesystem>
#include <string>

namespace epsilary {

// ".part-PROCESS-NAME", in the folder of NAME and with its ending. Parts of NAME that processes left behind which are
// no more are taken away.
std::filesystem::path part_of(const std::filesystem::path& file);

// On the disk before it has its name, or a crash could leave an empty file under a good name; then it replaces the old
// file. Throws Error, and the part is gone.
void replace(const std::filesystem::path& file, const std::filesystem::path& part);

// "cannot write FILE: why", and the next step for it.
[[noreturn]] void refuse_writing(const std::filesystem::path& file, int why);

}  // namespace epsilary
