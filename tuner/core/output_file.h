// Files that the user names for output. What stands under the name decides how it is written: a
// regular file is replaced whole, as publish_file() does; a symlink stays one, and what it leads to
// is written; a pipe, a terminal or another device is written into and never replaced.
#pragma once

#include <filesystem>
#include <string_view>

namespace warpwright {

// Throws Error (environment): on a folder, on a full disk (the old content then stays), on a pipe
// that nobody reads.
void write_output(const std::filesystem::path& path, std::string_view content);

// The same at the end of what is there.
void append_output(const std::filesystem::path& path, std::string_view content);

// Whether write_output() would leave a file behind, as opposed to /dev/stdout, a pipe or a device.
[[nodiscard]] bool is_output_file(const std::filesystem::path& path);

}  // namespace warpwright
