#include "trial/compare/device_judge.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace warpwright {
namespace {

ElementKind kind_of(DType dtype) {
  switch (dtype) {
    case DType::kF64:
      return ElementKind::kF64;
    case DType::kF32:
      return ElementKind::kF32;
    case DType::kI64:
      return ElementKind::kI64;
    case DType::kU64:
      return ElementKind::kU64;
    case DType::kI32:
      return ElementKind::kI32;
    case DType::kU32:
      return ElementKind::kU32;
    default:
      return dtype_size(dtype) == 1 ? ElementKind::kByte : ElementKind::kHalf;
  }
}

// The value of every bit pattern; empty for types that the device converts.
std::vector<double> table_of(DType dtype) {
  const ElementKind kind = kind_of(dtype);
  if (kind != ElementKind::kByte && kind != ElementKind::kHalf) return {};
  std::vector<double> table(kind == ElementKind::kByte ? 1u << 8 : 1u << 16);
  for (std::size_t bits = 0; bits < table.size(); ++bits) {
    std::array<std::byte, 2> element{};
    const auto pattern = static_cast<std::uint16_t>(bits);
    std::memcpy(element.data(), &pattern, sizeof pattern);
    table[bits] = load_element(dtype, element.data(), 0);
  }
  return table;
}

// Maps hidden memory during the lifetime of this object.
class Revealed {
 public:
  Revealed(Device& device, DeviceBuffer& buffer) : device_(device), buffer_(buffer) {
    device_.reveal(buffer_);
  }
  ~Revealed() { device_.hide(buffer_); }
  Revealed(const Revealed&) = delete;
  Revealed& operator=(const Revealed&) = delete;

 private:
  Device& device_;
  DeviceBuffer& buffer_;
};

template <typename T>
void put(std::vector<std::byte>& to, std::size_t offset, std::span<const T> values) {
  if (!values.empty()) std::memcpy(to.data() + offset, values.data(), values.size_bytes());
}

// Up to this size an upload takes less time than mapping and unmapping.
constexpr std::size_t kSmallBytes = std::size_t{256} << 10;

}  // namespace

bool DeviceJudge::reserve(const OutputView& view) {
  if (!device_.compares() || view.expected.empty()) return false;
  table_values_ = table_of(view.dtype);
  std::int64_t elements = 1;
  for (const std::int64_t extent : view.shape) elements *= extent;
  samples_ = static_cast<std::int64_t>(view.expected.size()) != elements;
  allowed_at_ = view.expected.size_bytes();
  units_at_ = 2 * allowed_at_;
  table_at_ = units_at_ + (samples_ ? view.units.size_bytes() : 0);
  const std::size_t bytes = table_at_ + table_values_.size() * sizeof(double);
  // Later trials may need more scratch than this one.
  constexpr std::size_t kShare = 16;
  constexpr std::size_t kMax = std::size_t{256} << 20;
  if (bytes > std::min(kMax, device_.free_bytes() / kShare)) return false;
  is_small_ = bytes <= kSmallBytes;
  packed_.resize(bytes);
  memory_ = is_small_ ? device_.allocate(bytes, "what is expected")
                      : device_.allocate_hidden(bytes, "what is expected");
  return memory_ != nullptr;
}

void DeviceJudge::pack(const OutputView& view) {
  packed_.resize(table_at_ + table_values_.size() * sizeof(double));
  put(packed_, 0, view.expected);
  const std::vector<double> allowed = allowed_errors(view);
  put(packed_, allowed_at_, std::span<const double>(allowed));
  if (samples_) put(packed_, units_at_, view.units);
  put(packed_, table_at_, std::span<const double>(table_values_));
}

std::optional<ElementsFound> DeviceJudge::compare(const OutputView& view, std::uint64_t address) {
  const std::uint64_t at = memory_->address();
  ElementComparison comparison;
  comparison.kind = kind_of(view.dtype);
  comparison.got = address;
  comparison.units = samples_ ? at + units_at_ : 0;
  comparison.unit_elements = static_cast<std::uint64_t>(view.unit_elements);
  comparison.count = view.expected.size();
  comparison.expected = at;
  comparison.allowed = at + allowed_at_;
  comparison.table = table_values_.empty() ? 0 : at + table_at_;
  // No candidate runs while this is on the device, or mapped.
  if (is_small_) {
    device_.upload(*memory_, 0, packed_);
    const std::optional<ElementsFound> found = device_.compare(comparison);
    device_.fill(*memory_, 0, memory_->bytes(), 0);
    return found;
  }
  const Revealed revealed(device_, *memory_);
  if (!packed_.empty()) device_.upload(*memory_, 0, packed_);
  packed_ = {};
  return device_.compare(comparison);
}

std::optional<OutputError> DeviceJudge::pass(const OutputView& view, std::uint64_t address) {
  const Tolerances tolerances = {view.tolerance_abs, view.tolerance_rel, view.tolerance_rms,
                                 view.accumulate ? view.accumulate->terms : 0,
                                 view.accumulate ? view.accumulate->accumulator : DType{}};
  const bool first = !tried_;
  if (first) usable_ = reserve(view);
  tried_ = true;
  if (!usable_) return std::nullopt;
  if (first || tolerances != tolerances_) pack(view);
  tolerances_ = tolerances;
  const std::optional<ElementsFound> found = compare(view, address);
  if (!found || found->wrong != 0) return std::nullopt;
  OutputError error;
  error.output = view.name;
  error.checked = view.expected.size();
  error.max_abs = found->max_abs;
  error.max_rel = found->max_rel;
  error.worst_ratio = found->worst_ratio;
  return error;
}

}  // namespace warpwright
