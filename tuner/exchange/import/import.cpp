#include "exchange/import/import.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/hash.h"
#include "exchange/import/result_file.h"
#include "exchange/t4/t4_import.h"

namespace warpwright {
namespace {

T4Import read_json(JsonText json, const std::filesystem::path& file, const ImportOptions& options) {
  T4ImportOptions t4;
  t4.file_name = file.filename().string();
  t4.sha256 = sha256_hex(json.text);
  t4.kernel = options.kernel;
  t4.device = options.device;
  t4.problem = options.problem;
  t4.version = options.version;
  t4.command_line = options.command_line;
  t4.now_utc = options.now_utc;
  return import_t4(read_t4(std::move(json.text), file.string()), t4);
}

}  // namespace

ImportReport import_files(const std::vector<std::filesystem::path>& files,
                          const std::filesystem::path& target, const ImportOptions& options) {
  ImportReport report;
  std::vector<Snapshot> snapshots;
  bool any_t4 = false;
  for (const std::filesystem::path& file : files) {
    ResultFile result = read_result_file(file);
    if (auto* snapshot = std::get_if<Snapshot>(&result)) {
      snapshots.push_back(std::move(*snapshot));
      report.files.push_back({"database"});
      continue;
    }
    T4Import imported = read_json(std::get<JsonText>(std::move(result)), file, options);
    imported.snapshot.name = file.string();
    snapshots.push_back(std::move(imported.snapshot));
    report.files.push_back({"T4", std::move(imported.notes)});
    any_t4 = true;
  }
  if (!any_t4) {
    for (const auto& [option, given] :
         {std::pair("--kernel", &options.kernel), std::pair("--device", &options.device),
          std::pair("--problem", &options.problem)}) {
      if (given->empty()) continue;
      throw user_error(
          fmt::format("{} names what a T4 file does not say; a database says it itself", option));
    }
  }
  Database database(target);
  report.merged = merge_snapshots(snapshots, database, options.merge);
  return report;
}

MergeReport merge_files(const std::vector<std::filesystem::path>& files,
                        const std::filesystem::path& target, const MergeOptions& options) {
  std::vector<Snapshot> snapshots;
  for (const std::filesystem::path& file : files) {
    ResultFile result = read_result_file(file);
    auto* snapshot = std::get_if<Snapshot>(&result);
    if (snapshot == nullptr) {
      throw user_error(
          fmt::format("{} is not a database; `warpwright import {}` reads other results",
                      file.string(), file.string()));
    }
    snapshots.push_back(std::move(*snapshot));
  }
  Database database(target);
  return merge_snapshots(snapshots, database, options);
}

}  // namespace warpwright
