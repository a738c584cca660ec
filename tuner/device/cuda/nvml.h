// The little of NVML that Warpwright asks: clocks and the driver's version. The toolkit's headers
// may lack nvml.h, so the ABI subset is declared in nvml.cpp (it is stable since NVML 5).
// Everything is optional: without NVML, zeros and "".
#pragma once

#include <memory>
#include <string>

namespace warpwright::cuda {

class Nvml {
 public:
  // Never throws; a library that is missing or fails leaves an object that answers "unknown".
  Nvml();
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  [[nodiscard]] std::string driver_version() const;  // "580.159.04", "" when unknown

  // A GPU by its UUID ("GPU-..."), which means the same card to CUDA and to NVML whatever
  // CUDA_VISIBLE_DEVICES says.
  class Gpu {
   public:
    Gpu() = default;
    [[nodiscard]] int sm_clock_mhz() const;      // now; 0 when unknown
    [[nodiscard]] int max_sm_clock_mhz() const;  // 0 when unknown

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
