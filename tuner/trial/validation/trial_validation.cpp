#include "trial/validation/trial_validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/error.h"
#include "trial/data/guarded_buffer.h"
#include "trial/launch/tensor_map_plan.h"
#include "trial/numbers/poison.h"

namespace warpwright {
namespace {

std::array<std::uint32_t, 3> narrow(const std::array<std::int64_t, 3>& values) {
  return {static_cast<std::uint32_t>(values[0]), static_cast<std::uint32_t>(values[1]),
          static_cast<std::uint32_t>(values[2])};
}

}  // namespace

ValidationReport ValidationReport::failed(Status status, FailureReason reason) {
  ValidationReport report;
  report.status = status;
  report.reason = std::move(reason.text);
  report.detail = std::move(reason.detail);
  return report;
}

void ValidationReport::add(ValidationReport other) {
  for (std::size_t i = 0; i < std::min(errors.size(), other.errors.size()); ++i) {
    errors[i].checked += other.errors[i].checked;
    errors[i].wrong += other.errors[i].wrong;
    errors[i].max_abs = std::max(errors[i].max_abs, other.errors[i].max_abs);
    errors[i].max_rel = std::max(errors[i].max_rel, other.errors[i].max_rel);
    errors[i].worst_ratio = std::max(errors[i].worst_ratio, other.errors[i].worst_ratio);
  }
  if (status != Status::kOk) return;
  status = other.status;
  reason = std::move(other.reason);
  detail = std::move(other.detail);
  device_lost = other.device_lost;
}

TrialValidation::TrialValidation(const KernelSpec& kernel, Device& device,
                                 const TrialOptions& options, const Configuration& configuration,
                                 ProblemData& data, std::shared_ptr<const DeviceModule> module,
                                 std::shared_ptr<ScratchBuffers> scratch)
    : kernel_(kernel),
      device_(device),
      options_(options),
      data_(data),
      module_(std::move(module)),
      environment_(trial_environment(kernel, configuration, data.request().problem, device.info())),
      units_(units_of_work(kernel, environment_)),
      scratch_(scratch ? std::move(scratch)
                       : std::make_shared<ScratchBuffers>(device, options.seed)) {
  for (const PlannedLaunch& plan :
       plan_launches(kernel, variant_of(kernel, configuration), environment_)) {
    DeviceLaunch launch;
    launch.module = module_;
    launch.entry = plan.entry;
    launch.grid = narrow(plan.grid);
    launch.block = narrow(plan.block);
    launch.cluster = narrow(plan.cluster);
    launch.dynamic_shared = static_cast<std::uint32_t>(plan.shared_bytes);
    for (const ArgumentSpec* argument : plan.arguments)
      launch.arguments.push_back(argument_bytes(*argument, launch));
    for (const ArgumentSpec* variable : plan.symbols)
      launch.variables.push_back(
          {variable->symbol, array_address(*variable), plan_tensor(*variable, environment_).bytes});
    launches_.push_back(std::move(launch));
    passed_.push_back(plan.arguments);
  }
}

TimedSequence TrialValidation::timed_sequence() const {
  TimedSequence sequence(launches_);
  sequence.restore = data_.restores();
  for (const RestoreCopy& copy : scratch_->restores()) sequence.restore.push_back(copy);
  sequence.poison = data_.poisoned();
  for (const PoisonedRegion& region : scratch_->poisoned()) sequence.poison.push_back(region);
  sequence.outputs = expected_;
  if (!kernel_.deterministic) {
    sequence.examine = [this]() -> std::string {
      ValidationReport report;
      check_values(0, report);
      return report.reason;
    };
  }
  return sequence;
}

TimingRequest TrialValidation::cold_request() const {
  TimingRequest request;
  request.rotation.push_back(timed_sequence());
  request.written_bytes = written_bytes();
  return request;
}

FailureReason TrialValidation::mismatch() const {
  if (!encode_failure_.empty()) return encode_failure_;
  if (const std::string kept = module_->unrestorable_state(); !kept.empty()) {
    return fmt::format(
        "state cannot be restored: {}; a launch could return what an earlier one computed, so no "
        "time of it is trusted. Pass the memory as a scratch argument instead",
        kept);
  }
  for (std::size_t at = 0; at < launches_.size(); ++at) {
    const DeviceLaunch& launch = launches_[at];
    if (!module_->resources(launch.entry))
      return fmt::format("the compiled source has no entry '{}'", launch.entry);
    for (const VariableContent& content : launch.variables) {
      const std::optional<std::size_t> bytes = module_->variable_bytes(content.variable);
      if (!bytes) {
        FailureDetail detail;
        detail.advice =
            ": correct its `symbol`, or, where nothing uses it, leave it out of the launch's "
            "`arguments`";
        return {fmt::format("the compiled source has no variable '{}'{}", content.variable,
                            detail.advice),
                detail};
      }
      if (*bytes < content.bytes) {
        return fmt::format("the variable '{}' has {} bytes, the contract gives it {}",
                           content.variable, *bytes, content.bytes);
      }
    }
    const std::vector<std::size_t> sizes = module_->parameter_sizes(launch.entry);
    if (sizes.empty()) continue;
    if (sizes.size() != launch.arguments.size()) {
      return fmt::format(
          "entry '{}' takes {} parameters, the contract passes {}; make `arguments` of the launch "
          "match",
          launch.entry, sizes.size(), launch.arguments.size());
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      if (sizes[i] == launch.arguments[i].size()) continue;
      return fmt::format(
          "parameter {} of entry '{}' has {} bytes, the contract passes '{}' of {}; check its "
          "dtype "
          "and the order of `arguments`",
          i + 1, launch.entry, sizes[i], passed_[at][i]->name, launch.arguments[i].size());
    }
  }
  return {};
}

LaunchResult TrialValidation::launch(int run, LaunchLimits limits) {
  options_.enter("validate");
  if (finds_outputs(run)) {
    data_.prepare_used();
  } else {
    data_.prepare(poison_of(run));
  }
  if (!keeps_state(run)) {
    scratch_->poison(kPoison[static_cast<std::size_t>(poison_of(run))]);
    if (refills_) scratch_->fill_again();
  }
  if (limits.check) {
    data_.forget_outputs();
    scratch_->forget();
  }
  limits.keep_state = limits.keep_state || keeps_state(run);
  limits.time = options_.launch_time_limit;
  limits.emulated_instructions = options_.emulated_instruction_limit;
  return device_.launch(launches_, limits);
}

std::optional<std::string> TrialValidation::harm(std::vector<std::uint64_t>* outputs) const {
  RegionCheck check;
  data_.add_regions(check, outputs != nullptr);
  scratch_->add_zones(check);
  const bool as_expected = check.run(device_);
  if (outputs != nullptr) *outputs = check.asked();
  if (as_expected) return std::nullopt;
  std::optional<std::string> harm = data_.damage();
  if (!harm) harm = scratch_->damage();
  return harm ? harm : data_.changed_input();
}

void TrialValidation::repair() {
  RegionCheck check;
  data_.add_regions(check, false);
  if (!check.run(device_)) data_.repair();
}

ValidationReport TrialValidation::run_once(int run) {
  LaunchLimits limits;
  // Each run interleaves blocks and warps differently: results that depend on the order show as a
  // difference between runs.
  limits.emulated_seed = options_.seed + static_cast<std::uint64_t>(run);
  // Other schedules mostly repeat the hazards that one shows, and checkers are slow.
  limits.check = options_.check_hazards && run == 0;
  ValidationReport report = judge(launch(run, limits));
  if (limits.check && report.status == Status::kOk) check_inputs_read(report);
  reject_hazards(report);
  return report;
}

void TrialValidation::reject_hazards(ValidationReport& report) const {
  // A hazard explains why a result is wrong, and where; a correct result does not prove that the
  // hazard is harmless.
  const bool blamed = report.status == Status::kOk || report.status == Status::kWrongResult;
  if (!blamed) return;
  std::vector<Finding> causes = report.launch.hazards;
  // Under the other policy only hazards that make a time meaningless count.
  if (options_.hazards != HazardPolicy::kReject)
    std::erase_if(causes, [](const Finding& hazard) { return !voids_times(hazard); });
  if (causes.empty()) return;
  report.status = Status::kHazard;
  report.reason = describe(first_cause(causes));
}

ValidationReport TrialValidation::judge(LaunchResult launched) {
  ValidationReport report;
  report.launch = std::move(launched);
  report.status = report.launch.status;
  report.reason = report.launch.reason;
  report.detail = report.launch.detail;
  report.device_lost = report.launch.device_lost;
  if (report.status != Status::kOk) return report;
  if (std::optional<std::string> found = harm(kernel_.deterministic ? &latest_ : nullptr)) {
    report.status = Status::kWrongResult;
    report.reason = std::move(*found);
  }
  return report;
}

void TrialValidation::check_values(int run, ValidationReport& report) const {
  for (OutputVerdict& verdict : data_.validate(environment_, poison_of(run))) {
    report.errors.push_back(std::move(verdict.error));
    if (report.status != Status::kOk || verdict.failure.empty()) continue;
    report.status = Status::kWrongResult;
    report.reason = std::move(verdict.failure);
    if (verdict.looks_like_rounding) report.detail.code = FailureCode::kRounding;
  }
}

void TrialValidation::check_equal(int run, ValidationReport& report) {
  for (std::size_t output = 0; output < latest_.size(); ++output) {
    if (latest_[output] == checksums_[output]) continue;
    const ValidationReport explained = explain_difference(run, output);
    report.status = explained.status;
    report.reason = explained.reason;
    report.detail = explained.detail;
    report.device_lost = explained.device_lost;
    return;
  }
}

ValidationReport TrialValidation::verify(
    int runs, const std::function<bool(const std::vector<double>&)>& enough) {
  ValidationReport report = verify_runs(runs, enough);
  // The next timing starts from the contract's fill, as a user's first launch does.
  if (!report.device_lost) scratch_->fill_again();
  return report;
}

ValidationReport TrialValidation::launch_unchecked(std::uint64_t sample_blocks) {
  if (FailureReason reason = mismatch(); !reason.text.empty())
    return ValidationReport::failed(Status::kInvalid, std::move(reason));
  repair();
  LaunchLimits limits;
  limits.emulated_seed = options_.seed;
  limits.sample_blocks = sample_blocks;
  ValidationReport report;
  report.launch = launch(0, limits);
  report.status = report.launch.status;
  report.reason = report.launch.reason;
  report.detail = report.launch.detail;
  report.device_lost = report.launch.device_lost;
  return report;
}

ValidationReport TrialValidation::verify_runs(
    int runs, const std::function<bool(const std::vector<double>&)>& enough) {
  if (FailureReason reason = mismatch(); !reason.text.empty())
    return ValidationReport::failed(Status::kInvalid, std::move(reason));
  repair();
  ValidationReport report = run_once(0);
  if (report.status != Status::kOk) return report;
  check_values(0, report);
  if (report.status != Status::kOk) return report;
  check_kept_state(report);
  if (report.status != Status::kOk) return report;
  checksums_ = latest_;
  report.launch_us.push_back(report.launch.elapsed_us);
  if (enough && enough(report.launch_us)) return report;
  // Whole outputs are kept, because unwritten elements of a kernel that may differ between runs can
  // only be found in the runs themselves.
  std::vector<std::vector<std::byte>> first;
  for (std::size_t i = 0; !kernel_.deterministic && i < data_.outputs(); ++i)
    first.push_back(data_.download_output(i));

  for (int run = 1; run < std::max(runs, 2); ++run) {
    ValidationReport again = run_once(run);
    if (again.status == Status::kOk && kernel_.deterministic) {
      check_equal(run, again);
    } else if (again.status == Status::kOk) {
      check_values(run, again);
      for (std::size_t i = 0; run == 1 && i < first.size() && again.status == Status::kOk; ++i) {
        const TensorPlan& plan = data_.output_plan(i);
        const auto holes =
            never_written(dtype_size(plan.dtype), first[i], data_.download_output(i));
        if (!holes) continue;
        again.status = Status::kWrongResult;
        again.reason = fmt::format(
            "output '{}' was never written at {}; {} of {} elements were not", plan.spec->name,
            format_index(holes->first, plan.shape), holes->count, plan.elements);
      }
    }
    report.launch_us.push_back(again.launch.elapsed_us);
    if (again.status == Status::kOk) {
      if (enough && enough(report.launch_us)) break;
      continue;
    }
    report.status = again.status;
    report.device_lost = again.device_lost;
    report.reason =
        again.status == Status::kNondeterministic
            ? again.reason
            : fmt::format("in run {}: {}{}", run + 1, again.reason,
                          finds_outputs(run) || (keeps_state(run) && scratch_->any_filled())
                              ? special_of(run)
                              : "");
    return report;
  }
  return report;
}

void TrialValidation::note_outputs() {
  if (kernel_.deterministic && device_.info().has_clock) expected_ = data_.expected_outputs();
  scratch_->fill_again();
}

ValidationReport TrialValidation::verify_once() {
  // This run uses neither of the NaNs of the first two runs, so that every problem is also run with
  // a finite poison.
  constexpr int kRun = 2;
  if (FailureReason reason = mismatch(); !reason.text.empty())
    return ValidationReport::failed(Status::kInvalid, std::move(reason));
  repair();
  ValidationReport report = run_once(kRun);
  if (report.status == Status::kOk) check_values(kRun, report);
  if (report.status == Status::kOk) checksums_ = latest_;
  return report;
}

ValidationReport TrialValidation::vet(std::uint64_t schedule) {
  ValidationReport report = vet_run(schedule);
  const bool right = report.status == Status::kOk;
  if (!right && !refills_ && scratch_->any_filled()) {
    report.reason += fmt::format(
        "; it found {} as the launch before left it: does every launch leave it ready for the "
        "next?",
        scratch_->filled_names());
  }
  refills_ = !right;
  return report;
}

ValidationReport TrialValidation::vet_run(std::uint64_t schedule) {
  constexpr int kRun = 0;
  if (FailureReason reason = mismatch(); !reason.text.empty())
    return ValidationReport::failed(Status::kInvalid, std::move(reason));
  repair();
  LaunchLimits limits;
  limits.emulated_seed = schedule;
  limits.check = true;
  limits.trust_cas_reads = options_.trust_cas_reads;
  ValidationReport report = judge(launch(kRun, limits));
  if (scratch_->any_filled()) report.launch.same_under_all_schedules = false;
  if (report.status == Status::kOk) check_inputs_read(report);
  if (report.status == Status::kOk) check_values(kRun, report);
  return report;
}

std::optional<std::uint64_t> TrialValidation::output_hash() const {
  if (!kernel_.deterministic) return std::nullopt;
  std::uint64_t hash = 0;
  for (const std::uint64_t checksum : latest_) hash = (hash ^ checksum) * 0x9e3779b97f4a7c15u;
  return hash ^ latest_.size();
}

ValidationReport TrialValidation::verify_after(const std::string& what) const {
  std::vector<std::uint64_t> outputs;
  if (const std::optional<std::string> found = harm(kernel_.deterministic ? &outputs : nullptr))
    return ValidationReport::failed(
        Status::kWrongResult,
        (what == "timing" ? "while being timed: " : "during " + what + ": ") + *found);
  if (kernel_.deterministic && outputs == checksums_) return {};
  ValidationReport report;
  check_values(0, report);
  if (report.status == Status::kOk && kernel_.deterministic) {
    report.status = Status::kNondeterministic;
    report.reason = fmt::format("the outputs after {} differ from those that were validated", what);
  } else if (report.status != Status::kOk) {
    report.reason = fmt::format("after {}: {}", what, report.reason);
  }
  if (report.status != Status::kOk) {
    report.reason +=
        "; launches that follow each other closely disturb each other, or scratch memory is "
        "expected to hold what the first launch found there";
  }
  return report;
}

// The arguments of the launches: the bytes of scalars, addresses and tensor maps.

std::uint64_t TrialValidation::array_address(const ArgumentSpec& argument) {
  if (argument.role == ArgumentRole::kScratch) return scratch_->address(argument, environment_);
  const std::optional<std::uint64_t> address = data_.address(argument.name);
  WARPWRIGHT_CHECK(address.has_value(), "every tensor argument has a buffer");
  return *address;
}

std::vector<std::byte> TrialValidation::tensor_map_bytes(const ArgumentSpec& argument,
                                                         DeviceLaunch& launch) {
  TensorMapPlan plan = plan_tensor_map(kernel_, argument, environment_);
  TensorMapArgument map;
  map.argument = launch.arguments.size();
  map.array = array_address(*plan.tensor);
  map.request = std::move(plan.request);
  map.request.address += map.array;
  // The rules were checked before the device was touched, but a driver may apply further ones.
  const EncodedTensorMap encoded = device_.encode(map.request);
  if (encoded.status != Status::kOk && encode_failure_.empty())
    encode_failure_ = fmt::format("tensor map '{}': {}", argument.name, encoded.reason);
  // The request is kept with the bytes, because moving the launch to other buffers encodes it
  // again.
  launch.tensor_maps.push_back(std::move(map));
  return {encoded.bytes.begin(), encoded.bytes.end()};
}

std::vector<std::byte> TrialValidation::argument_bytes(const ArgumentSpec& argument,
                                                       DeviceLaunch& launch) {
  if (argument.role == ArgumentRole::kValue) return value_bytes(argument, environment_);
  if (argument.role == ArgumentRole::kTensorMap) return tensor_map_bytes(argument, launch);
  const std::uint64_t address = array_address(argument);
  std::vector<std::byte> bytes(sizeof address);
  std::memcpy(bytes.data(), &address, bytes.size());
  return bytes;
}

}  // namespace warpwright
