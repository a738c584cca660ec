// When the anchor of a board on a device has moved, nobody knows since when: what was timed there
// after its last look is measured again, there. Once: the second time it stands as it is.
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

  // A trial has ended. Returns what is to be measured again, itself included, when its look at the
  // anchor found that moved; every question at most once.
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
