// Reads and writes gzip files through zlib. The unpacked size is limited, so that a few kilobytes
// that unpack to terabytes fill neither memory nor disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace warpwright {

[[nodiscard]] bool is_gzip(std::string_view start);

struct GzipLimits {
  // A file is refused when it unpacks to more than both: this many bytes, and this many times its
  // size. Results compress about 5 to 15 times, deflate reaches 1032 times at most.
  std::uint64_t bytes = std::uint64_t{256} << 20;
  std::uint64_t times = 100;
};

// Hands the content to `take` in pieces of at most 64 KiB; several members may follow each other,
// as gzip allows. Throws Error (user) when the file is missing, damaged, truncated or over the
// limit, Error (environment) when it cannot be read; what was handed out before must not be used.
void unpack_gzip(const std::filesystem::path& path,
                 const std::function<void(std::string_view)>& take, const GzipLimits& limits = {});

// Equal content packs to equal bytes: no time stamp and no file name is written.
[[nodiscard]] std::string pack_gzip(std::string_view content);

}  // namespace warpwright
