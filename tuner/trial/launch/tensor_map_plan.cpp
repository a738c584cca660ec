#include "trial/launch/tensor_map_plan.h"

#include <fmt/format.h>

#include <filesystem>
#include <limits>

#include "core/error.h"
#include "trial/launch/launch_plan.h"

namespace warpwright {
namespace {

using Field = TensorMapFault::Field;

constexpr int kMapCapability = 90;

// Extents can be any 64-bit numbers until the rules have checked them. A product that overflows
// lies past any end, and is reported as such.
std::int64_t saturating_product(std::int64_t a, std::int64_t b) {
  std::int64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::int64_t>::max()
                                                : product;
}

std::int64_t saturating_sum(std::int64_t a, std::int64_t b) {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

std::string map_operand(const Expr& expr) {
  const std::string text = expr.to_string();
  const bool simple = text.find_first_of(" +-*/%<>=&|?:") == std::string::npos;
  return simple ? text : "(" + text + ")";
}

// The expression that a broken rule refers to; for a contiguous view the strides are the products
// of the inner axes. nullopt when the contract has no such expression.
std::optional<Expr> expression_at(const ArgumentSpec& argument, const TensorMapFault& fault) {
  const TensorMapSpec& map = *argument.map;
  switch (fault.field) {
    case Field::kAddress:
      return map.offset;
    case Field::kShape:
      return argument.shape[fault.axis];
    case Field::kStrides: {
      if (!map.strides.empty()) return map.strides[fault.axis];
      std::string text;
      for (std::size_t i = fault.axis + 1; i < argument.shape.size(); ++i)
        text += (text.empty() ? "" : " * ") + map_operand(argument.shape[i]);
      return Expr::parse(text, argument.shape.back().where());
    }
    case Field::kBox:
      return map.box[fault.axis];
    case Field::kElementStrides:
      return map.element_strides[fault.axis];
    case Field::kSwizzle:
      return map.swizzle;
    case Field::kL2:
      return map.l2_promotion;
    case Field::kFill:
      break;
  }
  return std::nullopt;
}

// "kernel.yaml:12:40: tensor map 'x_map' of 'x': ". It omits the folder, because outcomes are
// stored and compared between machines.
std::string opening(const ArgumentSpec& argument, const SourceLocation& where) {
  const std::string file = std::filesystem::path(where.file).filename().string();
  std::string place = fmt::format("{}:{}", file, where.line);
  if (where.column > 0) place += fmt::format(":{}", where.column);
  return fmt::format("{}: tensor map '{}' of '{}': ", place, argument.name, argument.map->tensor);
}

FailureReason describe_fault(const ArgumentSpec& argument, const TensorMapFault& fault) {
  const std::optional<Expr> expr = expression_at(argument, fault);
  const bool placed = expr && expr->where().line > 0;
  std::string text = opening(argument, placed ? expr->where() : argument.where) + fault.message;
  // The message already contains a literal, and no constraint could exclude it.
  if (!expr || expr->names().empty()) return text;
  text += fmt::format(" (from '{}')", expr->to_string());
  if (fault.rule.empty()) return text;
  const std::string constraint = fmt::format(fmt::runtime(fault.rule), map_operand(*expr));
  return limited(text, constraint);
}

// A copy past the array would read the memory behind it, or fault.
std::optional<FailureReason> check_inside(const KernelSpec& kernel, const ArgumentSpec& argument,
                                          const TensorMapPlan& plan,
                                          const Environment& environment) {
  const std::int64_t first = plan.offset;
  std::int64_t last = first;
  for (const TensorMapAxis& axis : plan.request.axes)
    last = saturating_sum(last, saturating_product(axis.size - 1, axis.stride));
  std::int64_t elements = 1;
  for (const Expr& axis : kernel.find_argument(argument.map->tensor)->shape)
    elements = saturating_product(elements, axis.evaluate_integer(environment));
  if (first >= 0 && last < elements) return std::nullopt;
  return opening(argument, argument.where) +
         fmt::format(
             "the view spans elements {} to {}, expected them inside the {} elements of "
             "'{}'; correct `shape`, `strides` or `offset`",
             first, last, elements, argument.map->tensor);
}

}  // namespace

TensorMapPlan plan_tensor_map(const KernelSpec& kernel, const ArgumentSpec& argument,
                              const Environment& environment) {
  const TensorMapSpec& map = *argument.map;
  TensorMapPlan plan;
  // The parser of the contract has verified that it exists.
  plan.tensor = kernel.find_argument(map.tensor);
  TensorMapRequest& request = plan.request;
  const std::string_view dtype = dtype_name(argument_dtype(argument, environment));
  const std::optional<TensorElement> element = tensor_element(dtype);
  WARPWRIGHT_CHECK(element.has_value(), "every dtype has an element that it is copied as");
  request.element = *element;
  request.axes.resize(argument.shape.size());
  std::int64_t contiguous = 1;
  for (std::size_t i = request.axes.size(); i-- > 0;) {
    TensorMapAxis& axis = request.axes[i];
    axis.size = argument.shape[i].evaluate_integer(environment);
    axis.stride = map.strides.empty() ? contiguous : map.strides[i].evaluate_integer(environment);
    axis.box = map.box[i].evaluate_integer(environment);
    if (!map.element_strides.empty())
      axis.element_stride = map.element_strides[i].evaluate_integer(environment);
    contiguous = saturating_product(contiguous, axis.size);
  }
  plan.offset = map.offset.evaluate_integer(environment);
  // A saturated offset lies outside the array, and is reported as such; here it only has to stay
  // aligned.
  constexpr std::uint64_t kAligned = ~std::uint64_t{255};
  const std::int64_t bytes = saturating_product(plan.offset, request.element_bytes());
  const bool saturated = bytes == std::numeric_limits<std::int64_t>::max();
  request.address = static_cast<std::uint64_t>(bytes) & (saturated ? kAligned : ~std::uint64_t{0});
  request.swizzle = map.swizzle.evaluate_integer(environment);
  request.l2_promotion = map.l2_promotion.evaluate_integer(environment);
  request.fill_nan = map.fill_nan;
  return plan;
}

std::optional<FailureReason> impossible_tensor_map(const KernelSpec& kernel,
                                                   const ArgumentSpec& argument,
                                                   const Environment& environment,
                                                   const DeviceInfo& device) {
  if (device.compute_capability < kMapCapability) {
    return limited(opening(argument, argument.where) +
                       fmt::format("tensor maps need compute capability 9.0, the device has {}.{}",
                                   device.compute_capability / 10, device.compute_capability % 10),
                   fmt::format("device.compute_capability >= {}", kMapCapability));
  }
  const TensorMapPlan plan = plan_tensor_map(kernel, argument, environment);
  if (const std::optional<TensorMapFault> fault = find_fault(plan.request))
    return describe_fault(argument, *fault);
  return check_inside(kernel, argument, plan, environment);
}

std::string describe_tensor_map(const TensorMapPlan& plan) {
  const TensorMapRequest& request = plan.request;
  std::string text = fmt::format(
      " of {} at {} element {} swizzle {} l2 {} nan {}", plan.tensor->name, request.address,
      static_cast<int>(request.element), request.swizzle, request.l2_promotion, request.fill_nan);
  for (const TensorMapAxis& axis : request.axes)
    text += fmt::format(" {}:{}:{}:{}", axis.size, axis.stride, axis.box, axis.element_stride);
  return text;
}

}  // namespace warpwright
