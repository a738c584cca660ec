#include "bench/graph/graph_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "analysis/board/impossible.h"
#include "bench/bench_case.h"
#include "bench/selection.h"
#include "core/error.h"
#include "core/words.h"
#include "provenance/trial_key.h"
#include "spec/kernel_spec.h"
#include "store/database.h"
#include "trial/data/problem_data.h"
#include "trial/launch/launch_plan.h"
#include "trial/numbers/dtype.h"

namespace warpwright {
namespace {

// Vector loads and tensor maps need this alignment.
constexpr std::int64_t kAlignment = 16;

std::vector<std::string> argument_names(const KernelSpec& kernel, bool outputs) {
  std::vector<std::string> names;
  for (const ArgumentSpec& argument : kernel.arguments) {
    const bool fits = outputs ? is_validated(argument.role) : argument.role == ArgumentRole::kIn;
    if (fits) names.push_back(argument.name);
  }
  return names;
}

const ArgumentSpec& output_named(const ConnectedKernel& from, const ConnectionRequest& request) {
  const ArgumentSpec* output = from.kernel->find_argument(request.output);
  if (output != nullptr && is_validated(output->role)) return *output;
  throw user_error(request.where,
                   fmt::format("'{}' is not an output of step '{}' ({}){}", request.output,
                               from.step, from.kernel->name,
                               suggestion(request.output, argument_names(*from.kernel, true))));
}

const ArgumentSpec& input_named(const ConnectedKernel& to, const ConnectionRequest& request) {
  const ArgumentSpec* input = to.kernel->find_argument(request.argument);
  if (input == nullptr || input->role != ArgumentRole::kIn) {
    const bool written = input != nullptr && input->role == ArgumentRole::kInOut;
    throw user_error(
        request.where,
        fmt::format("'{}' {} step '{}' ({}){}", request.argument,
                    written ? "is written by" : "is not an input of", to.step, to.kernel->name,
                    written ? "; only what is read alone can be connected"
                            : suggestion(request.argument, argument_names(*to.kernel, false))));
  }
  if (input->symbol.empty()) return *input;
  throw user_error(request.where,
                   fmt::format("'{}' of step '{}' is the variable '{}' of its module, which is "
                               "written before the sequence runs; it cannot be connected",
                               request.argument, to.step, input->symbol));
}

std::string typed(const TensorPlan& plan, const std::vector<std::int64_t>& shape) {
  return fmt::format("{} [{}]", dtype_name(plan.dtype), fmt::join(shape, ", "));
}

// The shape that remains after slicing; `first` receives the first element.
std::vector<std::int64_t> sliced(const TensorPlan& output, const ConnectionRequest& request,
                                 std::int64_t& first) {
  std::vector<std::int64_t> shape = output.shape;
  if (!request.first) return shape;
  const std::int64_t last_axis = shape.back();
  if (*request.first < 0 || *request.end > last_axis || *request.first >= *request.end) {
    throw user_error(
        request.where,
        fmt::format("{}: got {} to {}, expected a part of 0 to {}, the last axis of {}",
                    request.text, *request.first, *request.end, last_axis,
                    typed(output, output.shape)));
  }
  const bool one_row =
      std::all_of(shape.begin(), shape.end() - 1, [](std::int64_t extent) { return extent == 1; });
  if (!one_row && *request.end - *request.first != last_axis) {
    throw user_error(
        request.where,
        fmt::format("{}: part of the rows of {}, which do not lie together; only a single row can "
                    "be cut",
                    request.text, typed(output, output.shape)));
  }
  const auto width = static_cast<std::int64_t>(dtype_size(output.dtype));
  if (*request.first * width % kAlignment != 0) {
    throw user_error(request.where,
                     fmt::format("{}: begins {} bytes into '{}', expected a multiple of {}",
                                 request.text, *request.first * width, request.output, kAlignment));
  }
  first = *request.first;
  shape.back() = *request.end - *request.first;
  return shape;
}

class GraphPlanner {
 public:
  GraphPlanner(const GraphSpec& graph, const Paths& paths, const DeviceInfo& device,
               const std::filesystem::path& database)
      : graph_(graph), paths_(paths), device_(device) {
    const std::filesystem::path file = database.empty() ? paths.default_database() : database;
    if (database.empty() && !std::filesystem::exists(file)) return;
    database_.emplace(file, OpenMode::kReadOnly);
    all_.database = file.string();
  }

  GraphPlans plan() {
    for (const Problem& sizes : graph_sizes(graph_, !device_.has_clock)) add_plan(sizes);
    all_.peaks = read_peaks(database_, device_);
    return std::move(all_);
  }

