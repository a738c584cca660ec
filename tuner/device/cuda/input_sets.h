// The sequences of a plan that draws one of them for every sample, each with the state in which its
// samples begin. All timing plans use this.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "device/cuda/timing_bench.h"

namespace warpwright::cuda {

class InputSets {
 public:
  struct Set {
    const TimedSequence* sequence = nullptr;
    PreparedSequence launches;
    std::unique_ptr<PreparedState> state;
  };

  [[nodiscard]] bool ready() const { return !sets_.empty(); }
  // Resolves all sequences, which must outlive this. Returns false, with the reason in `taken`,
  // when the driver refuses one.
  [[nodiscard]] bool prepare(TimingBench& bench, const std::vector<TimedSequence>& sequences,
                             Samples& taken);

  [[nodiscard]] std::size_t count() const { return sets_.size(); }
  [[nodiscard]] Set& at(std::size_t index) { return sets_.at(index); }
  [[nodiscard]] Set& first() { return sets_.front(); }
  [[nodiscard]] Set& any(TimingBench& bench) { return sets_[bench.draw(sets_.size())]; }

  // Queues the work that puts memory into the state in which a sample of the set begins.
  [[nodiscard]] CUresult queue_state(TimingBench& bench, Set& set);
  // After random samples of launches whose outputs may differ between runs: checks them. Returns
  // false, with the reason in `taken`, when they are wrong.
  [[nodiscard]] bool examine(TimingBench& bench, const Set& set, Samples& taken) const;

  // "softmax_topk (grid [8, 1, 1], ...)" or "the launches".
  [[nodiscard]] std::string describe() const;

 private:
  std::vector<Set> sets_;
};

}  // namespace warpwright::cuda
