// Reads the arguments of kernel.yaml: what the entry points take and how it is filled.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "core/words.h"
#include "spec/kernel_fills.h"
#include "spec/kernel_sections.h"

namespace warpwright {
namespace {

// References support at most this many axes (kernels/common/reference.h).
constexpr std::size_t kMaxRank = 8;
constexpr std::size_t kMaxArguments = 100;

struct RoleKey {
  const char* key;
  ArgumentRole role;
};
constexpr std::array<RoleKey, 7> kRoles = {{{"in", ArgumentRole::kIn},
                                            {"constant", ArgumentRole::kIn},
                                            {"out", ArgumentRole::kOut},
                                            {"inout", ArgumentRole::kInOut},
                                            {"scratch", ArgumentRole::kScratch},
                                            {"value", ArgumentRole::kValue},
                                            {"tensor_map", ArgumentRole::kTensorMap}}};

// The role is a key, so that `out: f32` reads as a sentence; there must be exactly one.
const RoleKey& read_role(const YamlMap& map) {
  const RoleKey* found = nullptr;
  for (const RoleKey& role : kRoles) {
    if (!map.find(role.key)) continue;
    if (found != nullptr) {
      throw map.error_at_key(role.key,
                             fmt::format("got '{}' next to '{}', expected one of in, "
                                         "constant, out, inout, scratch, value, tensor_map",
                                         role.key, found->key));
    }
    found = &role;
  }
  if (found == nullptr) {
    throw map.reader().error(
        "got no role, expected one of in, constant, out, inout, scratch, value, tensor_map; add "
        "`in: f32` or "
        "the like");
  }
  return *found;
}

// Only a list of values makes a choice: with only a default, a problem could name something that is
// not a dtype.
bool is_dtype_choice(const ProblemSizeSpec& size) {
  return !size.values.empty() &&
         std::all_of(size.values.begin(), size.values.end(), [](const Value& value) {
           return value.is_string() && dtype_bytes(value.as_string()).has_value();
         });
}

}  // namespace

std::vector<std::string> dtypes_of(const std::string& name, const KernelSpec& kernel) {
  if (dtype_bytes(name)) return {name};
  std::vector<std::string> dtypes;
  const ProblemSizeSpec* size = kernel.find_size(name);
  if (size == nullptr || !is_dtype_choice(*size)) return dtypes;
  for (const Value& value : size->values) dtypes.push_back(value.as_string());
  return dtypes;
}

ExprScope parameter_scope(const KernelSpec& kernel) {
  ExprScope scope("parameter");
  scope.allow_sizes(kernel.problem);
  for (const ParameterSpec& parameter : kernel.parameters) scope.allow(parameter.name);
  scope.suggest_lets(kernel.lets);
  return scope;
}

ExprScope result_scope(const KernelSpec& kernel) {
  ExprScope scope = parameter_scope(kernel);
  scope.forbid_device();
  return scope;
}

namespace {

std::string read_dtype(const YamlReader& reader, const KernelSpec& kernel) {
  const std::string name = reader.text();
  if (!dtypes_of(name, kernel).empty()) return name;
  if (kernel.find_size(name) != nullptr) {
    throw reader.error(fmt::format(
        "problem size '{}' is not a choice of dtypes; give it `values: [f32, bf16]` or the like",
        name));
  }
  std::vector<std::string> known(dtype_names().begin(), dtype_names().end());
  for (const ProblemSizeSpec& size : kernel.problem) {
    if (is_dtype_choice(size)) known.push_back(size.name);
  }
  throw reader.error(fmt::format("unknown dtype '{}'{}", name, suggestion(name, known)));
}

// Inputs are shared by all configurations of a problem, so their shapes depend on the problem only.
// Outputs may depend on the configuration: partial sums, or more steps in one launch.
void read_shape(const YamlMap& map, const KernelSpec& kernel, ArgumentSpec& argument) {
  const YamlReader shape = map.require("shape", "shape: [rows, V]");
  ExprScope scope = size_scope(kernel, "size");
  if (argument.role == ArgumentRole::kScratch) {
    scope = parameter_scope(kernel);
    scope.allow_device();
  } else if (argument.role == ArgumentRole::kOut) {
    scope = result_scope(kernel);
  }
  for (const YamlReader& axis : shape.items()) {
    argument.shape.push_back(axis.expression());
    scope.check(argument.shape.back());
  }
  if (argument.shape.empty() || argument.shape.size() > kMaxRank) {
    throw shape.error(
        fmt::format("got {} axes, expected 1 to {}", argument.shape.size(), kMaxRank));
  }
}

// Keys that have no meaning for the role are mistakes: a fill on an output would be lost when the
// output is poisoned.
void refuse_foreign_keys(const YamlMap& map, const RoleKey& role) {
  const bool filled = role.role == ArgumentRole::kIn || role.role == ArgumentRole::kInOut;
  const bool validated = role.role == ArgumentRole::kOut || role.role == ArgumentRole::kInOut;
  const bool value = role.role == ArgumentRole::kValue;
  const bool map_of_tensor = role.role == ArgumentRole::kTensorMap;
  const auto refuse = [&](const char* key, bool allowed) {
    if (!allowed && map.find(key)) {
      throw map.error_at_key(key, fmt::format("has no meaning next to '{}'; remove it", role.key));
    }
  };
  refuse("fill", filled || map_of_tensor || role.role == ArgumentRole::kScratch);
  refuse("match", validated);
  refuse("tolerance", validated);
  refuse("mismatches", validated);
  refuse("accepts", filled || validated);
  refuse("shape", !value);
  refuse("dtype", value);
  refuse("symbol", std::string_view(role.key) == "constant");
  for (const char* key :
       {"strides", "offset", "box", "element_strides", "swizzle", "l2_promotion", "interleave"}) {
    refuse(key, map_of_tensor);
  }
}

YamlMap argument_map(const YamlReader& reader) {
  return reader.map({"name",         "doc",        "in",         "constant",        "symbol",
                     "out",          "inout",      "scratch",    "value",           "tensor_map",
                     "dtype",        "shape",      "fill",       "match",           "tolerance",
                     "strides",      "offset",     "box",        "element_strides", "swizzle",
                     "l2_promotion", "interleave", "mismatches", "accepts"});
}

// The name of a variable, with its namespaces.
std::string read_symbol(const YamlReader& reader) {
  std::string text = reader.text();
  for (std::string_view rest = text;;) {
    const std::size_t colons = rest.find("::");
    if (!is_identifier(rest.substr(0, colons)))
      throw reader.error(
          fmt::format("got '{}', expected the name of a variable: filter, blur::filter", text));
    if (colons == std::string_view::npos) return text;
    rest.remove_prefix(colons + 2);
  }
}

ArgumentSpec read_argument(const YamlReader& reader, const KernelSpec& kernel) {
  const YamlMap map = argument_map(reader);
  ArgumentSpec argument;
  argument.where = reader.where();
  argument.name = map.require("name", "name: logits").identifier();
  if (const auto doc = map.find("doc")) argument.doc = doc->text();
  const RoleKey& role = read_role(map);
  argument.role = role.role;
  refuse_foreign_keys(map, role);
  const YamlReader kind = *map.find(role.key);
  if (role.role == ArgumentRole::kValue) {
    argument.value = kind.expression();
    ExprScope scope = parameter_scope(kernel);
    scope.allow_device();
    scope.check(argument.value);
    const auto dtype = map.find("dtype");
    argument.dtype = dtype ? read_dtype(*dtype, kernel) : "i32";
    return argument;
  }
  if (role.role == ArgumentRole::kTensorMap) {
    argument.map = read_tensor_map(map, kernel, argument.shape);
    return argument;
  }
  argument.dtype = read_dtype(kind, kernel);
  read_shape(map, kernel, argument);
  if (std::string_view(role.key) == "constant") {
    const auto symbol = map.find("symbol");
    argument.symbol = symbol ? read_symbol(*symbol) : argument.name;
  }
  if (role.role == ArgumentRole::kIn || role.role == ArgumentRole::kInOut)
    (void)map.require("fill", "fill: \"normal(0, 1)\"");
  if (const auto fill = map.find("fill")) {
    argument.fill = fill->fill();
    argument.fill_where = fill->where();
    check_fill(*fill, argument.fill, kernel, argument);
  }
  if (role.role == ArgumentRole::kOut || role.role == ArgumentRole::kInOut) {
    read_validation(map, kernel, argument);
  }
  read_acceptance(map, kernel, argument);
  return argument;
}

}  // namespace

std::vector<ArgumentSpec> read_arguments(const YamlReader& section, const KernelSpec& kernel) {
  std::vector<ArgumentSpec> arguments;
  std::set<std::string> names;
  bool any_output = false;
  const std::vector<YamlReader> items = section.items(kMaxArguments);
  for (const YamlReader& reader : items) {
    ArgumentSpec argument = read_argument(reader, kernel);
    if (!names.insert(argument.name).second) {
      throw reader.error(fmt::format("argument '{}' is listed twice; rename one", argument.name));
    }
    any_output =
        any_output || argument.role == ArgumentRole::kOut || argument.role == ArgumentRole::kInOut;
    arguments.push_back(std::move(argument));
  }
  if (!any_output) {
    throw section.error("got no output, expected at least one; add an argument with `out: f32`");
  }
  // A map may come before its tensor: arguments are in the order of the entry.
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (arguments[i].map)
      resolve_tensor_map(argument_map(items[i]), kernel, arguments, arguments[i]);
  }
  check_fill_order(arguments, {}, nullptr);
  return arguments;
}

namespace {

// Reads the tensor maps of kernel.yaml: how a descriptor views the array of another argument. Rules
// that depend on the contract alone are checked here, with their position; rules that depend on a
// problem or a configuration are checked for each of them (device/tensor_map.cpp).

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
  throw reader->error(fmt::format("got {}, expected {}, one per axis of the {}",
                                  plural(got, "value"), rank,
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
