#include "warpwright_launcher.h"

#include <dlfcn.h>
#include <nvrtc.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>

namespace warpwright {
namespace {

Status refused(std::string message) { return {Status::kRefused, std::move(message)}; }

Status driver_status(CUresult result, const char* call) {
  if (result == CUDA_SUCCESS) return {};
  const char* text = nullptr;
  cuGetErrorString(result, &text);
  return {Status::kDriver, std::string(call) + " failed: " + (text != nullptr ? text : "unknown")};
}

// --- NVRTC, opened at run time ---

struct Nvrtc {
  decltype(&nvrtcVersion) version = nullptr;
  decltype(&nvrtcCreateProgram) create = nullptr;
  decltype(&nvrtcCompileProgram) compile = nullptr;
  decltype(&nvrtcDestroyProgram) destroy = nullptr;
  decltype(&nvrtcGetProgramLogSize) log_size = nullptr;
  decltype(&nvrtcGetProgramLog) log = nullptr;
  decltype(&nvrtcGetCUBINSize) code_size = nullptr;
  decltype(&nvrtcGetCUBIN) code = nullptr;
};

template <typename Function>
bool find_symbol(void* library, const char* name, Function& to) {
  to = reinterpret_cast<Function>(dlsym(library, name));
  return to != nullptr;
}

Status open_nvrtc(const std::string& path, Nvrtc& to) {
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr)
    return {Status::kCompile, std::string("NVRTC cannot be opened: ") + dlerror() +
                                  "; name it in LauncherOptions::nvrtc"};
  const bool complete = find_symbol(library, "nvrtcVersion", to.version) &&
                        find_symbol(library, "nvrtcCreateProgram", to.create) &&
                        find_symbol(library, "nvrtcCompileProgram", to.compile) &&
                        find_symbol(library, "nvrtcDestroyProgram", to.destroy) &&
                        find_symbol(library, "nvrtcGetProgramLogSize", to.log_size) &&
                        find_symbol(library, "nvrtcGetProgramLog", to.log) &&
                        find_symbol(library, "nvrtcGetCUBINSize", to.code_size) &&
                        find_symbol(library, "nvrtcGetCUBIN", to.code);
  if (!complete) return {Status::kCompile, path + " is not an NVRTC that makes machine code"};
  return {};
}

// --- Machine code in a folder: named by all that it follows from, published by a rename ---

class Digest {
 public:
  void add(const std::string& text) {
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
    add_byte(0);  // ("ab", "c") and ("a", "bc") differ
  }
  std::string hex() const {
    char text[33] = {};
    std::snprintf(text, sizeof text, "%016llx%016llx", a_, b_);
    return text;
  }

 private:
  // FNV-1a, twice from different beginnings.
  void add_byte(unsigned char byte) {
    a_ = (a_ ^ byte) * 1099511628211ULL;
    b_ = (b_ ^ byte ^ 0x5aU) * 1099511628211ULL;
  }
  unsigned long long a_ = 14695981039346656037ULL;
  unsigned long long b_ = 1469598103934665603ULL;
};

std::string digest_of(const std::string& text) {
  Digest digest;
  digest.add(text);
  return digest.hex();
}

// Returns "" if the file is missing or its content is not as written.
std::string read_code(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string all{std::istreambuf_iterator<char>(in), {}};
  if (all.size() < 32) return "";
  std::string code = all.substr(32);
  return digest_of(code) == all.substr(0, 32) ? code : "";
}

// A failure to keep the code is not an error.
void write_code(const std::string& file, const std::string& code) {
  static std::atomic<unsigned> number{0};
  const std::string draft = file + "." + std::to_string(getpid()) + "." + std::to_string(number++);
  std::ofstream out(draft, std::ios::binary);
  out << digest_of(code) << code;
  out.close();
  if (!out || std::rename(draft.c_str(), file.c_str()) != 0) std::remove(draft.c_str());
}

// --- What is kept ---

struct Device {
  std::string name, arch;
  ww_limits limits;
};

// The prepared state of one kernel, one problem and one context.
struct Prepared {
  const Kernel* kernel = nullptr;
  CUcontext context = nullptr;
  std::vector<unsigned char> problem;
  ww_selection chosen;
  std::vector<ww_tensor> tensors;
  std::vector<ww_launch_plan> plans;
  std::vector<CUfunction> functions;
  std::vector<ww_tensor_map> maps;
};

struct MapKey {
  const Prepared* prepared;
  int index;
  CUdeviceptr address;
  bool operator<(const MapKey& other) const {
    return std::tie(prepared, index, address) <
           std::tie(other.prepared, other.index, other.address);
  }
};

// A descriptor is copied into the launch, so that old ones may be forgotten.
constexpr std::size_t kMostMaps = 4096;

struct WorkspaceKey {
  CUcontext context;
  CUstream stream;
  const Kernel* kernel;
  int tensor;
  bool operator<(const WorkspaceKey& other) const {
    return std::tie(context, stream, kernel, tensor) <
           std::tie(other.context, other.stream, other.kernel, other.tensor);
  }
};
struct Workspace {
  CUdeviceptr address = 0;
  long long bytes = 0;
};

class Launcher {
 public:
  void set_options(const LauncherOptions& options) {
    const std::lock_guard<std::mutex> lock(mutex_);
    options_ = options;
    nvrtc_ = {};
  }

