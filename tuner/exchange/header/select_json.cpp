#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "analysis/select/launch_rules.h"
#include "analysis/select/select_configuration.h"
#include "core/expr/expr_node.h"
#include "exchange/header/selection_writers.h"
#include "exchange/header/tensor_map_facts.h"

namespace warpwright {
namespace {

using OrderedJson = nlohmann::ordered_json;

OrderedJson json_of(const Value& value) {
  nlohmann::json plain = value;
  return plain;
}

template <typename T>
OrderedJson known_or_null(const std::optional<T>& value) {
  return value ? OrderedJson(*value) : OrderedJson(nullptr);
}

// Prefix form: ["%", ["name", "THREADS"], 32]; texts become literals.
OrderedJson tree(const ExprNode& node) {
  switch (node.kind) {
    case ExprKind::kLiteral:
      return json_of(node.literal);
    case ExprKind::kName:
      return OrderedJson::array({"name", node.name});
    default:
      break;
  }
  std::string op(expr_op_spelling(node.op));
  if (node.kind == ExprKind::kConditional) op = "?:";
  if (node.kind == ExprKind::kUnary && node.op == ExprOp::kNegate) op = "negate";
  OrderedJson list = OrderedJson::array({op});
  for (const ExprNode& child : node.children) list.push_back(tree(child));
  return list;
}

OrderedJson expression(const Expr& expr) {
  OrderedJson json;
  json["text"] = expr.to_string();
  json["tree"] = tree(expr.root());
  return json;
}

OrderedJson expressions(const std::vector<Expr>& list) {
  OrderedJson json = OrderedJson::array();
  for (const Expr& expr : list) json.push_back(expression(expr));
  return json;
}

OrderedJson values_of(const std::vector<Value>& values) {
  OrderedJson json = OrderedJson::array();
  for (const Value& value : values) json.push_back(json_of(value));
  return json;
}

OrderedJson size_json(const ProblemSizeSpec& size) {
  OrderedJson json;
  json["name"] = size.name;
  json["doc"] = size.doc;
  json["type"] = sample_of(size).type_name();
  json["categorical"] = is_categorical(size);
  json["default"] = size.default_value ? json_of(*size.default_value) : OrderedJson(nullptr);
  json["values"] = values_of(size.values);
  const bool counts = sample_of(size).is_integer() && size.values.empty() && !size.min;
  json["min"] = counts ? OrderedJson(1) : known_or_null(size.min);
  json["max"] = known_or_null(size.max);
  json["macro"] = size.macro.empty() ? OrderedJson(nullptr) : OrderedJson(size.macro);
  return json;
}

OrderedJson tensor_map_json(const TensorMapFact& map) {
  OrderedJson json;
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

OrderedJson variant_json(const KernelSpec& contract, const VariantSpec& variant) {
  OrderedJson json;
  json["name"] = variant.name;
  json["source"] = variant.source.filename().string();
  json["parameters"] = variant.parameters;
  json["constraints"] = OrderedJson::array();
  for (const ConstraintSpec& constraint : selection_rules(contract, variant)) {
    OrderedJson one = expression(constraint.expr);
    one["because"] = constraint.because;
    json["constraints"].push_back(std::move(one));
  }
  json["launches"] = OrderedJson::array();
  for (const LaunchSpec& launch : variant.launches) {
    OrderedJson one;
    one["entry"] = launch.entry.text();
    one["grid"] = expressions(launch.grid);
    one["block"] = expressions(launch.block);
    one["cluster"] = expressions(launch.cluster);
    one["shared_bytes"] = expression(launch.shared_bytes);
    one["arguments"] = launch.arguments;
    json["launches"].push_back(std::move(one));
  }
  for (const ArgumentSpec* map : tensor_maps_of(contract, variant))
    json["tensor_maps"].push_back(tensor_map_json(tensor_map_fact(contract, *map)));
  for (const ArgumentSpec* scratch : filled_scratch_of(contract, variant)) {
    OrderedJson one;
    one["argument"] = scratch->name;
    one["dtype"] = scratch->dtype;
    one["shape"] = expressions(scratch->shape);
    one["fill"] = scratch->fill;
    json["filled_scratch"].push_back(std::move(one));
  }
  return json;
}

OrderedJson named(const std::vector<Value>& values, const auto& facts) {
  OrderedJson json = OrderedJson::object();
  for (std::size_t i = 0; i < values.size(); ++i) json[facts[i].name] = json_of(values[i]);
  return json;
}

OrderedJson board_json(const SelectionModel& model, const SelectionBoard& board) {
  OrderedJson json;
  json["device"] = board.device;
  json["problem"] = named(board.sizes, model.contract.problem);
  json["winner"] = board.winner;
  json["median_us"] = board.median_us;
  json["ci_low_us"] = known_or_null(board.ci_low_us);
  json["ci_high_us"] = known_or_null(board.ci_high_us);
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

OrderedJson configuration_json(const SelectionModel& model,
                               const SelectionConfiguration& configuration) {
  OrderedJson json;
  json["text"] = configuration.text;
  json["variant"] = model.contract.variants[configuration.variant].name;
  json["is_default"] = configuration.is_default;
  json["parameters"] = named(configuration.values, model.contract.parameters);
  json["registers"] = known_or_null(configuration.resources.registers);
  json["shared_bytes"] = known_or_null(configuration.resources.shared_bytes);
  json["spill_bytes"] = known_or_null(configuration.resources.spill_bytes);
  return json;
}

}  // namespace

std::string select_json(const SelectionModel& model, const std::string& version) {
  OrderedJson json;
  json["format"] = "warpwright-select-2";
  json["version"] = version;
  json["kernel"] = model.contract.name;
  json["summary"] = model.contract.summary;
  json["left_out"] = {{"problems", model.left_out}, {"within_10_percent", model.left_out_good}};
  json["sizes"] = OrderedJson::array();
  for (const ProblemSizeSpec& size : model.contract.problem)
    json["sizes"].push_back(size_json(size));
  json["parameters"] = OrderedJson::array();
  for (const ParameterSpec& parameter : model.contract.parameters) {
    OrderedJson one;
    one["name"] = parameter.name;
    one["doc"] = parameter.doc;
    one["default"] = json_of(parameter.default_value);
    json["parameters"].push_back(std::move(one));
  }
  json["work_bytes"] = expression(model.contract.work.bytes);
  json["variants"] = OrderedJson::array();
  for (const VariantSpec& variant : model.contract.variants)
    json["variants"].push_back(variant_json(model.contract, variant));
  json["vote"] = {{"work_scale", kWorkScale},     {"nearby", kNearby},
                  {"other_choice", kOtherChoice}, {"prior_fraction", kPriorFraction},
                  {"prior_weight", kPriorWeight}, {"score_tie", kScoreTie}};
  json["arch_shared_memory"] = OrderedJson::object();
  for (const ArchSharedMemory& arch : arch_shared_memory())
    json["arch_shared_memory"][std::to_string(arch.compute_capability)] = arch.max_shared;
  json["least_limits"] = OrderedJson::object();
  for (const auto& [name, value] : least_limits(0)) json["least_limits"][name] = json_of(value);
  json["devices"] = OrderedJson::array();
  for (const SelectionDevice& device : model.devices) {
    OrderedJson one;
    one["name"] = device.name;
    one["arch"] = device.arch;
    one["limits"] = OrderedJson::object();
    for (const auto& [name, value] : device.limits) one["limits"][name] = json_of(value);
    json["devices"].push_back(std::move(one));
  }
  json["boards"] = OrderedJson::array();
  for (const SelectionBoard& board : model.boards)
    json["boards"].push_back(board_json(model, board));
  json["configurations"] = OrderedJson::array();
  for (const SelectionConfiguration& configuration : model.configurations)
    json["configurations"].push_back(configuration_json(model, configuration));
  json["fractions"] = model.fractions;
  json["merits"] = model.merits;
  return json.dump(1, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

}  // namespace warpwright
