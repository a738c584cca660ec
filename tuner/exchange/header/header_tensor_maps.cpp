// The part of ContractCode that says what tensor maps are encoded from, in the terms of
// cuTensorMapEncodeTiled, so that a program needs the driver alone.
#include <fmt/format.h>

#include <algorithm>

#include "exchange/header/header_contract.h"

namespace warpwright {

std::vector<const Expr*> tensor_map_expressions(const TensorMapFact& map) {
  std::vector<const Expr*> list = {&map.data_type, &map.offset_bytes, &map.swizzle,
                                   &map.l2_promotion, &map.fill};
  for (const auto* axes : {&map.sizes, &map.stride_bytes, &map.box, &map.element_strides}) {
    for (const Expr& expr : *axes) list.push_back(&expr);
  }
  return list;
}

// Numbers as long long, as the launch plan has them: what does not fit the driver's types shows as
// such instead of being truncated.
std::string ContractCode::tensor_map_struct() const {
  const auto member = [&](std::string_view type, std::string_view name, std::string_view initial,
                          std::string_view remark = "") {
    return dialect_.remarked(fmt::format("  {}{}{};", type, name, dialect_.initial(initial)),
                             remark);
  };
  std::string text = dialect_.comment(
      "A tensor map as cuTensorMapEncodeTiled takes it, without interleaving: dimension 0 is the "
      "innermost, and choices are the values of cuda.h.");
  text += dialect_.begin_struct("TensorMapPlan");
  text += member(std::string(dialect_.boolean_type()) + " ", "ok", dialect_.boolean(false),
                 "0 or false: no such map, or its numbers cannot be computed");
  text += member(std::string(dialect_.text_type()), "argument", dialect_.null());
  text += member(std::string(dialect_.text_type()), "tensor", dialect_.null(),
                 "the argument whose address it is encoded for, after offset_bytes");
  text += member("long long ", "offset_bytes", "0");
  text += member("long long ", "data_type", "0", "CUtensorMapDataType");
  text += member("long long ", "rank", "0");
  text += member("long long ", "sizes[5]", "{}");
  text += member("long long ", "stride_bytes[4]", "{}", "of dimensions 1 to 4");
  text += member("long long ", "box[5]", "{}");
  text += member("long long ", "element_strides[5]", "{}");
  text += member("long long ", "swizzle", "0", "CUtensorMapSwizzle");
  text += member("long long ", "l2_promotion", "0", "CUtensorMapL2promotion");
  text += member("long long ", "fill", "0", "CUtensorMapFloatOOBfill");
  return text + dialect_.end_struct("TensorMapPlan");
}

// A function per variant, because a map may use parameters that other variants do not have.
std::string ContractCode::tensor_map_variant(std::size_t variant) const {
  const std::vector<TensorMapFact>& maps = tensor_maps_[variant];
  const std::string plan = dialect_.type("TensorMapPlan");
  std::vector<const Expr*> expressions;
  for (const TensorMapFact& map : maps) {
    const auto more = tensor_map_expressions(map);
    expressions.insert(expressions.end(), more.begin(), more.end());
  }
  std::string text =
      fmt::format("{}({}, int index) {{\n",
                  dialect_.define(plan, "tensor_map_" + names_.variants[variant]), arguments());
  CodeVariables variables;
  text += locals(expressions, /*with_configuration=*/true, variables);
  text += fmt::format("  {} out = {}();\n  switch (index) {{\n", plan,
                      dialect_.function("no_tensor_map"));
  for (std::size_t i = 0; i < maps.size(); ++i) {
    const TensorMapFact& map = maps[i];
    text += fmt::format(
        "    case {}:\n      out.ok = {};\n      out.argument = {};\n      out.tensor = {};\n"
        "      out.rank = {};\n",
        i, dialect_.boolean(true), text_literal(map.argument), text_literal(map.tensor),
        map.sizes.size());
    const auto set = [&](const std::string& member, const Expr& expr) {
      text += fmt::format("      {}({}, {}out.{}, {});\n", dialect_.function("set_map_value"),
                          dialect_.c() ? "&out" : "out", dialect_.c() ? "&" : "", member,
                          code(expr, variables));
    };
    const auto set_all = [&](const char* member, const std::vector<Expr>& list) {
      for (std::size_t axis = 0; axis < list.size(); ++axis)
        set(fmt::format("{}[{}]", member, axis), list[axis]);
    };
    set("offset_bytes", map.offset_bytes);
    set("data_type", map.data_type);
    set_all("sizes", map.sizes);
    set_all("stride_bytes", map.stride_bytes);
    set_all("box", map.box);
    set_all("element_strides", map.element_strides);
    set("swizzle", map.swizzle);
    set("l2_promotion", map.l2_promotion);
    set("fill", map.fill);
    text += "      break;\n";
  }
  return text + "    default:\n      break;\n  }\n  return out;\n}\n";
}

// Nothing at all where no launch passes a map, so that headers of other kernels do not change.
std::string ContractCode::tensor_maps() const {
  const bool none = std::all_of(tensor_maps_.begin(), tensor_maps_.end(),
                                [](const auto& maps) { return maps.empty(); });
  if (none) return "";
  const std::string plan = dialect_.type("TensorMapPlan");
  const std::string value = dialect_.type("Value");
  const bool c = dialect_.c();
  std::string text = "\n" + tensor_map_struct() + (c ? "" : "namespace detail {\n");
  text += fmt::format("{}({}) {{\n  {} out{};\n", dialect_.define(plan, "no_tensor_map"),
                      c ? "void" : "", plan, c ? "" : "{}");
  // Members of C structures have no initialisers; each is set, or copies would read garbage.
  if (c) {
    text +=
        "  int i;\n  out.ok = 0;\n  out.argument = out.tensor = 0;\n"
        "  out.offset_bytes = out.data_type = out.rank = 0;\n"
        "  for (i = 0; i < 5; ++i) out.sizes[i] = out.box[i] = out.element_strides[i] = 0;\n"
        "  for (i = 0; i < 4; ++i) out.stride_bytes[i] = 0;\n"
        "  out.swizzle = out.l2_promotion = out.fill = 0;\n";
  }
  text += "  return out;\n}\n";
  text +=
      fmt::format("{}({}, {}, {} v) {{\n  if (v.kind == {}) {} = v.integer;\n",
                  dialect_.define("void", "set_map_value"), plan + (c ? " *out" : "& out"),
                  c ? "long long *to" : "long long& to", value,
                  c ? dialect_.macro_prefix() + "INTEGER" : "Value::kInteger", c ? "*to" : "to");
  text += fmt::format("  if (v.kind != {}) {}ok = {};\n}}\n",
                      c ? dialect_.macro_prefix() + "INTEGER" : "Value::kInteger",
                      c ? "out->" : "out.", dialect_.boolean(false));
  for (std::size_t i = 0; i < contract_.variants.size(); ++i) {
    if (!tensor_maps_[i].empty()) text += "\n" + tensor_map_variant(i);
  }
  if (!c) text += "}  // namespace detail\n";
  text +=
      "\n" + dialect_.comment(
                 "Tensor map `index` of the configuration's launches, from 0 on until one is not "
                 "ok. Give it the limits of the selection.");
  text += fmt::format("{}({}, int index) {{\n  switch (configuration.variant) {{\n",
                      dialect_.define(plan, "tensor_map"), arguments());
  for (std::size_t i = 0; i < contract_.variants.size(); ++i) {
    const std::string& variant = names_.variants[i];
    const std::string space = c ? "" : "detail::";
    text += fmt::format("    case {}:\n", dialect_.enumerator("Variant", variant));
    if (tensor_maps_[i].empty()) {
      text += "      break;\n";
    } else {
      text += fmt::format("      return {}(configuration, problem, limits, index);\n",
                          space + dialect_.function("tensor_map_" + variant));
    }
  }
  return text + fmt::format("  }}\n  return {}();\n}}\n",
                            (c ? "" : "detail::") + dialect_.function("no_tensor_map"));
}

}  // namespace warpwright
