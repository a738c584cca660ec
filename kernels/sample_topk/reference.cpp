// A token drawn from the best K logits of a row, from the definition in kernel.yaml: sort, weights
// as integers, the least prefix that holds top_p of them, and a number of Philox4x32-10.
#include "reference.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kWhole = 0x1p40;  // the weight of the best logit

__extension__ using Wide = unsigned __int128;

// The first two words of Philox4x32-10, the first one low.
uint64_t random_bits(uint64_t key, uint64_t low, uint64_t high) {
  uint32_t counter[4] = {static_cast<uint32_t>(low), static_cast<uint32_t>(low >> 32),
                         static_cast<uint32_t>(high), static_cast<uint32_t>(high >> 32)};
  uint32_t keys[2] = {static_cast<uint32_t>(key), static_cast<uint32_t>(key >> 32)};
  for (int round = 0; round < 10; ++round) {
    const uint64_t first = uint64_t{0xd2511f53} * counter[0];
    const uint64_t second = uint64_t{0xcd9e8d57} * counter[2];
    counter[0] = static_cast<uint32_t>(second >> 32) ^ counter[1] ^ keys[0];
    counter[1] = static_cast<uint32_t>(second);
    counter[2] = static_cast<uint32_t>(first >> 32) ^ counter[3] ^ keys[1];
    counter[3] = static_cast<uint32_t>(first);
    keys[0] += 0x9e3779b9;
    keys[1] += 0xbb67ae85;
  }
  return uint64_t{counter[1]} << 32 | counter[0];
}

// The weights of logits in descending order.
std::vector<uint64_t> weights_of(const std::vector<double>& best, double temperature) {
  std::vector<uint64_t> weights;
  for (const double x : best) {
    double weight = 0;
    if (temperature > 0)
      weight = x == best.front() ? 1 : std::exp((x - best.front()) / temperature);
    else
      weight = weights.empty() ? 1 : 0;
    if (x == -kInfinity) weight = 0;
    weights.push_back(static_cast<uint64_t>(std::nearbyint(weight * kWhole)));
  }
  return weights;
}

}  // namespace

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* logits = ww::find_tensor(call, "logits");
  const ww_tensor* temperature = ww::find_tensor(call, "temperature");
  const ww_tensor* top_p = ww::find_tensor(call, "top_p");
  double* const tokens = ww::find_output(call, "tokens");
  double* const probs = ww::find_output(call, "probs");
  const int64_t V = ww::size(call, "V"), K = ww::size(call, "K");
  const auto seed = static_cast<uint64_t>(ww::size(call, "seed"));
  const auto step = static_cast<uint64_t>(ww::size(call, "step"));

  std::vector<double> row(static_cast<size_t>(V)), best;
  std::vector<int64_t> order(static_cast<size_t>(V));
  for (int64_t u = 0; u < call->unit_count; ++u) {
    const int64_t unit = call->units[u];
    for (int64_t v = 0; v < V; ++v) {
      const double x = ww::load(logits, unit * V + v);
      row[static_cast<size_t>(v)] = std::isnan(x) ? -kInfinity : x;
    }
    std::iota(order.begin(), order.end(), 0);
    std::partial_sort(order.begin(), order.begin() + K, order.end(), [&](int64_t a, int64_t b) {
      const double left = row[static_cast<size_t>(a)], right = row[static_cast<size_t>(b)];
      return left != right ? left > right : a < b;
    });
    best.clear();
    for (int64_t i = 0; i < K; ++i)
      best.push_back(row[static_cast<size_t>(order[static_cast<size_t>(i)])]);

    const std::vector<uint64_t> weights = weights_of(best, ww::load(temperature, unit));
    const uint64_t all = std::accumulate(weights.begin(), weights.end(), uint64_t{0});
    const double wanted = ww::load(top_p, unit) * static_cast<double>(all);
    uint64_t kept = 0;
    for (const uint64_t weight : weights) {
      kept += weight;
      if (static_cast<double>(kept) >= wanted) break;
    }

    const uint64_t bits = random_bits(seed, static_cast<uint64_t>(unit), step);
    const auto target = static_cast<uint64_t>(Wide{bits} * kept >> 64);
    size_t drawn = 0;
    uint64_t sum = weights.front();
    while (kept > 0 && sum <= target) sum += weights[++drawn];
    tokens[u] = static_cast<double>(order[drawn]);
    probs[u] = kept == 0 ? 0 : static_cast<double>(weights[drawn]) / static_cast<double>(kept);
  }
  return 0;
}
