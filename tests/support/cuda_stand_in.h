// A stand-in for libcuda over an emulated device: defines the driver's functions that launchers
// call, so that a library that is opened at run time finds them in the test's program. Modules are
// PTX. It also records facts that a real driver cannot see: which arrays each stream was given.
#pragma once

#include <cuda.h>

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "device/device.h"

namespace warpwright::testing {

struct CudaStandIn {
  Device* device = nullptr;
  LaunchLimits limits;
  bool capturing = false;
  std::vector<std::function<CUresult()>> captured;  // launches, in order; run by cuGraphLaunch
  // Counts of calls.
  int loads = 0, launches = 0, allocations = 0, encodings = 0;
  unsigned largest_cluster = 0;  // blocks, of those that were asked for
  LaunchResult last;             // of the newest launch
  std::string last_entry;
  std::map<void*, std::set<std::uint64_t>> given;  // pointers among the arguments, by stream
  std::set<std::uint64_t> workspaces;              // addresses that cuMemAlloc gave

  void reset();
};

// The only one: the driver is one, too.
CudaStandIn& cuda_stand_in();

}  // namespace warpwright::testing
