// The references of the problems that come next, computed in a process of their own while a GPU
// works on the one before, or while its first configurations compile. What is found goes where
// measurers look for it (ReferenceStore). A reference that fails, loops or dies there costs
// nothing: the measurer that needs it meets the same fault, and reports it.
//
// The process: frames in are {"open": {"setup": MeasurerSetup, "device": DeviceInfo}} once, then
// {"problem": {...}} each; each is answered by {"done": true}.
#pragma once

#include <memory>

#include "device/device.h"
#include "records/problem.h"
#include "workers/measure_pool.h"

namespace warpwright {

class ReferenceAhead {
 public:
  // `measurers` of the device say what to start; nothing is started before something is asked.
  ReferenceAhead(MeasurePoolOptions measurers, DeviceInfo device);
  ~ReferenceAhead();  // kills the process
  ReferenceAhead(const ReferenceAhead&) = delete;
  ReferenceAhead& operator=(const ReferenceAhead&) = delete;

  // Never blocks; a problem that was asked for before is ignored.
  void ask(const Problem& problem);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Inputs and reference of one problem as a measurer of `device` would have them; the answers go to
// the store. Nothing where what is computed depends on the configuration. Throws what ProblemData
// throws.
void compute_reference_ahead(const KernelSpec& kernel, const DeviceInfo& device,
                             const TrialOptions& options, const Problem& problem);

// The body of the process. Returns the exit code.
int reference_worker_main();

}  // namespace warpwright
