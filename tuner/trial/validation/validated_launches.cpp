#include "trial/validation/validated_launches.h"

#include <fmt/format.h>

#include <utility>

namespace warpwright {

ValidatedLaunches::ValidatedLaunches(const KernelSpec& kernel, Device& device,
                                     const TrialOptions& options,
                                     const Configuration& configuration, ProblemInputs& inputs,
                                     std::shared_ptr<const DeviceModule> module)
    : kernel_(kernel),
      device_(device),
      configuration_(configuration),
      inputs_(inputs),
      module_(std::move(module)),
      first_(std::make_unique<TrialValidation>(kernel, device, options, configuration,
                                               inputs.first(), module_)) {}

ValidationReport ValidatedLaunches::verify(
    int runs, const std::function<bool(const std::vector<double>&)>& enough) {
  bool ended = false;
  ValidationReport report = first_->verify(runs, [&](const std::vector<double>& launch_us) {
    ended = enough && enough(launch_us);
    return ended;
  });
  if (report.status != Status::kOk || ended) return report;
  first_->note_outputs();
  ProblemData* other = inputs_.other();
  if (other == nullptr) return report;
  if (!other_) {
    other_ = std::make_unique<TrialValidation>(kernel_, device_, inputs_.other_options(),
                                               configuration_, *other, module_, first_->scratch());
  }
  ValidationReport more = other_->verify_once();
  if (more.status == Status::kOk) other_->note_outputs();
  if (more.status != Status::kOk) {
    more.reason =
        fmt::format("with the inputs of seed {}: {}", inputs_.other_options().seed, more.reason);
  }
  report.add(std::move(more));
  return report;
}

ValidationReport ValidatedLaunches::verify_after(const std::string& what) const {
  ValidationReport report = first_->verify_after(what);
  if (report.status != Status::kOk || !other_) return report;
  report = other_->verify_after(what);
  if (report.status != Status::kOk) {
    report.reason =
        fmt::format("with the inputs of seed {}: {}", inputs_.other_options().seed, report.reason);
  }
  return report;
}

TimingRequest ValidatedLaunches::cold_request() const {
  TimingRequest request;
  request.rotation = timed_sequences();
  request.written_bytes = first_->written_bytes();
  return request;
}

std::vector<TimedSequence> ValidatedLaunches::timed_sequences() const {
  std::vector<TimedSequence> sequences;
  sequences.push_back(first_->timed_sequence());
  if (other_) sequences.push_back(other_->timed_sequence());
  return sequences;
}

}  // namespace warpwright
