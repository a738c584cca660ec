// Softmax + top-k of a row in FP64, from the definition: rank the elements by (logit descending,
// index ascending), divide the exponentials of the best K by the sum over the whole row. O(V log
// K).
#include "reference.h"

#include <algorithm>
#include <vector>

namespace {

struct Element {
  double value;
  int64_t index;
};

// -0.0 and +0.0 compare equal, and NaN has been replaced: this is a total order.
bool beats(const Element& a, const Element& b) {
  return a.value != b.value ? a.value > b.value : a.index < b.index;
}

// exp(value - maximum) where a finite row is exp of a difference, a +inf counts 1 against a maximum
// of +inf and everything else then counts 0, and -inf counts 0 even against a maximum of -inf.
double weight(double value, double maximum) {
  if (value == -std::numeric_limits<double>::infinity()) return 0;
  return value == maximum ? 1 : std::exp(value - maximum);
}

}  // namespace

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* logits = ww::find_tensor(call, "logits");
  double* const probs = ww::find_output(call, "probs");
  double* const indices = ww::find_output(call, "indices");
  const int64_t V = ww::size(call, "V"), K = ww::size(call, "K");
  if (logits == nullptr || probs == nullptr || indices == nullptr)
    return ww::fail(call, "logits, probs or indices missing");
  if (K < 1 || K > V) return ww::fail(call, "K must be between 1 and V");

  std::vector<Element> best;  // a heap whose front is the weakest of the best K so far
  for (int64_t u = 0; u < call->unit_count; ++u) {
    const int64_t first = call->units[u] * V;
    best.clear();
    for (int64_t v = 0; v < V; ++v) {
      double value = ww::load(logits, first + v);
      if (std::isnan(value)) value = -std::numeric_limits<double>::infinity();
      const Element element{value, v};
      if (static_cast<int64_t>(best.size()) < K) {
        best.push_back(element);
        std::push_heap(best.begin(), best.end(), beats);
      } else if (beats(element, best.front())) {
        std::pop_heap(best.begin(), best.end(), beats);
        best.back() = element;
        std::push_heap(best.begin(), best.end(), beats);
      }
    }
    std::sort_heap(best.begin(), best.end(), beats);

    const double maximum = best.front().value;
    double sum = 0;
    for (int64_t v = 0; v < V; ++v) {
      const double value = ww::load(logits, first + v);
      if (!std::isnan(value)) sum += weight(value, maximum);
    }
    for (int64_t k = 0; k < K; ++k) {
      const Element& element = best[static_cast<size_t>(k)];
      probs[u * K + k] = sum > 0 ? weight(element.value, maximum) / sum : 0;
      indices[u * K + k] = static_cast<double>(element.index);
    }
  }
  return 0;
}
