#include "cli/show_versions.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "analysis/board/impossible.h"
#include "cli/print.h"
#include "core/error.h"
#include "core/files.h"
#include "spec/sweep_spec.h"

namespace warpwright {
namespace {

using Json = nlohmann::json;

std::vector<NamedVersion> versions_of(const SweepSpec& sweep) {
  std::vector<NamedVersion> versions;
  for (const std::string& name : sweep.versions) {
    const auto preset = std::find_if(sweep.presets.begin(), sweep.presets.end(),
                                     [&](const Preset& known) { return known.name == name; });
    if (preset == sweep.presets.end()) continue;  // parse_sweep() rejects such a name
    versions.push_back({name, preset->values});
  }
  return versions;
}

// Returns the stored sweep, or nullopt if this program can no longer read its text.
std::optional<SweepSpec> stored_sweep(RowId id, const RunRecord& run) {
  if (run.config_text.empty()) return std::nullopt;  // an import
  try {
    return parse_sweep(run.config_text, run.config_path);
  } catch (const Error& error) {
    print_error("warpwright: note: the sweep of run {} can no longer be read: {}\n", id,
                error.what());
    return std::nullopt;
  }
}

// The peers may have more problems, in another order.
const Json* result_of(const Json& results, const VersionTable& table, std::size_t problem) {
  const Json wanted = table.problems[problem].document();
  for (const Json& result : results)
    if (result.at("kernel") == table.kernel && result.at("problem") == wanted) return &result;
  return nullptr;
}

// Returns the peers of the kernel in the order of the file.
std::vector<std::string> peer_names(const nlohmann::ordered_json& measured,
                                    const std::string& kernel) {
  std::vector<std::string> names;
  for (const auto& result : measured.at("results")) {
    if (result.at("kernel") != kernel) continue;
    for (const auto& [name, time] : result.at("peers").items())
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return names;
}

void add_peers(const Json& measured, const std::vector<std::string>& names, VersionTable& table) {
  if (measured.at("environment").at("device") != table.device_name || table.modelled) return;
  const Json& results = measured.at("results");
  for (const std::string& name : names) {
    VersionRow& row = table.peers.emplace_back(VersionRow{name, {}});
    for (std::size_t i = 0; i < table.problems.size(); ++i) {
      VersionCell& cell = row.cells.emplace_back();
      const Json* result = result_of(results, table, i);
      if (result == nullptr || !result->at("peers").contains(name)) continue;
      const Json& time = result->at("peers").at(name);
      if (time.is_null()) continue;
      cell.time = VersionTime{time.at("median_us"), time.at("ci_low_us"), time.at("ci_high_us")};
    }
  }
}

void add_peers(const std::filesystem::path& file, std::vector<VersionTable>& tables) {
  try {
    const std::string text = read_file(file);
    const Json measured = Json::parse(text);
    const auto ordered = nlohmann::ordered_json::parse(text);
    for (VersionTable& table : tables)
      add_peers(measured, peer_names(ordered, table.kernel), table);
  } catch (const Json::exception& error) {
    throw user_error(fmt::format("{}: expected what `scripts/peers --json FILE` writes: {}",
                                 file.string(), error.what()));
  }
}

}  // namespace

std::vector<VersionTable> load_version_tables(const Database& database,
                                              const Database::TrialFilter& filter,
                                              const std::optional<std::filesystem::path>& peers) {
  Database::TrialFilter everything = filter;
  everything.run.reset();
  const PeaksByDevice peaks = read_peaks(database);
  std::vector<VersionTable> tables;
  std::set<std::string> done;  // sweep files
  std::vector<std::pair<RowId, RunRecord>> runs = database.runs();
  std::sort(runs.begin(), runs.end(),
            [](const auto& a, const auto& b) { return a.first > b.first; });
  for (const auto& [id, run] : runs) {
    if (filter.run && *filter.run != id) continue;
    if (done.contains(run.config_path)) continue;
    const std::optional<SweepSpec> sweep = stored_sweep(id, run);
    if (!sweep || sweep->versions.empty()) continue;
    if (filter.kernel && sweep->kernel != *filter.kernel) continue;
    everything.kernel = sweep->kernel;
    Database::TrialFilter own = everything;
    own.run = id;
    const std::vector<Leaderboard> own_boards = make_leaderboards(
        database.trials(own), database.rankings({.kernel = own.kernel, .run = own.run}), {}, peaks);
    if (own_boards.empty()) continue;  // everything was known before
    const std::vector<Leaderboard> all_boards = make_leaderboards(
        database.trials(everything), database.rankings({.kernel = everything.kernel}), {}, peaks);
    for (VersionTable& table :
         make_version_tables(run.config_path, versions_of(*sweep), own_boards, all_boards))
      tables.push_back(std::move(table));
    done.insert(run.config_path);
  }
  if (tables.empty()) {
    throw user_error(fmt::format(
        "{}: no sweep with named versions has results here; give a sweep `presets` and `version`, "
        "and run it",
        database.path().string()));
  }
  std::stable_sort(tables.begin(), tables.end(),
                   [](const VersionTable& a, const VersionTable& b) { return a.sweep < b.sweep; });
  if (peers) add_peers(*peers, tables);
  return tables;
}

}  // namespace warpwright
