// Finds out which barriers, waits and fences of a kernel are needed: leaves out one at a time and
// vets the cases again, up to the first finding. One compilation serves all of it, since
// instructions are left out of the PTX. Workers run the code, as for vet_kernel().
#pragma once

#include "vet/necessity_report.h"
#include "vet/vet_options.h"
#include "workers/paths.h"

namespace warpwright {

// `options.necessity` must be set. Throws as vet_kernel() does.
[[nodiscard]] NecessityReport vet_necessity(const VetOptions& options, const Paths& paths);

}  // namespace warpwright
