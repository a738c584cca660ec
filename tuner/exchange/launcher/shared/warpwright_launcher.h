/* The code that all launchers share: written by `warpwright export --format launcher`
   next to them, one for all kernels of a folder. C++17; needs the CUDA driver (libcuda), and opens
   NVRTC when it first compiles.

   A call chooses the configuration for its sizes and the current context's device, compiles its
   embedded source once (and keeps the machine code in a folder), encodes tensor maps once per
   address, gets workspaces from the caller's allocator once per stream, and launches. From the
   second call of the same sizes on a stream on, it allocates nothing, unless addresses behind
   tensor maps are new.

   Invariants: calls are thread-safe. A workspace belongs to one stream of one context and to one
   kernel, so that launches that may run at once never share one; it is kept until release(). To
   capture a call into a CUDA graph, prepare() it on that stream first: what is not prepared is
   refused while the stream captures. Errors are values; nothing throws but std::bad_alloc. */
#pragma once

#include <cuda.h>

#include <string>
#include <vector>

#include "warpwright_select.h"

namespace warpwright {

struct [[nodiscard]] Status {
  enum Code {
    kOk,
    kRefused,  // the caller's: a null or misaligned pointer, sizes that nothing can run
    kCompile,  // NVRTC is missing, or does not take the source
    kDriver    // a call of the driver failed
  };
  Code code = kOk;
  std::string message;  // one sentence; empty when ok
  bool ok() const { return code == kOk; }
};

// Device memory of at least `bytes`, aligned to 256 and usable on the stream; 0 when there is none.
// `state` is the caller's.
struct Allocator {
  CUdeviceptr (*allocate)(void* state, std::size_t bytes, CUstream stream) = nullptr;
  void (*release)(void* state, CUdeviceptr address, CUstream stream) = nullptr;
  void* state = nullptr;
};

struct LauncherOptions {
  Allocator allocator;                // cuMemAlloc and cuMemFree when empty
  std::string cache_folder;           // of machine code; none is kept when empty
  std::string nvrtc = "libnvrtc.so";  // the library
  std::vector<std::string> toolkit_include = {"/usr/local/cuda/include"};  // of cuda_fp16.h
};

// Applies to all calls that are not prepared yet.
void set_options(const LauncherOptions& options);

// Gives back what a stream holds, before it is destroyed; waits for nothing.
void release(CUstream stream);

// The declarations below are for written launchers.
struct EmbeddedSource {
  const char* name;  // as it is included
  const char* text;
};

struct Kernel {
  const char* name;
  const EmbeddedSource* sources;
  int source_count;
  int tensor_count;
  std::size_t problem_bytes;
  bool (*same_sizes)(const void* a, const void* b);
  ww_selection (*select)(const ww_device& device, const void* problem);
  const char* (*source)(const ww_selection& chosen);
  int (*launch_count)(const ww_selection& chosen);
  void (*options)(const ww_selection& chosen, const void* problem, std::vector<std::string>& to);
  ww_launch_plan (*launch)(const ww_selection& chosen, const void* problem, int index);
  ww_tensor (*tensor)(const ww_selection& chosen, const void* problem, int index);
  ww_tensor_map (*tensor_map)(const ww_selection& chosen, const void* problem, int index);
};

// `tensors` has an address for every tensor of the kernel; those of workspaces are not looked at.
Status launch(const Kernel& kernel, CUstream stream, const void* problem,
              const CUdeviceptr* tensors);
// Does the same as launch(), but without the launches.
Status prepare(const Kernel& kernel, CUstream stream, const void* problem,
               const CUdeviceptr* tensors);

}  // namespace warpwright
