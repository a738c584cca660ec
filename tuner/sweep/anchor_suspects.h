// AnchorSuspects decides which trials are measured again when the anchor of a board has moved on a
// device. The moment of the move is unknown, so everything that was timed on that device since its
// last anchor check is repeated there. Each trial is repeated once; its second result stands.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sweep/trial_source.h"
#include "trial/outcome.h"

namespace warpwright {

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
  [[nodiscard]] std::vector<Suspect> heed(const TrialSource::Question& question,
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
