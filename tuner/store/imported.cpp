#include "store/imported.h"

#include <nlohmann/json.hpp>

namespace warpwright {

bool is_imported(const TrialRecord& trial) {
  return trial.protocol.starts_with(kImportedProtocols);
}

nlohmann::json import_details(const TrialRecord& trial) {
  if (!is_imported(trial)) return nlohmann::json::object();
  const nlohmann::json seen = trial.measurement.document();
  const auto imported = seen.find("imported");
  return imported != seen.end() && imported->is_object() ? *imported : nlohmann::json::object();
}

std::string import_file(const TrialRecord& trial) {
  if (trial.measurement.readable() == nullptr) return "";
  const nlohmann::json details = import_details(trial);
  const auto file = details.find("file");
  return file != details.end() && file->is_string() ? file->get<std::string>() : "";
}

}  // namespace warpwright
