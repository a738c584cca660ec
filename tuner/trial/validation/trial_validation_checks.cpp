// Checks of a TrialValidation for launches that depend on anything but their inputs: module
// variables that an earlier launch had left changed, outputs that held results already, or no input
// at all; and the message that explains why a run differs from the first.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "trial/data/guarded_buffer.h"
#include "trial/numbers/poison.h"
#include "trial/validation/trial_validation.h"

namespace warpwright {
namespace {

// Makes a finding that concerns a launch as a whole.
Finding of_a_launch(FindingKind kind, std::string message, std::string advice) {
  Finding hazard;
  hazard.kind = kind;
  hazard.message = std::move(message);
  hazard.advice = std::move(advice);
  return hazard;
}

}  // namespace

void TrialValidation::check_kept_state(ValidationReport& report) {
  const std::vector<KeptVariable> kept = device_.kept_state(launches_);
  if (kept.empty()) return;
  if (device_.checks_bounds()) {
    // The emulator reports whether a further launch reads it, and where.
    LaunchLimits limits;
    limits.emulated_seed = options_.seed;
    limits.check = true;
    limits.keep_state = true;
    const LaunchResult again = launch(0, limits);
    std::copy_if(again.hazards.begin(), again.hazards.end(),
                 std::back_inserter(report.launch.hazards),
                 [](const Finding& hazard) { return hazard.kind == FindingKind::kStateKept; });
  } else {
    const KeptVariable& first = kept.front();
    const std::string more =
        kept.size() == 1 ? "" : fmt::format(", and {} more do", kept.size() - 1);
    report.launch.hazards.push_back(of_a_launch(
        FindingKind::kStateKept,
        fmt::format("the module variable '{}' of {} bytes holds something else after a launch than "
                    "after loading{}, so the next launch can use what this one computed",
                    first.name, first.bytes, more),
        "set it back at the end of the launch, or pass it as a scratch argument with a `fill`, "
        "which is restored before every launch"));
  }
  reject_hazards(report);
}

void TrialValidation::check_inputs_read(ValidationReport& report) const {
  if (data_.reads_input() || data_.written_bytes() == 0) return;
  report.launch.hazards.push_back(
      of_a_launch(FindingKind::kNoInputRead, "the launch accessed none of its input arrays",
                  "its outputs cannot depend on its inputs: compute them from what the arguments "
                  "point at"));
}

void TrialValidation::check_outputs_written(const std::optional<ProblemData::Unwritten>& before,
                                            ValidationReport& report) const {
  const std::optional<ProblemData::Unwritten> now = data_.unwritten();
  if (!now) return;
  const bool more =
      !before || before->output != now->output || before->bytes.count < now->bytes.count;
  if (!more) return;
  const TensorPlan& plan = data_.output_plan(now->output);
  const std::size_t width = dtype_size(plan.dtype);
  report.launch.hazards.push_back(of_a_launch(
      FindingKind::kOutputNotWritten,
      fmt::format(
          "output '{}' at {} and {} of its {} bytes in all still hold what an earlier launch "
          "wrote",
          plan.spec->name,
          format_index(static_cast<std::int64_t>(now->bytes.first / width), plan.shape),
          now->bytes.count, plan.bytes),
      "write every element in every launch"));
}

ValidationReport TrialValidation::vet_again(std::uint64_t schedule) {
  constexpr int kRun = static_cast<int>(kPoison.size()) - 1;
  static_assert(finds_outputs(kRun));
  const std::optional<ProblemData::Unwritten> before = data_.unwritten();
  LaunchLimits limits;
  limits.emulated_seed = schedule;
  limits.keep_state = true;
  limits.trust_cas_reads = options_.trust_cas_reads;
  // Checkers are slow. If no state was left, wrong values reveal unwritten elements, provided that
  // there is a reference to compare with.
  limits.check = kernel_.launch_only || !device_.kept_state(launches_).empty();
  ValidationReport report = judge(launch(kRun, limits));
  std::erase_if(report.launch.hazards,
                [](const Finding& hazard) { return hazard.kind != FindingKind::kStateKept; });
  if (report.status != Status::kOk) return report;
  if (limits.check) check_outputs_written(before, report);
  check_values(kRun, report);
  if (report.status != Status::kOk) report.reason += special_of(kRun);
  return report;
}

std::string TrialValidation::special_of(int run) const {
  if (keeps_state(run)) {
    const std::string filled = scratch_->filled_names();
    if (filled.empty()) {
      return fmt::format(
          "; run {} found scratch as run {} left it: does every launch initialise what it uses?",
          run + 1, run);
    }
    return fmt::format(
        "; run {} found scratch as run {} left it: does every launch leave {} ready for the next, "
        "and initialise what else it uses?",
        run + 1, run, filled);
  }
  if (finds_outputs(run)) {
    return fmt::format(
        "; run {} found its outputs as run {} left them, with some elements changed: does every "
        "launch write all of its outputs, whatever they hold?",
        run + 1, run);
  }
  const int poison = poison_of(run);
  if (poison < 2) return "";
  return fmt::format(
      "; outputs and scratch held {:#010x} before run {} and {:#010x}, a NaN, before run 1: is "
      "anything read before it is written?",
      kPoison[static_cast<std::size_t>(poison)], run + 1, kPoison[0]);
}

// Repeats the first run, so that outputs too large to be kept can be compared element by element.
ValidationReport TrialValidation::explain_difference(int run, std::size_t output) {
  const TensorPlan& plan = data_.output_plan(output);
  const std::vector<std::byte> other = data_.download_output(output);
  if (ValidationReport again = run_once(0); again.status != Status::kOk) return again;
  const std::vector<std::byte> first = data_.download_output(output);
  const std::size_t width = dtype_size(plan.dtype);
  const std::string& name = plan.spec->name;
  if (poison_of(run) == 1) {
    if (const auto holes = never_written(width, first, other)) {
      return ValidationReport::failed(
          Status::kWrongResult,
          fmt::format("output '{}' was never written at {}; {} of {} elements were not", name,
                      format_index(holes->first, plan.shape), holes->count, plan.elements));
    }
  }
  const std::string runs = fmt::format("run 1 and run {}", run + 1);
  const auto difference = first_difference(width, first, other);
  if (!difference) {
    return ValidationReport::failed(
        Status::kNondeterministic,
        fmt::format("output '{}' differs between {} but not when run again{}", name, runs,
                    special_of(run)));
  }
  const auto at = static_cast<std::size_t>(difference->first);
  return ValidationReport::failed(
      Status::kNondeterministic,
      fmt::format(
          "output '{}' differs between {} at {}: {} and {}; {} of {} elements differ; if that is "
          "allowed, say `deterministic: false` in the contract{}",
          name, runs, format_index(difference->first, plan.shape),
          load_element(plan.dtype, first.data(), at), load_element(plan.dtype, other.data(), at),
          difference->count, plan.elements, special_of(run)));
}

}  // namespace warpwright
