#include "trial/data/derived_fill.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "core/error.h"
#include "trial/data/checked_number.h"

namespace warpwright {
namespace {

std::size_t elements_of(const DerivedArray& array) {
  std::size_t elements = 1;
  for (const std::int64_t extent : array.shape) elements *= static_cast<std::size_t>(extent);
  return elements;
}

std::string described(const DerivedArray& array) {
  return fmt::format("'{}' is {} [{}]", array.argument, dtype_name(array.dtype),
                     fmt::join(array.shape, ", "));
}

void require_fit(bool fits, std::string_view what, const DerivedArray& from,
                 const DerivedArray& to) {
  if (fits) return;
  throw user_error(fmt::format("{}; {} and {}", what, described(to), described(from)));
}

void sum_prefixes(const DerivedArray& from, std::span<const std::byte> content,
                  const DerivedArray& to, std::span<std::byte> out) {
  const std::size_t count = elements_of(from);
  const std::size_t wanted = elements_of(to);
  require_fit(!is_floating(from.dtype) && !is_floating(to.dtype), "prefix_sum is of integers", from,
              to);
  require_fit(wanted == count || wanted == count + 1,
              "prefix_sum has as many elements as what it sums, or one more", from, to);
  WideInteger sum = 0;
  for (std::size_t i = 0; i < wanted; ++i) {
    if (const auto fault = store_integer(to.dtype, out.data(), i, sum))
      throw user_error(
          fmt::format("prefix_sum: element {} of argument '{}' is {}; choose a wider "
                      "type or smaller terms",
                      i, to.argument, *fault));
    if (i < count) sum += load_integer(from.dtype, content.data(), i);
  }
}

// Integers of 64 bits above 2^53 are not exact as doubles. NaN comes last, and zeros of either sign
// are equal.
bool comes_before(DType dtype, const void* array, std::size_t a, std::size_t b) {
  if (!is_floating(dtype)) return load_integer(dtype, array, a) < load_integer(dtype, array, b);
  const double left = load_element(dtype, array, a);
  const double right = load_element(dtype, array, b);
  return std::isnan(right) ? !std::isnan(left) : left < right;
}

// Calls take(place, index) with flat indices: the place to which each element along the last axis
// moves.
template <typename Take>
void sort_rows(const DerivedArray& from, std::span<const std::byte> content, Take take) {
  const auto width = static_cast<std::size_t>(from.shape.back());
  std::vector<std::size_t> order(width);
  for (std::size_t row = 0; row < elements_of(from); row += width) {
    std::iota(order.begin(), order.end(), row);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return comes_before(from.dtype, content.data(), a, b);
    });
    for (std::size_t i = 0; i < width; ++i) take(row + i, order[i]);
  }
}

void rank_elements(const DerivedArray& from, std::span<const std::byte> content,
                   const DerivedArray& to, std::span<std::byte> out) {
  require_fit(!is_floating(to.dtype), "argsort holds indices, which are integers", from, to);
  require_fit(from.shape == to.shape, "argsort has the shape of what it sorts", from, to);
  const auto width = static_cast<std::size_t>(from.shape.back());
  sort_rows(from, content, [&](std::size_t place, std::size_t index) {
    const auto within = static_cast<std::int64_t>(index % width);
    if (const auto fault = store_integer(to.dtype, out.data(), place, within))
      throw user_error(
          fmt::format("argsort: element {} of argument '{}' is {}; choose a wider type", place,
                      to.argument, *fault));
  });
}

}  // namespace

void derive_input(FillKind kind, const DerivedArray& from, std::span<const std::byte> content,
                  const DerivedArray& to, std::span<std::byte> out) {
  const std::size_t size = dtype_size(to.dtype);
  switch (kind) {
    case FillKind::kCopyOf:
      require_fit(from.dtype == to.dtype && elements_of(from) == elements_of(to),
                  "a copy has the type and the number of elements of what it copies", from, to);
      std::memcpy(out.data(), content.data(), out.size());
      return;
    case FillKind::kPrefixSum:
      return sum_prefixes(from, content, to, out);
    case FillKind::kSorted:
      require_fit(from.dtype == to.dtype && from.shape == to.shape,
                  "sorted has the type and the shape of what it sorts", from, to);
      return sort_rows(from, content, [&](std::size_t place, std::size_t index) {
        std::memcpy(out.data() + place * size, content.data() + index * size, size);
      });
    case FillKind::kArgsort:
      return rank_elements(from, content, to, out);
    default:
      WARPWRIGHT_CHECK(false, "only fills that name an argument are derived");
  }
}

}  // namespace warpwright
