#include "cli/results_file.h"

#include <fmt/format.h>

#include <fstream>

#include "cli/verb.h"
#include "core/error.h"
#include "core/files.h"
#include "exchange/gzip.h"
#include "exchange/import/import.h"
#include "sweep/run_records.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

std::string start_of(const fs::path& file) {
  require_regular_file(file);
  std::ifstream in(file, std::ios::binary);
  std::string start(16, '\0');
  in.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(in.gcount()));
  return start;
}

bool is_database(std::string_view start) { return start.starts_with("SQLite format 3"); }

// JSON begins with a brace, bracket, blank or byte order mark; a damaged database begins with none
// of these.
bool may_be_json(std::string_view start) {
  return !start.empty() &&
         std::string_view("{[ \t\r\n\xef").find(start.front()) != std::string_view::npos;
}

void unpack(const fs::path& packed, const fs::path& plain) {
  std::ofstream out(plain, std::ios::binary);
  unpack_gzip(packed, [&](std::string_view piece) {
    out.write(piece.data(), static_cast<std::streamsize>(piece.size()));
  });
  out.close();
  if (!out)
    throw environment_error(
        fmt::format("{}: cannot unpack {}; is the disk full?", plain.string(), packed.string()));
}

ResultsFile import_to(std::unique_ptr<TemporaryFolder> folder, const fs::path& file,
                      const std::string& command_line) {
  const fs::path place = folder->path() / "imported.db";
  ImportOptions options;
  options.version = version_text();
  options.command_line = command_line;
  options.now_utc = utc_now();
  import_files({file}, place, options);
  return {std::move(folder), Database(place, OpenMode::kReadOnly)};
}

}  // namespace

ResultsFile open_results(const fs::path& file, const std::string& command_line) {
  const std::string start = start_of(file);
  const bool packed = is_gzip(start);
  if (!packed && !may_be_json(start)) return {nullptr, Database(file, OpenMode::kReadOnly)};
  auto folder = std::make_unique<TemporaryFolder>("warpwright-results");
  if (packed) {
    const fs::path plain = folder->path() / "unpacked.db";
    unpack(file, plain);
    if (is_database(start_of(plain))) {
      try {
        return {std::move(folder), Database(plain, OpenMode::kReadOnly)};
      } catch (Error& error) {
        throw error.add_context(fmt::format("unpacked from {}", file.string()));
      }
    }
  }
  return import_to(std::move(folder), file, command_line);
}

}  // namespace warpwright
