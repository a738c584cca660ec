#include "support/repeated_boards.h"

#include <fmt/format.h>

#include <utility>

#include "search/strategy.h"

namespace warpwright::testing {

void repeat_boards(SweepPlan& plan, std::size_t boards, std::uint64_t seed) {
  const std::size_t recorded = plan.boards.size();
  if (recorded >= boards) return;
  ProblemSizeSpec copy;
  copy.name = copy.macro = kRepetition;
  copy.default_value = Value(std::int64_t{1});
  // Cases are of the first copy, and may share its code.
  for (PlannedBoard& board : plan.boards) board.summary.problem[kRepetition] = *copy.default_value;
  plan.kernel.problem.push_back(std::move(copy));
  while (plan.boards.size() < boards) {
    const PlannedBoard& original = plan.boards[plan.boards.size() % recorded];
    PlannedBoard board;
    board.summary = original.summary;
    const auto number = static_cast<std::int64_t>(plan.boards.size() / recorded + 1);
    board.summary.problem[kRepetition] = Value(number);
    board.summary.problem_text += fmt::format(" {}={}", kRepetition, number);
    board.group = original.group;
    board.device = plan.groups[board.group].ranker(plan.boards.size());
    board.summary.device = plan.devices[board.device];
    board.space = original.space;
    board.strategy_name = original.strategy_name;
    StrategyOptions options;
    options.seed = seed;
    board.strategy = make_strategy(board.strategy_name, *board.space, options);
    board.questions = original.questions;
    plan.boards.push_back(std::move(board));
  }
}

std::vector<DeviceInfo> like_devices(const DeviceInfo& first, std::size_t count) {
  std::vector<DeviceInfo> devices(count, first);
  for (std::size_t device = 0; device < count; ++device) {
    devices[device].id = fmt::format("cuda:{}", device);
    devices[device].uuid = fmt::format("GPU-{}", device);
  }
  return devices;
}

}  // namespace warpwright::testing
