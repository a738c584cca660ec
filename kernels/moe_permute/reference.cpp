// Choices of experts in the order of experts, by counting. One unit: everything.
#include "reference.h"

#include <vector>

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* ids = ww::find_tensor(call, "ids");
  const ww_tensor* weights = ww::find_tensor(call, "weights");
  double* const counts = ww::find_output(call, "counts");
  double* const offsets = ww::find_output(call, "offsets");
  double* const order = ww::find_output(call, "order");
  double* const position = ww::find_output(call, "position");
  double* const ordered = ww::find_output(call, "ordered_weights");
  const int64_t experts = ww::size(call, "experts");
  const int64_t choices = ww::size(call, "tokens") * ww::size(call, "k");
  if (call->unit_count == 0) return 0;

  std::vector<std::vector<int64_t>> runs(static_cast<size_t>(experts));
  for (int64_t i = 0; i < choices; ++i) runs.at(static_cast<size_t>(ww::load(ids, i))).push_back(i);
  int64_t place = 0;
  for (int64_t e = 0; e < experts; ++e) {
    const std::vector<int64_t>& run = runs[static_cast<size_t>(e)];
    counts[e] = static_cast<double>(run.size());
    offsets[e] = static_cast<double>(place);
    for (const int64_t choice : run) {
      order[place] = static_cast<double>(choice);
      position[choice] = static_cast<double>(place);
      ordered[place] = ww::load(weights, choice);
      ++place;
    }
  }
  offsets[experts] = static_cast<double>(place);
  return 0;
}
