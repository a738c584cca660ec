#include "analysis/compare/version_table.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <sstream>

namespace warpwright {
namespace {

VersionTime time_of(const LeaderboardEntry& entry, bool tied) {
  return {entry.median_us,
          entry.ci_low_us,
          entry.ci_high_us,
          tied,
          entry.row.trial.configuration_text,
          entry.gigaflops_per_second,
          entry.limit_share};
}

std::optional<VersionCell> find_version(const Leaderboard& board, const NamedVersion& version,
                                        bool ties_count) {
  for (const LeaderboardEntry& entry : board.entries)
    if (is_version(entry.row.trial, version))
      return VersionCell{time_of(entry, ties_count && entry.tied_with_best)};
  for (const Database::TrialRow& row : board.untimed)
    if (is_version(row.trial, version))
      return VersionCell{std::nullopt, std::string(status_name(row.trial.status))};
  return std::nullopt;
}

// Looks in `all`, because the run's own boards may be narrower.
const Leaderboard* same_board(const std::vector<Leaderboard>& boards, const Leaderboard& wanted) {
  const auto found = std::find_if(boards.begin(), boards.end(), [&](const Leaderboard& board) {
    return board.kernel == wanted.kernel && board.problem == wanted.problem &&
           board.device_fingerprint == wanted.device_fingerprint &&
           board.protocol == wanted.protocol;
  });
  return found == boards.end() ? nullptr : &*found;
}

// The sizes of "rows=8 d=64 dtype=f32" that are numbers.
std::vector<double> sizes_of(const std::string& problem_text) {
  std::vector<double> sizes;
  std::istringstream words(problem_text);
  for (std::string word; words >> word;) {
    const char* end = word.data() + word.size();
    double value = 0;
    const auto parsed = std::from_chars(word.data() + word.find('=') + 1, end, value);
    if (parsed.ec == std::errc() && parsed.ptr == end) sizes.push_back(value);
  }
  return sizes;
}

VersionCell best_cell(const Leaderboard& board, const std::vector<std::string>* variants) {
  for (const LeaderboardEntry& entry : board.entries) {
    if (variants == nullptr ||
        std::find(variants->begin(), variants->end(), entry.row.trial.variant) != variants->end())
      return {time_of(entry, false)};
  }
  return {};
}

// Boards of one device and protocol, with everything known about the same problems.
struct BoardPair {
  const Leaderboard* own;
  const Leaderboard* whole;
};

void add_versions(const std::vector<NamedVersion>& versions, const std::vector<BoardPair>& boards,
                  VersionTable& table) {
  for (const NamedVersion& version : versions) {
    VersionRow& row = table.versions.emplace_back(VersionRow{version.name, {}});
    for (const BoardPair& board : boards) {
      std::optional<VersionCell> cell = find_version(*board.own, version, true);
      if (!cell) cell = find_version(*board.whole, version, false);
      row.cells.push_back(cell.value_or(VersionCell{}));
    }
  }
}

std::vector<std::string> variants_of(const std::vector<NamedVersion>& versions,
                                     const std::vector<BoardPair>& boards) {
  std::set<std::string> variants;
  for (const BoardPair& board : boards)
    for (const LeaderboardEntry& entry : board.whole->entries)
      if (std::any_of(versions.begin(), versions.end(), [&](const NamedVersion& version) {
            return is_version(entry.row.trial, version);
          }))
        variants.insert(entry.row.trial.variant);
  return {variants.begin(), variants.end()};
}

void add_bests(const std::vector<BoardPair>& boards, VersionTable& table) {
  for (std::size_t i = 0; i < boards.size(); ++i) {
    table.best_of_variants.cells.push_back(best_cell(*boards[i].whole, &table.variants));
    table.best_of_all.cells.push_back(best_cell(*boards[i].whole, nullptr));
    std::optional<double> best;
    for (const VersionRow& row : table.versions)
      if (row.cells[i].time && (!best || row.cells[i].time->median_us < *best))
        best = row.cells[i].time->median_us;
    const std::optional<VersionTime>& all = table.best_of_all.cells[i].time;
    table.gain.push_back(best && all && all->median_us > 0 ? std::optional(*best / all->median_us)
                                                           : std::nullopt);
  }
}

void add_order(VersionTable& table) {
  for (std::size_t i = 0; i < table.problems.size(); ++i) {
    std::vector<const VersionRow*> timed;
    for (const VersionRow& row : table.versions)
      if (row.cells[i].time) timed.push_back(&row);
    std::stable_sort(timed.begin(), timed.end(), [&](const VersionRow* a, const VersionRow* b) {
      return a->cells[i].time->median_us < b->cells[i].time->median_us;
    });
    std::vector<std::string>& names = table.order.emplace_back();
    for (const VersionRow* row : timed) names.push_back(row->name);
  }
}

}  // namespace

std::vector<VersionTable> make_version_tables(const std::string& sweep,
                                              const std::vector<NamedVersion>& versions,
                                              const std::vector<Leaderboard>& own,
                                              const std::vector<Leaderboard>& all) {
  std::map<std::pair<std::string, std::string>, std::vector<BoardPair>> groups;
  for (const Leaderboard& board : own) {
    const Leaderboard* whole = same_board(all, board);
    const bool tried =
        std::any_of(versions.begin(), versions.end(), [&](const NamedVersion& version) {
          const std::optional<VersionCell> cell = find_version(board, version, true);
          return cell && cell->time;
        });
    if (tried)
      groups[{board.device_fingerprint, board.protocol}].push_back(
          {&board, whole != nullptr ? whole : &board});
  }
  std::vector<VersionTable> tables;
  for (auto& [key, boards] : groups) {
    std::stable_sort(boards.begin(), boards.end(), [](const BoardPair& a, const BoardPair& b) {
      return sizes_of(a.own->problem_text) < sizes_of(b.own->problem_text);
    });
    const Leaderboard& first = *boards.front().own;
    VersionTable table;
    table.sweep = sweep;
    table.kernel = first.kernel;
    table.device_name = first.device_name;
    table.device_id = first.device_id;
    table.protocol = first.protocol;
    table.modelled = first.modelled;
    for (const BoardPair& board : boards) {
      table.problem_texts.push_back(board.own->problem_text);
      table.problems.push_back(board.own->problem);
    }
    add_versions(versions, boards, table);
    table.variants = variants_of(versions, boards);
    add_bests(boards, table);
    add_order(table);
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace warpwright