  void release(CUstream stream) {
    const std::lock_guard<std::mutex> lock(mutex_);
    for (auto it = workspaces_.begin(); it != workspaces_.end();) {
      if (it->first.stream != stream) {
        ++it;
        continue;
      }
      free_memory(it->second.address, stream);
      it = workspaces_.erase(it);
    }
  }

  Status run(const Kernel& kernel, CUstream stream, const void* problem, const CUdeviceptr* tensors,
             bool launches) {
    const std::lock_guard<std::mutex> lock(mutex_);
    CUcontext context = nullptr;
    Status status = driver_status(cuCtxGetCurrent(&context), "cuCtxGetCurrent");
    if (!status.ok()) return status;
    if (context == nullptr)
      return refused("no CUDA context is current; make one current before the call");
    const Prepared* prepared = find(kernel, context, problem);
    if (prepared == nullptr) {
      status = may_prepare(kernel, stream);
      if (!status.ok()) return status;
      status = make(kernel, context, problem, prepared);
      if (!status.ok()) return status;
    }
    return launch(*prepared, stream, tensors, launches);
  }

 private:
  // Preparing is refused while the stream captures. Calls that need nothing new do not check.
  static Status may_prepare(const Kernel& kernel, CUstream stream) {
    CUstreamCaptureStatus capture = CU_STREAM_CAPTURE_STATUS_NONE;
    const Status status =
        driver_status(cuStreamIsCapturing(stream, &capture), "cuStreamIsCapturing");
    if (!status.ok()) return status;
    return capture == CU_STREAM_CAPTURE_STATUS_NONE ? Status{} : unprepared(kernel);
  }
  static Status unprepared(const Kernel& kernel) {
    return refused(std::string(kernel.name) +
                   ": these sizes are not prepared on this stream, which captures; call " +
                   kernel.name + "_prepare on it before the capture begins");
  }

  // The last call is likely to be repeated, so it moves to the front.
  const Prepared* find(const Kernel& kernel, CUcontext context, const void* problem) {
    const auto found = std::find_if(prepared_.begin(), prepared_.end(), [&](const auto& one) {
      return one->kernel == &kernel && one->context == context &&
             kernel.same_sizes(one->problem.data(), problem);
    });
    if (found == prepared_.end()) return nullptr;
    std::rotate(prepared_.begin(), found, found + 1);
    return prepared_.front().get();
  }

