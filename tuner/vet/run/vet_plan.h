// The plan of a vetting: the launches that its options select, compiled once.
#pragma once

#include <string>
#include <vector>

#include "records/configuration.h"
#include "records/device_info.h"
#include "spec/kernel_spec.h"
#include "trial/trial_runner.h"
#include "vet/vet_options.h"
#include "vet/vet_report.h"
#include "workers/paths.h"
#include "workers/worker_world.h"

namespace warpwright {

// One case of one configuration, and its compiled form.
struct VetRun {
  Configuration configuration;
  std::string version;  // its name; "" for none
  TrialRunner::CompiledCase test;
};

// A contract and its runs, those of a configuration one after another. Each launch comment of a
// file has a contract of its own.
struct VetSubject {
  KernelSpec kernel;
  std::vector<VetRun> runs;
};

// Throws Error (user) unless this is one device without a clock.
[[nodiscard]] DeviceInfo vetting_device(const std::string& wanted);

// Notes in the report what is vetted, and what cannot be. Throws Error (user) if the options name
// something that the contract lacks.
[[nodiscard]] std::vector<VetSubject> plan_vetting(const VetOptions& options, const Paths& paths,
                                                   const WorkerWorld& world, VetReport& report);

}  // namespace warpwright
