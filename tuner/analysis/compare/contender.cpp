#include "analysis/compare/contender.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "analysis/board/impossible.h"
#include "core/error.h"
#include "core/words.h"
#include "store/imported.h"

namespace warpwright {
namespace {

using Row = Database::TrialRow;
using RankingRow = Database::RankingRow;

// A device can be found by at least this much of its fingerprint.
constexpr std::size_t kShortestFingerprint = 6;

// Keeps the newest row of each key; a row that does not settle its key is kept only if there is no
// other. Database::trials() does the same within one run, this function across several.
std::vector<Row> newest_per_key(std::vector<Row> rows) {
  std::map<std::string, std::tuple<bool, RowId>> newest;  // by key: settled, number
  for (const Row& row : rows) {
    const std::tuple age(settled(row.trial.status), row.trial.id);
    auto& slot = newest.try_emplace(row.trial.key, age).first->second;
    slot = std::max(slot, age);
  }
  std::erase_if(rows, [&](const Row& row) {
    return std::get<RowId>(newest.at(row.trial.key)) != row.trial.id;
  });
  std::sort(rows.begin(), rows.end(),
            [](const Row& a, const Row& b) { return a.trial.id < b.trial.id; });
  return rows;
}

std::vector<RankingRow> newest_per_board(std::vector<RankingRow> rows) {
  const auto board = [](const RankingRow& row) {
    return std::tie(row.ranking.kernel_name, row.ranking.problem_text, row.device_fingerprint,
                    row.board_protocol);
  };
  std::vector<RankingRow> kept;
  std::sort(rows.begin(), rows.end(),
            [](const RankingRow& a, const RankingRow& b) { return a.ranking.id > b.ranking.id; });
  for (RankingRow& row : rows) {
    const bool known = std::any_of(kept.begin(), kept.end(), [&](const RankingRow& other) {
      return board(other) == board(row);
    });
    if (!known) kept.push_back(std::move(row));
  }
  return kept;
}

template <typename T>
void append(std::vector<T>& to, std::vector<T> from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void add_once(std::vector<std::string>& texts, const std::string& text) {
  if (!text.empty() && std::find(texts.begin(), texts.end(), text) == texts.end())
    texts.push_back(text);
}

void describe_device(const Database& database, RowId device, Contender& contender) {
  for (const auto& [id, record] : database.devices()) {
    if (id != device) continue;
    contender.device_id = record.id;
    contender.device_name = record.name;
    contender.device_arch = record.arch;
    contender.device_driver = record.driver;
    contender.device_fingerprint = record.fingerprint;
    contender.modelled = !record.has_clock;
    return;
  }
  WARPWRIGHT_CHECK(false, "a contender's device is a row of its database");
}

void describe_runs(const Database& database, const std::vector<Row>& rows, Contender& contender) {
  std::set<RowId> all, own;
  for (const Row& row : rows) {
    const TrialRecord& trial = row.trial;
    all.insert(trial.run);
    if (!is_imported(trial)) own.insert(trial.run);
    if (trial.started_utc.empty()) continue;
    std::string& first = contender.first_started_utc;
    if (first.empty() || trial.started_utc < first) first = trial.started_utc;
    contender.last_started_utc = std::max(contender.last_started_utc, trial.started_utc);
  }
  contender.runs.assign(all.begin(), all.end());
  for (const auto& [id, run] : database.runs()) {
    if (!own.contains(id)) continue;
    add_once(contender.versions, run.version);
    add_once(contender.nvrtc_versions, run.nvrtc_version);
    add_once(contender.seeds, std::to_string(run.seed));
  }
}

}  // namespace

std::string_view time_kind_name(TimeKind kind) {
  switch (kind) {
    case TimeKind::kMeasured:
      return "measured";
    case TimeKind::kImported:
      return "imported";
    case TimeKind::kModelled:
      return "modelled";
  }
  return "unknown";
}

TimeKind time_kind(const Leaderboard& board) {
  if (board.modelled) return TimeKind::kModelled;
  return board.imported ? TimeKind::kImported : TimeKind::kMeasured;
}

Contender load_contender(const Database& database, const ContenderTrials& trials,
                         const std::optional<std::string>& kernel) {
  Contender contender;
  contender.source = database.path().string();
  describe_device(database, trials.device, contender);
  const std::string& fingerprint = contender.device_fingerprint;

  Database::TrialFilter filter;
  filter.kernel = kernel;
  if (fingerprint.size() >= kShortestFingerprint) filter.device = fingerprint;
  std::vector<Row> rows;
  std::vector<RankingRow> rankings;
  const auto add = [&](std::optional<RowId> run) {
    filter.run = run;
    append(rows, database.trials(filter));
    append(rankings, database.rankings({.kernel = kernel, .run = run}));
  };
  if (trials.runs) {
    for (const RowId run : *trials.runs) add(run);
  } else {
    add(std::nullopt);
  }
  std::erase_if(rows, [&](const Row& row) { return row.device_fingerprint != fingerprint; });
  rows = newest_per_key(std::move(rows));

  describe_runs(database, rows, contender);
  contender.trials = rows.size();
  contender.boards =
      make_leaderboards(rows, newest_per_board(std::move(rankings)), {}, read_peaks(database));
  contender.ceilings = database.ceilings(trials.device);
  return contender;
}

namespace {

constexpr std::size_t kHashDigits = 12;

// True if two of the known values differ.
bool differ(const std::vector<std::string>& values) {
  std::set<std::string> known(values.begin(), values.end());
  known.erase("");
  return known.size() > 1;
}

void add_if_different(std::vector<ContenderDifference>& all, std::string what,
                      std::vector<std::string> values) {
  if (differ(values)) all.push_back({std::move(what), std::move(values)});
}

template <typename Value>
std::vector<std::string> per_contender(const std::vector<Contender>& contenders, Value value) {
  std::vector<std::string> values;
  for (const Contender& contender : contenders) values.push_back(value(contender));
  return values;
}

// The protocols that the compared times were taken under.
std::vector<std::string> protocols(const std::vector<Contender>& contenders,
                                   const std::vector<std::vector<const Leaderboard*>>& boards) {
  std::vector<std::set<std::string>> seen(contenders.size());
  for (const auto& problem : boards) {
    for (std::size_t i = 0; i < problem.size(); ++i) {
      if (problem[i] != nullptr && !problem[i]->entries.empty())
        seen[i].insert(problem[i]->protocol);
    }
  }
  std::vector<std::string> values;
  for (const std::set<std::string>& texts : seen) values.push_back(join(texts));
  return values;
}

// Adds the state of the sources that a variant's trials were made from.
void add_sources(const std::vector<Contender>& contenders,
                 const std::vector<std::vector<const Leaderboard*>>& boards,
                 std::vector<ContenderDifference>& all) {
  std::map<std::pair<std::string, std::string>, std::vector<std::set<std::string>>> seen;
  const auto note = [&](std::size_t contender, const Database::TrialRow& row) {
    auto& hashes = seen[{row.kernel_name, row.trial.variant}];
    hashes.resize(contenders.size());
    hashes[contender].insert(row.contract_hash.substr(0, kHashDigits));
  };
  for (const auto& problem : boards) {
    for (std::size_t i = 0; i < problem.size(); ++i) {
      if (problem[i] == nullptr) continue;
      for (const LeaderboardEntry& entry : problem[i]->entries) note(i, entry.row);
      for (const Database::TrialRow& row : problem[i]->untimed) note(i, row);
    }
  }
  for (const auto& [subject, hashes] : seen) {
    std::vector<std::string> values;
    for (const std::set<std::string>& texts : hashes) values.push_back(join(texts));
    const auto& [kernel, variant] = subject;
    add_if_different(all,
                     fmt::format("sources of {}{}", kernel, variant.empty() ? "" : " " + variant),
                     std::move(values));
  }
}

}  // namespace

std::vector<ContenderDifference> contender_differences(
    const std::vector<Contender>& contenders,
    const std::vector<std::vector<const Leaderboard*>>& boards) {
  std::vector<ContenderDifference> all;
  const auto add = [&](const char* what, auto value) {
    add_if_different(all, what, per_contender(contenders, value));
  };
  add("device", [](const Contender& of) { return of.device_name; });
  add("arch", [](const Contender& of) { return of.device_arch; });
  add("driver", [](const Contender& of) { return of.device_driver; });
  add("NVRTC", [](const Contender& of) { return join(of.nvrtc_versions); });
  add("version", [](const Contender& of) {
    constexpr std::string_view kProgram = "warpwright ";
    std::vector<std::string> versions = of.versions;
    for (std::string& version : versions)
      if (version.starts_with(kProgram)) version.erase(0, kProgram.size());
    return join(versions);
  });
  add("seed", [](const Contender& of) { return join(of.seeds); });
  add_if_different(all, "protocol", protocols(contenders, boards));
  add_sources(contenders, boards, all);
  return all;
}

}  // namespace warpwright
