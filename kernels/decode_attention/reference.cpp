// Decode attention in double precision, from exactly the cache that the kernel is given: out =
// softmax(scale * q k^T) v over the keys that a query sees, lse = ln(sum of exp(scores)). One unit
// is one query of one head. A query that sees nothing gives 0 and -infinity.
//
// It also makes the lengths, the page table, and for some cases a cache in which everything that no
// query sees is NaN.
#include "reference.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace {

// The sizes that decide who sees what.
struct Cache {
  int64_t batch, q_len, kv_len, page, pages, window, sinks;
  const ww_tensor* lengths;
  const ww_tensor* table;

  explicit Cache(const ww_call* call)
      : batch(ww::size(call, "batch")),
        q_len(ww::size(call, "q_len")),
        kv_len(ww::size(call, "kv_len")),
        page(ww::size(call, "page")),
        pages(page == 0 ? 1 : (kv_len + page - 1) / page),
        window(ww::size(call, "window")),
        sinks(ww::size(call, "sinks")),
        lengths(ww::find_tensor(call, "lengths")),
        table(nullptr) {}

  int64_t length(int64_t sequence) const {
    return static_cast<const int32_t*>(lengths->data)[sequence];
  }
  // The place of a key in the cache.
  int64_t slot(int64_t sequence, int64_t key) const {
    if (page == 0) return sequence * kv_len + key;
    const int64_t entry = static_cast<const int32_t*>(table->data)[sequence * pages + key / page];
    return entry * page + key % page;
  }
  bool sees(int64_t position, int64_t key) const {
    return key <= position && (window == 0 || key > position - window || key < sinks);
  }
  // Whether any query of the sequence sees the key.
  bool seen(int64_t sequence, int64_t key) const {
    for (int64_t t = 0; t < q_len; ++t)
      if (sees(length(sequence) - q_len + t, key)) return true;
    return false;
  }
};

// The values of the 256 elements of a type of 8 bits.
const double* numbers_of_bytes(ww_dtype dtype) {
  static const auto tables = [] {
    std::array<std::array<double, 256>, 2> made{};
    for (int i = 0; i < 256; ++i) {
      made[0][static_cast<size_t>(i)] = static_cast<int8_t>(i);
      made[1][static_cast<size_t>(i)] = ww::from_e4m3(static_cast<uint8_t>(i));
    }
    return made;
  }();
  return tables[dtype == WW_I8 ? 0 : 1].data();
}

// A row of d elements. Looking at the type once per row keeps large problems to seconds.
void load_row(const ww_tensor* tensor, int64_t row, int64_t d, double* to) {
  if (tensor->dtype == WW_BF16) {
    const auto* bits = static_cast<const uint16_t*>(tensor->data) + row * d;
    for (int64_t i = 0; i < d; ++i) to[i] = ww::from_bf16(bits[i]);
  } else if (tensor->dtype == WW_I8 || tensor->dtype == WW_E4M3) {
    const auto* bytes = static_cast<const uint8_t*>(tensor->data) + row * d;
    const double* numbers = numbers_of_bytes(tensor->dtype);
    for (int64_t i = 0; i < d; ++i) to[i] = numbers[bytes[i]];
  } else {
    for (int64_t i = 0; i < d; ++i) to[i] = ww::load(tensor, row * d + i);
  }
}

// The factor of row `row` of the cache.
double scale_of(const ww_tensor* cache, const ww_tensor* scale, int64_t row, int64_t kv_heads) {
  if (cache->dtype != WW_I8 && cache->dtype != WW_E4M3) return 1;
  return ww::load(scale, scale->shape[0] == 1 ? row % kv_heads : row);
}

// A permutation of 0 to count - 1 that follows the seed.
std::vector<int64_t> shuffled(const ww_fill_target* target, int64_t count) {
  std::vector<int64_t> order(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) order[static_cast<size_t>(i)] = i;
  for (int64_t i = count - 1; i > 0; --i)
    std::swap(order[static_cast<size_t>(i)],
              order[static_cast<size_t>(ww::below(target, i, i + 1))]);
  return order;
}

void fill_lengths(const ww_call* call, const ww_fill_target* target) {
  const int64_t batch = target->elements, kv_len = ww::size(call, "kv_len");
  if (strcmp(target->generator, "edges") == 0) {
    // Around the borders of tiles and pages, then anything.
    const int64_t edges[] = {0, kv_len, 1, 64, 65, 63, 129, 15, 17};
    for (int64_t i = 0; i < batch; ++i)
      ww::store(target, i, static_cast<double>(std::min(kv_len, edges[i % 9])));
    return;
  }
  const bool spread = ww::is(call, "lengths_are", "spread");
  const std::vector<int64_t> order = shuffled(target, batch);
  for (int64_t i = 0; i < batch; ++i)
    ww::store(target, i,
              static_cast<double>(spread ? kv_len * (order[static_cast<size_t>(i)] + 1) / batch
                                         : kv_len));
}

