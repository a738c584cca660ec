// A device of another machine: it has the properties of a device, but stores nothing and runs
// nothing. It is used to prepare the parts of a problem that the host computes: inputs, and answers
// of the reference.
#pragma once

#include <memory>
#include <utility>

#include "core/error.h"
#include "device/device.h"

namespace warpwright {

class AbsentDevice : public Device {
 public:
  explicit AbsentDevice(DeviceInfo info) : info_(std::move(info)) {}

  const DeviceInfo& info() const override { return info_; }
  std::size_t free_bytes() const override { return static_cast<std::size_t>(info_.global_bytes); }
  // There is no memory to guard.
  bool checks_bounds() const override { return true; }

  std::unique_ptr<DeviceBuffer> allocate(std::size_t bytes, const std::string&) override {
    return std::make_unique<AbsentBuffer>(bytes);
  }
  void upload(DeviceBuffer&, std::size_t, std::span<const std::byte>) override {}
  void download(std::span<std::byte>, const DeviceBuffer&, std::size_t) override { refuse(); }
  void copy(DeviceBuffer&, const DeviceBuffer&, std::size_t) override {}
  void fill(DeviceBuffer&, std::size_t, std::size_t, std::uint32_t) override {}
  std::uint64_t checksum(const DeviceBuffer&, std::size_t, std::size_t) override { return 0; }
  Loaded load(const CompileResult&) override { refuse(); }
  LaunchResult launch(std::span<const DeviceLaunch>, const LaunchLimits&) override { refuse(); }
  std::unique_ptr<TimingPlan> plan_timing(TimingRequest) override { refuse(); }

 private:
  class AbsentBuffer : public DeviceBuffer {
   public:
    explicit AbsentBuffer(std::size_t bytes) { bytes_ = bytes; }
  };

  EncodedTensorMap encode_anew(const TensorMapRequest&) override { refuse(); }
  [[noreturn]] static void refuse() {
    throw Error(Fault::kInternal, "a device that is somewhere else was asked for what it computed");
  }

  DeviceInfo info_;
};

}  // namespace warpwright
