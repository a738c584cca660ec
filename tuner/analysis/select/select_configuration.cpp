#include "analysis/select/select_configuration.h"

#include <algorithm>
#include <cmath>

#include "analysis/select/launch_rules.h"

namespace warpwright {
namespace {

// Binds names as trial/launch/launch_plan.h does: limits, then parameters; sizes stay open.
Environment constants_of(const KernelSpec& contract, const std::map<std::string, Value>& limits,
                         const SelectionConfiguration& configuration) {
  Environment environment;
  for (const auto& [name, value] : limits) environment.set("device." + name, value);
  for (std::size_t i = 0; i < contract.parameters.size(); ++i)
    environment.set(contract.parameters[i].name, configuration.values[i]);
  return environment;
}

std::vector<std::string> size_names(const KernelSpec& contract) {
  std::vector<std::string> names;
  for (const ProblemSizeSpec& size : contract.problem) names.push_back(size.name);
  return names;
}

// log2(1 + bytes); nullopt if the work cannot be counted (it overflows).
std::optional<double> work_scale(const KernelSpec& contract, const std::vector<Value>& sizes) {
  Environment environment;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    environment.set(contract.problem[i].name, sizes[i]);
  try {
    return size_scale(contract.work.bytes.evaluate_real(environment));
  } catch (const Error&) {
    return std::nullopt;
  }
}

// The coordinates of a problem for distances, the traffic last.
struct Place {
  std::vector<double> axes;
  std::optional<double> work;
};

Place place_of(const KernelSpec& contract, const std::vector<Value>& sizes) {
  Place place;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (!is_categorical(contract.problem[i])) place.axes.push_back(size_scale(sizes[i].as_real()));
  }
  place.work = work_scale(contract, sizes);
  return place;
}

double squared_distance(const Place& a, const Place& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.axes.size(); ++i)
    sum += (a.axes[i] - b.axes[i]) * (a.axes[i] - b.axes[i]);
  if (a.work && b.work) {
    const double work = kWorkScale * (*a.work - *b.work);
    sum += work * work;
  }
  return sum;
}

// The number of sizes without a distance in which two problems differ.
std::size_t other_choices(const KernelSpec& contract, const std::vector<Value>& a,
                          const std::vector<Value>& b) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < contract.problem.size(); ++i)
    count += is_categorical(contract.problem[i]) && a[i] != b[i];
  return count;
}

bool is_tuned_device(const SelectionDevice& tuned, const SelectionDevice& asked) {
  return tuned.name == asked.name && same_arch(tuned.arch, asked.arch);
}

// The groups of boards that are consulted, in this order.
struct Circle {
  bool same_device;
  bool same_choices;
};
constexpr Circle kCircles[] = {{true, true}, {false, true}, {true, false}, {false, false}};

std::vector<std::size_t> consulted(const SelectionModel& model, const SelectionDevice& device,
                                   const std::vector<Value>& sizes, const Circle& circle) {
  std::vector<std::size_t> boards;
  for (std::size_t i = 0; i < model.boards.size(); ++i) {
    const SelectionDevice& tuned = model.devices[model.boards[i].device];
    if (!same_arch(tuned.arch, device.arch)) continue;
    if (is_tuned_device(tuned, device) != circle.same_device) continue;
    const bool same = same_category(model.contract, model.boards[i].sizes, sizes);
    if (same == circle.same_choices) boards.push_back(i);
  }
  return boards;
}

SelectionMatch match_of(const Circle& circle) {
  if (!circle.same_choices) return SelectionMatch::kNearestOtherChoice;
  return circle.same_device ? SelectionMatch::kNearestSameDevice : SelectionMatch::kNearestSameArch;
}

SelectionDecision decide(const SelectionModel& model, const AllowedConfigurations& allowed,
                         const std::vector<Value>& sizes, const std::vector<std::size_t>& among,
                         const Circle& circle) {
  SelectionDecision decision;
  const BoardWeights weights = weigh_boards(model.contract, model.boards, among, sizes);
  if (weights.boards.empty()) return decision;
  const SelectionBoard& nearest = model.boards[weights.boards[weights.nearest]];
  if (nearest.sizes == sizes && allowed.allowed(nearest.winner, sizes)) {
    return {circle.same_device ? SelectionMatch::kExact : SelectionMatch::kNearestSameArch,
            nearest.winner, weights.boards[weights.nearest], 0, 1};
  }
  for (std::size_t i = 0; i < model.candidates(); ++i) {
    const std::optional<double> score = vote(weights, model.fractions[i]);
    if (!score || *score <= decision.score + kScoreTie || !allowed.allowed(i, sizes)) continue;
    decision.configuration = i;
    decision.score = *score;
  }
  if (!decision.configuration) return decision;
  decision.match = match_of(circle);
  decision.board = weights.boards[weights.nearest];
  decision.distance = weights.distance;
  return decision;
}

// Chooses the variant that does best on the tuned problems near this one, on any device.
SelectionDecision decide_default(const SelectionModel& model, const AllowedConfigurations& allowed,
                                 const std::vector<Value>& sizes) {
  std::vector<std::size_t> all(model.boards.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const BoardWeights weights = weigh_boards(model.contract, model.boards, all, sizes);
  SelectionDecision decision;
  double best = 0;
  for (std::size_t i = model.candidates(); i < model.configurations.size(); ++i) {
    const double merit = vote(weights, model.merits[i - model.candidates()]).value_or(0);
    if (decision.configuration && merit <= best + kScoreTie) continue;
    if (!allowed.allowed(i, sizes)) continue;
    decision = {SelectionMatch::kDefault, i, std::nullopt, 0, 0};
    best = merit;
  }
  return decision;
}

}  // namespace

