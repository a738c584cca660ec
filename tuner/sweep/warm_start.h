// What a search is told before its first trial: what the database holds of the same kernel on other
// problems and devices, as sources of beliefs (search/known_boards.h). BoardBeliefs never become
// trials: no board, no leaderboard and nothing that a sweep resumes by knows of them.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "metrics/peaks.h"
#include "search/known_boards.h"
#include "store/database.h"
#include "sweep/sweep_plan.h"

namespace warpwright {

class WarmStart {
 public:
  // Reads what `database` holds of the plan's kernel, unless no board's strategy listens. All else
  // must outlive this. Never throws for what the database holds: what is damaged tells nothing.
  WarmStart(const SweepOptions& options, const SweepPlan& plan,
            const std::map<std::string, std::string>& variant_hashes, const Database& database);

  // Why nothing could be read, in one line; "" where it could.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

  // A trial that this sweep has heard of, new or resumed.
  void note(std::size_t board, const TrialRecord& trial);

  // What the board's strategy is to be told, and which boards say so. A sweep that goes on is told
  // what it was told when it began: what was stored before the board's first trial of a sweep like
  // this one, and what was noted.
  [[nodiscard]] std::vector<BoardBeliefs> sources(std::size_t board) const;
  // What more of the most alike boards have answered, for Strategy::compare().
  [[nodiscard]] std::vector<BoardAnswers> answers(std::size_t board) const;
  [[nodiscard]] std::vector<KnowledgeSource> named(const std::vector<BoardBeliefs>& sources) const;

 private:
  using BoardKey = std::pair<std::string, std::string>;  // fingerprint and problem
  // A row, as far as it matters here. Boards have one place in `boards_` for each protocol.
  struct Result {
    RowId trial = 0;
    bool noted = false;
    std::size_t board = 0;
    std::int64_t generation = 0;  // of its variant's contract
    bool current = false;         // its variant is what this sweep runs
    Configuration configuration;
    double cost = 0;
  };

  // Times beyond the peaks tell nothing.
  void add(const Database::TrialRow& row, const PeaksByDevice& peaks);
  [[nodiscard]] std::size_t place_of(const TrialRecord& trial, const BoardIdentity& board);
  [[nodiscard]] std::optional<double> cost_of(const TrialRecord& trial,
                                              const DeviceInfo* device) const;
  // Of a sweep like this one: it is resumed, and so is what it knew.
  [[nodiscard]] bool like_this(RowId run) const;
  // Boards with what they held before the board's own first trial.
  [[nodiscard]] std::vector<KnownBoard> known_to(std::size_t board) const;
  [[nodiscard]] BoardIdentity identity_of(std::size_t board) const;
  void give_to_protocols(std::vector<KnownBoard>& known) const;

  const SweepOptions& options_;
  const SweepPlan& plan_;
  const std::map<std::string, std::string>& variant_hashes_;
  std::map<std::string, DeviceInfo> devices_;  // by fingerprint, where more is known of them
  // Of the lead, by fingerprint, for others of its group: what they timed is of its boards.
  std::map<std::string, std::string> lead_of_;
  std::set<RowId> like_runs_;
  std::map<std::pair<BoardKey, std::string>, std::size_t> places_;  // with the protocol
  std::vector<BoardIdentity> boards_;
  std::vector<Result> results_;         // in the order stored
  std::map<BoardKey, RowId> first_of_;  // the first trial of a sweep like this one
  bool listened_to_ = false;            // by any board
  std::string trouble_;
};

// "auto begins with what 412 results of 3 other boards say"; "" without any.
[[nodiscard]] std::string warm_start_line(const std::string& strategy,
                                          const std::vector<KnowledgeSource>& sources);

}  // namespace warpwright
