// How GPUs of one kind differ: on every board that several of them share, one configuration is
// timed on each. It is the first that was asked about and has a time of its own, whoever was
// quickest, so that a sweep that goes on means the same one. Nothing is corrected by what is found;
// it is shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "records/records.h"
#include "sweep/sweep.h"
#include "sweep/trial_source.h"

namespace warpwright {

class KindAnchors {
 public:
  explicit KindAnchors(std::size_t boards) : boards_(boards) {}

  // Questions in the order in which they were asked.
  void asked(const TrialSource::Question& question);
  // The answer to one, by any GPU. Returns the anchor when this decides it: to be timed on the
  // others.
  [[nodiscard]] std::optional<std::uint64_t> answered(const TrialSource::Question& question,
                                                      const TrialRecord& trial);
  // A time of a configuration on a device of the plan; that of the anchor is kept.
  void note(std::size_t board, std::uint64_t index, std::size_t device, const TrialRecord& trial);

  // The device has timed the board's anchor, which is known.
  [[nodiscard]] bool has_timed(std::size_t board, std::size_t device) const;

  // Over all boards that both have timed the anchor of: the mean of the logarithms. nullopt where
  // there is none.
  [[nodiscard]] std::optional<GpuDifference> difference(std::size_t device,
                                                        std::size_t reference) const;

 private:
  struct Time {
    double median_us = 0, low_us = 0, high_us = 0;
  };
  struct Board {
    std::vector<std::uint64_t> asked;      // until the anchor is known
    std::map<std::uint64_t, bool> usable;  // of those that are answered
    std::optional<std::uint64_t> anchor;
    // By configuration, then device; those of others than the anchor go when it is known.
    std::map<std::uint64_t, std::map<std::size_t, Time>> times;
  };
  std::vector<Board> boards_;
};

}  // namespace warpwright
