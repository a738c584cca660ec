// Appends new keys and values to a cache, in double precision. One unit is the part of each output
// that sequence `unit` owns: of q_out its tokens, of a cache its `capacity` places. In a paged
// cache these places may hold tokens of any sequence.
#include "reference.h"

namespace {

struct Problem {
  int64_t batch, q_len, heads, kv_heads, d, capacity, page;
  bool rotated, halves, quantised;
  double base, limit;  // the largest that a quantised element can be

  explicit Problem(const ww_call* call)
      : batch(ww::size(call, "batch")),
        q_len(ww::size(call, "q_len")),
        heads(ww::size(call, "heads")),
        kv_heads(ww::size(call, "kv_heads")),
        d(ww::size(call, "d")),
        capacity(ww::size(call, "capacity")),
        page(ww::size(call, "page")),
        rotated(!ww::is(call, "rope", "none")),
        halves(ww::is(call, "rope", "halves")),
        quantised(ww::is(call, "cache", "i8") || ww::is(call, "cache", "e4m3")),
        base(ww::real(call, "base")),
        limit(ww::is(call, "cache", "i8") ? 127 : 448) {}
};

double frequency(const Problem& p, int64_t pair) {
  return std::pow(p.base, -2.0 * static_cast<double>(pair) / static_cast<double>(p.d));
}

// Row `row` of `from` to `to`, turned for its position.
void rotate(const Problem& p, const ww_tensor* from, int64_t row, int64_t position, double* to) {
  for (int64_t i = 0; i < p.d / 2; ++i) {
    const int64_t first = p.halves ? i : 2 * i, second = p.halves ? i + p.d / 2 : 2 * i + 1;
    const double a = ww::load(from, row * p.d + first), b = ww::load(from, row * p.d + second);
    const double angle = static_cast<double>(position) * frequency(p, i);
    to[first] = a * std::cos(angle) - b * std::sin(angle);
    to[second] = b * std::cos(angle) + a * std::sin(angle);
  }
}

// A row of the cache as it is kept, and its scale. The kernel has rotated elements in f32 only, so
// their integers are held against the quotients.
void quantise(const Problem& p, bool integers, bool rounded, double* row, double* scale) {
  double largest = 0;
  for (int64_t i = 0; i < p.d; ++i)
    if (std::fabs(row[i]) > largest) largest = std::fabs(row[i]);
  *scale = largest / p.limit;
  for (int64_t i = 0; i < p.d; ++i) {
    if (std::isnan(row[i])) {
      if (integers) row[i] = 0;
      continue;
    }
    // Elements and limits have so few bits that the product is exact: ties are what they are.
    const double quotient = largest > 0 ? row[i] * p.limit / largest : 0;
    row[i] = rounded ? std::nearbyint(quotient) : quotient;
  }
}

}  // namespace

extern "C" int ww_reference(const ww_call* call) {
  const Problem p(call);
  const ww_tensor* lengths = ww::find_tensor(call, "lengths");
  const ww_tensor* table = ww::find_tensor(call, "page_table");
  const ww_tensor* q = ww::find_tensor(call, "q");
  double* q_out = ww::find_output(call, "q_out");
  const bool integers = ww::is(call, "cache", "i8");

  for (int64_t u = 0; u < call->unit_count; ++u) {
    const int64_t unit = call->units[u];
    if (p.rotated) {
      for (int64_t token = 0; token < p.q_len; ++token) {
        const int64_t position = static_cast<int64_t>(ww::load(lengths, unit)) + token;
        for (int64_t head = 0; head < p.heads; ++head)
          rotate(p, q, (unit * p.q_len + token) * p.heads + head, position,
                 q_out + ((u * p.q_len + token) * p.heads + head) * p.d);
      }
    }
    for (const bool keys : {true, false}) {
      const ww_tensor* from = ww::find_tensor(call, keys ? "k" : "v");
      const ww_tensor* before = ww::find_tensor(call, keys ? "k_cache" : "v_cache");
      const ww_tensor* scale_before = ww::find_tensor(call, keys ? "k_scale" : "v_scale");
      double* cache = ww::find_output(call, keys ? "k_cache" : "v_cache");
      double* scale = ww::find_output(call, keys ? "k_scale" : "v_scale");
      const int64_t elements = p.capacity * p.kv_heads * p.d;
      const int64_t scales = p.quantised ? p.capacity * p.kv_heads : 1;
      for (int64_t i = 0; i < elements; ++i)
        cache[u * elements + i] = ww::load(before, unit * elements + i);
      for (int64_t i = 0; i < scales; ++i)
        scale[u * scales + i] = ww::load(scale_before, unit * scales + i);

      for (int64_t sequence = 0; sequence < p.batch; ++sequence) {
        for (int64_t token = 0; token < p.q_len; ++token) {
          const int64_t position = static_cast<int64_t>(ww::load(lengths, sequence)) + token;
          int64_t place = sequence * p.capacity + position;
          if (p.page != 0) {
            const int64_t pages = p.capacity / p.page;
            place = static_cast<int64_t>(ww::load(table, sequence * pages + position / p.page)) *
                        p.page +
                    position % p.page;
          }
          if (place / p.capacity != unit) continue;
          place %= p.capacity;
          for (int64_t head = 0; head < p.kv_heads; ++head) {
            const int64_t row = (sequence * p.q_len + token) * p.kv_heads + head;
            double* to = cache + u * elements + (place * p.kv_heads + head) * p.d;
            if (keys && p.rotated) {
              rotate(p, from, row, position, to);
            } else {
              for (int64_t i = 0; i < p.d; ++i) to[i] = ww::load(from, row * p.d + i);
            }
            if (p.quantised)
              quantise(p, integers, integers && !(keys && p.rotated), to,
                       scale + u * scales + place * p.kv_heads + head);
          }
        }
      }
    }
  }
  return 0;
}

extern "C" int ww_fill(const ww_call* call, const char* argument, const ww_fill_target* target) {
  const Problem p(call);
  const std::string name = argument;
  const int64_t pairs = p.d / 2;
  for (int64_t i = 0; i < pairs; ++i) {
    const double turn = frequency(p, i) / 6.283185307179586476925;  // less than 1/6
    if (name == "turns") {
      ww::store(target, i, static_cast<uint64_t>(std::ldexp(turn, 64)));
      continue;
    }
    for (int64_t position = 0; position < target->elements / pairs; ++position) {
      const double angle = static_cast<double>(position) * frequency(p, i);
      ww::store(target, position * pairs + i, name == "sines" ? std::sin(angle) : std::cos(angle));
    }
  }
  return 0;
}
