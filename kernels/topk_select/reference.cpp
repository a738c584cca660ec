// The best k scores of each token, from the definition: a sort by (score descending, expert
// ascending), NaN counting as -inf. The values are the scores as they are.
#include "reference.h"

#include <algorithm>
#include <vector>

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* scores = ww::find_tensor(call, "scores");
  double* const ids = ww::find_output(call, "ids");
  double* const values = ww::find_output(call, "values");
  const int64_t experts = ww::size(call, "experts"), k = ww::size(call, "k");

  struct Expert {
    double score;
    int64_t index;
  };
  std::vector<Expert> row(static_cast<size_t>(experts));
  for (int64_t u = 0; u < call->unit_count; ++u) {
    const int64_t first = call->units[u] * experts;
    for (int64_t e = 0; e < experts; ++e) {
      const double score = ww::load(scores, first + e);
      row[static_cast<size_t>(e)] = {
          std::isnan(score) ? -std::numeric_limits<double>::infinity() : score, e};
    }
    std::partial_sort(row.begin(), row.begin() + k, row.end(),
                      [](const Expert& a, const Expert& b) {
                        return a.score != b.score ? a.score > b.score : a.index < b.index;
                      });
    for (int64_t i = 0; i < k; ++i) {
      const int64_t expert = row[static_cast<size_t>(i)].index;
      ids[u * k + i] = static_cast<double>(expert);
      values[u * k + i] = ww::load(scores, first + expert);
    }
  }
  return 0;
}
