#include "sweep/rank_only.h"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "core/error.h"
#include "sweep/finalists.h"
#include "sweep/possible_times.h"
#include "sweep/run_book.h"

namespace warpwright {
namespace {

// A strategy that asks about the given configurations, in their order.
class Given : public Strategy {
 public:
  explicit Given(std::vector<std::uint64_t> indices) : indices_(std::move(indices)) {}
  std::optional<std::uint64_t> ask() override {
    if (next_ == indices_.size()) return std::nullopt;
    return indices_[next_++];
  }
  void tell(const Answer& /*answer*/) override {}

 private:
  std::vector<std::uint64_t> indices_;
  std::size_t next_ = 0;
};

// Returns whether the row is a time, of this GPU or one like it, that the board may be ranked by.
bool counts(const Database::TrialRow& row, const PlannedBoard& board,
            const std::map<std::string, std::string>& variant_hashes) {
  const DeviceInfo& device = board.summary.device;
  const auto hash = variant_hashes.find(row.trial.variant);
  return row.trial.status == Status::kOk && row.trial.median_us && !row.trial.modelled &&
         !row.trial.same_as && row.trial.problem_text == board.summary.problem_text &&
         row.device_name == device.name && row.device_arch == device.arch &&
         hash != variant_hashes.end() && hash->second == row.contract_hash;
}

// Returns the finalists of each GPU. A single candidate of one GPU has no opponent there, but meets
// the others here.
std::vector<std::uint64_t> finalists_of(const std::vector<Database::TrialRow>& rows,
                                        const PlannedBoard& board,
                                        const std::map<std::string, std::string>& variant_hashes) {
  std::map<std::string, std::map<std::uint64_t, RankingCandidate>> by_gpu;
  for (const Database::TrialRow& row : rows) {
    if (!counts(row, board, variant_hashes) || row.trial.parameters.readable() == nullptr) continue;
    const auto index = board.space->index_of(row.trial.configuration());
    if (!index) continue;
    by_gpu[row.device_fingerprint].insert_or_assign(
        *index, RankingCandidate{*index, row.trial.id, *row.trial.median_us, row.trial.cubin_hash,
                                 row.trial.sm_clock_mhz});
  }
  std::set<std::uint64_t> finalists;
  for (const auto& [gpu, candidates] : by_gpu) {
    std::vector<RankingCandidate> all;
    for (const auto& [index, candidate] : candidates) all.push_back(candidate);
    if (all.size() > 1) all = pick_finalists(std::move(all));
    for (const RankingCandidate& candidate : all) finalists.insert(candidate.index);
  }
  return {finalists.begin(), finalists.end()};
}

}  // namespace

void require_rankable(const SweepPlan& plan, const std::filesystem::path& database) {
  for (const PlannedBoard& board : plan.boards) {
    const DeviceInfo& device = board.summary.device;
    if (device.has_clock) continue;
    throw user_error(fmt::format(
        "--rank-only: {} ({}) only models times, and a final ranking measures; choose a GPU with "
        "--device, or look at the models with `warpwright show {}`",
        device.id, device.name, plan.kernel.name));
  }
  std::error_code ignored;
  if (std::filesystem::exists(database, ignored)) return;
  throw user_error(fmt::format(
      "--rank-only: {} does not exist; expected the results of a sweep, or of all its shards after "
      "`warpwright merge`",
      database.string()));
}

void keep_finalists(SweepPlan& plan, Database& database) {
  RunBook book(database);
  book.identify(plan);
  Database::TrialFilter filter;
  filter.kernel = plan.kernel.name;
  std::vector<Database::TrialRow> rows = database.trials(filter);
  const PeaksByDevice peaks = peaks_of(plan, database);
  std::erase_if(rows,
                [&](const Database::TrialRow& row) { return has_impossible_time(row, peaks); });
  for (PlannedBoard& board : plan.boards) {
    const DeviceInfo& device = board.summary.device;
    std::vector<std::uint64_t> indices = finalists_of(rows, board, book.variant_hashes());
    if (indices.empty()) {
      throw user_error(fmt::format(
          "--rank-only: {} holds no times of {} {} on {}, by the sources of now; expected those of "
          "a sweep, or of all its shards after `warpwright merge`",
          database.path().string(), plan.kernel.name, board.summary.problem_text, device.name));
    }
    board.questions = indices.size();
    board.strategy = std::make_unique<Given>(std::move(indices));
    board.strategy_name = "exhaustive";
    board.warm_start = board.model_prior = false;
  }
  plan.budget = {};
  plan.strategy = "exhaustive";
}

}  // namespace warpwright
