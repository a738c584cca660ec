// Texts of the repository that inputs are made from.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace warpwright::fuzz {

[[nodiscard]] std::filesystem::path source_folder();
// The files below `folder`, relative to the repository's root, whose names end in `ending` and that
// have at most `most_bytes`, in order of path. Throws when there is none.
[[nodiscard]] std::vector<std::filesystem::path> corpus_files(const std::string& folder,
                                                              const std::string& ending,
                                                              std::size_t most_bytes = 1 << 20);
// Files are not flushed to the disk: nothing here has to outlive the process.
void write_quickly(const std::filesystem::path& file, const std::string& bytes);
[[nodiscard]] std::vector<std::string> read_all(const std::vector<std::filesystem::path>& files);

}  // namespace warpwright::fuzz
