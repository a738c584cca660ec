// Compares the GPUs of a group by the anchors of the boards that they share (anchors.h): decides
// which GPUs time the anchor of a board, and reports each GPU's share of the trials and how far its
// times are from the lead's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "sweep/anchors.h"
#include "sweep/sweep_plan.h"
#include "sweep/trial_source.h"

namespace warpwright {

// Returns whether several GPUs time the board's trials.
[[nodiscard]] bool shares_times(const SweepPlan& plan, std::size_t board);

class GpuComparison {
 public:
  // The plan must outlive this.
  explicit GpuComparison(const SweepPlan& plan) : plan_(plan), anchors_(plan.boards.size()) {}

  // Must be called for the questions in the order in which they were asked.
  void asked(const TrialSource::Question& question);
  // Records the time of a configuration on a device of the plan.
  void note(const TrialSource::Question& question, std::size_t device, const TrialRecord& trial);

  // A device of the plan that is to time a configuration that was asked about elsewhere.
  struct Guest {
    std::uint64_t index = 0;  // of the board's space
    std::size_t device = 0;
  };
  // Records the answer to a question. When it decides the board's anchor, returns the GPUs that are
  // to time it, too.
  [[nodiscard]] std::vector<Guest> answered(const TrialSource::Question& question,
                                            const TrialRecord& trial);

  // Returns how far the times of a device of the group are from those of its lead; nullopt for the
  // lead itself, and if they have no anchor in common.
  [[nodiscard]] std::optional<GpuDifference> difference(const DeviceGroup& group,
                                                        std::size_t device) const;

 private:
  [[nodiscard]] std::vector<std::size_t> guests_of(std::size_t board) const;

  const SweepPlan& plan_;
  KindAnchors anchors_;
};

}  // namespace warpwright
