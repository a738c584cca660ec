// The CUDA driver, opened with dlopen so that Warpwright starts on machines without one.
// Types come from cuda.h; functions are looked up under the versioned names that cuda.h maps them
// to, except where an older name with the same signature reaches older drivers (see driver.cpp).
// Needs a driver of CUDA 12.0 or newer.
#pragma once

#include <cuda.h>

#include <memory>
#include <string>

namespace warpwright::cuda {

struct DriverLookup;

class Driver {
 public:
  // The table of functions; every member is set except those marked optional.
  struct Functions {
    decltype(&::cuInit) init = nullptr;
    decltype(&::cuDriverGetVersion) driver_get_version = nullptr;
    decltype(&::cuGetErrorName) get_error_name = nullptr;
    decltype(&::cuGetErrorString) get_error_string = nullptr;
    decltype(&::cuDeviceGetCount) device_get_count = nullptr;
    decltype(&::cuDeviceGet) device_get = nullptr;
    decltype(&::cuDeviceGetName) device_get_name = nullptr;
    decltype(&::cuDeviceGetUuid) device_get_uuid = nullptr;
    decltype(&::cuDeviceTotalMem) device_total_mem = nullptr;
    decltype(&::cuDeviceGetAttribute) device_get_attribute = nullptr;
    decltype(&::cuDevicePrimaryCtxRetain) primary_context_retain = nullptr;
    decltype(&::cuDevicePrimaryCtxRelease) primary_context_release = nullptr;
    decltype(&::cuCtxSetCurrent) context_set_current = nullptr;
    decltype(&::cuMemGetInfo) mem_get_info = nullptr;
    decltype(&::cuMemAlloc) mem_alloc = nullptr;
    decltype(&::cuMemFree) mem_free = nullptr;
    decltype(&::cuMemGetAllocationGranularity) mem_granularity = nullptr;
    decltype(&::cuMemAddressReserve) mem_reserve = nullptr;
    decltype(&::cuMemAddressFree) mem_unreserve = nullptr;
    decltype(&::cuMemCreate) mem_create = nullptr;
    decltype(&::cuMemRelease) mem_release = nullptr;
    decltype(&::cuMemMap) mem_map = nullptr;
    decltype(&::cuMemUnmap) mem_unmap = nullptr;
    decltype(&::cuMemSetAccess) mem_set_access = nullptr;
    decltype(&::cuMemcpyHtoDAsync) copy_to_device = nullptr;
    decltype(&::cuMemcpyDtoHAsync) copy_to_host = nullptr;
    decltype(&::cuMemcpyDtoDAsync) copy_on_device = nullptr;
    decltype(&::cuMemsetD32Async) memset_d32 = nullptr;
    decltype(&::cuModuleLoadDataEx) module_load = nullptr;
    decltype(&::cuModuleUnload) module_unload = nullptr;
    decltype(&::cuModuleGetFunction) module_get_function = nullptr;
    decltype(&::cuModuleGetGlobal) module_get_global = nullptr;
    decltype(&::cuFuncGetAttribute) function_get_attribute = nullptr;
    decltype(&::cuFuncSetAttribute) function_set_attribute = nullptr;
    decltype(&::cuFuncGetParamInfo) function_parameter_info = nullptr;  // optional: CUDA 12.4
    decltype(&::cuTensorMapEncodeTiled) encode_tensor_map = nullptr;
    decltype(&::cuLaunchKernelEx) launch_kernel = nullptr;
    decltype(&::cuStreamCreate) stream_create = nullptr;
    decltype(&::cuStreamDestroy) stream_destroy = nullptr;
    decltype(&::cuStreamQuery) stream_query = nullptr;
    decltype(&::cuEventCreate) event_create = nullptr;
    decltype(&::cuEventDestroy) event_destroy = nullptr;
    decltype(&::cuEventRecord) event_record = nullptr;
    decltype(&::cuEventElapsedTime) event_elapsed_time = nullptr;
    decltype(&::cuEventRecordWithFlags) event_record_with_flags = nullptr;
    decltype(&::cuStreamBeginCapture) stream_begin_capture = nullptr;
    decltype(&::cuStreamEndCapture) stream_end_capture = nullptr;
    decltype(&::cuGraphInstantiateWithFlags) graph_instantiate = nullptr;
    decltype(&::cuGraphUpload) graph_upload = nullptr;
    decltype(&::cuGraphLaunch) graph_launch = nullptr;
    decltype(&::cuGraphExecDestroy) graph_exec_destroy = nullptr;
    decltype(&::cuGraphDestroy) graph_destroy = nullptr;
    decltype(&::cuCtxResetPersistingL2Cache) reset_persisting_l2 = nullptr;
  };

  // Opens libcuda.so.1 and calls cuInit. Creates no context. Never throws.
  [[nodiscard]] static DriverLookup open();

  [[nodiscard]] const Functions& functions() const { return functions_; }
  [[nodiscard]] int device_count() const { return device_count_; }
  // "CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access was encountered)"
  [[nodiscard]] std::string describe(CUresult result) const;
  // Throws Error (environment): "<describe(result)> while <doing>".
  void require(CUresult result, const std::string& doing) const;

 private:
  Functions functions_;
  int device_count_ = 0;
};

// Either a driver with at least one device, or the reason why there is none.
struct DriverLookup {
  std::shared_ptr<const Driver> driver;
  std::string why_not;
};

// True for errors after which the context answers nothing but the same error: the process must be
// replaced.
[[nodiscard]] bool is_sticky(CUresult result);

}  // namespace warpwright::cuda
