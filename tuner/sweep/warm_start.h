// The knowledge that a search begins with: the results that the database holds of the same kernel
// on other problems and devices, as sources of beliefs (search/known_boards.h). BoardBeliefs never
// become trials: they appear on no board and no leaderboard, and a sweep does not resume by them.
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
  // Reads the results of the plan's kernel from `database`, unless no board's strategy uses
  // beliefs. All other arguments must outlive this. Never throws because of the contents of the
  // database: damaged rows are skipped.
  WarmStart(const SweepOptions& options, const SweepPlan& plan,
            const std::map<std::string, std::string>& variant_hashes, const Database& database);

  // Returns why nothing could be read, in one line; "" if it could.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

  // Records a trial of this sweep, new or resumed.
  void note(std::size_t board, const TrialRecord& trial);

  // Returns the beliefs for the board's strategy, and the boards they come from. A resumed sweep
  // gets the beliefs that it began with: the results that were stored before the board's first
  // trial of a sweep like this one, and the noted trials.
  [[nodiscard]] std::vector<BoardBeliefs> sources(std::size_t board) const;
  // Returns the answers of further, most similar boards, for Strategy::compare().
  [[nodiscard]] std::vector<BoardAnswers> answers(std::size_t board) const;
  [[nodiscard]] std::vector<KnowledgeSource> named(const std::vector<BoardBeliefs>& sources) const;

 private:
  using BoardKey = std::pair<std::string, std::string>;  // fingerprint and problem
  // The part of a row that matters here. Boards have one place in `boards_` for each protocol.
  struct Result {
    RowId trial = 0;
    bool noted = false;
    std::size_t board = 0;
    std::int64_t generation = 0;  // generation of its variant's contract
    bool current = false;         // this sweep runs the same version of its variant
    Configuration configuration;
    double cost = 0;
  };

  // Adds a row, unless its time is beyond the peaks.
  void add(const Database::TrialRow& row, const PeaksByDevice& peaks);
  [[nodiscard]] std::size_t place_of(const TrialRecord& trial, const BoardIdentity& board);
  [[nodiscard]] std::optional<double> cost_of(const TrialRecord& trial,
                                              const DeviceInfo* device) const;
  // Returns whether the run was of a sweep like this one. Such a run is resumed, together with the
  // beliefs that it began with.
  [[nodiscard]] bool like_this(RowId run) const;
  // Returns the boards with the results they held before the board's own first trial.
  [[nodiscard]] std::vector<KnownBoard> known_to(std::size_t board) const;
  [[nodiscard]] BoardIdentity identity_of(std::size_t board) const;
  void give_to_protocols(std::vector<KnownBoard>& known) const;

  const SweepOptions& options_;
  const SweepPlan& plan_;
  const std::map<std::string, std::string>& variant_hashes_;
  std::map<std::string, DeviceInfo> devices_;  // by fingerprint, if their details are stored
  // The fingerprint of the lead by those of the other devices of its group: times of these devices
  // belong to the lead's boards.
  std::map<std::string, std::string> lead_of_;
  std::set<RowId> like_runs_;
  std::map<std::pair<BoardKey, std::string>, std::size_t> places_;  // with the protocol
  std::vector<BoardIdentity> boards_;
  std::vector<Result> results_;         // in the order stored
  std::map<BoardKey, RowId> first_of_;  // the first trial of a sweep like this one
  bool listened_to_ = false;            // whether any board's strategy uses beliefs
  std::string trouble_;
};

// "auto begins with what 412 results of 3 other boards say"; "" without any.
[[nodiscard]] std::string warm_start_line(const std::string& strategy,
                                          const std::vector<KnowledgeSource>& sources);

}  // namespace warpwright
