#include "exchange/import/result_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>

#include "core/error.h"
#include "core/files.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kLook = 64;

std::string start_of(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) throw user_error(fmt::format("no such file: {}", path.string()));
  if (fs::is_directory(path, ignored))
    throw user_error(fmt::format("{} is a folder, expected a file of results", path.string()));
  require_regular_file(path);
  std::ifstream in(path, std::ios::binary);
  std::string start(kLook, '\0');
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  if (!in.is_open() || in.bad())
    throw environment_error(fmt::format("cannot read {}: {}", path.string(), std::strerror(errno)));
  start.resize(static_cast<std::size_t>(in.gcount()));
  return start;
}

// A database in a compressed file is unpacked to disk because SQLite reads files.
void unpack_to(const fs::path& packed, const fs::path& plain, const GzipLimits& limits) {
  const int out = ::open(plain.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (out < 0)
    throw environment_error(
        fmt::format("cannot write {}: {}", plain.string(), std::strerror(errno)));
  try {
    unpack_gzip(
        packed, [&](std::string_view piece) { write_all(out, piece, plain); }, limits);
  } catch (...) {
    ::close(out);
    throw;
  }
  ::close(out);
}

bool begins_json(std::string_view start) {
  if (start.starts_with("\xef\xbb\xbf")) start.remove_prefix(3);
  const std::size_t at = start.find_first_not_of(" \t\r\n");
  return at != std::string_view::npos && (start[at] == '{' || start[at] == '[');
}

OpenedFile open_plain(const fs::path& path) {
  const std::string start = start_of(path);
  if (start.starts_with(std::string_view("SQLite format 3\0", 16)))
    return {nullptr, Database(path, OpenMode::kReadOnly)};
  if (begins_json(start)) return {nullptr, JsonText{read_file(path)}};
  return {nullptr, OtherContent{start.empty()}};
}

[[noreturn]] void throw_unpacked(Error& error, const fs::path& path) {
  throw error.add_context(fmt::format("unpacked from {}", path.string()));
}

ResultFile read_content(OpenedFile file, const std::string& name) {
  if (auto* database = std::get_if<Database>(&file.content)) return read_snapshot(*database, name);
  if (auto* json = std::get_if<JsonText>(&file.content)) return std::move(*json);
  if (std::get<OtherContent>(file.content).empty)
    throw user_error(fmt::format("{} is empty", name));
  throw user_error(
      fmt::format("{}: expected a warpwright database or a T4 file of results (JSON), "
                  "plain or compressed with gzip; it is neither",
                  name));
}

}  // namespace

OpenedFile open_result_file(const fs::path& path, const GzipLimits& limits) {
  if (!is_gzip(start_of(path))) return open_plain(path);
  auto folder = std::make_unique<TemporaryFolder>("warpwright-import");
  const fs::path plain = folder->path() / "unpacked";
  unpack_to(path, plain, limits);
  try {
    OpenedFile file = open_plain(plain);
    file.folder = std::move(folder);
    return file;
  } catch (Error& error) {
    throw_unpacked(error, path);
  }
}

ResultFile read_result_file(const fs::path& path, const GzipLimits& limits) {
  OpenedFile file = open_result_file(path, limits);
  if (!file.folder) return read_content(std::move(file), path.string());
  try {
    return read_content(std::move(file), path.string());
  } catch (Error& error) {
    throw_unpacked(error, path);
  }
}

}  // namespace warpwright
