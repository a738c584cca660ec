// A program that uses an exported header, to copy from: picks the configuration of gated_activation
// (SiLU) for the sizes on its command line, compiles the kernel's source with NVRTC as the header
// says, and where there is a GPU launches it and checks the result. It needs nothing of warpwright
// but the header and the kernel's source; NVRTC and the driver are opened at run time.
//
//   gated_activation_consumer ROWS D [f32|bf16] [--kernels DIR] [--nvrtc FILE] [--include DIR]...
//
// Exit codes: 0 ok (also without a GPU, when it has compiled), 1 a wrong result, 2 a wrong command
// line or a problem that nothing can run, 3 NVRTC is missing or the GPU failed.
#include <cuda.h>
#include <dlfcn.h>
#include <nvrtc.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "gated_activation.h"

namespace {

struct Arguments {
  ww_gated_activation_problem problem;
  std::string kernels = "kernels";
  std::string nvrtc = "libnvrtc.so";
  std::vector<std::string> includes;
};

// An error that the user can correct.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

template <typename Function>
Function symbol(void* library, const char* name) {
  void* found = dlsym(library, name);
  if (found == nullptr) throw std::runtime_error(std::string("no ") + name + " in the library");
  return reinterpret_cast<Function>(found);
}

long long whole_number(const std::string& text) {
  char* end = nullptr;
  const long long value = std::strtoll(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0') throw Refused("expected a number, got '" + text + "'");
  return value;
}

Arguments parse(int argc, char** argv) {
  Arguments arguments;
  std::vector<std::string> plain;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const bool option = word == "--kernels" || word == "--nvrtc" || word == "--include";
    if (!option) {
      plain.push_back(word);
      continue;
    }
    if (++i == argc) throw Refused(word + " needs a value");
    if (word == "--kernels") arguments.kernels = argv[i];
    if (word == "--nvrtc") arguments.nvrtc = argv[i];
    if (word == "--include") arguments.includes.push_back(argv[i]);
  }
  if (plain.size() < 2 || plain.size() > 3) {
    throw Refused(
        "usage: gated_activation_consumer ROWS D [f32|bf16] [--kernels DIR] [--nvrtc FILE] "
        "[--include DIR]...");
  }
  arguments.problem.rows = whole_number(plain[0]);
  arguments.problem.d = whole_number(plain[1]);
  const std::string dtype = plain.size() == 3 ? plain[2] : "bf16";
  if (dtype != "f32" && dtype != "bf16")
    throw Refused("this example supports f32 and bf16, not " + dtype);
  arguments.problem.dtype =
      dtype == "f32" ? WW_GATED_ACTIVATION_DTYPE_F32 : WW_GATED_ACTIVATION_DTYPE_BF16;
  return arguments;
}

// The driver's functions that are needed here; every failure throws with the call's name.
class Gpu {
 public:
  // False without a driver or a device.
  bool open() {
    library_ = dlopen("libcuda.so.1", RTLD_NOW);
    if (library_ == nullptr) return false;
    int count = 0;
    if (symbol<decltype(&cuInit)>(library_, "cuInit")(0) != CUDA_SUCCESS) return false;
    if (symbol<decltype(&cuDeviceGetCount)>(library_, "cuDeviceGetCount")(&count) != CUDA_SUCCESS)
      return false;
    if (count == 0) return false;
    char name[256] = {};
    check(symbol<decltype(&cuDeviceGet)>(library_, "cuDeviceGet")(&device_, 0), "cuDeviceGet");
    check(
        symbol<decltype(&cuDeviceGetName)>(library_, "cuDeviceGetName")(name, sizeof name, device_),
        "cuDeviceGetName");
    name_ = name;
    const int capability =
        attribute(WW_ATTRIBUTE_CAPABILITY_MAJOR) * 10 + attribute(WW_ATTRIBUTE_CAPABILITY_MINOR);
    arch_ = "sm_" + std::to_string(capability) + (capability >= 90 ? "a" : "");
    limits_.sm_count = attribute(WW_ATTRIBUTE_SM_COUNT);
    limits_.max_shared = attribute(WW_ATTRIBUTE_MAX_SHARED);
    limits_.max_threads = attribute(WW_ATTRIBUTE_MAX_THREADS);
    limits_.registers_per_sm = attribute(WW_ATTRIBUTE_REGISTERS_PER_SM);
    CUcontext context = nullptr;
    check(symbol<decltype(&cuDevicePrimaryCtxRetain)>(library_, "cuDevicePrimaryCtxRetain")(
              &context, device_),
          "cuDevicePrimaryCtxRetain");
    check(symbol<decltype(&cuCtxSetCurrent)>(library_, "cuCtxSetCurrent")(context),
          "cuCtxSetCurrent");
    return true;
  }
  const std::string& name() const { return name_; }
  const std::string& arch() const { return arch_; }
  const ww_limits& limits() const { return limits_; }