  Status describe(Device& device) {
    CUdevice number = 0;
    Status status = driver_status(cuCtxGetDevice(&number), "cuCtxGetDevice");
    if (!status.ok()) return status;
    char name[256] = {};
    status = driver_status(cuDeviceGetName(name, sizeof name, number), "cuDeviceGetName");
    if (!status.ok()) return status;
    int failed = 0;
    const auto attribute = [&](int which) {
      int value = 0;
      if (cuDeviceGetAttribute(&value, static_cast<CUdevice_attribute>(which), number) !=
          CUDA_SUCCESS)
        ++failed;
      return static_cast<long long>(value);
    };
    device.name = name;
    device.limits.max_shared = attribute(WW_ATTRIBUTE_MAX_SHARED);
    device.limits.max_threads = attribute(WW_ATTRIBUTE_MAX_THREADS);
    device.limits.warp_size = attribute(WW_ATTRIBUTE_WARP_SIZE);
    device.limits.sm_count = attribute(WW_ATTRIBUTE_SM_COUNT);
    device.limits.registers_per_sm = attribute(WW_ATTRIBUTE_REGISTERS_PER_SM);
    device.limits.registers_per_block = attribute(WW_ATTRIBUTE_REGISTERS_PER_BLOCK);
    device.limits.l2_bytes = attribute(WW_ATTRIBUTE_L2_BYTES);
    const long long capability =
        10 * attribute(WW_ATTRIBUTE_CAPABILITY_MAJOR) + attribute(WW_ATTRIBUTE_CAPABILITY_MINOR);
    // From 9.0 on, the instructions of one architecture need the "a".
    device.arch = "sm_" + std::to_string(capability) + (capability >= 90 ? "a" : "");
    if (failed > 0) return {Status::kDriver, "cuDeviceGetAttribute failed"};
    return {};
  }

  // Chooses, compiles and loads; the result is kept on success.
  Status make(const Kernel& kernel, CUcontext context, const void* problem, const Prepared*& to) {
    Device device;
    Status status = describe(device);
    if (!status.ok()) return status;
    auto made = std::make_unique<Prepared>();
    made->kernel = &kernel;
    made->context = context;
    const auto* bytes = static_cast<const unsigned char*>(problem);
    made->problem.assign(bytes, bytes + kernel.problem_bytes);
    made->chosen =
        kernel.select({device.name.c_str(), device.arch.c_str(), device.limits}, problem);
    if (made->chosen.configuration < 0)
      return refused(std::string(kernel.name) + ": no configuration can run these sizes on " +
                     device.name + " (" + device.arch + ")");
    for (int i = 0; i < kernel.tensor_count; ++i) {
      made->tensors.push_back(kernel.tensor(made->chosen, problem, i));
      if (made->tensors.back().ok == 0)
        return refused(std::string(kernel.name) + ": a tensor of these sizes has no shape");
    }
    CUmodule module = nullptr;
    status = load(kernel, made->chosen, problem, device.arch, module);
    if (!status.ok()) return status;
    for (int i = 0; i < kernel.launch_count(made->chosen); ++i) {
      made->plans.push_back(kernel.launch(made->chosen, problem, i));
      status = add_function(module, made->plans.back(), made->functions);
      if (!status.ok()) return status;
    }
    if (kernel.tensor_map != nullptr) {
      for (int i = 0;; ++i) {
        const ww_tensor_map map = kernel.tensor_map(made->chosen, problem, i);
        if (map.ok == 0) break;
        made->maps.push_back(map);
      }
    }
    to = made.get();
    prepared_.push_back(std::move(made));
    return {};
  }

