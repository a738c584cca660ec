#include "sweep/sweep_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/words.h"
#include "metrics/trial_metrics.h"
#include "search/known_boards.h"
#include "search/pareto_search.h"
#include "spec/versions.h"
#include "sweep/trial_source.h"
#include "workers/device_query.h"
#include "workers/worker_recipe.h"

namespace warpwright {
namespace {

// A parameter that has one value takes it, whatever the default.
Configuration completed(const std::string& variant, const std::vector<SearchSpace::Axis>& axes,
                        const KernelSpec& kernel, const std::map<std::string, Value>& given) {
  Configuration configuration;
  configuration.variant = variant;
  for (const SearchSpace::Axis& axis : axes) {
    const auto named = given.find(axis.name);
    const Value wanted =
        named != given.end() ? named->second : kernel.find_parameter(axis.name)->default_value;
    configuration.values[axis.name] = axis.values.size() == 1 ? axis.values.front() : wanted;
  }
  return configuration;
}

// A device without a clock runs the small `emulated` problems, if the sweep has any.
const std::vector<ProblemChoice>& problems_for(const SweepSpec& sweep, const DeviceInfo& device) {
  return device.has_clock || sweep.emulated.empty() ? sweep.problems : sweep.emulated;
}

// Configurations that a fast sweep tries in a second.
constexpr double kMaxPerSecond = 20;

// Returns the strategy of a board whose sweep names none. A search pays off when the budget leaves
// configurations out.
std::string usual_strategy(const Budget& budget, const SearchSpace& space) {
  const auto count = static_cast<double>(space.count());
  if (budget.until) return "auto";
  const bool too_many = budget.trials && static_cast<double>(*budget.trials) < count;
  const bool too_long =
      budget.time && std::chrono::duration<double>(*budget.time).count() * kMaxPerSecond < count;
  return too_many || too_long ? "auto" : "exhaustive";
}

// The goal is checked with its places in files and kept without them: a stored reason names no
// file.
void set_goal(const SweepOptions& options, SweepPlan& plan) {
  GoalDraft draft = plan.sweep.goal;
  if (!options.objectives.empty()) draft.objectives.clear();
  for (const std::string& text : options.objectives)
    draft.objectives.push_back(parse_objective(text, {"--objective"}));
  if (!options.requirements.empty()) draft.requirements.clear();
  for (const std::string& text : options.requirements)
    draft.requirements.push_back(Expr::parse(text, {"--require"}));
  plan.goal = resolve_goal(draft, goal_names(plan.kernel));
  plan.goal_draft = std::move(draft);
}

// A goal that depends on energy needs devices that count energy, and launches that can follow each
// other.
void check_energy(const SweepPlan& plan) {
  const Expr* wanted = plan.goal.decided_by_energy();
  if (wanted == nullptr) return;
  const auto refuse = [&](const std::string& why) {
    return user_error(wanted->where(), fmt::format("\"{}\" needs the energy of a launch, but {}",
                                                   wanted->text(), why));
  };
  for (const DeviceInfo& device : plan.devices) {
    if (device.counts_energy) continue;
    throw refuse(fmt::format(
        "{} ({}) {}; expected metrics that it has, such as time_us or "
        "registers, or `--device` with a GPU that counts energy",
        device.id, device.name,
        device.has_clock ? "has no energy counter" : "only models times and counts no energy"));
  }
  for (const ArgumentSpec& argument : plan.kernel.arguments) {
    if (argument.role != ArgumentRole::kInOut) continue;
    throw refuse(
        fmt::format("kernel '{}' changes its input '{}': launches back to back, of which "
                    "energy is counted, would each do other work; expected metrics of "
                    "time or of the compiled code",
                    plan.kernel.name, argument.name));
  }
}

// Returns why a board cannot use a model's times; "" if it can.
std::string why_no_prior(const SweepPlan& plan, const PlannedBoard& board) {
  const DeviceInfo& device = board.summary.device;
  if (!device.has_clock) {
    return fmt::format(
        "{} is itself emulated and would be asked twice; leave --prior out, or "
        "choose a GPU with --device",
        device.id);
  }
  if (!listens_to_beliefs(board.strategy_name)) {
    return fmt::format(
        "the strategy {} does not use a model; choose --strategy auto{}", board.strategy_name,
        board.strategy_name == "exhaustive" ? ", or a --budget that leaves something out" : "");
  }
  if (!plan.goal.by_time() || plan.goal.has_front())
    return "a model estimates only times, but the goal of the sweep is another; leave --prior out";
  return "";
}

// Divides the questions of a board among shards. A strategy that learns is refused: its questions
// depend on its answers, which other shards do not receive.
void divide(const Shard& shard, PlannedBoard& board) {
  const std::uint64_t asked = board.summary.asked;
  if (!can_be_sharded(board.strategy_name)) {
    throw user_error(fmt::format(
        "--shard {}/{}: the strategy {} learns from all answers, and shards do not share "
        "theirs; choose --strategy exhaustive, random or latin_hypercube, or split the problems "
        "with --set",
        shard.index, shard.count, board.strategy_name));
  }
  if (shard.count > asked) {
    throw user_error(fmt::format(
        "--shard {}/{}: {} on {} has {} configurations to ask about, expected at most as many "
        "shards",
        shard.index, shard.count, board.summary.problem_text, board.summary.device.id, asked));
  }
  board.strategy = make_shard(std::move(board.strategy), shard, asked);
  board.questions = shard.share(asked);
}

void choose_devices(const SweepOptions& options, std::vector<DeviceInfo> given, SweepPlan& plan) {
  plan.devices = std::move(given);
  if (!plan.devices.empty()) return;
  if (options.nodes == nullptr) {
    plan.devices = select_devices(query_devices(), options.device);
    return;
  }
  plan.places = select_node_devices(options.nodes->gather(), options.device);
  for (const NodeDevice& placed : plan.places) {
    plan.devices.push_back(placed.device);
    plan.devices.back().id = placed.id;
  }
}

void check_prior(const SweepPlan& plan) {
  std::string why;
  for (const PlannedBoard& board : plan.boards) {
    if (board.model_prior) return;
    if (why.empty()) why = why_no_prior(plan, board);
  }
  if (!why.empty()) throw user_error(fmt::format("--prior emulator: {}", why));
}

}  // namespace

std::vector<std::uint64_t> first_questions(const SearchSpace& space, const KernelSpec& kernel,
                                           const SweepSpec& sweep) {
  std::vector<std::map<std::string, Value>> all{{}};
  for (const Preset& preset : sweep.presets) all.push_back(preset.values);
  std::vector<std::uint64_t> indices;
  for (const auto& given : all) {
    for (const std::string& variant : space.variants()) {
      const std::optional<std::uint64_t> index =
          space.index_of(completed(variant, space.axes(variant), kernel, given));
      if (index && std::find(indices.begin(), indices.end(), *index) == indices.end())
        indices.push_back(*index);
    }
  }
  return indices;
}

std::map<std::string, Value> device_constants(const DeviceInfo& device) {
  std::map<std::string, Value> constants;
  for (const auto& [name, value] : device.limits()) constants.emplace("device." + name, value);
  return constants;
}

std::string SweepPlan::board_name(std::size_t board) const {
  const SweepBoard& named = boards[board].summary;
  return groups.size() < 2 ? named.problem_text
                           : fmt::format("{} ({})", named.problem_text, named.device.id);
}

std::vector<std::vector<DeviceInfo>> SweepPlan::devices_of_nodes(std::size_t nodes) const {
  std::vector<std::vector<DeviceInfo>> of(nodes);
  for (const NodeDevice& placed : places) of.at(placed.node).push_back(placed.device);
  return of;
}

std::vector<DeviceGroup> group_devices(const std::vector<DeviceInfo>& devices) {
  std::vector<DeviceGroup> groups;
  std::map<std::string, std::size_t> known;
  std::map<std::string, std::size_t> first;  // by fingerprint
  for (std::size_t device = 0; device < devices.size(); ++device) {
    const auto [place, fresh] = known.emplace(devices[device].kind(), groups.size());
    if (fresh) groups.emplace_back();
    DeviceGroup& group = groups[place->second];
    const std::string fingerprint = devices[device].fingerprint();
    group.devices.push_back(device);
    const auto [same, is_first] = first.emplace(fingerprint, device);
    group.counts_as.push_back(same->second);
    if (is_first) group.distinct.push_back(device);
  }
  return groups;
}

SweepPlan make_plan(const SweepOptions& options, const Paths& paths) {
  return make_plan(options, paths, {});
}

SweepPlan make_plan(const SweepOptions& options, const Paths& paths,
                    std::vector<DeviceInfo> devices) {
  SweepPlan plan;
  plan.sweep = options.config_text
                   ? parse_sweep(*options.config_text, options.config, OtherVersions::kKeep)
                   : read_sweep(options.config);
  if (plan.sweep.kernel.empty()) {
    throw user_error(
        fmt::format("{}: a sweep names its kernel, got a bare space; add `kernel: NAME`, "
                    "or look at the space with `warpwright space`",
                    options.config.string()));
  }
  plan.sweep.added.add(options.added);
  try {
    plan.kernel = read_kernel(find_kernel_file(paths, plan.sweep.kernel));
  } catch (Error& error) {
    throw error.add_context(fmt::format("for the sweep {}", options.config.string()));
  }
  check_sweep(plan.sweep, plan.kernel);
  plan.kernel = with_added(plan.kernel, plan.sweep.added);
  plan.version_changes = apply_overrides(plan.sweep, plan.kernel, options.overrides);

  set_goal(options, plan);
  plan.strategy = options.strategy.value_or(plan.sweep.strategy);
  plan.budget = options.budget.value_or(plan.sweep.budget);
  if (options.until) plan.budget.until = options.until;
  plan.hazards = options.hazards ? *options.hazards
                                 : plan.sweep.hazards.value_or(usual_hazards(paths, plan.kernel));
  plan.strict = options.strict || plan.kernel.strict;
  plan.include_folders = {plan.kernel.folder, paths.common_headers()};
  // Queried last, so that bad input is found without starting a process.
  choose_devices(options, std::move(devices), plan);
  plan.groups = group_devices(plan.devices);
  // Configurations that meet on one GPU need no other GPU of its kind.
  if (options.rank_only) {
    for (DeviceGroup& group : plan.groups) group = {{group.lead()}, {group.lead()}, {group.lead()}};
  }
  check_energy(plan);
  // From here on the goal is in the form that a database stores.
  const GoalRecord kept = goal_record(plan.goal_draft, plan.kernel.name);
  plan.goal_draft = draft_of(kept);
  plan.goal = restore_goal(plan.goal_draft);

  StrategyOptions strategy_options;
  strategy_options.seed = options.seed;
  plan.shard = options.shard;
  const bool is_named = !plan.strategy.empty();
  if (!options.strategy || *options.strategy == plan.sweep.strategy)
    strategy_options.values = plan.sweep.strategy_options;

  const bool wants_prior =
      options.prior.value_or(plan.sweep.prior.value_or(Prior::kNone)) == Prior::kEmulator;
  for (std::size_t group = 0; group < plan.groups.size(); ++group) {
    const std::size_t device = plan.groups[group].lead();
    const std::map<std::string, Value> limits = device_constants(plan.devices[device]);
    std::size_t of_group = 0;  // boards of the group so far
    for (const ProblemChoice& choice : problems_for(plan.sweep, plan.devices[device])) {
      PlannedBoard board;
      board.device = plan.groups[group].ranker(of_group);
      board.group = group;
      board.summary.device = plan.devices[board.device];
      board.summary.problem = complete_problem(plan.kernel, choice.sizes, choice.where);
      board.summary.problem_text = describe_problem(plan.kernel, board.summary.problem);
      try {
        board.space =
            solve_space(define_space(plan.sweep, &plan.kernel, board.summary.problem, limits),
                        options.skip_impossible);
      } catch (Error& error) {
        throw error.add_context(fmt::format("for problem {} on {}", board.summary.problem_text,
                                            plan.devices[device].id));
      }
      board.summary.space_count = board.space->count();
      if (board.summary.space_count == 0) {
        plan.skipped.push_back(std::move(board.summary));
        continue;
      }
      board.summary.cartesian_size = board.space->cartesian_size();
      const std::string strategy =
          is_named ? plan.strategy : usual_strategy(plan.budget, *board.space);
      // If nothing else ends the sweep, a strategy that learns decides when nothing is left to
      // learn.
      if (is_named && !plan.budget.trials && !plan.budget.time && !plan.budget.until &&
          listens_to_beliefs(strategy))
        plan.budget.until = kUsualGain;
      // A run that searched one of its boards did not cover everything.
      if (!is_named && plan.strategy != "auto") plan.strategy = strategy;
      strategy_options.first = first_questions(*board.space, plan.kernel, plan.sweep);
      if (plan.budget.trials)
        strategy_options.budget = static_cast<std::uint64_t>(*plan.budget.trials);
      board.strategy = plan.goal.has_front()
                           ? make_pareto_search(strategy, *board.space, strategy_options,
                                                plan.goal.objectives.size())
                           : make_strategy(strategy, *board.space, strategy_options);
      board.strategy_name = strategy;
      board.summary.asked = board.summary.space_count;
      if (plan.budget.trials) {
        board.summary.asked =
            std::min(board.summary.asked, static_cast<std::uint64_t>(*plan.budget.trials));
      }
      board.questions = board.summary.space_count;
      if (options.shard) divide(*options.shard, board);
      board.warm_start = options.warm_start.value_or(plan.sweep.warm_start.value_or(true)) &&
                         listens_to_beliefs(strategy) && !plan.goal.has_front();
      board.model_prior = wants_prior && why_no_prior(plan, board).empty();
      plan.boards.push_back(std::move(board));
      ++of_group;
    }
  }
  // A prior named in a file applies only to the devices it suits; one named on the command line
  // must suit these.
  if (wants_prior && options.prior) check_prior(plan);
  return plan;
}

}  // namespace warpwright