  CUfunction load(const std::vector<char>& code, const char* entry, long long shared_bytes) {
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    check(symbol<decltype(&cuModuleLoadData)>(library_, "cuModuleLoadData")(&module, code.data()),
          "cuModuleLoadData");
    check(symbol<decltype(&cuModuleGetFunction)>(library_, "cuModuleGetFunction")(&function, module,
                                                                                  entry),
          "cuModuleGetFunction");
    check(symbol<decltype(&cuFuncSetAttribute)>(library_, "cuFuncSetAttribute")(
              function, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES,
              static_cast<int>(shared_bytes)),
          "cuFuncSetAttribute");
    return function;
  }
  CUdeviceptr upload(const std::vector<unsigned char>& bytes) {
    CUdeviceptr address = 0;
    check(symbol<CUresult (*)(CUdeviceptr*, std::size_t)>(library_, "cuMemAlloc_v2")(&address,
                                                                                     bytes.size()),
          "cuMemAlloc");
    check(symbol<CUresult (*)(CUdeviceptr, const void*, std::size_t)>(library_, "cuMemcpyHtoD_v2")(
              address, bytes.data(), bytes.size()),
          "cuMemcpyHtoD");
    return address;
  }
  void download(std::vector<unsigned char>& bytes, CUdeviceptr address) {
    check(symbol<CUresult (*)(void*, CUdeviceptr, std::size_t)>(library_, "cuMemcpyDtoH_v2")(
              bytes.data(), address, bytes.size()),
          "cuMemcpyDtoH");
  }
  void launch(CUfunction function, const ww_launch_plan& plan, void** arguments) {
    const auto extent = [](long long v) { return static_cast<unsigned>(v); };
    check(symbol<decltype(&cuLaunchKernel)>(library_, "cuLaunchKernel")(
              function, extent(plan.grid[0]), extent(plan.grid[1]), extent(plan.grid[2]),
              extent(plan.block[0]), extent(plan.block[1]), extent(plan.block[2]),
              extent(plan.shared_bytes), nullptr, arguments, nullptr),
          "cuLaunchKernel");
  }

 private:
  int attribute(int which) {
    int value = 0;
    check(symbol<decltype(&cuDeviceGetAttribute)>(library_, "cuDeviceGetAttribute")(
              &value, static_cast<CUdevice_attribute>(which), device_),
          "cuDeviceGetAttribute");
    return value;
  }
  static void check(CUresult result, const char* call) {
    if (result != CUDA_SUCCESS)
      throw std::runtime_error(std::string(call) + " failed with error " + std::to_string(result));
  }

  void* library_ = nullptr;
  CUdevice device_ = 0;
  std::string name_, arch_;
  ww_limits limits_;
};

std::string read_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Refused(path + ": cannot be read; name the folder of kernels with --kernels");
  return {std::istreambuf_iterator<char>(in), {}};
}

// Machine code of the configuration's source.
std::vector<char> compile(const Arguments& arguments, const ww_selection& chosen,
                          const std::string& arch) {
  void* library = dlopen(arguments.nvrtc.c_str(), RTLD_NOW);
  if (library == nullptr)
    throw std::runtime_error(std::string(dlerror()) + "; name NVRTC with --nvrtc");
  const ww_gated_activation_configuration& configuration =
      ww_gated_activation_configurations[chosen.configuration];
  const std::string folder = arguments.kernels + "/" + ww_gated_activation_includes[0];
  const std::string source = read_file(folder + "/" + configuration.source);
  std::vector<std::string> options = {"--gpu-architecture=" + arch};
  for (const char* include : ww_gated_activation_includes)
    options.push_back("-I" + arguments.kernels + "/" + include);
  for (const std::string& include : arguments.includes) options.push_back("-I" + include);
  const ww_gated_activation_options own =
      ww_gated_activation_compile_options(chosen, arguments.problem);
  for (int i = 0; i < own.count; ++i) options.emplace_back(own.option[i]);

  nvrtcProgram program = nullptr;
  symbol<decltype(&nvrtcCreateProgram)>(library, "nvrtcCreateProgram")(
      &program, source.c_str(), configuration.source, 0, nullptr, nullptr);
  std::vector<const char*> raw;
  for (const std::string& option : options) raw.push_back(option.c_str());
  const nvrtcResult result = symbol<decltype(&nvrtcCompileProgram)>(library, "nvrtcCompileProgram")(
      program, static_cast<int>(raw.size()), raw.data());
  if (result != NVRTC_SUCCESS) {
    std::size_t size = 0;
    symbol<decltype(&nvrtcGetProgramLogSize)>(library, "nvrtcGetProgramLogSize")(program, &size);
    std::string log(size, '\0');
    symbol<decltype(&nvrtcGetProgramLog)>(library, "nvrtcGetProgramLog")(program, log.data());
    throw std::runtime_error("NVRTC: " + log);
  }
  std::size_t size = 0;
  symbol<decltype(&nvrtcGetCUBINSize)>(library, "nvrtcGetCUBINSize")(program, &size);
  std::vector<char> code(size);
  symbol<decltype(&nvrtcGetCUBIN)>(library, "nvrtcGetCUBIN")(program, code.data());
  return code;
}

