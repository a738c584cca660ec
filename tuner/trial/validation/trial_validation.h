// The correctness part of a trial: one configuration's launches on one problem, run at least twice
// and checked after each run. The checks run in order of decreasing certainty: a fault of the
// launch, memory outside the buffers, inputs, values, then equality between runs. The first failure
// is the answer. Runs differ in conditions that results must not depend on: the emulator's
// schedule, and the initial content of outputs and scratch (kPoison). Whenever other scratch is
// poisoned, scratch with a fill receives its fill, and module variables are reset to their content
// after loading. The fourth run finds outputs that look finished, and from the fifth on scratch and
// module variables are as the previous run left them. Launches that leave a module variable changed
// keep state: FindingKind::kStateKept.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "trial/data/guarded_buffer.h"
#include "trial/data/problem_data.h"
#include "trial/launch/launch_plan.h"
#include "trial/launch/outcome.h"

namespace warpwright {

struct ValidationReport {
  Status status = Status::kOk;
  std::string reason;
  FailureDetail detail;
  bool device_lost = false;
  std::vector<OutputError> errors;  // of the first run
  LaunchResult launch;              // of the first run
  std::vector<double> launch_us;    // of every run, roughly, on a device with a clock

  [[nodiscard]] static ValidationReport failed(Status status, FailureReason reason);
  // Merges the report of a check with other inputs: its errors, and its failure unless this report
  // already holds one.
  void add(ValidationReport other);
};

class TrialValidation {
 public:
  // `data` must outlive this. Allocates the scratch arguments that the launches pass, unless
  // `scratch` shares those of another check of the same configuration on other inputs.
  TrialValidation(const KernelSpec& kernel, Device& device, const TrialOptions& options,
                  const Configuration& configuration, ProblemData& data,
                  std::shared_ptr<const DeviceModule> module,
                  std::shared_ptr<ScratchBuffers> scratch = nullptr);
  [[nodiscard]] const std::shared_ptr<ScratchBuffers>& scratch() const { return scratch_; }

  // Runs and checks; `runs` below 2 counts as 2, because the second run proves that every element
  // was written. After each correct run `enough` is called with the rough times so far; if it
  // returns true, the remaining runs are skipped. In the end scratch with a fill holds its fill,
  // whatever the result.
  [[nodiscard]] ValidationReport verify(
      int runs, const std::function<bool(const std::vector<double>&)>& enough = {});
  // Runs and checks once, for inputs other than those on which repeatability was checked.
  [[nodiscard]] ValidationReport verify_once();
  // Runs once without comparing results, only to count and model. Runs `sample_blocks` blocks of
  // every launch; 0: all.
  [[nodiscard]] ValidationReport launch_unchecked(std::uint64_t sample_blocks);
  // Runs once under this schedule with all of the emulator's checkers, whose findings are in
  // `launch.hazards`; values are compared with the reference if there is one. Scratch with a fill
  // is as the previous run left it, if that run was right: then the next run need not repeat this
  // one, and `launch.same_under_all_schedules` is false.
  [[nodiscard]] ValidationReport vet(std::uint64_t schedule);
  // Runs vet() once more after correct runs, starting with the module variables and outputs that
  // they left: its hazards are the state that the launches keep (kStateKept, kOutputNotWritten).
  [[nodiscard]] ValidationReport vet_again(std::uint64_t schedule);
  // The hash of the outputs of a correct run of vet(), if outputs may not differ between runs.
  [[nodiscard]] std::optional<std::uint64_t> output_hash() const;
  // Checks after launches that were not checked one by one: the outputs must still equal the
  // validated ones, and nothing else may have been touched. `what` names the purpose of those
  // launches in messages.
  [[nodiscard]] ValidationReport verify_after(const std::string& what) const;
  [[nodiscard]] ValidationReport verify_after_timing() const { return verify_after("timing"); }

