#include "analysis/insight/shards_here.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace warpwright {
namespace {

using SplitBoard = std::tuple<std::string, std::string, std::string>;  // kernel, problem, device

// The configurations of each board by variant and version.
class KnownConfigurations {
 public:
  void add(const Database::TrialRow& row) {
    known_[{row.kernel_name, row.trial.problem_text, row.device_name}][row.trial.variant]
          [row.contract_generation]
              .insert(row.trial.configuration_text);
  }
  [[nodiscard]] std::uint64_t count(const SplitBoard& board) const {
    std::uint64_t sum = 0;
    const auto found = known_.find(board);
    if (found == known_.end()) return 0;
    for (const auto& [variant, versions] : found->second) sum += versions.rbegin()->second.size();
    return sum;
  }

 private:
  std::map<SplitBoard, std::map<std::string, std::map<std::int64_t, std::set<std::string>>>> known_;
};

}  // namespace

std::vector<ShardsHere> shards_here(const Database& database,
                                    const std::optional<std::string>& kernel) {
  std::map<std::string, std::string> names;  // of devices
  for (const auto& [id, device] : database.devices()) names[device.fingerprint] = device.name;
  std::map<std::pair<SplitBoard, std::uint64_t>, ShardsHere> splits;
  for (const auto& [id, run] : database.runs()) {
    const GoalRecord* goal = run.goal.readable();
    if (goal == nullptr || !goal->shard || (kernel && goal->kernel != *kernel)) continue;
    for (std::size_t i = 0; i < std::min(goal->boards.size(), goal->shard->asked.size()); ++i) {
      const auto device = names.find(goal->boards[i].fingerprint);
      if (device == names.end()) continue;
      const SplitBoard board{goal->kernel, goal->boards[i].problem_text, device->second};
      ShardsHere& here = splits[{board, goal->shard->count}];
      std::tie(here.kernel, here.problem_text, here.device_name) = board;
      here.count = goal->shard->count;
      here.asked = std::max(here.asked, goal->shard->asked[i]);
      here.begun.insert(goal->shard->index);
    }
  }
  if (splits.empty()) return {};
  KnownConfigurations known;
  Database::TrialFilter filter;
  filter.kernel = kernel;
  for (const Database::TrialRow& row : database.trials(filter)) known.add(row);
  std::vector<ShardsHere> all;
  for (auto& [key, here] : splits) {
    here.known = known.count(key.first);
    all.push_back(std::move(here));
  }
  return all;
}

}  // namespace warpwright
