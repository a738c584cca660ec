#include "device/tensor_map.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/error.h"
#include "core/shared_names.h"

namespace warpwright {
namespace {

using Field = TensorMapFault::Field;

// The limits of cuTensorMapEncodeTiled without interleaving.
constexpr std::size_t kMaxRank = 5;
constexpr std::uint64_t kAlignment = 16;  // of addresses, strides and inner boxes, in bytes
constexpr std::int64_t kMaxSize = std::int64_t{1} << 32;
constexpr std::int64_t kMaxStrideBytes = std::int64_t{1} << 40;  // exclusive
constexpr std::int64_t kMaxBox = 256;
constexpr std::int64_t kMaxElementStride = 8;
// Far more than any contract names; without a limit, a contract that makes a map per launch would
// fill memory.
constexpr std::size_t kMaxKept = 4096;

// Follows the driver's definition: the tf32 and flushing forms of f32 also have NaN.
bool is_floating(TensorElement element) {
  switch (element) {
    case TensorElement::kU8:
    case TensorElement::kU16:
    case TensorElement::kU32:
    case TensorElement::kS32:
    case TensorElement::kU64:
    case TensorElement::kS64:
      return false;
    default:
      return true;
  }
}

// Messages name axes as contracts do, outermost first, so that they can be found there.
TensorMapFault fault(Field field, std::size_t axis, std::string message, std::string rule = "") {
  return {field, axis, std::move(message), std::move(rule)};
}

std::optional<TensorMapFault> check_range(Field field, const char* key, std::size_t axis,
                                          std::int64_t value, std::int64_t most) {
  if (value >= 1 && value <= most) return std::nullopt;
  return fault(field, axis, fmt::format("{}[{}] is {}, expected 1 to {}", key, axis, value, most),
               value < 1 ? "{} >= 1" : fmt::format("{{}} <= {}", most));
}

// A stride of 0 repeats the same elements, which the hardware supports. Dimensions may overlap or
// lie in any order: only the innermost has no stride of its own.
std::optional<TensorMapFault> check_strides(const TensorMapRequest& request) {
  const std::size_t inner = request.axes.size() - 1;
  const std::int64_t bytes = request.element_bytes();
  for (std::size_t i = 0; i < inner; ++i) {
    const std::int64_t stride = request.axes[i].stride;
    // This divides, because the product may not fit.
    if (stride < 0 || stride >= kMaxStrideBytes / bytes) {
      return fault(Field::kStrides, i,
                   fmt::format("strides[{}] is {} elements of {} bytes, expected 0 to less than "
                               "2^40 bytes",
                               i, stride, bytes));
    }
    if (stride * bytes % static_cast<std::int64_t>(kAlignment) != 0) {
      return fault(Field::kStrides, i,
                   fmt::format("strides[{}] is {} elements or {} bytes, expected a multiple of {} "
                               "bytes",
                               i, stride, stride * bytes, kAlignment),
                   fmt::format("{{}} % {} == 0", static_cast<std::int64_t>(kAlignment) / bytes));
    }
  }
  if (request.axes[inner].stride == 1) return std::nullopt;
  return fault(Field::kStrides, inner,
               fmt::format("strides[{}] is {}, expected 1: elements of the innermost axis lie side "
                           "by side",
                           inner, request.axes[inner].stride));
}

// Must run after every box was checked to be in its range. Shared memory is written in pieces of 16
// bytes, and a swizzle exchanges them within one span: a longer row would lie on top of the next.
std::optional<TensorMapFault> check_inner_box(const TensorMapRequest& request) {
  const std::size_t inner = request.axes.size() - 1;
  const std::int64_t bytes = request.element_bytes();
  const std::int64_t box = request.axes[inner].box;
  if (box * bytes % static_cast<std::int64_t>(kAlignment) != 0) {
    return fault(Field::kBox, inner,
                 fmt::format("box[{}] is {} elements or {} bytes, expected a multiple of {} bytes "
                             "on the innermost axis",
                             inner, box, box * bytes, kAlignment),
                 fmt::format("{{}} % {} == 0", static_cast<std::int64_t>(kAlignment) / bytes));
  }
  if (request.swizzle == 0 || box * bytes <= request.swizzle) return std::nullopt;
  return fault(Field::kBox, inner,
               fmt::format("box[{}] is {} elements or {} bytes, expected at most the {} bytes that "
                           "the swizzle spans",
                           inner, box, box * bytes, request.swizzle),
               fmt::format("{{}} <= {}", request.swizzle / bytes));
}

std::optional<TensorMapFault> check_element_strides(const TensorMapRequest& request) {
  for (std::size_t i = 0; i < request.axes.size(); ++i) {
    const std::int64_t stride = request.axes[i].element_stride;
    if (auto wrong =
            check_range(Field::kElementStrides, "element_strides", i, stride, kMaxElementStride))
      return wrong;
  }
  const std::size_t inner = request.axes.size() - 1;
  if (request.axes[inner].element_stride == 1) return std::nullopt;
  // The hardware ignores it, and the kernel would receive other elements than the contract
  // specifies.
  return fault(Field::kElementStrides, inner,
               fmt::format("element_strides[{}] is {}, expected 1: the innermost axis is copied "
                           "without gaps",
                           inner, request.axes[inner].element_stride));
}

// Must run before the check of the inner box, which depends on the swizzle.
std::optional<TensorMapFault> check_choices(const TensorMapRequest& request) {
  const auto among = [](std::int64_t value, std::initializer_list<std::int64_t> known) {
    return std::find(known.begin(), known.end(), value) != known.end();
  };
  if (!among(request.swizzle, {0, 32, 64, 128})) {
    return fault(Field::kSwizzle, 0,
                 fmt::format("swizzle is {}, expected 0 (none), 32, 64 or 128", request.swizzle));
  }
  if (!among(request.l2_promotion, {0, 64, 128, 256})) {
    return fault(
        Field::kL2, 0,
        fmt::format("l2_promotion is {}, expected 0 (none), 64, 128 or 256", request.l2_promotion));
  }
  if (!request.fill_nan || is_floating(request.element)) return std::nullopt;
  return fault(
      Field::kFill, 0,
      "fill is nan for an element that is not a floating-point type of tensor maps, expected "
      "zero");
}

}  // namespace

std::optional<TensorElement> tensor_element(std::string_view dtype) {
  const std::optional<int> type = tensor_map_data_type(dtype);
  return type ? std::optional(static_cast<TensorElement>(*type)) : std::nullopt;
}

// Uses the emulator's table of widths, as its copies do.
std::int64_t TensorMapRequest::element_bytes() const {
  emu::TensorMap map;
  map.element = element;
  return static_cast<std::int64_t>(map.element_bytes());
}

// The checks proceed from rules for the whole map to those that depend on earlier results; the
// first fault found is the first to fix.
std::optional<TensorMapFault> find_fault(const TensorMapRequest& request) {
  if (request.axes.empty() || request.axes.size() > kMaxRank) {
    return fault(Field::kShape, 0,
                 fmt::format("the rank is {}, expected 1 to {}", request.axes.size(), kMaxRank));
  }
  if (request.address % kAlignment != 0) {
    return fault(Field::kAddress, 0,
                 fmt::format("the address {:#x} is {} bytes past a multiple of {}, expected a "
                             "multiple",
                             request.address, request.address % kAlignment, kAlignment),
                 fmt::format("{{}} % {} == 0",
                             static_cast<std::int64_t>(kAlignment) / request.element_bytes()));
  }
  for (std::size_t i = 0; i < request.axes.size(); ++i) {
    const std::int64_t size = request.axes[i].size;
    if (size >= 1 && size <= kMaxSize) continue;
    return fault(Field::kShape, i, fmt::format("shape[{}] is {}, expected 1 to 2^32", i, size),
                 size < 1 ? "{} >= 1" : "");
  }
  if (auto wrong = check_strides(request)) return wrong;
  for (std::size_t i = 0; i < request.axes.size(); ++i) {
    if (auto wrong = check_range(Field::kBox, "box", i, request.axes[i].box, kMaxBox)) return wrong;
  }
  if (auto wrong = check_choices(request)) return wrong;
  if (auto wrong = check_inner_box(request)) return wrong;
  return check_element_strides(request);
}

std::optional<std::string> why_not_encodable(const TensorMapRequest& request) {
  std::optional<TensorMapFault> wrong = find_fault(request);
  return wrong ? std::optional(std::move(wrong->message)) : std::nullopt;
}

TensorMapGeometry geometry_of(const TensorMapRequest& request) {
  WARPWRIGHT_CHECK(!why_not_encodable(request), "only tensor maps that keep the rules are encoded");
  TensorMapGeometry geometry;
  geometry.rank = static_cast<std::uint32_t>(request.axes.size());
  const auto bytes = static_cast<std::uint64_t>(request.element_bytes());
  for (std::size_t dimension = 0; dimension < geometry.rank; ++dimension) {
    const TensorMapAxis& axis = request.axes[geometry.rank - 1 - dimension];
    geometry.sizes[dimension] = static_cast<std::uint64_t>(axis.size);
    geometry.box[dimension] = static_cast<std::uint32_t>(axis.box);
    geometry.element_strides[dimension] = static_cast<std::uint32_t>(axis.element_stride);
    if (dimension != 0)
      geometry.strides[dimension - 1] = static_cast<std::uint64_t>(axis.stride) * bytes;
  }
  return geometry;
}

// L2 promotion has no effect in the emulator.
TensorMapBytes encode_emulated(const TensorMapRequest& request) {
  const TensorMapGeometry geometry = geometry_of(request);
  emu::TensorMap map;
  map.rank = static_cast<std::uint8_t>(geometry.rank);
  map.element = request.element;
  switch (request.swizzle) {
    case 32:
      map.swizzle = emu::TensorSwizzle::k32;
      break;
    case 64:
      map.swizzle = emu::TensorSwizzle::k64;
      break;
    case 128:
      map.swizzle = emu::TensorSwizzle::k128;
      break;
    default:
      map.swizzle = emu::TensorSwizzle::kNone;
  }
  map.fill = request.fill_nan ? emu::TensorFill::kNan : emu::TensorFill::kZero;
  map.address = request.address;
  map.sizes = geometry.sizes;
  map.strides = geometry.strides;
  for (std::size_t i = 0; i < geometry.box.size(); ++i) {
    map.box[i] = static_cast<std::uint16_t>(geometry.box[i]);
    map.element_strides[i] = static_cast<std::uint8_t>(geometry.element_strides[i]);
  }
  return emu::to_bytes(map);
}

EncodedTensorMap TensorMapCache::find_or_encode(const TensorMapRequest& request,
                                                const Encoder& encode) {
  EncodedTensorMap encoded;
  if (const auto known = encoded_.find(request); known != encoded_.end()) {
    ++statistics_.hits;
    encoded.bytes = known->second;
    return encoded;
  }
  if (std::optional<std::string> why_not = why_not_encodable(request)) {
    encoded.status = Status::kInvalid;
    encoded.reason = std::move(*why_not);
    return encoded;
  }
  // Failures are tried again: a driver that refuses once may have lacked a resource.
  encoded = encode(request);
  if (encoded.status != Status::kOk) return encoded;
  ++statistics_.misses;
  if (encoded_.size() >= kMaxKept) encoded_.clear();
  encoded_.emplace(request, encoded.bytes);
  return encoded;
}

}  // namespace warpwright
