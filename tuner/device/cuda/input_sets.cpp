#include "device/cuda/input_sets.h"

#include <utility>

namespace warpwright::cuda {
namespace {

// On average one sample in this number is examined: the host is involved, which costs as much as
// several samples.
constexpr std::size_t kExaminedEvery = 16;

}  // namespace

bool InputSets::prepare(TimingBench& bench, const std::vector<TimedSequence>& sequences,
                        Samples& taken) {
  std::vector<Set> sets;
  for (const TimedSequence& sequence : sequences) {
    LaunchResult failure;
    std::optional<PreparedSequence> launches = bench.prepare(sequence.launches, failure);
    if (!launches) {
      TimingBench::fail(taken, failure);
      return false;
    }
    sets.push_back({&sequence, std::move(*launches), bench.prepare_state(sequence)});
  }
  sets_ = std::move(sets);
  return true;
}

CUresult InputSets::queue_state(TimingBench& bench, Set& set) {
  const CUresult result = bench.queue_state(*set.state);
  // Sets may give a variable different contents, and share the module.
  return result == CUDA_SUCCESS ? bench.queue_variables(set.launches) : result;
}

bool InputSets::examine(TimingBench& bench, const Set& set, Samples& taken) const {
  if (!set.sequence->examine || !set.sequence->outputs.empty()) return true;
  if (bench.draw(kExaminedEvery) != 0) return true;
  const std::string wrong = set.sequence->examine();
  if (wrong.empty()) return true;
  taken.status = Status::kWrongResult;
  taken.reason = "while being timed: " + wrong;
  return false;
}

std::string InputSets::describe() const {
  return sets_.empty() || sets_.front().launches.empty()
             ? "the launches"
             : sets_.front().launches.front().describe();
}

}  // namespace warpwright::cuda
