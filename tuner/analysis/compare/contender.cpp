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
#include "analysis/board/version_names.h"
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

void describe_devices(const Database& database, const std::vector<RowId>& devices,
                      Contender& contender) {
  for (const auto& [id, record] : database.devices()) {
    if (std::find(devices.begin(), devices.end(), id) == devices.end()) continue;
    contender.device_name = record.name;
    contender.device_arch = record.arch;
    contender.device_driver = record.driver;
    contender.modelled = !record.has_clock;
    contender.devices.push_back({record.id, record.fingerprint});
  }
  WARPWRIGHT_CHECK(!devices.empty() && contender.devices.size() == devices.size(),
                   "a contender's devices are rows of its database");
}

// The newest of each name.
std::vector<CeilingRecord> ceilings_of(const Database& database,
                                       const std::vector<RowId>& devices) {
  std::map<std::string, CeilingRecord> newest;
  for (const RowId device : devices) {
    for (CeilingRecord& ceiling : database.ceilings(device)) {
      const auto [it, fresh] = newest.try_emplace(ceiling.name, ceiling);
      if (!fresh && it->second.measured_utc < ceiling.measured_utc) it->second = std::move(ceiling);
    }
  }
  std::vector<CeilingRecord> all;
  for (auto& [name, ceiling] : newest) all.push_back(std::move(ceiling));
  return all;
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

// Keeps the rows of those sources of a variant that were swept last for a problem, on any device.
void keep_current_sources(std::vector<Row>& rows) {
  using Sources = std::pair<std::int64_t, std::string>;
  const auto subject = [](const Row& row) {
    return std::tuple(row.kernel_name, row.trial.problem_text, row.trial.variant);
  };
  std::map<std::tuple<std::string, std::string, std::string>, Sources> newest;
  for (const Row& row : rows) {
    Sources& sources = newest[subject(row)];
    sources = std::max(sources, Sources(row.contract_generation, row.contract_hash));
  }
  std::erase_if(
      rows, [&](const Row& row) { return newest.at(subject(row)).second != row.contract_hash; });
}

// True if `a` is the board whose best is the contender's.
bool better_board(const Leaderboard& a, const Leaderboard& b) {
  if (a.entries.empty() || b.entries.empty()) return !a.entries.empty() && b.entries.empty();
  const LeaderboardEntry &first = a.entries.front(), &second = b.entries.front();
  const auto by_time = [](const Leaderboard& board) {
    return !board.goal || board.goal->spec.by_time();
  };
  // Values of a goal may not be comparable across sweeps; the newer board counts.
  if (!by_time(a) || !by_time(b)) return first.row.trial.id > second.row.trial.id;
  return first.median_us < second.median_us;
}

// Takes the configurations that are wrong on another device off a board.
void take_off(const std::set<std::string>& faulty, Leaderboard& board) {
  const auto is_faulty = [&](const LeaderboardEntry& entry) {
    return faulty.contains(entry.row.trial.configuration_text);
  };
  if (board.entries.empty() || !std::any_of(board.entries.begin(), board.entries.end(), is_faulty))
    return;
  if (is_faulty(board.entries.front())) board.ranking.reset();
  std::erase_if(board.entries, is_faulty);
  if (!board.entries.empty()) board.entries.front().tied_with_best = true;
}

// Makes one board of those of several devices on one problem; configurations in `faulty` were wrong
// on one of them.
Leaderboard join_boards(std::vector<Leaderboard> boards, const std::set<std::string>& faulty) {
  if (boards.size() == 1) return std::move(boards.front());
  for (Leaderboard& board : boards) take_off(faulty, board);
  std::stable_sort(boards.begin(), boards.end(), better_board);
  Leaderboard joined = std::move(boards.front());
  std::set<std::string> known;
  for (const LeaderboardEntry& entry : joined.entries)
    known.insert(entry.row.trial.configuration_text);
  const auto fresh = [&](const Row& row) {
    return known.insert(row.trial.configuration_text).second;
  };
  const auto own = static_cast<std::ptrdiff_t>(joined.entries.size());
  for (auto board = boards.begin() + 1; board != boards.end(); ++board) {
    for (LeaderboardEntry& entry : board->entries) {
      if (!fresh(entry.row)) continue;
      entry.tied_with_best = entry.on_front = false;
      entry.finalist.reset();
      joined.entries.push_back(std::move(entry));
    }
  }
  std::stable_sort(joined.entries.begin() + own, joined.entries.end(),
                   [](const auto& a, const auto& b) { return a.median_us < b.median_us; });
  for (std::size_t i = 0; i < joined.entries.size(); ++i) {
    joined.entries[i].rank = static_cast<int>(i + 1);
    joined.entries[i].speed_vs_best =
        joined.entries.front().median_us / joined.entries[i].median_us;
  }
  std::vector<Row> untimed = std::move(joined.untimed);
  for (auto board = boards.begin() + 1; board != boards.end(); ++board)
    append(untimed, std::move(board->untimed));
  joined.untimed.clear();
  for (Row& row : untimed)
    if (fresh(row)) joined.untimed.push_back(std::move(row));
  joined.trials = joined.entries.size() + joined.untimed.size();
  return joined;
}

// One board for each kernel, problem and protocol. Boards on which nothing was timed have no
// protocol of their own and join another one of their problem.
std::vector<Leaderboard> join_devices(std::vector<Leaderboard> boards) {
  using ProblemKey = std::pair<std::string, std::string>;  // kernel, text
  std::stable_partition(boards.begin(), boards.end(),
                        [](const Leaderboard& board) { return !board.entries.empty(); });
  std::map<ProblemKey, std::set<std::string>> faulty;
  std::map<ProblemKey, std::vector<std::vector<Leaderboard>>> groups;
  for (Leaderboard& board : boards) {
    const ProblemKey problem(board.kernel, board.problem_text);
    for (const Row& row : board.untimed) {
      if (proves_fault(row.trial.status)) faulty[problem].insert(row.trial.configuration_text);
    }
    std::vector<std::vector<Leaderboard>>& of_problem = groups[problem];
    const auto same = std::find_if(of_problem.begin(), of_problem.end(), [&](const auto& group) {
      return board.entries.empty() || group.front().protocol == board.protocol;
    });
    if (same == of_problem.end()) {
      of_problem.emplace_back().push_back(std::move(board));
    } else {
      same->push_back(std::move(board));
    }
  }
  std::vector<Leaderboard> joined;
  for (auto& [problem, of_problem] : groups) {
    std::sort(of_problem.begin(), of_problem.end(),
              [](const auto& a, const auto& b) { return a.front().protocol < b.front().protocol; });
    for (std::vector<Leaderboard>& group : of_problem)
      joined.push_back(join_boards(std::move(group), faulty[problem]));
  }
  return joined;
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
  describe_devices(database, trials.devices, contender);

  std::vector<Row> rows;
  std::vector<RankingRow> rankings;
  const auto add = [&](std::optional<RowId> run) {
    for (const ContenderDevice& device : contender.devices) {
      Database::TrialFilter filter;
      filter.kernel = kernel;
      filter.run = run;
      if (device.fingerprint.size() >= kShortestFingerprint) filter.device = device.fingerprint;
      std::vector<Row> found = database.trials(filter);
      std::erase_if(found,
                    [&](const Row& row) { return row.device_fingerprint != device.fingerprint; });
      append(rows, std::move(found));
    }
    append(rankings, database.rankings({.kernel = kernel, .run = run}));
  };
  if (trials.runs) {
    for (const RowId run : *trials.runs) add(run);
  } else {
    add(std::nullopt);
  }
  rows = newest_per_key(std::move(rows));

  describe_runs(database, rows, contender);
  contender.trials = rows.size();
  const bool several = contender.devices.size() > 1;
  if (several) keep_current_sources(rows);
  contender.boards =
      make_leaderboards(rows, newest_per_board(std::move(rankings)), {}, read_peaks(database));
  VersionNames(database).add_to(contender.boards);
  if (several) contender.boards = join_devices(std::move(contender.boards));
  contender.ceilings = ceilings_of(database, trials.devices);
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
                      std::vector<std::string> values, std::string kernel = "") {
  if (differ(values)) all.push_back({std::move(what), std::move(values), std::move(kernel)});
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
                     std::move(values), kernel);
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
