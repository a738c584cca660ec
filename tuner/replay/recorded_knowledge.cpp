#include "replay/recorded_knowledge.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "analysis/board/impossible.h"
#include "analysis/board/leaderboard.h"
#include "core/error.h"
#include "core/words.h"
#include "exchange/import/result_file.h"
#include "records/times.h"

namespace warpwright {
namespace {

using KernelBoards = std::map<std::string, std::vector<KnownBoard>>;

KnownBoard known_board(const Leaderboard& board) {
  KnownBoard known;
  const Problem* problem = board.problem.readable();
  known.board = {board.device_fingerprint,
                 board.device_name,
                 "",
                 board.modelled,
                 problem == nullptr ? Problem() : *problem,
                 board.problem_text};
  for (const LeaderboardEntry& entry : board.entries) {
    known.board.arch = entry.row.device_arch;
    // Uses the time that the search received, not the one of the final ranking.
    const TrialRecord& trial = entry.row.trial;
    const ParameterValues* values = trial.parameters.readable();
    if (values != nullptr && trial.median_us && is_time(*trial.median_us))
      known.costs.emplace_back(Configuration{trial.variant, *values}, *trial.median_us);
  }
  return known;
}

KernelBoards boards_in(const Database& database) {
  KernelBoards boards;
  for (const Leaderboard& board :
       make_leaderboards(database.trials({}), {}, {}, read_peaks(database)))
    boards[board.kernel].push_back(known_board(board));
  return boards;
}

bool is_own(const KnownBoard& board, const RecordingHead& head) {
  return board.board.problem_text == head.problem && board.board.device_name == head.device;
}

// The identity of the recording's board; without a database, only the device's name and the
// problem's text are known.
BoardIdentity identity_of(const RecordingHead& head, const std::vector<KnownBoard>& boards) {
  const auto own = std::find_if(boards.begin(), boards.end(),
                                [&](const KnownBoard& board) { return is_own(board, head); });
  if (own != boards.end()) return own->board;
  BoardIdentity identity;
  identity.device_name = head.device;
  identity.problem_text = head.problem;
  return identity;
}

std::size_t results_of(const std::vector<BoardBeliefs>& beliefs) {
  std::size_t results = 0;
  for (const BoardBeliefs& one : beliefs) results += one.costs.size();
  return results;
}

void take_in(std::vector<BoardBeliefs> beliefs, const std::vector<KnownBoard>& boards,
             const std::string& kind, Recording& recording) {
  for (BoardBeliefs& one : beliefs) {
    const BoardIdentity& from = boards[one.known].board;
    recording.sources.push_back({kind, from.device_name, from.problem_text, one.costs.size()});
    recording.beliefs.push_back(std::move(one));
  }
}

// The boards of files; each file is read only once.
class BoardFiles {
 public:
  const KernelBoards& of(const std::string& file) {
    const auto known = read_.find(file);
    if (known != read_.end()) return known->second;
    const OpenedFile opened = open_result_file(file);
    const auto* database = std::get_if<Database>(&opened.content);
    return read_.emplace(file, database == nullptr ? KernelBoards() : boards_in(*database))
        .first->second;
  }

 private:
  std::map<std::string, KernelBoards> read_;
};

}  // namespace

void add_prior(std::vector<Recording>& recordings, const std::filesystem::path& file) {
  const OpenedFile opened = open_result_file(file);
  const auto* database = std::get_if<Database>(&opened.content);
  if (database == nullptr) {
    throw user_error(
        fmt::format("--prior {}: it is not a results database; expected one of modelled times, as "
                    "`warpwright sweep CONFIG --device emu:sm_90a --db FILE` makes it",
                    file.string()));
  }
  KernelBoards models = boards_in(*database);
  for (auto& [kernel, boards] : models)
    std::erase_if(boards, [](const KnownBoard& board) { return !board.board.modelled; });
  std::set<std::string> wanted;
  bool any = false;
  BoardFiles files;
  static const std::vector<KnownBoard> none;
  for (Recording& recording : recordings) {
    const RecordingHead& head = recording.head;
    wanted.insert(head.kernel);
    const std::vector<KnownBoard>& boards = models[head.kernel];
    BoardIdentity board =
        identity_of(head, head.format == "database" ? files.of(head.file).at(head.kernel) : none);
    board.modelled = true;
    std::vector<BoardBeliefs> beliefs = beliefs_of(boards, board, *recording.space);
    if (beliefs.size() > 1) beliefs.resize(1);
    any = any || !beliefs.empty();
    recording.head.notes.push_back(
        beliefs.empty()
            ? fmt::format("{} says nothing of it", file.filename().string())
            : fmt::format("searches begin with {} modelled times, of {}", results_of(beliefs),
                          boards[beliefs[0].known].board.problem_text));
    take_in(std::move(beliefs), boards, "emulator", recording);
  }
  if (any) return;
  std::vector<std::string> has;
  for (const auto& [kernel, boards] : models)
    if (!boards.empty()) has.push_back(kernel);
  throw user_error(fmt::format(
      "--prior {}: it holds no modelled time of {} that is recorded here; got {}, expected results "
      "of `warpwright sweep CONFIG --device emu:sm_90a --db FILE` of the same space",
      file.string(), fmt::join(wanted, ", "), has.empty() ? "no modelled time at all" : join(has)));
}

void add_warm_start(std::vector<Recording>& recordings) {
  if (std::none_of(recordings.begin(), recordings.end(), [](const Recording& recording) {
        return recording.head.format == "database";
      })) {
    throw user_error(fmt::format(
        "--warm-start: {} is not a board of a database, so it has no other boards; expected a "
        "results database, or leave --warm-start out",
        recordings.front().head.name));
  }
  BoardFiles files;
  for (Recording& recording : recordings) {
    std::vector<KnownBoard> others;
    BoardIdentity board;
    if (recording.head.format == "database") {
      const std::vector<KnownBoard>& all = files.of(recording.head.file).at(recording.head.kernel);
      board = identity_of(recording.head, all);
      std::copy_if(all.begin(), all.end(), std::back_inserter(others),
                   [&](const KnownBoard& other) { return !is_own(other, recording.head); });
    }
    std::vector<BoardBeliefs> beliefs = beliefs_of(others, board, *recording.space);
    recording.head.notes.push_back(
        beliefs.empty() ? "no other board of its kernel is known: searches begin with nothing"
                        : fmt::format("searches begin with {} results of {}", results_of(beliefs),
                                      plural(beliefs.size(), "other board")));
    take_in(std::move(beliefs), others, "board", recording);
  }
}

}  // namespace warpwright