  [[nodiscard]] const std::vector<DeviceLaunch>& launches() const { return launches_; }
  // The number of bytes that the launches may write: outputs, in-out arguments and scratch.
  [[nodiscard]] std::size_t written_bytes() const {
    return data_.written_bytes() + scratch_->bytes();
  }
  // Records the outputs that timed launches are compared with. Call it right after a successful
  // verification.
  void note_outputs();
  // The launches with the steps before and after each timed sample. Requires that they were found
  // right.
  [[nodiscard]] TimedSequence timed_sequence() const;
  // The request for cold samples of the launches.
  [[nodiscard]] TimingRequest cold_request() const;
  // The units of work in the launches (units_of_work()).
  [[nodiscard]] double units() const { return units_; }

 private:
  // The bytes of the launch's next argument; a tensor map is also listed in the launch.
  [[nodiscard]] std::vector<std::byte> argument_bytes(const ArgumentSpec& argument,
                                                      DeviceLaunch& launch);
  [[nodiscard]] std::vector<std::byte> tensor_map_bytes(const ArgumentSpec& argument,
                                                        DeviceLaunch& launch);
  // The address of an array, scratch or not.
  [[nodiscard]] std::uint64_t array_address(const ArgumentSpec& argument);
  // The reason why the module does not support these launches, or "".
  [[nodiscard]] FailureReason mismatch() const;
  // Prepares, launches, and runs the checks that need no reference. `run` counts from 0 and selects
  // the poison.
  [[nodiscard]] ValidationReport run_once(int run);
  [[nodiscard]] ValidationReport judge(LaunchResult launched);
  [[nodiscard]] LaunchResult launch(int run, LaunchLimits limits);
  // The report of vet(), without its additions about the scratch.
  [[nodiscard]] ValidationReport vet_run(std::uint64_t schedule);
  // Describes a write to memory that must not be written; nullopt if there was none. In that case
  // `outputs`, when given, receives the checksums of the outputs.
  [[nodiscard]] std::optional<std::string> harm(std::vector<std::uint64_t>* outputs) const;
  // Undoes the writes of kernels of earlier trials, so that later damage is attributable to this
  // configuration.
  void repair();
  void check_values(int run, ValidationReport& report) const;
  void check_equal(int run, ValidationReport& report);
  // After the first run: adds the state that the launches keep in module variables to the hazards.
  void check_kept_state(ValidationReport& report);
  // After a run under the checkers: reports if no input was read, though there are some.
  void check_inputs_read(ValidationReport& report) const;
  // After a run of vet() whose outputs held results: reports the elements that it did not write.
  // `before` lists those that an earlier run left unwritten as well.
  void check_outputs_written(const std::optional<ProblemData::Unwritten>& before,
                             ValidationReport& report) const;
  // Turns hazards into a failure if the policy rejects them.
  void reject_hazards(ValidationReport& report) const;
  [[nodiscard]] ValidationReport explain_difference(int run, std::size_t output);
  [[nodiscard]] ValidationReport verify_runs(
      int runs, const std::function<bool(const std::vector<double>&)>& enough);
  // Describes the differences of a run from the first, other than the schedule, that may explain
  // different outputs.
  [[nodiscard]] std::string special_of(int run) const;

  const KernelSpec& kernel_;
  Device& device_;
  const TrialOptions options_;
  ProblemData& data_;
  std::shared_ptr<const DeviceModule> module_;
  Environment environment_;
  double units_;
  std::shared_ptr<ScratchBuffers> scratch_;
  bool refills_ = true;  // refill scratch with a fill before the next launch that poisons scratch
  std::vector<DeviceLaunch> launches_;
  std::vector<std::vector<const ArgumentSpec*>> passed_;  // the parameters of each launch
  std::string encode_failure_;            // why a tensor map could not be encoded, or ""
  std::vector<std::uint64_t> checksums_;  // of the first run's outputs
  std::vector<std::uint64_t> latest_;     // of the outputs of the latest judged run
  std::vector<ExpectedOutput> expected_;  // of timed launches; empty where outputs may differ
};

}  // namespace warpwright
