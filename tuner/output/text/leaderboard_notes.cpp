#include "output/text/leaderboard_notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/board/objections.h"
#include "core/terminal_text.h"
#include "output/text/goal_text.h"
#include "output/text/table.h"

namespace warpwright {
namespace {

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::string tie_note(const Leaderboard& board) {
  if (board.goal && !board.goal->spec.by_time()) return "";  // goal_notes() explains the marks
  if (!has_ties(board)) return "";
  if (board.ranking)
    return "= ties with the best: the rounds of the final ranking cannot tell them apart\n";
  return board.modelled ? "= ties with the best: the model gives the same time\n"
                        : "= ties with the best: the intervals overlap\n";
}

std::string screened_note(const Leaderboard& board) {
  const bool any = board.ranking && std::any_of(board.entries.begin(), board.entries.end(),
                                                [](const auto& entry) { return !entry.finalist; });
  return any ? "~ only screened: ordered by the median of a few samples, not in the final ranking\n"
             : "";
}

std::string headline_note(const Leaderboard& board) {
  if (!board.ranking || !board.headline.cold || board.ranking->entries.size() < 2) return "";
  return "rank 1 has its cold time above; the other finalists' are of the ranking's rounds\n";
}

std::string floor_note(const Leaderboard& board) {
  if (board.entries.empty() || board.modelled) return "";
  const TrialRecord& trial = board.entries.front().row.trial;
  if (!trial.floor_us) return "";
  return fmt::format("an empty kernel takes {} µs under the same protocol; it is {}subtracted\n",
                     format_us(*trial.floor_us), trial.raw_median_us ? "" : "not ");
}

std::string objections_note(const Leaderboard& board) {
  const Objections objections = count_objections({&board, 1});
  if (objections.configurations == 0) return "";
  return fmt::format("! works, but the checkers object: {}; `warpwright vet {}` tells more\n",
                     terminal_line(kinds_text(objections)), terminal_line(board.kernel));
}

}  // namespace

bool has_ties(const Leaderboard& board) {
  return std::count_if(board.entries.begin(), board.entries.end(),
                       [](const auto& entry) { return entry.tied_with_best; }) > 1;
}

std::string leaderboard_notes(const Leaderboard& board) {
  std::string out = tie_note(board) + goal_notes(board) + headline_note(board) +
                    screened_note(board) + objections_note(board) + floor_note(board);
  const auto twins =
      std::count_if(board.entries.begin(), board.entries.end(),
                    [](const auto& entry) { return entry.row.trial.same_as.has_value(); });
  if (twins > 0) {
    out +=
        fmt::format("{} to the same machine code as another and {} its measurement\n",
                    counted(static_cast<std::size_t>(twins), "entry compiles", "entries compile"),
                    twins == 1 ? "shares" : "share");
  }
  if (!board.lapsed_ranking.empty()) {
    out += fmt::format("a final ranking does not apply: {}; sweep again to renew it\n",
                       board.lapsed_ranking);
  }
  if (board.stale > 0) {
    out += fmt::format("{} of older sources not shown: their variants have changed since\n",
                       counted(board.stale, "trial", "trials"));
  }
  if (board.outdated > 0) {
    out += fmt::format("{} of older sources: sweep again on {} to renew them\n",
                       counted(board.outdated, "entry", "entries"), terminal_line(board.device_id));
  }
  return out;
}

}  // namespace warpwright
