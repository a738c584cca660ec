#include "support/cuda_stand_in.h"

#include <cuda.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

namespace warpwright::testing {
namespace {

struct Module {
  std::shared_ptr<const DeviceModule> module;
};
struct Function {
  std::shared_ptr<const DeviceModule> module;
  std::string entry;
  // The most that a launch may ask for, unless an attribute of the function has raised it.
  unsigned most_shared = 48 * 1024;
  unsigned most_blocks = 8;  // of a cluster
};

std::vector<std::unique_ptr<Module>>& modules() {
  static std::vector<std::unique_ptr<Module>> all;
  return all;
}
std::vector<std::unique_ptr<Function>>& functions() {
  static std::vector<std::unique_ptr<Function>> all;
  return all;
}
std::map<std::uint64_t, std::unique_ptr<DeviceBuffer>>& buffers() {
  static std::map<std::uint64_t, std::unique_ptr<DeviceBuffer>> all;
  return all;
}

}  // namespace

CudaStandIn& cuda_stand_in() {
  static CudaStandIn one;
  return one;
}

void CudaStandIn::reset() {
  buffers().clear();
  functions().clear();
  modules().clear();
  *this = {};
}

namespace {

DeviceBuffer* buffer_of(std::uint64_t address) {
  const auto found = buffers().find(address);
  return found == buffers().end() ? nullptr : found->second.get();
}

CUresult fill_with(CUdeviceptr address, std::uint32_t pattern, std::size_t bytes) {
  DeviceBuffer* buffer = buffer_of(address);
  if (buffer == nullptr || bytes > buffer->bytes()) return CUDA_ERROR_INVALID_VALUE;
  cuda_stand_in().device->fill(*buffer, 0, bytes, pattern);
  return CUDA_SUCCESS;
}

// Each parameter has the bytes that the entry takes.
CUresult run(const Function& function, const CUlaunchConfig& config, void** parameters) {
  CudaStandIn& self = cuda_stand_in();
  DeviceLaunch launch;
  launch.module = function.module;
  launch.entry = function.entry;
  launch.grid = {config.gridDimX, config.gridDimY, config.gridDimZ};
  launch.block = {config.blockDimX, config.blockDimY, config.blockDimZ};
  launch.dynamic_shared = config.sharedMemBytes;
  for (unsigned i = 0; i < config.numAttrs; ++i) {
    if (config.attrs[i].id != CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION) continue;
    const auto& cluster = config.attrs[i].value.clusterDim;
    launch.cluster = {cluster.x, cluster.y, cluster.z};
  }
  const unsigned blocks = launch.cluster[0] * launch.cluster[1] * launch.cluster[2];
  self.largest_cluster = std::max(self.largest_cluster, blocks);
  if (blocks > function.most_blocks) return CUDA_ERROR_INVALID_CLUSTER_SIZE;
  if (config.sharedMemBytes > function.most_shared) return CUDA_ERROR_INVALID_VALUE;
  const std::vector<std::size_t> sizes = function.module->parameter_sizes(function.entry);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (parameters[i] == nullptr) return CUDA_ERROR_INVALID_VALUE;
    std::vector<std::byte>& bytes = launch.arguments.emplace_back(sizes[i]);
    std::memcpy(bytes.data(), parameters[i], sizes[i]);
    if (sizes[i] != 8) continue;
    std::uint64_t address = 0;
    std::memcpy(&address, bytes.data(), 8);
    self.given[config.hStream].insert(address);
  }
  const auto start = [launch] {
    CudaStandIn& now = cuda_stand_in();
    ++now.launches;
    now.last_entry = launch.entry;
    now.last = now.device->launch({&launch, 1}, now.limits);
    return now.last.status == Status::kOk ? CUDA_SUCCESS : CUDA_ERROR_LAUNCH_FAILED;
  };
  if (!self.capturing) return start();
  self.captured.emplace_back(start);
  return CUDA_SUCCESS;
}

}  // namespace
}  // namespace warpwright::testing

using warpwright::testing::cuda_stand_in;