double size_scale(double value) {
  const double scale = std::log2(1 + std::fabs(value));
  return value < 0 ? -scale : scale;
}

bool same_arch(const std::string& a, const std::string& b) {
  const auto base = [](const std::string& arch) {
    return arch.substr(0, arch.find_last_not_of("abcdefghijklmnopqrstuvwxyz") + 1);
  };
  return base(a) == base(b);
}

bool valid_problem(const KernelSpec& contract, const std::vector<Value>& sizes) {
  for (std::size_t i = 0; i < contract.problem.size(); ++i) {
    const ProblemSizeSpec& size = contract.problem[i];
    const Value& value = sizes[i];
    if (std::string_view(value.type_name()) != sample_of(size).type_name()) return false;
    if (!size.values.empty()) {
      if (std::find(size.values.begin(), size.values.end(), value) == size.values.end())
        return false;
      continue;
    }
    if (value.is_string() || value.is_bool()) continue;
    const double number = value.as_real();
    if (!std::isfinite(number)) return false;
    if (size.min && number < *size.min) return false;
    if (size.max && number > *size.max) return false;
    if (value.is_integer() && !size.min && value.as_integer() < 1) return false;
  }
  return true;
}

bool same_category(const KernelSpec& contract, const std::vector<Value>& a,
                   const std::vector<Value>& b) {
  for (std::size_t i = 0; i < contract.problem.size(); ++i) {
    if (is_categorical(contract.problem[i]) && a[i] != b[i]) return false;
  }
  return true;
}

struct AllowedConfigurations::Impl {
  std::vector<std::vector<BoundExpr>> constraints;  // of each configuration
};

std::map<std::string, Value> limits_of(const SelectionModel& model, const SelectionDevice& device) {
  std::map<std::string, Value> limits = device.limits;
  std::erase_if(limits, [](const auto& limit) { return limit.second == Value(0); });
  const std::optional<int> capability = compute_capability_of(device.arch);
  if (capability) limits["compute_capability"] = *capability;
  for (const SelectionDevice& tuned : model.devices) {
    if (is_tuned_device(tuned, device)) limits.insert(tuned.limits.begin(), tuned.limits.end());
  }
  limits.merge(least_limits(capability.value_or(0)));
  return limits;
}

AllowedConfigurations::AllowedConfigurations(
    const KernelSpec& contract, const std::map<std::string, Value>& limits,
    const std::vector<SelectionConfiguration>& configurations)
    : impl_(std::make_unique<Impl>()) {
  const std::vector<std::string> names = size_names(contract);
  std::vector<std::vector<ConstraintSpec>> rules;
  for (const VariantSpec& variant : contract.variants)
    rules.push_back(selection_rules(contract, variant));
  for (const SelectionConfiguration& configuration : configurations) {
    const Environment constants = constants_of(contract, limits, configuration);
    std::vector<BoundExpr>& bound = impl_->constraints.emplace_back();
    for (const ConstraintSpec& rule : rules[configuration.variant])
      bound.emplace_back(rule.expr, names, constants);
  }
}

AllowedConfigurations::~AllowedConfigurations() = default;
AllowedConfigurations::AllowedConfigurations(AllowedConfigurations&&) noexcept = default;

bool AllowedConfigurations::allowed(std::size_t configuration,
                                    const std::vector<Value>& sizes) const {
  for (const BoundExpr& constraint : impl_->constraints[configuration]) {
    if (constraint.test(std::span<const Value>(sizes)) != BoundExpr::Verdict::kTrue) return false;
  }
  return true;
}

BoardWeights weigh_boards(const KernelSpec& contract, const std::vector<SelectionBoard>& boards,
                          const std::vector<std::size_t>& among, const std::vector<Value>& sizes) {
  BoardWeights result;
  const Place asked = place_of(contract, sizes);
  double total = 0;
  double nearest = 0;
  for (const std::size_t board : among) {
    const double squared =
        squared_distance(place_of(contract, boards[board].sizes), asked) +
        kOtherChoice * kOtherChoice *
            static_cast<double>(other_choices(contract, boards[board].sizes, sizes));
    // If several are equally near, takes the exact one, else the first.
    const bool exact = boards[board].sizes == sizes;
    if (result.boards.empty() || squared < nearest || exact) {
      nearest = exact ? -1 : squared;
      result.nearest = result.boards.size();
      result.distance = std::sqrt(squared);
    }
    const double closeness = 1 / (kNearby * kNearby + squared);
    result.boards.push_back(board);
    result.weights.push_back(closeness * closeness);
    total += closeness * closeness;
  }
  for (double& weight : result.weights) weight /= total;
  return result;
}

std::optional<double> vote(const BoardWeights& weights, const std::vector<int>& fractions) {
  double sum = kPriorWeight * kPriorFraction;
  double total = kPriorWeight;
  bool known = false;
  for (std::size_t i = 0; i < weights.boards.size(); ++i) {
    const int fraction = fractions[weights.boards[i]];
    if (fraction == kUnknownFraction) continue;
    known = true;
    sum += weights.weights[i] * fraction / 1000;
    total += weights.weights[i];
  }
  return known ? std::optional(sum / total) : std::nullopt;
}

SelectionDecision select_configuration(const SelectionModel& model, const SelectionDevice& device,
                                       const std::vector<Value>& sizes) {
  if (!valid_problem(model.contract, sizes)) return {};
  const AllowedConfigurations allowed(model.contract, limits_of(model, device),
                                      model.configurations);
  for (const Circle& circle : kCircles) {
    const SelectionDecision decision =
        decide(model, allowed, sizes, consulted(model, device, sizes, circle), circle);
    if (decision.configuration) return decision;
  }
  return decide_default(model, allowed, sizes);
}

}  // namespace warpwright
