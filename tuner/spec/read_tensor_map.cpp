// Reads the tensor maps of kernel.yaml: how a descriptor views the array of another argument. Rules
// that depend on the contract alone are checked here, with their position; rules that depend on a
// problem or a configuration are checked for each of them (device/tensor_map.cpp).
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/suggest.h"
#include "spec/kernel_sections.h"

namespace warpwright {
namespace {

// The limits of device/tensor_map.cpp that a literal can violate.
constexpr std::size_t kMaxTensorMapRank = 5;
constexpr std::int64_t kMaxBox = 256;
constexpr std::int64_t kMaxElementStride = 8;

// The way an array is copied may depend on the configuration; its content may not.
ExprScope map_scope(const KernelSpec& kernel) {
  ExprScope scope = parameter_scope(kernel);
  scope.allow_device();
  return scope;
}

std::vector<Expr> read_axes(const YamlReader& list, const ExprScope& scope) {
  std::vector<Expr> axes;
  for (const YamlReader& item : list.items()) {
    axes.push_back(item.expression());
    scope.check(axes.back());
  }
  return axes;
}

// Checks limits that hold for every axis; an expression with names is checked when its values are
// known.
void check_literals(const YamlReader& list, const std::vector<Expr>& axes, std::int64_t low,
                    std::int64_t high) {
  const std::vector<YamlReader> items = list.items();
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (!axes[i].names().empty()) continue;
    const std::int64_t value = axes[i].evaluate_integer(Environment());
    if (value < low || value > high) {
      throw items[i].error(fmt::format("got {}, expected {} to {}", value, low, high));
    }
  }
}

// `none` or an expression whose value is 0 or one of `spans`, so that a parameter may choose.
Expr read_span(const YamlMap& map, const char* key, const std::array<std::int64_t, 3>& spans,
               const ExprScope& scope) {
  const auto reader = map.find(key);
  if (!reader) return Expr::literal(0);
  if (reader->is_scalar() && reader->text() == "none") return Expr::literal(0);
  Expr span = reader->expression();
  scope.check(span);
  if (!span.names().empty()) return span;
  const std::int64_t value = span.evaluate_integer(Environment());
  if (value != 0 && std::find(spans.begin(), spans.end(), value) == spans.end()) {
    throw reader->error(
        fmt::format("got {}, expected none, {}, {} or {}", value, spans[0], spans[1], spans[2]));
  }
  return span;
}

bool read_fill_nan(const YamlReader& reader) {
  const std::string word = reader.text();
  if (word == "zero") return false;
  if (word == "nan") return true;
  const std::vector<std::string> known = {"zero", "nan"};
  throw reader.error(
      fmt::format("unknown fill of a tensor map '{}'{}", word, suggestion(word, known)));
}

// Interleaved layouts (NC/8HWC8) have different rules for everything, and nothing here uses them.
void refuse_interleave(const YamlReader& reader) {
  if (reader.text() == "none") return;
  throw reader.error(
      fmt::format("got '{}', expected none; interleaved layouts are not supported", reader.text()));
}

// A list of another length would be applied to the wrong axes.
void check_count(const YamlMap& map, const char* key, std::size_t got, std::size_t rank) {
  const auto reader = map.find(key);
  if (!reader || got == rank) return;
  throw reader->error(fmt::format("got {} value{}, expected {}, one per axis of the {}", got,
                                  got == 1 ? "" : "s", rank,
                                  map.find("shape") ? "shape" : "tensor"));
}

// NaN exists only in the map's floating-point types; FP8 is copied as bytes.
bool can_be_nan(const std::string& dtype) {
  return dtype == "f64" || dtype == "f32" || dtype == "f16" || dtype == "bf16";
}

// Suggesting the map's own name would mislead: there are no maps of maps.
const ArgumentSpec& find_tensor(const YamlMap& map, const std::vector<ArgumentSpec>& arguments,
                                const std::string& name) {
  std::vector<std::string> known;
  for (const ArgumentSpec& argument : arguments) {
    const bool array = argument.role != ArgumentRole::kValue && !argument.map;
    if (argument.name == name) {
      if (array) return argument;
      throw map.find("tensor_map")
          ->error(fmt::format("argument '{}' is a {}, expected an array: in, out, inout or scratch",
                              name, argument.map ? "tensor map" : "value"));
    }
    if (array) known.push_back(argument.name);
  }
  throw map.find("tensor_map")
      ->error(fmt::format("unknown tensor '{}'{}", name, suggestion(name, known)));
}

}  // namespace

TensorMapSpec read_tensor_map(const YamlMap& map, const KernelSpec& kernel,
                              std::vector<Expr>& shape) {
  const ExprScope scope = map_scope(kernel);
  TensorMapSpec spec;
  spec.tensor = map.find("tensor_map")->identifier();
  if (const auto list = map.find("shape")) shape = read_axes(*list, scope);
  if (const auto list = map.find("strides")) spec.strides = read_axes(*list, scope);
  if (const auto offset = map.find("offset")) {
    spec.offset = offset->expression();
    scope.check(spec.offset);
  }
  const YamlReader box = map.require("box", "box: [64, 64]");
  spec.box = read_axes(box, scope);
  check_literals(box, spec.box, 1, kMaxBox);
  if (const auto list = map.find("element_strides")) {
    spec.element_strides = read_axes(*list, scope);
    check_literals(*list, spec.element_strides, 1, kMaxElementStride);
  }
  spec.swizzle = read_span(map, "swizzle", {32, 64, 128}, scope);
  spec.l2_promotion = read_span(map, "l2_promotion", {64, 128, 256}, scope);
  if (const auto fill = map.find("fill")) spec.fill_nan = read_fill_nan(*fill);
  if (const auto interleave = map.find("interleave")) refuse_interleave(*interleave);
  return spec;
}

void resolve_tensor_map(const YamlMap& map, const KernelSpec& kernel,
                        const std::vector<ArgumentSpec>& arguments, ArgumentSpec& argument) {
  const TensorMapSpec& spec = *argument.map;
  const ArgumentSpec& tensor = find_tensor(map, arguments, spec.tensor);
  const auto shape = map.find("shape");
  if (!shape) argument.shape = tensor.shape;
  argument.dtype = tensor.dtype;
  const std::size_t rank = argument.shape.size();
  if (rank < 1 || rank > kMaxTensorMapRank) {
    throw shape
        ? shape->error(fmt::format("got {} axes, expected 1 to {}", rank, kMaxTensorMapRank))
        : map.find("tensor_map")
              ->error(fmt::format("tensor '{}' has {} axes, expected 1 to {}; give the map "
                                  "a `shape` that joins some",
                                  spec.tensor, rank, kMaxTensorMapRank));
  }
  check_count(map, "box", spec.box.size(), rank);
  check_count(map, "strides", spec.strides.size(), rank);
  check_count(map, "element_strides", spec.element_strides.size(), rank);
  if (spec.fill_nan) {
    for (const std::string& dtype : dtypes_of(argument.dtype, kernel)) {
      if (can_be_nan(dtype)) continue;
      throw map.find("fill")->error(fmt::format(
          "got nan for {}, expected one of f64, f32, f16, bf16; use `fill: zero`", dtype));
    }
  }
}

}  // namespace warpwright
