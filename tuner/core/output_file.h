// Writes output files that the user names. The kind of file under the name decides how it is
// written: a regular file is replaced as a whole, as publish_file() does; a symlink is kept and its
// target is written; a pipe, a terminal or another device is written into and never replaced.
#pragma once

#include <filesystem>
#include <string_view>

namespace warpwright {

// Throws Error (environment) for a folder, on a full disk (the old content then stays), and for a
// pipe without a reader.
void write_output(const std::filesystem::path& path, std::string_view content);

// The same, appending to the existing content.
void append_output(const std::filesystem::path& path, std::string_view content);

// Returns true if write_output() would leave a file behind, as opposed to /dev/stdout, a pipe or a
// device.
[[nodiscard]] bool is_output_file(const std::filesystem::path& path);

}  // namespace warpwright
