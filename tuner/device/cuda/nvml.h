// The small part of NVML that Warpwright uses: clocks and the reasons for reduced clocks, power,
// temperature, energy, other processes on the GPU, and the driver's version. The toolkit's headers
// may lack nvml.h, so the ABI subset is declared in nvml.cpp (it is stable since NVML 5).
// Everything is optional: without NVML, queries return zeros and "". Nothing is ever set. On an
// H200 reading the clock takes a microsecond, the reasons, power and temperature about 50 us each,
// and the energy counter 3.6 ms.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace warpwright::cuda {

class Nvml {
 public:
  // Never throws; a library that is missing or fails leaves an object that answers "unknown".
  Nvml();
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  [[nodiscard]] std::string driver_version() const;  // "580.159.04", "" when unknown

  // A GPU by its UUID ("GPU-..."), which identifies the same card in CUDA and in NVML, regardless
  // of CUDA_VISIBLE_DEVICES.
  class Gpu {
   public:
    Gpu() = default;
    [[nodiscard]] int sm_clock_mhz() const;      // now; 0 when unknown
    [[nodiscard]] int max_sm_clock_mhz() const;  // 0 when unknown
    [[nodiscard]] int memory_clock_mhz() const;
    [[nodiscard]] double power_w() const;
    [[nodiscard]] double temperature_c() const;
    // Energy since the driver was loaded; the counter moves about every 100 ms.
    [[nodiscard]] std::optional<double> energy_mj() const;
    // Processes with a context on this GPU, this one included; 0 when unknown.
    [[nodiscard]] int compute_processes() const;
    // The reasons why the clock is below its maximum. `slowdown` lists states that invalidate a
    // measurement, `limits` lists those that are normal under load.
    struct ClockReasons {
      std::vector<std::string> slowdown;
      std::vector<std::string> limits;
    };
    [[nodiscard]] ClockReasons clock_reasons() const;

   private:
    friend class Nvml;
    std::shared_ptr<const struct NvmlFunctions> functions_;
    void* device_ = nullptr;
  };
  [[nodiscard]] Gpu find(const std::string& uuid) const;

 private:
  std::shared_ptr<const struct NvmlFunctions> functions_;
};

}  // namespace warpwright::cuda