  static Status add_function(CUmodule module, const ww_launch_plan& plan,
                             std::vector<CUfunction>& to) {
    if (plan.ok == 0) return refused("the launch of these sizes cannot be computed");
    CUfunction function = nullptr;
    Status status =
        driver_status(cuModuleGetFunction(&function, module, plan.entry), "cuModuleGetFunction");
    if (!status.ok()) return status;
    to.push_back(function);
    const long long cluster = plan.cluster[0] * plan.cluster[1] * plan.cluster[2];
    if (plan.shared_bytes > 49152)
      status = allow(function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
                     static_cast<int>(plan.shared_bytes));
    if (status.ok() && cluster > 8)
      status = allow(function, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
    return status;
  }

  static Status allow(CUfunction function, CUfunction_attribute what, int value) {
    return driver_status(cuFuncSetAttribute(function, what, value), "cuFuncSetAttribute");
  }

  Status load(const Kernel& kernel, const ww_selection& chosen, const void* problem,
              const std::string& arch, CUmodule& module) {
    std::vector<std::string> options = {"--gpu-architecture=" + arch};
    kernel.options(chosen, problem, options);
    std::string code;
    const Status status = compile(kernel, kernel.source(chosen), options, code);
    if (!status.ok()) return status;
    return driver_status(cuModuleLoadData(&module, code.data()), "cuModuleLoadData");
  }

  Status compile(const Kernel& kernel, const char* name, const std::vector<std::string>& options,
                 std::string& code) {
    const char* source = nullptr;
    for (int i = 0; i < kernel.source_count; ++i) {
      if (std::strcmp(kernel.sources[i].name, name) == 0) source = kernel.sources[i].text;
    }
    if (source == nullptr)
      return {Status::kCompile, std::string(kernel.name) + ": the source " + name +
                                    " was never tuned, and is not part of this launcher"};
    if (nvrtc_.version == nullptr) {
      const Status status = open_nvrtc(options_.nvrtc, nvrtc_);
      if (!status.ok()) return status;
    }
    Digest digest;
    int major = 0;
    int minor = 0;
    nvrtc_.version(&major, &minor);
    digest.add(std::to_string(major) + "." + std::to_string(minor) + " " + name);
    for (const std::string& option : options) digest.add(option);
    for (int i = 0; i < kernel.source_count; ++i) digest.add(kernel.sources[i].text);
    const std::string file =
        options_.cache_folder.empty() ? "" : options_.cache_folder + "/" + digest.hex() + ".cubin";
    if (!file.empty()) code = read_code(file);
    if (!code.empty()) return {};
    const Status status = run_nvrtc(kernel, name, source, options, code);
    if (status.ok() && !file.empty()) write_code(file, code);
    return status;
  }

  Status run_nvrtc(const Kernel& kernel, const char* name, const char* source,
                   const std::vector<std::string>& options, std::string& code) {
    std::vector<std::string> folders;
    for (const std::string& folder : options_.toolkit_include) folders.push_back("-I" + folder);
    std::vector<const char*> words;
    for (const std::string& option : options) words.push_back(option.c_str());
    for (const std::string& folder : folders) words.push_back(folder.c_str());
    std::vector<const char*> names;
    std::vector<const char*> texts;
    for (int i = 0; i < kernel.source_count; ++i) {
      names.push_back(kernel.sources[i].name);
      texts.push_back(kernel.sources[i].text);
    }
    nvrtcProgram program = nullptr;
    if (nvrtc_.create(&program, source, name, kernel.source_count, texts.data(), names.data()) !=
        NVRTC_SUCCESS)
      return {Status::kCompile, "nvrtcCreateProgram failed"};
    Status status;
    std::size_t size = 0;
    if (nvrtc_.compile(program, static_cast<int>(words.size()), words.data()) != NVRTC_SUCCESS) {
      nvrtc_.log_size(program, &size);
      std::string log(size, '\0');
      nvrtc_.log(program, &log[0]);
      status = {Status::kCompile,
                std::string(kernel.name) + ": NVRTC refused " + name + ": " + log};
    } else if (nvrtc_.code_size(program, &size) != NVRTC_SUCCESS || size == 0) {
      status = {Status::kCompile, std::string(kernel.name) + ": NVRTC made no machine code"};
    } else {
      code.assign(size, '\0');
      nvrtc_.code(program, &code[0]);
    }
    nvrtc_.destroy(&program);
    return status;
  }

  Status launch(const Prepared& prepared, CUstream stream, const CUdeviceptr* tensors,
                bool launches) {
    constexpr int kMostTensors = 64;
    const Kernel& kernel = *prepared.kernel;
    CUdeviceptr addresses[kMostTensors] = {};
    if (kernel.tensor_count > kMostTensors)
      return refused(std::string(kernel.name) + ": it has more tensors than a launcher holds");
    for (int i = 0; i < kernel.tensor_count; ++i) {
      const ww_tensor& tensor = prepared.tensors[static_cast<std::size_t>(i)];
      if (tensor.used == 0 || tensor.bytes == 0) continue;
      const Status status = tensor.role == WW_WORKSPACE
                                ? find_workspace(prepared, i, stream, addresses[i])
                                : check_tensor(kernel, tensor, tensors[i]);
      if (!status.ok()) return status;
      if (tensor.role != WW_WORKSPACE) addresses[i] = tensors[i];
    }
    // Must not happen while a launch points to some of them.
    if (maps_.size() >= kMostMaps) maps_.clear();
    for (std::size_t i = 0; i < prepared.plans.size(); ++i) {
      const Status status = launch_one(prepared, i, stream, addresses, launches);
      if (!status.ok()) return status;
    }
    return {};
  }

  static Status check_tensor(const Kernel& kernel, const ww_tensor& tensor, CUdeviceptr address) {
    if (address == 0) return refused(std::string(kernel.name) + ": `" + tensor.name + "` is null");
    if (address % static_cast<CUdeviceptr>(tensor.alignment) != 0)
      return refused(std::string(kernel.name) + ": the address of `" + tensor.name +
                     "` is not a multiple of " + std::to_string(tensor.alignment));
    return {};
  }

  // A workspace that became too small is freed and allocated anew, in the order of the stream.
  Status find_workspace(const Prepared& prepared, int index, CUstream stream, CUdeviceptr& to) {
    const ww_tensor& tensor = prepared.tensors[static_cast<std::size_t>(index)];
    const WorkspaceKey key = {prepared.context, stream, prepared.kernel, index};
    const auto found = workspaces_.find(key);
    if (found != workspaces_.end() && found->second.bytes >= tensor.bytes) {
      to = found->second.address;
      return {};
    }
    Status status = may_prepare(*prepared.kernel, stream);
    if (!status.ok()) return status;
    if (found != workspaces_.end()) {
      free_memory(found->second.address, stream);
      workspaces_.erase(found);
    }
    Workspace workspace;
    workspace.bytes = tensor.bytes;
    workspace.address = allocate_memory(tensor.bytes, stream);
    if (workspace.address == 0)
      return {Status::kDriver, std::string(prepared.kernel->name) + ": no memory for `" +
                                   tensor.name + "`, " + std::to_string(tensor.bytes) + " bytes"};
    status = fill(tensor, workspace.address, stream);
    if (!status.ok()) {
      free_memory(workspace.address, stream);
      return status;
    }
    workspaces_[key] = workspace;
    to = workspace.address;
    return {};
  }

  static Status fill(const ww_tensor& tensor, CUdeviceptr address, CUstream stream) {
    if (tensor.initial == nullptr) return {};
    const auto width = static_cast<std::size_t>(ww_dtype_bytes(tensor.dtype));
    const std::size_t count = static_cast<std::size_t>(tensor.bytes) / width;
    const unsigned long long bits = tensor.initial_bits;
    CUresult result = CUDA_ERROR_NOT_SUPPORTED;
    if (bits == 0) {
      result = cuMemsetD8Async(address, 0, static_cast<std::size_t>(tensor.bytes), stream);
    } else if (width == 1) {
      result = cuMemsetD8Async(address, static_cast<unsigned char>(bits), count, stream);
    } else if (width == 2) {
      result = cuMemsetD16Async(address, static_cast<unsigned short>(bits), count, stream);
    } else if (width == 4) {
      result = cuMemsetD32Async(address, static_cast<unsigned>(bits), count, stream);
    }
    return driver_status(result, "cuMemset");
  }

  Status launch_one(const Prepared& prepared, std::size_t index, CUstream stream,
                    const CUdeviceptr* addresses, bool launches) {
    const ww_launch_plan& plan = prepared.plans[index];
    CUdeviceptr pointers[WW_MOST_ARGUMENTS];
    unsigned long long bits[WW_MOST_ARGUMENTS];
    void* parameters[WW_MOST_ARGUMENTS] = {};  // what is missing is an error of the driver
    for (int i = 0; i < plan.argument_count; ++i) {
      const ww_argument& argument = plan.arguments[i];
      if (argument.kind == WW_TENSOR) {
        pointers[i] = addresses[argument.index];
        parameters[i] = &pointers[i];
      } else if (argument.kind == WW_SCALAR) {
        bits[i] = argument.bits;
        parameters[i] = &bits[i];
      } else {
        const Status status = find_map(prepared, argument.index, addresses, parameters[i]);
        if (!status.ok()) return status;
      }
    }
    if (!launches) return {};
    const auto extent = [](long long value) { return static_cast<unsigned>(value); };
    CUlaunchConfig config = {};
    config.gridDimX = extent(plan.grid[0]);
    config.gridDimY = extent(plan.grid[1]);
    config.gridDimZ = extent(plan.grid[2]);
    config.blockDimX = extent(plan.block[0]);
    config.blockDimY = extent(plan.block[1]);
    config.blockDimZ = extent(plan.block[2]);
    config.sharedMemBytes = extent(plan.shared_bytes);
    config.hStream = stream;
    CUlaunchAttribute cluster = {};
    cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
    cluster.value.clusterDim.x = extent(plan.cluster[0]);
    cluster.value.clusterDim.y = extent(plan.cluster[1]);
    cluster.value.clusterDim.z = extent(plan.cluster[2]);
    config.attrs = &cluster;
    config.numAttrs = plan.cluster[0] * plan.cluster[1] * plan.cluster[2] > 1 ? 1 : 0;
    return driver_status(cuLaunchKernelEx(&config, prepared.functions[index], parameters, nullptr),
                         "cuLaunchKernelEx");
  }

  Status find_map(const Prepared& prepared, int index, const CUdeviceptr* addresses, void*& to) {
    const ww_tensor_map& map = prepared.maps[static_cast<std::size_t>(index)];
    const CUdeviceptr address = addresses[map.tensor] + static_cast<CUdeviceptr>(map.offset_bytes);
    const auto found = maps_.find({&prepared, index, address});
    if (found != maps_.end()) {
      to = &found->second;
      return {};
    }
    cuuint64_t sizes[5] = {};
    cuuint64_t strides[4] = {};
    cuuint32_t box[5] = {};
    cuuint32_t steps[5] = {};
    for (int i = 0; i < 5; ++i) {
      sizes[i] = static_cast<cuuint64_t>(map.sizes[i]);
      box[i] = static_cast<cuuint32_t>(map.box[i]);
      steps[i] = static_cast<cuuint32_t>(map.element_strides[i]);
      if (i < 4) strides[i] = static_cast<cuuint64_t>(map.stride_bytes[i]);
    }
    CUtensorMap encoded = {};
    const Status status = driver_status(
        cuTensorMapEncodeTiled(&encoded, static_cast<CUtensorMapDataType>(map.data_type),
                               static_cast<cuuint32_t>(map.rank), reinterpret_cast<void*>(address),
                               sizes, strides, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
                               static_cast<CUtensorMapSwizzle>(map.swizzle),
                               static_cast<CUtensorMapL2promotion>(map.l2_promotion),
                               static_cast<CUtensorMapFloatOOBfill>(map.fill)),
        "cuTensorMapEncodeTiled");
    if (!status.ok()) return status;
    to = &maps_.emplace(MapKey{&prepared, index, address}, encoded).first->second;
    return {};
  }

  CUdeviceptr allocate_memory(long long bytes, CUstream stream) {
    const auto size = static_cast<std::size_t>(bytes);
    const Allocator& own = options_.allocator;
    if (own.allocate != nullptr) return own.allocate(own.state, size, stream);
    CUdeviceptr address = 0;
    return cuMemAlloc(&address, size) == CUDA_SUCCESS ? address : 0;
  }
  void free_memory(CUdeviceptr address, CUstream stream) {
    const Allocator& own = options_.allocator;
    if (own.allocate != nullptr) {
      if (own.release != nullptr) own.release(own.state, address, stream);
    } else {
      cuMemFree(address);
    }
  }

  std::mutex mutex_;
  LauncherOptions options_;
  Nvrtc nvrtc_;
  std::vector<std::unique_ptr<Prepared>> prepared_;
  std::map<WorkspaceKey, Workspace> workspaces_;
  std::map<MapKey, CUtensorMap> maps_;
};

// Never destroyed: programs may launch while they end.
Launcher& launcher() {
  static auto* const one = new Launcher;
  return *one;
}

}  // namespace

void set_options(const LauncherOptions& options) { launcher().set_options(options); }
void release(CUstream stream) { launcher().release(stream); }

Status launch(const Kernel& kernel, CUstream stream, const void* problem,
              const CUdeviceptr* tensors) {
  return launcher().run(kernel, stream, problem, tensors, /*launches=*/true);
}
Status prepare(const Kernel& kernel, CUstream stream, const void* problem,
               const CUdeviceptr* tensors) {
  return launcher().run(kernel, stream, problem, tensors, /*launches=*/false);
}

}  // namespace warpwright
