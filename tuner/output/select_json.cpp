#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/select_configuration.h"
#include "core/expr_node.h"
#include "output/selection_writers.h"

namespace warpwright {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(const Value& value) {
  nlohmann::json plain = value;
  return plain;
}

template <typename T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

// Prefix form: ["%", ["name", "THREADS"], 32]; texts are literals.
Json tree(const ExprNode& node) {
  switch (node.kind) {
    case ExprKind::kLiteral:
      return json_of(node.literal);
    case ExprKind::kName:
      return Json::array({"name", node.name});
    default:
      break;
  }
  std::string op(expr_op_spelling(node.op));
  if (node.kind == ExprKind::kConditional) op = "?:";
  if (node.kind == ExprKind::kUnary && node.op == ExprOp::kNegate) op = "negate";
  Json list = Json::array({op});
  for (const ExprNode& child : node.children) list.push_back(tree(child));
  return list;
}

Json expression(const Expr& expr) {
  Json json;
  json["text"] = expr.to_string();
  json["tree"] = tree(expr.root());
  return json;
}

Json expressions(const std::vector<Expr>& list) {
  Json json = Json::array();
  for (const Expr& expr : list) json.push_back(expression(expr));
  return json;
}

Json values_of(const std::vector<Value>& values) {
  Json json = Json::array();
  for (const Value& value : values) json.push_back(json_of(value));
  return json;
}

Json size_json(const SizeFact& size) {
  Json json;
  json["name"] = size.name;
  json["doc"] = size.doc;
  json["type"] = size.sample.type_name();
  json["categorical"] = size.categorical();
  json["default"] = size.default_value ? json_of(*size.default_value) : Json(nullptr);
  json["values"] = values_of(size.values);
  const bool counts = size.sample.is_integer() && size.values.empty() && !size.min;
  json["min"] = counts ? Json(1) : or_null(size.min);
  json["max"] = or_null(size.max);
  json["macro"] = size.macro.empty() ? Json(nullptr) : Json(size.macro);
  return json;
}

Json tensor_map_json(const TensorMapFact& map) {
  Json json;
  json["argument"] = map.argument;
  json["tensor"] = map.tensor;
  json["offset_bytes"] = expression(map.offset_bytes);
  json["data_type"] = expression(map.data_type);
  json["sizes"] = expressions(map.sizes);
  json["stride_bytes"] = expressions(map.stride_bytes);
  json["box"] = expressions(map.box);
  json["element_strides"] = expressions(map.element_strides);
  json["swizzle"] = expression(map.swizzle);
  json["l2_promotion"] = expression(map.l2_promotion);
  json["fill"] = expression(map.fill);
  return json;
}

Json variant_json(const VariantFact& variant) {
  Json json;
  json["name"] = variant.name;
  json["source"] = variant.source;
  json["parameters"] = variant.parameters;
  json["constraints"] = Json::array();
  for (const ConstraintFact& constraint : variant.constraints) {
    Json one = expression(constraint.expr);
    one["because"] = constraint.because;
    json["constraints"].push_back(std::move(one));
  }
  json["launches"] = Json::array();
  for (const LaunchFact& launch : variant.launches) {
    Json one;
    one["entry"] = launch.entry;
    one["grid"] = expressions(launch.grid);
    one["block"] = expressions(launch.block);
    one["cluster"] = expressions(launch.cluster);
    one["shared_bytes"] = expression(launch.shared_bytes);
    json["launches"].push_back(std::move(one));
  }
  for (const TensorMapFact& map : variant.tensor_maps)
    json["tensor_maps"].push_back(tensor_map_json(map));
  for (const FilledScratchFact& scratch : variant.filled_scratch) {
    Json one;
    one["argument"] = scratch.argument;
    one["dtype"] = scratch.dtype;
    one["shape"] = expressions(scratch.shape);
    one["fill"] = scratch.fill;
    json["filled_scratch"].push_back(std::move(one));
  }
  return json;
}

Json named(const std::vector<Value>& values, const auto& facts) {
  Json json = Json::object();
  for (std::size_t i = 0; i < values.size(); ++i) json[facts[i].name] = json_of(values[i]);
  return json;
}

Json board_json(const SelectionModel& model, const SelectionBoard& board) {
  Json json;
  json["device"] = board.device;
  json["problem"] = named(board.sizes, model.contract.sizes);
  json["winner"] = board.winner;
  json["median_us"] = board.median_us;
  json["ci_low_us"] = or_null(board.ci_low_us);
  json["ci_high_us"] = or_null(board.ci_high_us);
  json["modelled"] = board.modelled;
  json["protocol"] = board.protocol;
  json["tried"] = board.tried;
  json["rounds"] = board.rounds;
  json["tied"] = board.tied;
  json["driver"] = board.driver;
  json["nvrtc"] = board.nvrtc_version;
  json["tuner"] = board.version;
  json["measured"] = board.measured_utc;
  json["contract_hash"] = board.contract_hash;
  return json;
}

Json configuration_json(const SelectionModel& model, const SelectionConfiguration& configuration) {
  Json json;
  json["text"] = configuration.text;
  json["variant"] = model.contract.variants[configuration.variant].name;
  json["is_default"] = configuration.is_default;
  json["parameters"] = named(configuration.values, model.contract.parameters);
  json["registers"] = or_null(configuration.resources.registers);
  json["shared_bytes"] = or_null(configuration.resources.shared_bytes);
  json["spill_bytes"] = or_null(configuration.resources.spill_bytes);
  return json;
}

}  // namespace

std::string select_json(const SelectionModel& model, const std::string& version) {
  Json json;
  json["format"] = "warpwright-select-1";
  json["version"] = version;
  json["kernel"] = model.contract.kernel;
  json["summary"] = model.contract.summary;
  json["left_out"] = {{"problems", model.left_out}, {"within_10_percent", model.left_out_good}};
  json["sizes"] = Json::array();
  for (const SizeFact& size : model.contract.sizes) json["sizes"].push_back(size_json(size));
  json["parameters"] = Json::array();
  for (const ParameterFact& parameter : model.contract.parameters) {
    Json one;
    one["name"] = parameter.name;
    one["doc"] = parameter.doc;
    one["default"] = json_of(parameter.default_value);
    json["parameters"].push_back(std::move(one));
  }
  json["work_bytes"] = expression(model.contract.work_bytes);
  json["variants"] = Json::array();
  for (const VariantFact& variant : model.contract.variants)
    json["variants"].push_back(variant_json(variant));
  json["vote"] = {{"work_scale", kWorkScale},
                  {"nearby", kNearby},
                  {"prior_fraction", kPriorFraction},
                  {"prior_weight", kPriorWeight},
                  {"score_tie", kScoreTie}};
  json["devices"] = Json::array();
  for (const SelectionDevice& device : model.devices) {
    Json one;
    one["name"] = device.name;
    one["arch"] = device.arch;
    one["limits"] = Json::object();
    for (const auto& [name, value] : device.limits) one["limits"][name] = json_of(value);
    json["devices"].push_back(std::move(one));
  }
  json["boards"] = Json::array();
  for (const SelectionBoard& board : model.boards)
    json["boards"].push_back(board_json(model, board));
  json["configurations"] = Json::array();
  for (const SelectionConfiguration& configuration : model.configurations)
    json["configurations"].push_back(configuration_json(model, configuration));
  json["fractions"] = model.fractions;
  return json.dump(1) + "\n";
}

}  // namespace warpwright
