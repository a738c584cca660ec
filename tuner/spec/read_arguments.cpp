// Reads the arguments of kernel.yaml: what the entry points take and how it is filled.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "core/suggest.h"
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

}  // namespace warpwright
