// The parts of the CUDA API that the examples need in addition to the launcher: a context, arrays,
// and a check of calls. The variables NVRTC and CUDA_INCLUDE give the places of NVRTC and of the
// toolkit's headers where these are unusual.
#pragma once

#include <cuda.h>

#include <cstdio>
#include <cstdlib>
#include <vector>

#include "warpwright_launcher.h"

inline void check(CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return;
  std::fprintf(stderr, "%s failed with error %d\n", call, static_cast<int>(result));
  std::exit(3);
}

// For the first GPU, until the program ends.
inline warpwright::LauncherOptions open_gpu() {
  CUdevice device = 0;
  CUcontext context = nullptr;
  check(cuInit(0), "cuInit");
  check(cuDeviceGet(&device, 0), "cuDeviceGet");
  check(cuDevicePrimaryCtxRetain(&context, device), "cuDevicePrimaryCtxRetain");
  check(cuCtxSetCurrent(context), "cuCtxSetCurrent");
  warpwright::LauncherOptions options;
  if (const char* nvrtc = std::getenv("NVRTC")) options.nvrtc = nvrtc;
  if (const char* include = std::getenv("CUDA_INCLUDE")) options.toolkit_include = {include};
  return options;
}

// An array on the GPU together with its initial contents; never freed.
template <typename T>
class Array {
 public:
  explicit Array(std::vector<T> values) : host(std::move(values)) {
    check(cuMemAlloc(&address_, bytes()), "cuMemAlloc");
    check(cuMemcpyHtoD(address_, host.data(), bytes()), "cuMemcpyHtoD");
  }
  explicit Array(std::size_t count) : Array(std::vector<T>(count)) {}
  void* data() const { return reinterpret_cast<void*>(address_); }
  void download() { check(cuMemcpyDtoH(host.data(), address_, bytes()), "cuMemcpyDtoH"); }

  std::vector<T> host;

 private:
  std::size_t bytes() const { return host.size() * sizeof(T); }
  CUdeviceptr address_ = 0;
};

// Numbers of few bits from -4 to 4, so that 16 bits hold them exactly.
inline float number(std::size_t index, unsigned salt) {
  const auto mixed = static_cast<unsigned>(index * 2654435761U + salt * 40503U);
  return static_cast<float>(static_cast<int>(mixed >> 9 & 63U) - 32) / 8.0F;
}
