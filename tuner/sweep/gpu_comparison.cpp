#include "sweep/gpu_comparison.h"

#include <algorithm>

namespace warpwright {

bool shares_times(const SweepPlan& plan, std::size_t board) {
  return plan.device_of(board).has_clock && plan.group_of(board).shares_boards();
}

void GpuComparison::asked(const TrialSource::Question& question) {
  if (shares_times(plan_, question.board)) anchors_.asked(question);
}

void GpuComparison::note(const TrialSource::Question& question, std::size_t device,
                         const TrialRecord& trial) {
  if (shares_times(plan_, question.board))
    anchors_.note(question.board, question.index, device, trial);
}

std::vector<GpuComparison::Guest> GpuComparison::answered(const TrialSource::Question& question,
                                                          const TrialRecord& trial) {
  if (!shares_times(plan_, question.board)) return {};
  const std::optional<std::uint64_t> anchor = anchors_.answered(question, trial);
  if (!anchor) return {};
  std::vector<Guest> guests;
  for (const std::size_t device : guests_of(question.board))
    if (!anchors_.has_timed(question.board, device)) guests.push_back({*anchor, device});
  return guests;
}

// Returns all GPUs of a small group. In a very large group each guest would make the board's inputs
// for this one trial. There, only boards that the lead ranks have guests, few compared with the
// board's own trials, and each GPU is a guest once, as long as there are such boards.
std::vector<std::size_t> GpuComparison::guests_of(std::size_t board) const {
  constexpr std::size_t kShare = 8;
  const DeviceGroup& group = plan_.group_of(board);
  if (group.distinct.size() <= kGpusToARanker) return group.distinct;
  if (plan_.boards[board].device != group.lead()) return {};
  std::size_t before = 0;  // guests of earlier boards
  const auto most = [&](std::size_t of) {
    return std::max<std::size_t>(1, static_cast<std::size_t>(plan_.boards[of].questions) / kShare);
  };
  for (std::size_t one = 0; one < board; ++one)
    if (plan_.boards[one].device == group.lead()) before += most(one);
  std::vector<std::size_t> guests = {group.lead()};
  for (std::size_t i = 1 + before; i < group.distinct.size() && i <= before + most(board); ++i)
    guests.push_back(group.distinct[i]);
  return guests;
}

std::optional<GpuDifference> GpuComparison::difference(const DeviceGroup& group,
                                                       std::size_t device) const {
  if (device == group.lead()) return std::nullopt;
  return anchors_.difference(device, group.lead());
}

}  // namespace warpwright
