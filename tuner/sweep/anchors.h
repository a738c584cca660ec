// Anchors are configurations of a board that are timed again and again, to compare the GPUs that
// share it and to notice that times on a device have moved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "records/records.h"
#include "sweep/sweep.h"
#include "sweep/trial_source.h"
#include "trial/launch/outcome.h"

namespace warpwright {

// KindAnchors measures how GPUs of one kind differ: on every board that several of them share, one
// configuration, the anchor, is timed on each. The anchor is the first configuration in the order
// of the questions that has a time of its own, no matter which GPU answered first, so that a
// resumed sweep chooses the same one. The differences are only displayed; no time is corrected by
// them.
class KindAnchors {
 public:
  explicit KindAnchors(std::size_t boards) : boards_(boards) {}

  // Must be called for the questions in the order in which they were asked.
  void asked(const TrialSource::Question& question);
  // Records the answer to a question, by any GPU. Returns the anchor when this answer decides it:
  // the other GPUs are to time it too.
  [[nodiscard]] std::optional<std::uint64_t> answered(const TrialSource::Question& question,
                                                      const TrialRecord& trial);
  // Records the time of a configuration on a device of the plan; only the anchor's times are kept.
  void note(std::size_t board, std::uint64_t index, std::size_t device, const TrialRecord& trial);

  // Returns whether the device has timed the board's anchor, which must be known.
  [[nodiscard]] bool has_timed(std::size_t board, std::size_t device) const;

  // Returns the difference over all boards whose anchor both devices have timed: the mean of the
  // logarithms. nullopt where there is no such board.
  [[nodiscard]] std::optional<GpuDifference> difference(std::size_t device,
                                                        std::size_t reference) const;

 private:
  struct Time {
    double median_us = 0, low_us = 0, high_us = 0;
  };
  struct Board {
    std::vector<std::uint64_t> asked;      // until the anchor is known
    std::map<std::uint64_t, bool> usable;  // of the questions that are answered
    std::optional<std::uint64_t> anchor;
    // By configuration, then device; entries other than the anchor's are dropped once it is known.
    std::map<std::uint64_t, std::map<std::size_t, Time>> times;
  };
  std::vector<Board> boards_;
};

// AnchorSuspects decides which trials are measured again when the anchor of a board has moved on a
// device. The moment of the move is unknown, so everything that was timed on that device since its
// last anchor check is repeated there. Each trial is repeated once; its second result stands.
class AnchorSuspects {
 public:
  struct Suspect {
    TrialSource::Question question;
    std::string code;        // code_identity()
    std::size_t device = 0;  // of the plan
  };

  explicit AnchorSuspects(std::size_t boards) : boards_(boards) {}

  // Records that a trial has ended. When its anchor check found that the anchor had moved, returns
  // the trials to measure again, including this one. Every question is returned at most once.
  [[nodiscard]] std::vector<Suspect> trial_ended(const TrialSource::Question& question,
                                                 const std::string& code, const Outcome& outcome,
                                                 std::size_t device = 0);

 private:
  struct Place {
    std::vector<Suspect> since_look;
    std::set<std::uint64_t> repeated;
  };
  std::vector<std::map<std::size_t, Place>> boards_;  // by device
};

}  // namespace warpwright
