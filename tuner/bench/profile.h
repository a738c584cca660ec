// The work of one configuration on one problem, counted by the emulator: launches with resources,
// counters by name and by source line, and a modelled time. Nothing is validated and no reference
// is computed, so that problems of full size can be examined through a sample of their blocks.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "bench/argument_use.h"
#include "bench/bench_case.h"
#include "compile/compile_job.h"
#include "device/device.h"
#include "emu/emulator.h"
#include "emu/observe/observation.h"
#include "records/configuration.h"
#include "trial/reference/reference.h"

namespace warpwright {

struct ProfileOptions {
  std::uint64_t sample_blocks = 0;  // of every launch; 0: all blocks
  bool count_lines = true;
  bool observe = false;  // ProfiledLaunch::observation and ::arguments
};

struct ProfiledLaunch {
  std::string entry;
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::array<std::uint32_t, 3> cluster{1, 1, 1};
  std::uint32_t dynamic_shared = 0;
  KernelResources resources;
  emu::Counters counters;
  std::vector<emu::LineCounts> lines;
  emu::ModelledTime modelled;
  std::shared_ptr<const emu::Observation> observation;
  std::vector<ArgumentUse> arguments;
};

struct Profile {
  Status status = Status::kOk;
  std::string reason;  // why there is no profile, or none for later launches
  std::vector<ProfiledLaunch> launches;

  [[nodiscard]] double modelled_us() const;
};

// The inputs of a problem on an emulated device, made once for all configurations.
class Profiler {
 public:
  // `kernel` must outlive this; `device` is an emulated one; `reference` makes the generated
  // inputs, and need not exist if there are none. Throws Error (user) for faults of the contract
  // and for a device that is not emulated.
  Profiler(const KernelSpec& kernel, Problem problem, const DeviceInfo& device, std::uint64_t seed,
           const Reference& reference);
  ~Profiler();

  [[nodiscard]] Profile run(const Configuration& configuration, const CompileResult& compiled,
                            const ProfileOptions& options);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpwright
