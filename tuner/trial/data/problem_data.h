// The data of one problem on one device: inputs, output buffers, and the reference's answer for a
// sample of units. It is made once and kept between the trials of a sweep, because inputs and
// reference cost far more than a kernel.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "device/device.h"
#include "records/configuration.h"
#include "spec/kernel_spec.h"
#include "trial/compare/device_judge.h"
#include "trial/compare/validate.h"
#include "trial/data/guarded_buffer.h"
#include "trial/data/input_content.h"
#include "trial/launch/launch_plan.h"
#include "trial/launch/trial_options.h"
#include "trial/reference/reference.h"

namespace warpwright {

// The units of a problem that are validated. In small problems these are all units. In large ones
// they are the first and the last, both sides of every power-of-two boundary from either end (where
// tiles begin and end), and the rest drawn at random.
struct UnitSample {
  std::vector<std::int64_t> units;  // ascending, each once
  std::int64_t total = 0;
  [[nodiscard]] bool complete() const { return static_cast<std::int64_t>(units.size()) == total; }
};

// Chooses at most `limit` units; a limit below 2 counts as 2.
[[nodiscard]] UnitSample sample_units(std::int64_t total, std::int64_t limit, std::uint64_t seed);

// The array of an argument on one problem.
struct TensorPlan {
  const ArgumentSpec* spec = nullptr;
  DType dtype = DType::kF32;
  std::vector<std::int64_t> shape;
  std::uint64_t elements = 1;
  std::size_t bytes = 0;
};
// Throws Error (user) when an extent is not positive; outputs may have extents of 0.
[[nodiscard]] TensorPlan plan_tensor(const ArgumentSpec& argument, const Environment& environment);

// Copies of a problem's buffers with their current content.
struct BufferSet {
  std::vector<std::unique_ptr<GuardedBuffer>> buffers;
  std::map<std::uint64_t, std::uint64_t> moved;  // address of an array -> of its copy
  std::map<const DeviceBuffer*, DeviceBuffer*> copies;
};

// The request from which a ProblemData is made, in addition to the kernel.
struct ProblemRequest {
  Problem problem;                           // completed
  std::map<std::string, std::string> fills;  // argument -> fill that replaces the contract's
  std::string title;                         // "rows=4 V=4099" or "case 'ties' (...)", for messages
  SourceLocation fills_where;
  // argument -> bytes that replace any fill, for example the output of another kernel. They are
  // dropped once they are on the device, and the reference's answers for them are not kept on disk.
  std::map<std::string, std::vector<std::byte>> contents = {};
  // Equal requests without contents have equal keys.
  [[nodiscard]] std::string key() const;
};

class ProblemData {
 public:
  // Generates and uploads the inputs and asks the reference (or the store). Throws Error (user) for
  // faults of the contract, Error (environment) when memory runs out.
  ProblemData(const KernelSpec& kernel, Device& device, const TrialOptions& options,
              const Reference& reference, const ReferenceStore& store, ProblemRequest request);

  [[nodiscard]] const ProblemRequest& request() const { return request_; }
  // Device address of an argument's array; nullopt for scratch, values and tensor maps.
  [[nodiscard]] std::optional<std::uint64_t> address(const std::string& argument) const;
  [[nodiscard]] std::size_t device_bytes() const { return device_bytes_; }
  // The total bytes of outputs and in-out arguments.
  [[nodiscard]] std::size_t written_bytes() const;
  // Whether all inputs are bitwise equal to those of other data of the same problem.
  [[nodiscard]] bool has_inputs_of(const ProblemData& other) const;

  // Poisons the outputs with kPoison[which] and restores the in-out arguments: before every launch.
  void prepare(int which);
  // Restores the in-out arguments, and leaves the outputs as a launch wrote them except for some
  // elements, which are changed to plausible but wrong values.
  void prepare_used();
  // Makes the content of outputs undefined, before a launch that is checked.
  void forget_outputs();
  // Restores inputs and guard zones after a launch that damaged them.
  void repair();
  // The copies that restore in-out arguments, for Device::sample().
  [[nodiscard]] std::vector<RestoreCopy> restores();

  // The outputs, whose content is meaningless before a launch.
  [[nodiscard]] std::vector<PoisonedRegion> poisoned() const;
  // The current content of the outputs, in the form that timed launches are compared with.
  [[nodiscard]] std::vector<ExpectedOutput> expected_outputs() const;
  // True when the latest launch accessed an input or in-out array, when there is none, when the
  // device cannot tell, and when all elements of each output must be equal, whatever the inputs.
  // Those that the contract accepts as unused on the problem do not count.
  [[nodiscard]] bool reads_input() const;
  // Outputs that the latest launch left at least partly unwritten, if the device tracks writes.
  struct Unwritten {
    std::size_t output = 0;
    UnwrittenBytes bytes;
  };
  [[nodiscard]] std::optional<Unwritten> unwritten() const;

  // Copies of every array, so that launches can take turns over more memory than L2 holds.
  [[nodiscard]] BufferSet copy_buffers() const;

  // Adds the regions that damage() and changed_input() check, and with `outputs` requests the
  // checksums of the outputs, in order.
  void add_regions(RegionCheck& check, bool outputs) const;
  // A sentence about a forbidden write of a launch; nullopt if there was none.
  [[nodiscard]] std::optional<std::string> damage() const;
  [[nodiscard]] std::optional<std::string> changed_input() const;

  // One verdict per output, in order, on the sampled units. Tolerances come from `environment`;
  // `which` is the poison.
  [[nodiscard]] std::vector<OutputVerdict> validate(const Environment& environment, int which);

  [[nodiscard]] std::size_t outputs() const { return outputs_.size(); }
  [[nodiscard]] const TensorPlan& output_plan(std::size_t output) const {
    return tensors_[outputs_[output]]->plan;
  }
  [[nodiscard]] std::vector<std::byte> download_output(std::size_t output) const;

  // For the contract check (validation/contract_check.h). Empty without a reference.
  [[nodiscard]] const Reference& reference() const { return reference_; }
  [[nodiscard]] const ReferenceQuestion& question() const { return question_; }
  [[nodiscard]] const UnitSample& sample() const { return sample_; }
  [[nodiscard]] const ReferenceAnswer& expected() const { return expected_; }
  [[nodiscard]] std::uint64_t seed() const { return seed_; }
  // An output as validate() judges it, without the result of a kernel.
  [[nodiscard]] OutputView output_view(std::size_t output, const Environment& environment) const;

 private:
  struct Tensor {
    TensorPlan plan;
    std::vector<std::byte> host;  // content of kIn and kInOut
    std::uint64_t checksum = 0;   // of kIn, as the device computes it
    std::unique_ptr<GuardedBuffer> buffer;
    std::unique_ptr<GuardedBuffer> pristine;  // kInOut: the content to restore
  };

  void add_tensor(const ArgumentSpec& argument, const Environment& environment,
                  InputContent content);
  void ask_reference(const Environment& environment, const TrialOptions& options,
                     const ReferenceStore& store);
  [[nodiscard]] std::string answer_key(std::uint64_t seed) const;
  [[nodiscard]] std::vector<std::byte> sampled_units(std::size_t output) const;

  const KernelSpec& kernel_;
  Device& device_;
  const Reference& reference_;
  ProblemRequest request_;
  std::uint64_t seed_ = 1;
  std::vector<std::unique_ptr<Tensor>> tensors_;
  std::vector<std::size_t> outputs_;          // tensors that are validated
  std::map<std::string, std::string> fills_;  // InputContent::identity, by argument
  std::size_t device_bytes_ = 0;
  ReferenceQuestion question_;
  UnitSample sample_;
  ReferenceAnswer expected_;
  std::vector<DeviceJudge> judges_;  // of the outputs, once there is something to judge
};

}  // namespace warpwright
