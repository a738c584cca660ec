#include "device/cuda/nvml.h"

#include <dlfcn.h>

#include <array>

#include "device/timing.h"

namespace warpwright::cuda {

// From NVIDIA's NVML API reference: nvmlReturn_t is an int whose 0 is success, nvmlDevice_t an
// opaque pointer, nvmlClockType_t has NVML_CLOCK_SM = 1 and NVML_CLOCK_MEM = 2, and
// nvmlTemperatureSensors_t has NVML_TEMPERATURE_GPU = 0. Bits of the clocks' event reasons are
// those of nvmlClocksEventReasons*, formerly nvmlClocksThrottleReasons*.
struct NvmlFunctions {
  using Result = int;
  Result (*init)() = nullptr;
  Result (*shutdown)() = nullptr;
  Result (*system_driver_version)(char* version, unsigned int length) = nullptr;
  Result (*device_by_uuid)(const char* uuid, void** device) = nullptr;
  Result (*clock_info)(void* device, int type, unsigned int* mhz) = nullptr;
  Result (*max_clock_info)(void* device, int type, unsigned int* mhz) = nullptr;
  // Optional from here on: some drivers and virtual GPUs lack them.
  Result (*power_usage)(void* device, unsigned int* milliwatts) = nullptr;
  Result (*temperature)(void* device, int sensor, unsigned int* celsius) = nullptr;
  Result (*total_energy)(void* device, unsigned long long* millijoules) = nullptr;
  Result (*clock_reasons)(void* device, unsigned long long* bits) = nullptr;
  Result (*compute_processes)(void* device, unsigned int* count, void* infos) = nullptr;
};

namespace {

constexpr int kSuccess = 0;
constexpr int kInsufficientSize = 7;
constexpr int kSmClock = 1;
constexpr int kMemoryClock = 2;

struct ClockReason {
  unsigned long long bit;
  bool slowdown;
  const char* name;
};
constexpr std::array kClockReasons = {
    ClockReason{0x1, false, "idle"},
    ClockReason{0x2, false, "application clocks setting"},
    ClockReason{0x4, false, kPowerCap},
    ClockReason{0x8, true, "hardware slowdown"},
    ClockReason{0x10, false, "sync boost"},
    ClockReason{0x20, true, "software thermal slowdown"},
    ClockReason{0x40, true, "hardware thermal slowdown"},
    ClockReason{0x80, true, "hardware power brake"},
    ClockReason{0x100, false, "display clock setting"},
};

template <typename Function>
bool load(void* library, Function& to, const char* name) {
  to = reinterpret_cast<Function>(::dlsym(library, name));
  return to != nullptr;
}

int clock_mhz(int (*query)(void*, int, unsigned int*), void* device, int type) {
  unsigned int mhz = 0;
  return query(device, type, &mhz) == kSuccess ? static_cast<int>(mhz) : 0;
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
  load(library, functions->power_usage, "nvmlDeviceGetPowerUsage");
  load(library, functions->temperature, "nvmlDeviceGetTemperature");
  load(library, functions->total_energy, "nvmlDeviceGetTotalEnergyConsumption");
  load(library, functions->clock_reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
  load(library, functions->compute_processes, "nvmlDeviceGetComputeRunningProcesses_v3");
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
  return functions_ ? clock_mhz(functions_->clock_info, device_, kSmClock) : 0;
}

int Nvml::Gpu::max_sm_clock_mhz() const {
  return functions_ ? clock_mhz(functions_->max_clock_info, device_, kSmClock) : 0;
}

int Nvml::Gpu::memory_clock_mhz() const {
  return functions_ ? clock_mhz(functions_->clock_info, device_, kMemoryClock) : 0;
}

double Nvml::Gpu::power_w() const {
  unsigned int milliwatts = 0;
  if (!functions_ || functions_->power_usage == nullptr) return 0;
  return functions_->power_usage(device_, &milliwatts) == kSuccess ? 1e-3 * milliwatts : 0;
}

double Nvml::Gpu::temperature_c() const {
  unsigned int celsius = 0;
  if (!functions_ || functions_->temperature == nullptr) return 0;
  return functions_->temperature(device_, 0, &celsius) == kSuccess ? celsius : 0;
}

std::optional<double> Nvml::Gpu::energy_mj() const {
  unsigned long long millijoules = 0;
  if (!functions_ || functions_->total_energy == nullptr) return std::nullopt;
  if (functions_->total_energy(device_, &millijoules) != kSuccess) return std::nullopt;
  return static_cast<double>(millijoules);
}

int Nvml::Gpu::compute_processes() const {
  if (!functions_ || functions_->compute_processes == nullptr) return 0;
  // With a buffer of size 0 NVML returns only the number of processes.
  unsigned int count = 0;
  const auto result = functions_->compute_processes(device_, &count, nullptr);
  return result == kSuccess || result == kInsufficientSize ? static_cast<int>(count) : 0;
}

Nvml::Gpu::ClockReasons Nvml::Gpu::clock_reasons() const {
  ClockReasons reasons;
  unsigned long long bits = 0;
  if (!functions_ || functions_->clock_reasons == nullptr) return reasons;
  if (functions_->clock_reasons(device_, &bits) != kSuccess) return reasons;
  for (const ClockReason& reason : kClockReasons) {
    if ((bits & reason.bit) != 0)
      (reason.slowdown ? reasons.slowdown : reasons.limits).emplace_back(reason.name);
  }
  return reasons;
}

}  // namespace warpwright::cuda