 private:
  void add_plan(const Problem& sizes) {
    GraphPlan plan;
    plan.sizes = sizes;
    Environment environment;
    for (const auto& [name, value] : sizes) environment.set(name, value);
    for (const GraphStep& step : graph_.steps) {
      if (step.when && !step.when->evaluate_bool(environment)) {
        plan.left_out.push_back({step.name, step.kernel,
                                 step.because.empty()
                                     ? fmt::format("{} does not hold", step.when->text())
                                     : step.because});
        continue;
      }
      try {
        plan.steps.push_back(plan_step(step, environment, plan));
      } catch (Error& error) {
        error.add_context(fmt::format("while planning step '{}' of {}{}{}", step.name, graph_.name,
                                      sizes.empty() ? "" : " with ", describe_sizes(sizes)));
        throw;
      }
    }
    if (plan.steps.empty()) {
      throw user_error({graph_.file.string(), 0, 0},
                       fmt::format("every step is left out with {}", describe_sizes(sizes)));
    }
    all_.plans.push_back(std::move(plan));
  }

  const KernelSpec& kernel_of(const GraphStep& step) {
    for (const KernelSpec& known : all_.kernels)
      if (known.name == step.kernel) return known;
    try {
      return all_.kernels.emplace_back(read_kernel(find_kernel_file(paths_, step.kernel)));
    } catch (Error& error) {
      if (error.where().file == step.kernel_where.file) throw;
      throw error.add_context(fmt::format("at {}", step.kernel_where.to_string()));
    }
  }

  // A text that equals one of the size's words is that word; any other text is an expression.
  static Value size_value(const GraphSize& size, const ProblemSizeSpec* spec,
                          const Environment& environment) {
    const bool words =
        spec != nullptr && std::any_of(spec->values.begin(), spec->values.end(),
                                       [](const Value& value) { return value.is_string(); });
    if (words && environment.find(size.value.text()) == nullptr) return {size.value.text()};
    return size.value.evaluate(environment);
  }

  static Problem problem_of(const GraphStep& step, const KernelSpec& kernel,
                            const Environment& environment) {
    std::map<std::string, Value> given;
    std::map<std::string, SourceLocation> places;
    for (const GraphSize& size : step.problem) {
      given[size.name] = size_value(size, kernel.find_size(size.name), environment);
      places[size.name] = size.where;
    }
    return complete_problem_at(kernel, given, step.problem_where, places);
  }

  PlannedStep plan_step(const GraphStep& step, const Environment& environment,
                        const GraphPlan& before) {
    PlannedStep planned;
    planned.name = step.name;
    planned.kernel = &kernel_of(step);
    planned.problem = problem_of(step, *planned.kernel, environment);
    planned.fills = step.fills;
    check_fills(step, *planned.kernel);
    choose_configuration(step, planned);
    for (const GraphInput& input : step.inputs)
      connect_input(step, input, environment, before, planned);
    return planned;
  }

  static void check_fills(const GraphStep& step, const KernelSpec& kernel) {
    std::vector<std::string> filled;
    for (const ArgumentSpec& argument : kernel.arguments) {
      if (argument.role == ArgumentRole::kIn || argument.role == ArgumentRole::kInOut)
        filled.push_back(argument.name);
    }
    for (const auto& [argument, fill] : step.fills) {
      if (std::find(filled.begin(), filled.end(), argument) != filled.end()) continue;
      throw user_error(step.fills_where, fmt::format("'{}' is not an input of '{}'{}", argument,
                                                     kernel.name, suggestion(argument, filled)));
    }
  }

  [[nodiscard]] std::optional<std::string> refusal(const PlannedStep& planned,
                                                   const Configuration& configuration) const {
    return broken_constraint(*planned.kernel, configuration, planned.problem, device_);
  }

  void choose_configuration(const GraphStep& step, PlannedStep& planned) {
    const bool tuned = find_winner(step, planned);
    if (!step.configuration.empty()) {
      planned.configuration = parse_configuration(*planned.kernel, step.configuration);
      planned.origin = "given";
      if (const auto why = refusal(planned, planned.configuration))
        throw user_error(step.where,
                         fmt::format("configuration '{}': {}", step.configuration, *why));
    } else if (!tuned) {
      choose_default(step, planned);
    }
  }

  // The baseline comes first, because it supports any problem.
  void choose_default(const GraphStep& step, PlannedStep& planned) const {
    const KernelSpec& kernel = *planned.kernel;
    std::vector<const VariantSpec*> variants;
    if (const VariantSpec* baseline = kernel.find_variant(kernel.baseline))
      variants.push_back(baseline);
    for (const VariantSpec& variant : kernel.variants) variants.push_back(&variant);
    std::optional<std::string> why;
    for (const VariantSpec* variant : variants) {
      planned.configuration = default_configuration(kernel, *variant);
      planned.origin = "default";
      why = refusal(planned, planned.configuration);
      if (!why) return;
    }
    throw user_error(step.where,
                     fmt::format("no variant of '{}' takes {} with its defaults; give "
                                 "`configuration`: {}",
                                 kernel.name, describe_problem(kernel, planned.problem), *why));
  }