extern "C" {

CUresult cuGetErrorString(CUresult error, const char** text) {
  *text = error == CUDA_ERROR_LAUNCH_FAILED ? "launch failed" : "invalid value";
  return CUDA_SUCCESS;
}
CUresult cuInit(unsigned) { return CUDA_SUCCESS; }
CUresult cuDeviceGet(CUdevice* device, int) {
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuDevicePrimaryCtxRetain(CUcontext* context, CUdevice) {
  *context = reinterpret_cast<CUcontext>(cuda_stand_in().device);
  return CUDA_SUCCESS;
}
CUresult cuCtxSetCurrent(CUcontext) { return CUDA_SUCCESS; }
CUresult cuStreamSynchronize(CUstream) { return CUDA_SUCCESS; }
CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void* from, std::size_t bytes) {
  warpwright::DeviceBuffer* buffer = warpwright::testing::buffer_of(to);
  if (buffer == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cuda_stand_in().device->upload(*buffer, 0, {static_cast<const std::byte*>(from), bytes});
  return CUDA_SUCCESS;
}
CUresult cuMemcpyDtoH_v2(void* to, CUdeviceptr from, std::size_t bytes) {
  const warpwright::DeviceBuffer* buffer = warpwright::testing::buffer_of(from);
  if (buffer == nullptr) return CUDA_ERROR_INVALID_VALUE;
  cuda_stand_in().device->download({static_cast<std::byte*>(to), bytes}, *buffer, 0);
  return CUDA_SUCCESS;
}
CUresult cuCtxGetCurrent(CUcontext* context) {
  *context = reinterpret_cast<CUcontext>(cuda_stand_in().device);
  return CUDA_SUCCESS;
}
CUresult cuCtxGetDevice(CUdevice* device) {
  *device = 0;
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetName(char* name, int bytes, CUdevice) {
  const std::string& text = cuda_stand_in().device->info().name;
  std::strncpy(name, text.c_str(), static_cast<std::size_t>(bytes) - 1);
  return CUDA_SUCCESS;
}
CUresult cuDeviceGetAttribute(int* value, CUdevice_attribute which, CUdevice) {
  const warpwright::DeviceInfo& info = cuda_stand_in().device->info();
  switch (which) {
    case CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN:
      *value = info.max_shared_per_block;
      return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = info.max_threads_per_block;
      return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_WARP_SIZE:
      *value = info.warp_size;
      return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT:
      *value = info.sm_count;
      return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR:
      *value = info.registers_per_sm;
      return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK:
      *value = info.registers_per_block;
      return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE:
      *value = static_cast<int>(info.l2_bytes);
      return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR:
      *value = info.compute_capability / 10;
      return CUDA_SUCCESS;
    case CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR:
      *value = info.compute_capability % 10;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_INVALID_VALUE;
  }
}
CUresult cuStreamCreate(CUstream* stream, unsigned) {
  *stream = reinterpret_cast<CUstream>(std::uintptr_t{64});
  return CUDA_SUCCESS;
}
// There is one graph, made of the calls that were captured last.
CUresult cuStreamBeginCapture_v2(CUstream, CUstreamCaptureMode) {
  cuda_stand_in().capturing = true;
  cuda_stand_in().captured.clear();
  return CUDA_SUCCESS;
}
CUresult cuStreamEndCapture(CUstream, CUgraph* graph) {
  cuda_stand_in().capturing = false;
  *graph = nullptr;
  return CUDA_SUCCESS;
}
CUresult cuGraphInstantiateWithFlags(CUgraphExec* exec, CUgraph, unsigned long long) {
  *exec = nullptr;
  return CUDA_SUCCESS;
}
CUresult cuGraphLaunch(CUgraphExec, CUstream) {
  for (const auto& start : cuda_stand_in().captured) {
    const CUresult result = start();
    if (result != CUDA_SUCCESS) return result;
  }
  return CUDA_SUCCESS;
}
CUresult cuStreamIsCapturing(CUstream, CUstreamCaptureStatus* status) {
  *status =
      cuda_stand_in().capturing ? CU_STREAM_CAPTURE_STATUS_ACTIVE : CU_STREAM_CAPTURE_STATUS_NONE;
  return CUDA_SUCCESS;
}
CUresult cuModuleLoadData(CUmodule* module, const void* image) {
  warpwright::CompileResult compiled;
  compiled.ok = true;
  compiled.ptx = static_cast<const char*>(image);
  warpwright::Device::Loaded loaded = cuda_stand_in().device->load(compiled);
  if (loaded.module == nullptr) return CUDA_ERROR_INVALID_PTX;
  ++cuda_stand_in().loads;
  auto made = std::make_unique<warpwright::testing::Module>();
  made->module = loaded.module;
  *module = reinterpret_cast<CUmodule>(made.get());
  warpwright::testing::modules().push_back(std::move(made));
  return CUDA_SUCCESS;
}
CUresult cuModuleGetFunction(CUfunction* function, CUmodule module, const char* name) {
  const auto* from = reinterpret_cast<const warpwright::testing::Module*>(module);
  if (!from->module->resources(name)) return CUDA_ERROR_NOT_FOUND;
  auto made = std::make_unique<warpwright::testing::Function>();
  made->module = from->module;
  made->entry = name;
  *function = reinterpret_cast<CUfunction>(made.get());
  warpwright::testing::functions().push_back(std::move(made));
  return CUDA_SUCCESS;
}
CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute what, int value) {
  auto& told = *reinterpret_cast<warpwright::testing::Function*>(function);
  if (what == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
    told.most_shared = static_cast<unsigned>(value);
  if (what == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED && value != 0)
    told.most_blocks = 16;
  return CUDA_SUCCESS;
}
CUresult cuLaunchKernelEx(const CUlaunchConfig* config, CUfunction function, void** parameters,
                          void**) {
  return warpwright::testing::run(*reinterpret_cast<const warpwright::testing::Function*>(function),
                                  *config, parameters);
}
CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                void* address, const cuuint64_t* sizes, const cuuint64_t* strides,
                                const cuuint32_t* box, const cuuint32_t* steps,
                                CUtensorMapInterleave, CUtensorMapSwizzle swizzle,
                                CUtensorMapL2promotion, CUtensorMapFloatOOBfill fill) {
  namespace emu = warpwright::emu;
  if (rank < 1 || rank > 5 || reinterpret_cast<std::uintptr_t>(address) % 16 != 0)
    return CUDA_ERROR_INVALID_VALUE;
  ++cuda_stand_in().encodings;
  emu::TensorMap made;
  made.rank = static_cast<std::uint8_t>(rank);
  made.element = static_cast<emu::TensorElement>(type);
  made.swizzle = static_cast<emu::TensorSwizzle>(swizzle);
  made.fill = static_cast<emu::TensorFill>(fill);
  made.address = reinterpret_cast<std::uintptr_t>(address);
  for (cuuint32_t i = 0; i < rank; ++i) {
    if (box[i] < 1 || box[i] > 256) return CUDA_ERROR_INVALID_VALUE;
    made.sizes[i] = sizes[i];
    made.box[i] = static_cast<std::uint16_t>(box[i]);
    made.element_strides[i] = static_cast<std::uint8_t>(steps[i]);
    if (i + 1 < rank && strides[i] % 16 != 0) return CUDA_ERROR_INVALID_VALUE;
    if (i + 1 < rank) made.strides[i] = strides[i];
  }
  const auto bytes = emu::to_bytes(made);
  std::memcpy(map, bytes.data(), bytes.size());
  return CUDA_SUCCESS;
}
CUresult cuMemAlloc_v2(CUdeviceptr* address, std::size_t bytes) {
  auto buffer = cuda_stand_in().device->allocate(bytes, "workspace");
  *address = buffer->address();
  ++cuda_stand_in().allocations;
  cuda_stand_in().workspaces.insert(buffer->address());
  warpwright::testing::buffers()[buffer->address()] = std::move(buffer);
  return CUDA_SUCCESS;
}
CUresult cuMemFree_v2(CUdeviceptr address) {
  return warpwright::testing::buffers().erase(address) == 1 ? CUDA_SUCCESS
                                                            : CUDA_ERROR_INVALID_VALUE;
}
CUresult cuMemsetD8Async(CUdeviceptr address, unsigned char value, std::size_t count, CUstream) {
  return warpwright::testing::fill_with(address, value * 0x01010101U, count);
}
CUresult cuMemsetD16Async(CUdeviceptr address, unsigned short value, std::size_t count, CUstream) {
  return warpwright::testing::fill_with(address, value * 0x00010001U, 2 * count);
}
CUresult cuMemsetD32Async(CUdeviceptr address, unsigned value, std::size_t count, CUstream) {
  return warpwright::testing::fill_with(address, value, 4 * count);
}

}  // extern "C"
