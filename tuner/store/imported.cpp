#include "store/imported.h"

#include <nlohmann/json.hpp>

namespace warpwright {

bool is_imported(const TrialRecord& trial) {
  return trial.protocol.starts_with(kImportedProtocols);
}

std::string import_file(const TrialRecord& trial) {
  if (!is_imported(trial)) return "";
  const nlohmann::json seen =
      nlohmann::json::parse(trial.measurement_json, nullptr, /*allow_exceptions=*/false);
  if (!seen.is_object()) return "";
  const auto imported = seen.find("imported");
  if (imported == seen.end() || !imported->is_object()) return "";
  const auto file = imported->find("file");
  return file != imported->end() && file->is_string() ? file->get<std::string>() : "";
}

}  // namespace warpwright
