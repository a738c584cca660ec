// Explains in a message why a run differs from the first.
#include <fmt/format.h>

#include "trial/data/poison.h"
#include "trial/validation/trial_validation.h"

namespace warpwright {

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
