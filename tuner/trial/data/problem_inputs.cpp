#include "trial/data/problem_inputs.h"

#include <fmt/format.h>

#include <optional>
#include <set>

#include "core/process/memory_limit.h"

namespace warpwright {
namespace {

std::string format_bytes(std::uint64_t bytes) {
  constexpr double kGib = 1024.0 * 1024 * 1024;
  constexpr double kMib = 1024.0 * 1024;
  const auto value = static_cast<double>(bytes);
  if (value >= kGib) return fmt::format("{:.2f} GiB", value / kGib);
  if (value >= kMib) return fmt::format("{:.1f} MiB", value / kMib);
  return fmt::format("{} B", bytes);
}

}  // namespace

ProblemInputs::ProblemInputs(const KernelSpec& kernel, Device& device, const TrialOptions& options,
                             const Reference& reference, const ReferenceStore& store,
                             ProblemRequest request)
    : kernel_(kernel),
      device_(device),
      options_(options),
      other_options_(options),
      reference_(reference),
      store_(store),
      first_(std::make_unique<ProblemData>(kernel, device, options, reference, store,
                                           std::move(request))) {}

ProblemData* ProblemInputs::other() {
  // The limits come from the requesting trial, not from the first one that used these inputs.
  other_options_ = options_;
  other_options_.seed += kOtherSeed;
  if (other_known_) return other_.get();
  other_known_ = true;
  if (!fits_twice()) return nullptr;
  if (first_->device_bytes() > kLargestForOther) other_options_.validated_elements /= kFewerUnits;
  other_ = std::make_unique<ProblemData>(kernel_, device_, other_options_, reference_, store_,
                                         first_->request());
  if (other_->has_inputs_of(*first_)) other_.reset();
  return other_.get();
}

bool ProblemInputs::fits_twice() const {
  const std::size_t bytes = first_->device_bytes();
  if (bytes <= kLargestForOther) return true;
  if (!device_.info().has_clock) return false;
  // Scratch and copies for other timing modes are allocated later, and the host keeps the inputs,
  // too.
  const std::optional<std::size_t> host = available_memory_bytes();
  return bytes <= device_.free_bytes() / 2 && (!host || bytes <= *host / 4);
}

std::size_t ProblemInputs::device_bytes() const {
  return first_->device_bytes() + (other_ ? other_->device_bytes() : 0);
}

void require_memory(const KernelSpec& kernel, const Device& device,
                    const Configuration& configuration, const ProblemRequest& request) {
  const Environment environment =
      trial_environment(kernel, configuration, request.problem, device.info());
  const std::size_t zones = 2 * GuardedBuffer::guard_bytes(device);
  constexpr std::uint64_t kUncountable = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t total = 0;
  std::string sizes;
  std::set<std::string> counted;
  const auto add = [&](const std::string& name, std::uint64_t bytes) {
    if (__builtin_add_overflow(total, bytes, &total)) total = kUncountable;
    sizes += fmt::format("{}{} {}", sizes.empty() ? "" : ", ", name, format_bytes(bytes));
  };
  const VariantSpec& variant = variant_of(kernel, configuration);
  for (const PlannedLaunch& launch : plan_launches(kernel, variant, environment)) {
    for (const ArgumentSpec* argument : launch.arguments) {
      // A tensor map needs its array, which may not be another argument of the launch.
      const ArgumentSpec& array =
          argument->map ? *kernel.find_argument(argument->map->tensor) : *argument;
      // Launches of one configuration share their scratch.
      if (array.role == ArgumentRole::kScratch && counted.insert(array.name).second) {
        add(array.name, plan_tensor(array, environment).bytes + zones);
      }
    }
  }
  for (const ArgumentSpec& argument : kernel.arguments) {
    if (!is_problem_array(argument.role)) continue;
    const std::uint64_t bytes = plan_tensor(argument, environment).bytes + zones;
    add(argument.name, bytes);
    // Its content before the first launch is kept in a second buffer.
    if (argument.role == ArgumentRole::kInOut) add(argument.name + " (as given)", bytes);
  }
  if (device.info().has_clock)
    add("L2 eviction", static_cast<std::uint64_t>(2 * device.info().l2_bytes));
  const std::size_t free = device.free_bytes();
  if (total <= free) return;
  throw user_error(fmt::format(
      "problem {} of kernel '{}' needs {} of device memory, {} has {} free: {}; choose a "
      "smaller problem (--set NAME=VALUE) or a device with more memory",
      request.title, kernel.name, format_bytes(total), device.info().id, format_bytes(free),
      sizes));
}

}  // namespace warpwright