// A few bits of mantissa, so that bf16 holds it exactly.
float input(std::size_t index, unsigned salt) {
  return static_cast<float>(static_cast<int>((index * 2654435761U + salt) >> 7 & 63) - 32) / 8.0F;
}

void store(std::vector<unsigned char>& bytes, std::size_t index, float value, bool half) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, 4);
  const std::uint32_t kept = half ? bits >> 16 : bits;
  std::memcpy(bytes.data() + index * (half ? 2 : 4), &kept, half ? 2 : 4);
}

float load(const std::vector<unsigned char>& bytes, std::size_t index, bool half) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, bytes.data() + index * (half ? 2 : 4), half ? 2 : 4);
  if (half) bits <<= 16;
  float value = 0;
  std::memcpy(&value, &bits, 4);
  return value;
}

// Launches and checks; the number of wrong values among those looked at.
int run(Gpu& gpu, const Arguments& arguments, const ww_selection& chosen,
        const std::vector<char>& code) {
  const ww_gated_activation_problem& problem = arguments.problem;
  const bool half = problem.dtype == WW_GATED_ACTIVATION_DTYPE_BF16;
  const auto elements = static_cast<std::size_t>(problem.rows * problem.d);
  std::vector<unsigned char> g(elements * (half ? 2 : 4));
  std::vector<unsigned char> u(g.size());
  std::vector<unsigned char> out(g.size(), 0xff);
  for (std::size_t i = 0; i < elements; ++i) {
    store(g, i, input(i, 1), half);
    store(u, i, input(i, 7), half);
  }
  CUdeviceptr tensors[WW_GATED_ACTIVATION_TENSOR_COUNT] = {};
  tensors[WW_GATED_ACTIVATION_TENSOR_G] = gpu.upload(g);
  tensors[WW_GATED_ACTIVATION_TENSOR_U] = gpu.upload(u);
  tensors[WW_GATED_ACTIVATION_TENSOR_OUT] = gpu.upload(out);
  const int launches = ww_gated_activation_configurations[chosen.configuration].launch_count;
  for (int i = 0; i < launches; ++i) {
    ww_launch_plan plan = ww_gated_activation_launch(chosen, problem, i);
    if (!plan.ok) throw Refused("the launch of this problem cannot be computed");
    std::vector<void*> kernel_arguments;
    for (int a = 0; a < plan.argument_count; ++a) {
      ww_argument& argument = plan.arguments[a];
      if (argument.kind == WW_TENSOR) kernel_arguments.push_back(&tensors[argument.index]);
      if (argument.kind == WW_SCALAR) kernel_arguments.push_back(&argument.bits);
    }
    gpu.launch(gpu.load(code, plan.entry, plan.shared_bytes), plan, kernel_arguments.data());
  }
  gpu.download(out, tensors[WW_GATED_ACTIVATION_TENSOR_OUT]);
  int wrong = 0;
  const std::size_t step = elements / 1000 + 1;
  for (std::size_t i = 0; i < elements; i += step) {
    const double gate = input(i, 1);
    const double expected = gate / (1 + std::exp(-gate)) * input(i, 7);
    const double got = load(out, i, half);
    // Half a unit in the last place of bf16, and the arithmetic in f32.
    const double tolerance = (half ? 3.95e-3 : 2e-5) * std::fabs(expected) + 1e-30;
    wrong += !(std::fabs(got - expected) <= tolerance);
  }
  std::printf("checked %zu of %zu values: %d wrong\n", (elements + step - 1) / step, elements,
              wrong);
  return wrong;
}

int consume(const Arguments& arguments) {
  Gpu gpu;
  const bool has_gpu = gpu.open();
  const std::string name = has_gpu ? gpu.name() : ww_gated_activation_devices[0].name;
  const std::string arch = has_gpu ? gpu.arch() : ww_gated_activation_devices[0].arch;
  ww_device device;
  device.name = name.c_str();
  device.arch = arch.c_str();
  if (has_gpu) device.limits = gpu.limits();
  const ww_selection chosen = ww_gated_activation_select(device, arguments.problem);
  if (chosen.configuration < 0) throw Refused("no configuration can run this problem");
  const char* const matches[] = {"none",
                                 "exact",
                                 "nearest on this device",
                                 "nearest on this architecture",
                                 "nearest with other listed values",
                                 "contract's defaults"};
  std::printf("%s (%s): %s\nmatch: %s, distance %.2f, expected %.2f of the best\n", name.c_str(),
              arch.c_str(), ww_gated_activation_configurations[chosen.configuration].text,
              matches[chosen.match], chosen.distance, chosen.score);
  const std::vector<char> code = compile(arguments, chosen, arch);
  std::printf("compiled %s: %zu bytes\n",
              ww_gated_activation_configurations[chosen.configuration].source, code.size());
  if (!has_gpu) {
    std::printf("no GPU here: compiled, not launched\n");
    return 0;
  }
  return run(gpu, arguments, chosen, code) == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return consume(parse(argc, argv));
  } catch (const Refused& error) {
    std::fprintf(stderr, "gated_activation_consumer: %s\n", error.what());
    return 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "gated_activation_consumer: %s\n", error.what());
    return 3;
  }
}
