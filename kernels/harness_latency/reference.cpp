// y[0] after steps*REPEATS steps from `start`, each of which uses the one before. One unit: y.
#include "reference.h"

#include <utility>
#include <vector>

namespace {

constexpr int64_t kLineWords = 32;
constexpr int64_t kTileWords = 256;

// As registers.cu has it: the order of exact 32-bit operations, and of correctly rounded f32.
uint32_t added(uint32_t start, int64_t steps) {
  uint32_t value = start;
  for (int64_t step = 0; step < steps; step += 2)
    value = (value + (start | 1)) ^ (start * 0x9e3779b1u);
  return value;
}

uint32_t turned(uint32_t start, int64_t steps) {
  const float t = 0.125f + 0.125f / static_cast<float>(start);
  float x = 1, y = 0;
  for (int64_t step = 0; step < steps; step += 2) {
    x = std::fma(t, y, x);
    y = std::fma(-t, x, y);
  }
  uint32_t bits;
  memcpy(&bits, &y, 4);
  return bits;
}

// The node at which a cycle of `nodes` nodes, `spacing` words apart, ends.
uint32_t chased(const uint32_t* next, int64_t spacing, uint32_t nodes, uint32_t start,
                int64_t steps) {
  uint32_t at = start % nodes;
  for (int64_t step = 0; step < steps; ++step) at = next[at * spacing];
  return start + 1 + at;
}

}  // namespace

// One cycle through all nodes, by Sattolo's algorithm; other words of a line are never read.
int ww_fill(const ww_call* call, const char*, const ww_fill_target* target) {
  const int64_t nodes = ww::size(call, "nodes"), spacing = target->elements / nodes;
  std::vector<int64_t> next(static_cast<size_t>(nodes));
  for (int64_t i = 0; i < nodes; ++i) next[static_cast<size_t>(i)] = i;
  for (int64_t i = nodes - 1; i > 0; --i)
    std::swap(next[static_cast<size_t>(i)],
              next[static_cast<size_t>(ww::below(target, static_cast<uint64_t>(i), i))]);
  for (int64_t i = 0; i < target->elements; ++i)
    ww::store(target, i, i % spacing == 0 ? next[static_cast<size_t>(i / spacing)] : 0);
  return 0;
}

extern "C" int ww_reference(const ww_call* call) {
  const ww_tensor* next = ww::find_tensor(call, "next");
  const auto start = static_cast<uint32_t>(ww::load(ww::find_tensor(call, "start"), 0));
  double* y = ww::find_output(call, "y");
  const auto* words = static_cast<const uint32_t*>(next->data);
  const int64_t nodes = ww::size(call, "nodes");
  const int64_t steps = ww::size(call, "steps") * ww::size(call, "REPEATS");
  const auto is = [&](const char* latency) { return ww::is(call, "latency", latency); };
  if (is("add")) {
    *y = added(start, steps);
  } else if (is("fma")) {
    *y = turned(start, steps);
  } else if (is("shared") || is("l1") || is("l2") || is("memory")) {
    *y = chased(words, is("memory") ? kLineWords : 1, static_cast<uint32_t>(nodes), start, steps);
  } else if (is("bulk_copy")) {
    const int64_t last = (steps - 1) % (nodes / kTileWords);
    *y = start + 1 + words[last * kTileWords + start % kTileWords];
  } else {
    *y = start + static_cast<uint32_t>(steps);  // barriers count
  }
  return 0;
}
