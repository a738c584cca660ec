#include "spec/value_list.h"

#include <fmt/format.h>

#include "spec/value_rule.h"

namespace warpwright {
namespace {

// Reads between `least` and `most` integers, of which the first two are in order; `form` shows how
// to write them.
std::vector<std::int64_t> read_bounds(const YamlReader& reader, std::size_t least, std::size_t most,
                                      const char* form) {
  if (!reader.is_list()) throw reader.wrong_type(form);
  const std::vector<YamlReader> items = reader.items();
  if (items.size() < least || items.size() > most) {
    throw reader.error(fmt::format("got a list of {}, expected {}", items.size(), form));
  }
  std::vector<std::int64_t> bounds;
  for (const YamlReader& item : items) bounds.push_back(item.integer());
  if (bounds[0] > bounds[1]) {
    throw reader.error(
        fmt::format("got {} to {}, expected the smaller number first", bounds[0], bounds[1]));
  }
  return bounds;
}

std::vector<Value> read_range(const YamlReader& reader) {
  std::vector<std::int64_t> bounds =
      read_bounds(reader, 2, 3, "[first, last] or [first, last, step]");
  const std::int64_t step = bounds.size() == 3 ? bounds[2] : 1;
  if (step < 1) throw reader.error(fmt::format("got step {}, expected at least 1", step));
  // Unsigned, because the distance of two 64-bit integers may not fit a signed one.
  const auto distance =
      static_cast<std::uint64_t>(bounds[1]) - static_cast<std::uint64_t>(bounds[0]);
  const std::uint64_t steps = distance / static_cast<std::uint64_t>(step);
  if (steps >= static_cast<std::uint64_t>(kMaxListValues)) {
    throw reader.error(
        fmt::format("got more than {} values, expected fewer; take a larger step", kMaxListValues));
  }
  std::vector<Value> values;
  for (std::uint64_t i = 0; i <= steps; ++i) {
    const auto offset = i * static_cast<std::uint64_t>(step);
    values.emplace_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(bounds[0]) + offset));
  }
  return values;
}

std::vector<Value> read_pow2(const YamlReader& reader) {
  const std::vector<std::int64_t> bounds = read_bounds(reader, 2, 2, "[first, last]");
  for (const std::int64_t bound : bounds) {
    if (bound < 1 || (bound & (bound - 1)) != 0) {
      throw reader.error(fmt::format("got {}, expected a power of two", bound));
    }
  }
  std::vector<Value> values;
  // The last power is added separately: doubling it may overflow.
  for (std::int64_t value = bounds[0]; value < bounds[1]; value *= 2) values.emplace_back(value);
  values.emplace_back(bounds[1]);
  return values;
}

}  // namespace

ValueList read_value_list(const YamlReader& reader) {
  ValueList list;
  if (reader.is_scalar()) {
    list.values.push_back(reader.value());
    list.where.push_back(reader.where());
    return list;
  }
  if (reader.is_map()) {
    const YamlMap map = reader.map({"range", "pow2"});
    const auto range = map.find("range");
    const auto pow2 = map.find("pow2");
    if (range.has_value() == pow2.has_value()) {
      throw reader.error("expected either {range: [first, last, step]} or {pow2: [first, last]}");
    }
    list.values = range ? read_range(*range) : read_pow2(*pow2);
    return list;
  }
  if (!reader.is_list()) throw reader.wrong_type("a value, a list, {range: ...} or {pow2: ...}");
  list.values = read_distinct_values(reader, &list.where);
  return list;
}

}  // namespace warpwright
