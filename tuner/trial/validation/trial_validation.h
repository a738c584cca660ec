// The correctness part of a trial: one configuration's launches on one problem, run at least twice,
// checked after each. The order of checks is the order of certainty: a fault of the launch, memory
// outside the buffers, inputs, values, then equality between runs. The first failure is the answer.
// Runs differ in what they must not depend on: the emulator's schedule, and what outputs and
// scratch hold before (kPoison). Scratch with a fill holds that wherever other scratch is poisoned,
// and module variables then hold what they did after loading. The fourth run finds outputs that
// look finished, and from the fifth on scratch and module variables are as the run before left
// them. Launches that leave a module variable changed keep state: HazardKind::kStateKept.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "trial/data/problem_data.h"
#include "trial/data/scratch_buffers.h"
#include "trial/launch_plan.h"
#include "trial/outcome.h"

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
  // Takes in what a check with other inputs found: its errors, and its failure unless this failed
  // before.
  void add(ValidationReport other);
};

class TrialValidation {
 public:
  // `data` must outlive this. Allocates the scratch arguments that the launches pass, unless they
  // are to share those of another check of the same configuration on other inputs.
  TrialValidation(const KernelSpec& kernel, Device& device, const TrialOptions& options,
                  const Configuration& configuration, ProblemData& data,
                  std::shared_ptr<const DeviceModule> module,
                  std::shared_ptr<ScratchBuffers> scratch = nullptr);
  [[nodiscard]] const std::shared_ptr<ScratchBuffers>& scratch() const { return scratch_; }

  // Runs and checks; `runs` below 2 counts as 2, because the second run proves that every element
  // was written. After each that was right `enough` is asked, with the rough times so far, whether
  // the rest may be left out. In the end scratch with a fill holds it, whatever was found.
  [[nodiscard]] ValidationReport verify(
      int runs, const std::function<bool(const std::vector<double>&)>& enough = {});
  // One run, for inputs other than those that showed that runs repeat.
  [[nodiscard]] ValidationReport verify_once();
  // One run that nothing is held against: for what is counted and modelled alone. Of every launch
  // so many blocks are run; 0: all.
  [[nodiscard]] ValidationReport launch_unchecked(std::uint64_t sample_blocks);
  // One run under this schedule with all of the emulator's checkers, whose findings are in
  // `launch.hazards`; values are held against the reference where there is one. Scratch with a fill
  // is as the run before left it, if that was right: then the next run need not repeat this one,
  // and `launch.same_under_all_schedules` is false.
  [[nodiscard]] ValidationReport vet(std::uint64_t schedule);
  // One more run of the kind after right ones, which finds module variables and outputs as they
  // left them: its hazards are what the launches keep (kStateKept, kOutputNotWritten).
  [[nodiscard]] ValidationReport vet_again(std::uint64_t schedule);
  // Of the outputs of such a run that was right, where they may not differ between runs.
  [[nodiscard]] std::optional<std::uint64_t> output_hash() const;
  // After launches that were not checked one by one: the outputs must still be what was validated,
  // and nothing else touched. `what` they were for, in messages.
  [[nodiscard]] ValidationReport verify_after(const std::string& what) const;
  [[nodiscard]] ValidationReport verify_after_timing() const { return verify_after("timing"); }

  [[nodiscard]] const std::vector<DeviceLaunch>& launches() const { return launches_; }
  // Bytes that they write, at most: outputs, in-out arguments and scratch.
  [[nodiscard]] std::size_t written_bytes() const {
    return data_.written_bytes() + scratch_->bytes();
  }
  // Right after a verification that found them right: what timed launches are held against.
  void note_outputs();
  // The launches as samples of time begin and end with them, once they were found right.
  [[nodiscard]] TimedSequence timed_sequence() const;
  // For cold samples of them.
  [[nodiscard]] TimingRequest cold_request() const;
  // Units of work in them (units_of_work()).
  [[nodiscard]] double units() const { return units_; }

 private:
  // The bytes of the launch's next argument; a tensor map is also listed in the launch.
  [[nodiscard]] std::vector<std::byte> argument_bytes(const ArgumentSpec& argument,
                                                      DeviceLaunch& launch);
  [[nodiscard]] std::vector<std::byte> tensor_map_bytes(const ArgumentSpec& argument,
                                                        DeviceLaunch& launch);
  // The address of an array, scratch or not.
  [[nodiscard]] std::uint64_t array_address(const ArgumentSpec& argument);
  // Why the module cannot take these launches, or "".
  [[nodiscard]] FailureReason mismatch() const;
  // Prepares, launches, and checks what needs no reference. `run` counts from 0 and selects the
  // poison.
  [[nodiscard]] ValidationReport run_once(int run);
  [[nodiscard]] ValidationReport judge(LaunchResult launched);
  [[nodiscard]] LaunchResult launch(int run, LaunchLimits limits);
  // The report of vet(), without what it adds about the scratch.
  [[nodiscard]] ValidationReport vet_run(std::uint64_t schedule);
  // What was written that must not be; nullopt when nothing was. Then `outputs`, when given, gets
  // the checksums of the outputs.
  [[nodiscard]] std::optional<std::string> harm(std::vector<std::uint64_t>* outputs) const;
  // Kernels of earlier trials may have written here; from now on it is this one's fault.
  void repair();
  void check_values(int run, ValidationReport& report) const;
  void check_equal(int run, ValidationReport& report);
  // After the first run: adds what the launches keep in module variables to the hazards.
  void check_kept_state(ValidationReport& report);
  // After a run under the checkers: no input was read, though there are some.
  void check_inputs_read(ValidationReport& report) const;
  // After a run of vet() whose outputs held results: what it did not write. `before` is what an
  // earlier run left unwritten as well.
  void check_outputs_written(const std::optional<ProblemData::Unwritten>& before,
                             ValidationReport& report) const;
  // Turns hazards into a failure where they are one.
  void reject_hazards(ValidationReport& report) const;
  [[nodiscard]] ValidationReport explain_difference(int run, std::size_t output);
  [[nodiscard]] ValidationReport verify_runs(
      int runs, const std::function<bool(const std::vector<double>&)>& enough);
  // In what, besides the schedule, a run differs from the first, where that may explain different
  // outputs.
  [[nodiscard]] std::string special_of(int run) const;

  const KernelSpec& kernel_;
  Device& device_;
  const TrialOptions options_;
  ProblemData& data_;
  std::shared_ptr<const DeviceModule> module_;
  Environment environment_;
  double units_;
  std::shared_ptr<ScratchBuffers> scratch_;
  bool refills_ = true;  // scratch with a fill, before the next launch of those that poison scratch
  std::vector<DeviceLaunch> launches_;
  std::vector<std::vector<const ArgumentSpec*>> passed_;  // the parameters of each launch
  std::string encode_failure_;            // why a tensor map could not be encoded, or ""
  std::vector<std::uint64_t> checksums_;  // of the first run's outputs
  std::vector<std::uint64_t> latest_;     // of the outputs of the run that was judged last
  std::vector<ExpectedOutput> expected_;  // of timed launches; empty where outputs may differ
};

}  // namespace warpwright
