#include "device/cuda/driver.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cstdlib>
#include <string>

#include "core/error.h"

namespace warpwright::cuda {
namespace {

// Records the first missing name, so that the table reads as a plain list.
class Loader {
 public:
  explicit Loader(void* library) : library_(library) {}

  template <typename Function>
  void optional(Function& to, const char* name) {
    to = reinterpret_cast<Function>(::dlsym(library_, name));
  }
  template <typename Function>
  void required(Function& to, const char* name) {
    optional(to, name);
    if (to == nullptr && missing_.empty()) missing_ = name;
  }
  [[nodiscard]] const std::string& missing() const { return missing_; }

 private:
  void* library_;
  std::string missing_;
};

// Names and signatures are those of cuda.h; the suffixes are the ones that its #defines append.
// cuEventElapsedTime stays without its suffix: _v2 (CUDA 12.8) has the same signature, and the old
// name is in every driver.
std::string load_functions(void* library, Driver::Functions& to) {
  Loader loader(library);
  loader.required(to.init, "cuInit");
  loader.required(to.driver_get_version, "cuDriverGetVersion");
  loader.required(to.get_error_name, "cuGetErrorName");
  loader.required(to.get_error_string, "cuGetErrorString");
  loader.required(to.device_get_count, "cuDeviceGetCount");
  loader.required(to.device_get, "cuDeviceGet");
  loader.required(to.device_get_name, "cuDeviceGetName");
  loader.required(to.device_get_uuid, "cuDeviceGetUuid_v2");
  loader.required(to.device_total_mem, "cuDeviceTotalMem_v2");
  loader.required(to.device_get_attribute, "cuDeviceGetAttribute");
  loader.required(to.primary_context_retain, "cuDevicePrimaryCtxRetain");
  loader.required(to.primary_context_release, "cuDevicePrimaryCtxRelease_v2");
  loader.required(to.context_set_current, "cuCtxSetCurrent");
  loader.required(to.mem_get_info, "cuMemGetInfo_v2");
  loader.required(to.mem_alloc, "cuMemAlloc_v2");
  loader.required(to.mem_free, "cuMemFree_v2");
  loader.required(to.mem_granularity, "cuMemGetAllocationGranularity");
  loader.required(to.mem_reserve, "cuMemAddressReserve");
  loader.required(to.mem_unreserve, "cuMemAddressFree");
  loader.required(to.mem_create, "cuMemCreate");
  loader.required(to.mem_release, "cuMemRelease");
  loader.required(to.mem_map, "cuMemMap");
  loader.required(to.mem_unmap, "cuMemUnmap");
  loader.required(to.mem_set_access, "cuMemSetAccess");
  loader.required(to.copy_to_device, "cuMemcpyHtoDAsync_v2");
  loader.required(to.copy_to_host, "cuMemcpyDtoHAsync_v2");
  loader.required(to.copy_on_device, "cuMemcpyDtoDAsync_v2");
  loader.required(to.memset_d32, "cuMemsetD32Async");
  loader.required(to.module_load, "cuModuleLoadDataEx");
  loader.required(to.module_unload, "cuModuleUnload");
  loader.required(to.module_get_function, "cuModuleGetFunction");
  loader.required(to.module_get_global, "cuModuleGetGlobal_v2");
  loader.required(to.function_get_attribute, "cuFuncGetAttribute");
  loader.required(to.function_set_attribute, "cuFuncSetAttribute");
  loader.optional(to.function_parameter_info, "cuFuncGetParamInfo");
  loader.required(to.encode_tensor_map, "cuTensorMapEncodeTiled");
  loader.required(to.launch_kernel, "cuLaunchKernelEx");
  loader.required(to.stream_create, "cuStreamCreate");
  loader.required(to.stream_destroy, "cuStreamDestroy_v2");
  loader.required(to.stream_query, "cuStreamQuery");
  loader.required(to.event_create, "cuEventCreate");
  loader.required(to.event_destroy, "cuEventDestroy_v2");
  loader.required(to.event_record, "cuEventRecord");
  loader.required(to.event_elapsed_time, "cuEventElapsedTime");
  loader.required(to.event_record_with_flags, "cuEventRecordWithFlags");
  loader.required(to.stream_begin_capture, "cuStreamBeginCapture_v2");
  loader.required(to.stream_end_capture, "cuStreamEndCapture");
  loader.required(to.graph_instantiate, "cuGraphInstantiateWithFlags");
  loader.required(to.graph_upload, "cuGraphUpload");
  loader.required(to.graph_launch, "cuGraphLaunch");
  loader.required(to.graph_exec_destroy, "cuGraphExecDestroy");
  loader.required(to.graph_destroy, "cuGraphDestroy");
  loader.required(to.reset_persisting_l2, "cuCtxResetPersistingL2Cache");
  return loader.missing();
}

std::string no_device_hint() {
  const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
  return visible == nullptr ? std::string()
                            : fmt::format("; CUDA_VISIBLE_DEVICES is '{}'", visible);
}

}  // namespace

DriverLookup Driver::open() {
  // The library is never closed: unloading libcuda while its own threads run is undefined, and a
  // second dlopen only adds a reference.
  void* library = ::dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return {nullptr, "libcuda.so.1 not found (no NVIDIA driver)"};

  auto driver = std::make_shared<Driver>();
  if (const std::string missing = load_functions(library, driver->functions_); !missing.empty()) {
    return {nullptr,
            fmt::format("libcuda.so.1 lacks {}: the driver is older than CUDA 12.0", missing)};
  }
  const Functions& functions = driver->functions_;
  if (const CUresult result = functions.init(0); result == CUDA_ERROR_NO_DEVICE) {
    return {nullptr, "the driver reports no device" + no_device_hint()};
  } else if (result != CUDA_SUCCESS) {
    return {nullptr,
            fmt::format("{} while starting the driver (cuInit)", driver->describe(result))};
  }
  if (const CUresult result = functions.device_get_count(&driver->device_count_);
      result != CUDA_SUCCESS) {
    return {nullptr, fmt::format("{} while counting devices", driver->describe(result))};
  }
  if (driver->device_count_ == 0)
    return {nullptr, "the driver reports no device" + no_device_hint()};
  return {std::move(driver), ""};
}

std::string Driver::describe(CUresult result) const {
  const char* name = nullptr;
  const char* text = nullptr;
  if (functions_.get_error_name(result, &name) != CUDA_SUCCESS || name == nullptr) {
    return fmt::format("CUDA error {}", static_cast<int>(result));
  }
  if (functions_.get_error_string(result, &text) != CUDA_SUCCESS || text == nullptr) return name;
  return fmt::format("{} ({})", name, text);
}

void Driver::require(CUresult result, const std::string& doing) const {
  if (result != CUDA_SUCCESS)
    throw environment_error(fmt::format("{} while {}", describe(result), doing));
}

bool is_sticky(CUresult result) {
  switch (result) {
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_CONTAINED:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
    case CUDA_ERROR_TENSOR_MEMORY_LEAK:
    case CUDA_ERROR_EXTERNAL_DEVICE:
    case CUDA_ERROR_MPS_CLIENT_TERMINATED:
    case CUDA_ERROR_DEINITIALIZED:
    case CUDA_ERROR_UNKNOWN:
      return true;
    default:
      return false;
  }
}

}  // namespace warpwright::cuda