  // Returns false if the database has no configuration of this contract; its time is recorded
  // anyway.
  bool find_winner(const GraphStep& step, PlannedStep& planned) {
    if (!database_) return false;
    const KernelSpec& kernel = *planned.kernel;
    const Stored<Problem> wanted = planned.problem;
    for (const Winner& winner : find_winners(*database_, kernel.name, device_)) {
      if (winner.problem != wanted) continue;
      const Environment environment =
          trial_environment(kernel, winner.configuration, planned.problem, device_);
      planned.database = DatabaseTime{winner.median_us * units_of_work(kernel, environment),
                                      winner.trial, winner.protocol};
      try {
        const Configuration configuration = check_configuration(kernel, winner.configuration);
        const bool same_sources = winner.contract_hash ==
                                  variant_hash(kernel, *kernel.find_variant(configuration.variant),
                                               {kernel.folder, paths_.common_headers()});
        if (const auto why = refusal(planned, configuration)) throw user_error(*why);
        planned.configuration = configuration;
        planned.origin = fmt::format("best of the database, trial {}{}", winner.trial,
                                     same_sources ? "" : ", of other sources");
        return true;
      } catch (const Error& error) {  // of an older contract
        all_.notes.push_back(fmt::format("step '{}': {}", step.name, error.message()));
      }
    }
    return false;
  }

  void connect_input(const GraphStep& step, const GraphInput& input, const Environment& environment,
                     const GraphPlan& before, PlannedStep& planned) const {
    ConnectionRequest request{
        input.where, input.step + "." + input.output, input.output, input.argument, {}, {}};
    if (input.from) {
      request.first = input.from->evaluate_integer(environment);
      request.end = input.to->evaluate_integer(environment);
      request.text += fmt::format("[{}:{}]", *request.first, *request.end);
    }
    const std::string text = fmt::format("{} = {}", input.argument, request.text);
    const auto from =
        std::find_if(before.steps.begin(), before.steps.end(),
                     [&](const PlannedStep& other) { return other.name == input.step; });
    if (from == before.steps.end()) {
      require_left_out(step, input, before);
      planned.unconnected.push_back(text);
      return;
    }
    const std::int64_t first = connect(end_of(*from), end_of(planned), request);
    planned.inputs.push_back({input.argument, static_cast<std::size_t>(from - before.steps.begin()),
                              input.output, first});
    planned.connected.push_back(text);
  }

  [[nodiscard]] ConnectedKernel end_of(const PlannedStep& step) const {
    return {step.name, step.kernel,
            trial_environment(*step.kernel, step.configuration, step.problem, device_)};
  }

  void require_left_out(const GraphStep& step, const GraphInput& input,
                        const GraphPlan& before) const {
    const bool left_out =
        std::any_of(before.left_out.begin(), before.left_out.end(),
                    [&](const LeftOutStep& other) { return other.name == input.step; });
    if (left_out) return;
    std::vector<std::string> earlier;
    for (const GraphStep& other : graph_.steps) {
      if (other.name == step.name) break;
      earlier.push_back(other.name);
    }
    throw user_error(input.where, fmt::format("no step '{}' comes before '{}'{}", input.step,
                                              step.name, suggestion(input.step, earlier)));
  }

  const GraphSpec& graph_;
  const Paths& paths_;
  const DeviceInfo& device_;
  std::optional<Database> database_;
  GraphPlans all_;
};

}  // namespace

bool same_but_for_merged_axes(const std::vector<std::int64_t>& a,
                              const std::vector<std::int64_t>& b) {
  const auto counting = [](const std::vector<std::int64_t>& shape) {
    std::vector<std::int64_t> kept;
    std::copy_if(shape.begin(), shape.end(), std::back_inserter(kept),
                 [](std::int64_t extent) { return extent != 1; });
    return kept;
  };
  std::vector<std::int64_t> fine = counting(a), coarse = counting(b);
  if (fine.size() < coarse.size()) std::swap(fine, coarse);
  std::size_t at = 0;
  for (const std::int64_t extent : coarse) {
    if (at == fine.size()) return false;
    std::int64_t merged = fine[at++];
    while (merged < extent && at < fine.size()) merged *= fine[at++];
    if (merged != extent) return false;
  }
  return at == fine.size();
}

std::int64_t connect(const ConnectedKernel& from, const ConnectedKernel& to,
                     const ConnectionRequest& request) {
  const TensorPlan output = plan_tensor(output_named(from, request), from.environment);
  const TensorPlan input = plan_tensor(input_named(to, request), to.environment);
  if (output.elements == 0) {
    throw user_error(request.where, fmt::format("{} has no elements on this problem: {}",
                                                request.text, typed(output, output.shape)));
  }
  std::int64_t first = 0;
  const std::vector<std::int64_t> shape = sliced(output, request, first);
  if (output.dtype != input.dtype || !same_but_for_merged_axes(shape, input.shape)) {
    throw user_error(
        request.where,
        fmt::format("got {} of step '{}' ({}), which is {}; expected {}, the '{}' of "
                    "step '{}' ({})",
                    request.text, from.step, from.kernel->name, typed(output, shape),
                    typed(input, input.shape), request.argument, to.step, to.kernel->name));
  }
  return first;
}

GraphPlans plan_graph(const GraphSpec& graph, const Paths& paths, const DeviceInfo& device,
                      const std::filesystem::path& database) {
  return GraphPlanner(graph, paths, device, database).plan();
}

std::string describe_sizes(const Problem& sizes) {
  std::string text;
  for (const auto& [name, value] : sizes)
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value.to_string());
  return text;
}

}  // namespace warpwright
