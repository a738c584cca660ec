// The limits of devices and launches that a program has to check when it chooses a configuration
// for untried sizes; the tuner finds them by trying.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/expr/value.h"
#include "spec/kernel_spec.h"

namespace warpwright {

// The limits of every device of an architecture, for programs that do not provide those of their
// device. They come from the CUDA C++ Programming Guide, "Compute Capabilities"; where an
// architecture leaves a choice, the least value is used. warpwright_select.h holds the same limits
// for exported headers.

struct ArchSharedMemory {
  int compute_capability = 0;
  int max_shared = 0;  // bytes of a block, opted in
};
// In ascending order. Architectures that are not listed get the values that all have.
[[nodiscard]] std::span<const ArchSharedMemory> arch_shared_memory();
inline constexpr int kLeastShared = 49152;
// GPU slices and embedded GPUs have few SMs; a constraint that needs more for blocks that wait for
// each other must be given the real count.
inline constexpr int kLeastSmCount = 4;

// "sm_90a" -> 90; nullopt for anything that is not a CUDA architecture.
[[nodiscard]] std::optional<int> compute_capability_of(const std::string& arch);

// Values for every limit that expressions may name; the capability is left out if it is 0.
[[nodiscard]] std::map<std::string, Value> least_limits(int compute_capability);

// The limits of a launch as constraints: scalars and macros that fit their types, arrays whose
// bytes can be counted, grids and blocks within CUDA's limits, shared memory that the device has.
// Expressions that are literals are left out.
[[nodiscard]] std::vector<ConstraintSpec> launch_rules(const KernelSpec& kernel,
                                                       const VariantSpec& variant);

// All constraints that must hold for a variant on a problem: the contract's, its own, and these.
[[nodiscard]] std::vector<ConstraintSpec> selection_rules(const KernelSpec& kernel,
                                                          const VariantSpec& variant);

}  // namespace warpwright