// The pages of all sequences lie in the pool in any order, three of its pages belong to none, and
// entries for keys that no query sees name no page.
void fill_table(const ww_call* call, const ww_fill_target* target) {
  const Cache cache(call);
  if (cache.page == 0) {
    for (int64_t i = 0; i < target->elements; ++i) ww::store(target, i, 0);
    return;
  }
  const std::vector<int64_t> order = shuffled(target, target->elements + 3);
  for (int64_t sequence = 0; sequence < cache.batch; ++sequence) {
    for (int64_t page = 0; page < cache.pages; ++page) {
      bool used = false;
      // Only pages at an edge of what is seen need to be looked at key by key.
      if (cache.window == 0)
        used = page * cache.page < cache.length(sequence);
      else
        for (int64_t i = 0; i < cache.page && !used; ++i)
          used = cache.seen(sequence, page * cache.page + i);
      const int64_t at = sequence * cache.pages + page;
      ww::store(target, at, used ? static_cast<double>(order[static_cast<size_t>(at)]) : -1);
    }
  }
}

// Places of the cache that some query sees.
std::vector<char> seen_slots(const ww_call* call, int64_t slots) {
  Cache cache(call);
  cache.table = ww::find_tensor(call, "table");
  std::vector<char> seen(static_cast<size_t>(slots));
  for (int64_t sequence = 0; sequence < cache.batch; ++sequence)
    for (int64_t key = 0; key < cache.length(sequence); ++key)
      if (cache.seen(sequence, key)) seen[static_cast<size_t>(cache.slot(sequence, key))] = 1;
  return seen;
}

// Numbers of both signs where some query sees them, NaN everywhere else, or -128 where there is no
// NaN; scales in the same way, above 0.
void fill_stale(const ww_call* call, const ww_fill_target* target) {
  const int64_t slots = target->shape[0], row = target->elements / slots;
  const bool is_scale = target->dtype == WW_F32;
  if (is_scale && slots == 1) {  // of each head, or not used
    for (int64_t i = 0; i < target->elements; ++i)
      ww::store(target, i, 0.02 + 0.02 * ww::uniform(target, i));
    return;
  }
  const std::vector<char> seen = seen_slots(call, slots);
  const double unseen = target->dtype == WW_I8 ? -128 : std::numeric_limits<double>::quiet_NaN();
  const double size = target->dtype == WW_I8 || target->dtype == WW_E4M3 ? 100 : 2;
  for (int64_t i = 0; i < target->elements; ++i) {
    const double number =
        is_scale ? 0.01 + 0.02 * ww::uniform(target, i) : size * (2 * ww::uniform(target, i) - 1);
    const double rounded = target->dtype == WW_I8 ? std::round(number) : number;
    ww::store(target, i, seen[static_cast<size_t>(i / row)] ? rounded : unseen);
  }
}

}  // namespace

extern "C" int ww_fill(const ww_call* call, const char* argument, const ww_fill_target* target) {
  if (strcmp(argument, "lengths") == 0)
    fill_lengths(call, target);
  else if (strcmp(argument, "table") == 0)
    fill_table(call, target);
  else
    fill_stale(call, target);
  return 0;
}

extern "C" int ww_reference(const ww_call* call) {
  Cache cache(call);
  cache.table = ww::find_tensor(call, "table");
  const ww_tensor* q = ww::find_tensor(call, "q");
  const ww_tensor* k = ww::find_tensor(call, "k");
  const ww_tensor* v = ww::find_tensor(call, "v");
  double* out = ww::find_output(call, "out");
  double* lse = ww::find_output(call, "lse");
  const int64_t heads = ww::size(call, "heads"), kv_heads = ww::size(call, "kv_heads");
  const int64_t d = ww::size(call, "d");
  const ww_tensor* k_scale = ww::find_tensor(call, "k_scale");
  const ww_tensor* v_scale = ww::find_tensor(call, "v_scale");
  const double given = ww::real(call, "scale");
  const double scale = given < 0 ? 1 / std::sqrt(static_cast<double>(d)) : given;
  constexpr double kNone = -std::numeric_limits<double>::infinity();

  std::vector<double> query(static_cast<size_t>(d)), row(static_cast<size_t>(d)), weights;
  std::vector<int64_t> places;
  for (int64_t u = 0; u < call->unit_count; ++u) {
    const int64_t head = call->units[u] % heads, t = call->units[u] / heads % cache.q_len;
    const int64_t sequence = call->units[u] / heads / cache.q_len;
    const int64_t position = cache.length(sequence) - cache.q_len + t;
    const int64_t kv_head = head / (heads / kv_heads);
    load_row(q, call->units[u], d, query.data());

    double maximum = kNone;
    weights.clear();
    places.clear();
    for (int64_t key = 0; key <= position; ++key) {
      if (!cache.sees(position, key)) continue;
      places.push_back(cache.slot(sequence, key) * kv_heads + kv_head);
      load_row(k, places.back(), d, row.data());
      double score = 0;
      for (size_t i = 0; i < row.size(); ++i) score += query[i] * row[i];
      weights.push_back(score * scale * scale_of(k, k_scale, places.back(), kv_heads));
      if (!(weights.back() <= maximum)) maximum = weights.back();
    }
    double* result = out + u * d;
    for (int64_t i = 0; i < d; ++i) result[i] = 0;
    double sum = 0;
    for (size_t i = 0; i < places.size(); ++i) {
      const double weight = std::exp(weights[i] - maximum);
      sum += weight;
      load_row(v, places[i], d, row.data());
      const double value_scale = scale_of(v, v_scale, places[i], kv_heads);
      for (size_t j = 0; j < row.size(); ++j) result[j] += weight * value_scale * row[j];
    }
    for (int64_t i = 0; !places.empty() && i < d; ++i) result[i] /= sum;
    lse[u] = places.empty() ? kNone : maximum + std::log(sum);
  }
  return 0;
}
