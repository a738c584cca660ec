#include "device/cuda/nvml.h"

#include <dlfcn.h>

#include <array>

namespace warpwright::cuda {

// From NVIDIA's NVML API reference: nvmlReturn_t is an int whose 0 is success, nvmlDevice_t an
// opaque pointer, and nvmlClockType_t has NVML_CLOCK_SM = 1.
struct NvmlFunctions {
  using Result = int;
  Result (*init)() = nullptr;
  Result (*shutdown)() = nullptr;
  Result (*system_driver_version)(char* version, unsigned int length) = nullptr;
  Result (*device_by_uuid)(const char* uuid, void** device) = nullptr;
  Result (*clock_info)(void* device, int type, unsigned int* mhz) = nullptr;
  Result (*max_clock_info)(void* device, int type, unsigned int* mhz) = nullptr;
};

namespace {

constexpr int kSuccess = 0;
constexpr int kSmClock = 1;

template <typename Function>
bool load(void* library, Function& to, const char* name) {
  to = reinterpret_cast<Function>(::dlsym(library, name));
  return to != nullptr;
}

int clock_mhz(int (*query)(void*, int, unsigned int*), void* device) {
  unsigned int mhz = 0;
  return query(device, kSmClock, &mhz) == kSuccess ? static_cast<int>(mhz) : 0;
}

}  // namespace

Nvml::Nvml() {
  // Left open for the same reason as libcuda: other users of the process may share it.
  void* library = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return;
  auto functions = std::make_shared<NvmlFunctions>();
  const bool complete =
      load(library, functions->init, "nvmlInit_v2") &&
      load(library, functions->shutdown, "nvmlShutdown") &&
      load(library, functions->system_driver_version, "nvmlSystemGetDriverVersion") &&
      load(library, functions->device_by_uuid, "nvmlDeviceGetHandleByUUID") &&
      load(library, functions->clock_info, "nvmlDeviceGetClockInfo") &&
      load(library, functions->max_clock_info, "nvmlDeviceGetMaxClockInfo");
  if (complete && functions->init() == kSuccess) functions_ = std::move(functions);
}

Nvml::~Nvml() {
  // NVML counts its initialisations, so this ends only ours.
  if (functions_) functions_->shutdown();
}

std::string Nvml::driver_version() const {
  std::array<char, 96> version{};
  if (!functions_) return "";
  if (functions_->system_driver_version(version.data(), version.size()) != kSuccess) return "";
  return version.data();
}

Nvml::Gpu Nvml::find(const std::string& uuid) const {
  Gpu gpu;
  if (functions_ && functions_->device_by_uuid(uuid.c_str(), &gpu.device_) == kSuccess)
    gpu.functions_ = functions_;
  return gpu;
}

int Nvml::Gpu::sm_clock_mhz() const {
  return functions_ ? clock_mhz(functions_->clock_info, device_) : 0;
}

int Nvml::Gpu::max_sm_clock_mhz() const {
  return functions_ ? clock_mhz(functions_->max_clock_info, device_) : 0;
}

}  // namespace warpwright::cuda
