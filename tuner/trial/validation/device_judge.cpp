#include "trial/validation/device_judge.h"

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

// The value of every pattern of bits; empty for types that the device converts.
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

template <typename T>
std::unique_ptr<DeviceBuffer> put(Device& device, std::span<const T> values, const char* label) {
  auto buffer = device.allocate(values.size_bytes(), label);
  device.upload(*buffer, 0, std::as_bytes(values));
  return buffer;
}

}  // namespace

bool DeviceJudge::upload(const OutputView& view) {
  if (!device_.compares() || view.expected.empty()) return false;
  const std::vector<double> table = table_of(view.dtype);
  // Two doubles an element. Trials with more scratch than this one's may follow.
  const std::size_t bytes =
      2 * view.expected.size_bytes() + view.units.size_bytes() + table.size() * sizeof(double);
  constexpr std::size_t kShare = 16;
  constexpr std::size_t kMost = std::size_t{256} << 20;
  if (bytes > std::min(kMost, device_.free_bytes() / kShare)) return false;
  expected_ = put(device_, view.expected, "what is expected");
  std::int64_t elements = 1;
  for (const std::int64_t extent : view.shape) elements *= extent;
  const bool all = static_cast<std::int64_t>(view.expected.size()) == elements;
  if (!all) units_ = put(device_, view.units, "units that count");
  if (!table.empty()) table_ = put(device_, std::span<const double>(table), "values of a type");
  upload_allowed(view);
  return true;
}

void DeviceJudge::upload_allowed(const OutputView& view) {
  const std::vector<double> allowed = allowed_errors(view);
  allowed_ = put(device_, std::span<const double>(allowed), "allowed errors");
}

std::optional<OutputError> DeviceJudge::pass(const OutputView& view, std::uint64_t address) {
  const Tolerances tolerances = {view.tolerance_abs, view.tolerance_rel, view.tolerance_rms,
                                 view.accumulate ? view.accumulate->terms : 0,
                                 view.accumulate ? view.accumulate->accumulator : DType{}};
  if (!tried_) {
    tried_ = true;
    tolerances_ = tolerances;
    usable_ = upload(view);
  } else if (usable_ && tolerances != tolerances_) {
    upload_allowed(view);
    tolerances_ = tolerances;
  }
  if (!usable_) return std::nullopt;
  ElementComparison comparison;
  comparison.kind = kind_of(view.dtype);
  comparison.got = address;
  comparison.units = units_ ? units_->address() : 0;
  comparison.unit_elements = static_cast<std::uint64_t>(view.unit_elements);
  comparison.count = view.expected.size();
  comparison.expected = expected_->address();
  comparison.allowed = allowed_->address();
  comparison.table = table_ ? table_->address() : 0;
  const std::optional<ElementsFound> found = device_.compare(comparison);
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
