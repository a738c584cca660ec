// Tensor maps (CUtensorMap): the request to encode one, the rules that every encoder obeys, and a
// cache of encoded maps. Axes are outermost first as in contracts; `geometry_of` reverses them, and
// is the only place that does. Sizes and strides are in elements.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "emu/async/encoded_map.h"
#include "records/status.h"

namespace warpwright {

using emu::TensorElement;
using TensorMapBytes = std::array<std::byte, emu::kTensorMapBytes>;

// The element type that a dtype is copied as (core/shared_names.h); nullopt when the name is not
// a dtype.
[[nodiscard]] std::optional<TensorElement> tensor_element(std::string_view dtype);

struct TensorMapAxis {
  std::int64_t size = 0;
  std::int64_t stride = 0;  // elements from one index to the next; 1 for the innermost axis
  std::int64_t box = 0;     // elements that one copy spans
  std::int64_t element_stride = 1;

  auto operator<=>(const TensorMapAxis&) const = default;
};

struct TensorMapRequest {
  std::uint64_t address = 0;  // of element (0, ..., 0)
  TensorElement element{};
  std::vector<TensorMapAxis> axes;  // outermost first
  std::int64_t swizzle = 0;         // span in bytes: 0 (none), 32, 64 or 128
  std::int64_t l2_promotion = 0;    // bytes: 0 (none), 64, 128 or 256
  bool fill_nan = false;            // else 0

  [[nodiscard]] std::int64_t element_bytes() const;
  auto operator<=>(const TensorMapRequest&) const = default;
};

// The rule that a request breaks, with enough detail to point at the expression that it came from.
struct TensorMapFault {
  enum class Field { kAddress, kShape, kStrides, kBox, kElementStrides, kSwizzle, kL2, kFill };
  Field field{};
  std::size_t axis = 0;  // for fields with axes
  std::string message;   // "box[0] is 512, expected 1 to 256"
  // The condition on the value, with {} in its place: "{} <= 256". Empty when no constraint helps.
  std::string rule;
};
// The first rule that is broken, in the order of the fields; nullopt when devices accept the
// request.
[[nodiscard]] std::optional<TensorMapFault> find_fault(const TensorMapRequest& request);
[[nodiscard]] std::optional<std::string> why_not_encodable(const TensorMapRequest& request);

// A request that obeys the rules, as cuTensorMapEncodeTiled and the emulator take it: dimension 0
// is the innermost, strides are in bytes and without that of dimension 0.
struct TensorMapGeometry {
  std::uint32_t rank = 0;
  std::array<std::uint64_t, 5> sizes{};
  std::array<std::uint64_t, 4> strides{};
  std::array<std::uint32_t, 5> box{};
  std::array<std::uint32_t, 5> element_strides{};
};
[[nodiscard]] TensorMapGeometry geometry_of(const TensorMapRequest& request);

// The emulator's encoding of a request that obeys the rules.
[[nodiscard]] TensorMapBytes encode_emulated(const TensorMapRequest& request);

struct EncodedTensorMap {
  Status status = Status::kOk;  // kInvalid with a reason when it cannot be encoded
  std::string reason;
  alignas(64) TensorMapBytes bytes{};
};

struct TensorMapStatistics {
  std::uint64_t hits = 0;    // requests that were answered from the cache
  std::uint64_t misses = 0;  // requests that were encoded; failures are not counted
};

// Encoded maps, by the whole request (address and geometry). A descriptor does not depend on
// content, so it stays valid however often memory is freed and allocated at its address.
class TensorMapCache {
 public:
  using Encoder = std::function<EncodedTensorMap(const TensorMapRequest&)>;
  // Checks the rules first, so that no encoder receives a request that breaks them; failures are
  // not kept.
  [[nodiscard]] EncodedTensorMap find_or_encode(const TensorMapRequest& request,
                                                const Encoder& encode);
  [[nodiscard]] const TensorMapStatistics& statistics() const { return statistics_; }

 private:
  std::map<TensorMapRequest, TensorMapBytes> encoded_;
  TensorMapStatistics statistics_;
};

}  // namespace warpwright
