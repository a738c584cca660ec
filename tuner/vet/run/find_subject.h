// Finds the contract that a subject of `vet` has.
#pragma once

#include "spec/kernel_spec.h"
#include "vet/vet_options.h"
#include "workers/paths.h"

namespace warpwright {

// True for a .cu file whose own comments say how it is launched (vet/comments).
[[nodiscard]] bool is_launched_by_comments(const VetOptions& options);
// Returns the contract of any other subject. Throws Error (user) when there is none.
[[nodiscard]] KernelSpec find_subject(const VetOptions& options, const Paths& paths);

}  // namespace warpwright
