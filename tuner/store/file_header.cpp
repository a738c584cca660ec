#include "store/file_header.h"

#include <fmt/format.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <string_view>
#include <system_error>

#include "core/error.h"
#include "core/files.h"
#include "store/schema.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kMagic("SQLite format 3\0", 16);
constexpr std::size_t kHeaderBytes = 100;
constexpr std::size_t kPageSizeAt = 16;
constexpr std::size_t kChangeCounterAt = 24;
constexpr std::size_t kPageCountAt = 28;
constexpr std::size_t kApplicationIdAt = 68;
constexpr std::size_t kVersionValidForAt = 92;

using Header = std::array<char, kHeaderBytes>;

std::uint32_t big_endian(const Header& header, std::size_t at, std::size_t bytes) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i)
    value = value << 8 | static_cast<unsigned char>(header[at + i]);
  return value;
}

bool has_content(const fs::path& path, const char* suffix) {
  std::error_code missing;
  const auto bytes = fs::file_size(path.string() + suffix, missing);
  return !missing && bytes > 0;
}

}  // namespace

FileHeader inspect_file(const fs::path& path) {
  FileHeader found;
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) {
    throw user_error(
        fmt::format("{} is a folder, expected a database file; use --db FILE", path.string()));
  }
  if (!fs::exists(path, ignored)) return found;
  require_regular_file(path);

  std::ifstream in(path, std::ios::binary);
  Header header{};
  in.read(header.data(), header.size());
  if (!in.is_open() || in.bad()) {
    throw environment_error(fmt::format("{} cannot be read: {}; check its permissions",
                                        path.string(), std::strerror(errno)));
  }
  const auto read = static_cast<std::size_t>(in.gcount());
  found.has_log = has_content(path, "-wal");
  const bool unsettled = has_content(path, "-journal");
  // Read last: a file that another process is creating has the length given in its header once the
  // journal is gone.
  found.bytes = fs::file_size(path, ignored);
  if (read == 0) {
    found.kind = FileKind::kEmpty;
    return found;
  }
  if (unsettled) {
    found.kind = FileKind::kUnsettled;
    return found;
  }
  const std::size_t compared = std::min(read, kMagic.size());
  if (kMagic.substr(0, compared) != std::string_view(header.data(), compared)) {
    found.kind = FileKind::kNotSqlite;
    return found;
  }
  if (read < kHeaderBytes) {
    found.kind = FileKind::kTruncated;
    found.expected_bytes = kHeaderBytes;
    return found;
  }
  const std::uint32_t page_field = big_endian(header, kPageSizeAt, 2);
  const std::uint64_t page_bytes = page_field == 1 ? 65536 : page_field;
  // The page count is valid only if these two agree; with a log, pages may still be in the log.
  const bool count_valid =
      big_endian(header, kChangeCounterAt, 4) == big_endian(header, kVersionValidForAt, 4);
  if (count_valid) found.expected_bytes = page_bytes * big_endian(header, kPageCountAt, 4);
  if (!found.has_log && found.bytes < found.expected_bytes) {
    found.kind = FileKind::kTruncated;
    return found;
  }
  found.kind = big_endian(header, kApplicationIdAt, 4) == static_cast<std::uint32_t>(kApplicationId)
                   ? FileKind::kOurs
                   : FileKind::kOther;
  return found;
}

}  // namespace warpwright
