// Computes the references of the next problems in a process of its own while a GPU works on an
// earlier problem, or while its first configurations compile. The answers are put where measurers
// look for them (ReferenceStore). A reference that fails, loops or dies there costs nothing: the
// measurer that needs it meets the same fault and reports it.
//
// Protocol of the process: frames in are {"open": {"setup": MeasurerSetup, "device": DeviceInfo}}
// once, then {"problem": {...}} each; each is answered by {"done": true}.
#pragma once

#include <memory>

#include "device/device.h"
#include "records/configuration.h"
#include "workers/measure_pool.h"

namespace warpwright {

class ReferenceAhead {
 public:
  // `measurers` are the options of the device's measurers, which describe what to start. The
  // process is not started before the first request.
  ReferenceAhead(MeasurePoolOptions measurers, DeviceInfo device);
  ~ReferenceAhead();  // kills the process
  ReferenceAhead(const ReferenceAhead&) = delete;
  ReferenceAhead& operator=(const ReferenceAhead&) = delete;

  // Never blocks; a problem that was already requested is ignored.
  void ask(const Problem& problem);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Computes the inputs and the reference of one problem as a measurer of `device` would; the answers
// go to the store. Does nothing if they depend on the configuration. Throws what ProblemData
// throws.
void compute_reference_ahead(const KernelSpec& kernel, const DeviceInfo& device,
                             const TrialOptions& options, const Problem& problem);

// The body of the process. Returns the exit code.
int reference_worker_main();

}  // namespace warpwright
