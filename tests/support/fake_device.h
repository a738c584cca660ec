// A device whose kernels are C++ functions, so that everything a trial may reject can be staged
// without a compiler or an emulator. Device addresses are host addresses. It has no bounds checks
// of its own: trials put guard zones around buffers, and kernels here may write into those.
#pragma once

#include <algorithm>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "device/device.h"
#include "device/timing.h"

namespace warpwright::testing {

// The arguments of a launch, for the body of a fake kernel.
class FakeArguments {
 public:
  explicit FakeArguments(const DeviceLaunch& launch) : launch_(launch) {}
  template <typename T>
  [[nodiscard]] T* pointer(std::size_t index) const {
    return reinterpret_cast<T*>(value<std::uint64_t>(index));
  }
  template <typename T>
  [[nodiscard]] T value(std::size_t index) const {
    T result;
    std::memcpy(&result, launch_.arguments.at(index).data(), sizeof(T));
    return result;
  }
  [[nodiscard]] const DeviceLaunch& launch() const { return launch_; }

 private:
  const DeviceLaunch& launch_;
};

// Sets the result's status and reason when the kernel is to fail as such.
using FakeKernel = std::function<void(const FakeArguments& arguments, LaunchResult& result)>;

class FakeBuffer : public DeviceBuffer {
 public:
  explicit FakeBuffer(std::size_t bytes) : memory_(bytes + 256) {
    address_ = (reinterpret_cast<std::uint64_t>(memory_.data()) + 255) / 256 * 256;
    bytes_ = bytes;
  }

 private:
  std::vector<std::byte> memory_;
};

class FakeModule : public DeviceModule {
 public:
  std::map<std::string, KernelResources> entries;
  std::map<std::string, std::vector<std::size_t>> parameters;
  std::string unrestorable;

  std::string unrestorable_state() const override { return unrestorable; }
  std::optional<KernelResources> resources(const std::string& entry) const override {
    const auto found = entries.find(entry);
    return found == entries.end() ? std::nullopt : std::optional(found->second);
  }
  std::vector<std::size_t> parameter_sizes(const std::string& entry) const override {
    const auto found = parameters.find(entry);
    return found == parameters.end() ? std::vector<std::size_t>() : found->second;
  }
};

class FakeDevice : public Device {
  class FakePlan : public TimingPlan {
   public:
    FakePlan(FakeDevice& device, TimingRequest request)
        : device_(device), request_(std::move(request)) {}
    Samples take(int samples, std::chrono::milliseconds) override {
      device_.log.push_back("sample " + std::to_string(samples));
      for (const TimedSequence& sequence : request_.rotation) {
        for (const RestoreCopy& restore : sequence.restore)
          device_.copy(*restore.to, *restore.from, restore.bytes);
        for (const PoisonedRegion& region : sequence.poison)
          device_.fill(*region.buffer, region.offset, region.bytes, kTimedPoison);
        (void)device_.launch(sequence.launches, {});
      }
      WrongLaunches wrong;
      for (const TimedSequence& sequence : request_.rotation) {
        for (const ExpectedOutput& output : sequence.outputs) {
          const bool right =
              device_.checksum(*output.buffer, output.offset, output.bytes) == output.checksum;
          wrong.note(right ? "" : output.name);
        }
      }
      Samples bad;
      if (device_.checks_samples && !wrong.none() && !wrong.fail(bad)) return bad;
      const auto own = device_.samplers.find(request_.mode);
      return (own == device_.samplers.end() ? device_.sampler : own->second)(request_, samples);
    }

   private:
    static constexpr std::uint32_t kTimedPoison = 0x12345678;
    FakeDevice& device_;
    TimingRequest request_;
  };

 public:
  FakeDevice() {
    device_info.id = "fake:0";
    device_info.name = "fake";
    device_info.arch = "sm_90a";
    device_info.sm_count = 4;
    device_info.global_bytes = std::int64_t{1} << 30;
    device_info.max_threads_per_block = 1024;
    device_info.max_shared_per_block = 232448;
    device_info.registers_per_sm = 65536;
    device_info.registers_per_block = 65536;
    device_info.compute_capability = 90;
  }

  DeviceInfo device_info;
  std::map<std::string, FakeKernel> kernels;                   // by entry
  std::map<std::string, std::vector<std::size_t>> parameters;  // by entry; unknown when absent
  std::size_t free_memory = std::size_t{1} << 30;
  // The answer of a plan, after running the launches once: all sets of a rotation.
  using Sampler = std::function<Samples(const TimingRequest& request, int samples)>;
  Sampler sampler;
  std::map<TimingMode, Sampler> samplers;  // instead of `sampler`, for these modes
  // The reading of the energy counter; none when empty. Called from a second thread.
  std::function<double()> energy_counter;
  std::deque<DeviceState> states;  // of the next blocks; the last one stays
  // Whether plans compare outputs with the expected ones; a GPU does so after random samples.
  bool checks_samples = true;
  int warm_ups = 0;
  LaunchResult load_failure;         // loading fails unless its status is ok
  std::string unrestorable;          // why the state of modules cannot be restored
  std::vector<KeptVariable> kept;    // what launches leave in module variables
  std::vector<std::string> log;      // "launch scale", "sample 20", ...
  std::vector<LaunchLimits> limits;  // of each launch

  const DeviceInfo& info() const override { return device_info; }
  std::size_t free_bytes() const override { return free_memory; }
  std::unique_ptr<DeviceBuffer> allocate(std::size_t bytes, const std::string& label) override {
    log.push_back("allocate " + label);
    return std::make_unique<FakeBuffer>(bytes);
  }
  void upload(DeviceBuffer& to, std::size_t offset, std::span<const std::byte> from) override {
    std::memcpy(at(to, offset), from.data(), from.size());
  }
  void download(std::span<std::byte> to, const DeviceBuffer& from, std::size_t offset) override {
    std::memcpy(to.data(), at(from, offset), to.size());
  }
  void copy(DeviceBuffer& to, const DeviceBuffer& from, std::size_t bytes) override {
    std::memcpy(at(to, 0), at(from, 0), bytes);
  }
  void fill(DeviceBuffer& to, std::size_t offset, std::size_t bytes,
            std::uint32_t pattern) override {
    for (std::size_t i = 0; i < bytes; ++i)
      at(to, offset)[i] = static_cast<std::byte>(pattern >> (8 * (i % 4)));
  }
  Loaded load(const CompileResult&) override {
    Loaded loaded;
    loaded.failure = load_failure;
    if (load_failure.status != Status::kOk) return loaded;
    auto module = std::make_shared<FakeModule>();
    for (const auto& [entry, kernel] : kernels) module->entries[entry].entry = entry;
    module->parameters = parameters;
    module->unrestorable = unrestorable;
    loaded.module = std::move(module);
    return loaded;
  }
  LaunchResult launch(std::span<const DeviceLaunch> launches, const LaunchLimits& given) override {
    limits.push_back(given);
    LaunchResult result;
    for (const DeviceLaunch& launch : launches) {
      log.push_back("launch " + launch.entry);
      kernels.at(launch.entry)(FakeArguments(launch), result);
      result.counters["launches"] += 1;
      result.modelled_us += 1.5;
      if (result.status != Status::kOk) break;
    }
    return result;
  }
  std::vector<KeptVariable> kept_state(std::span<const DeviceLaunch>) override { return kept; }
  std::unique_ptr<TimingPlan> plan_timing(TimingRequest request) override {
    return std::make_unique<FakePlan>(*this, std::move(request));
  }
  void warm_up() override { ++warm_ups; }
  DeviceState state() override {
    if (states.empty()) return {};
    const DeviceState now = states.front();
    if (states.size() > 1) states.pop_front();
    return now;
  }
  std::optional<double> energy_mj() override {
    return energy_counter ? std::optional(energy_counter()) : std::nullopt;
  }
  // Why tensor maps cannot be encoded; "" when they are, as the emulator does.
  std::string encode_failure;

 protected:
  EncodedTensorMap encode_anew(const TensorMapRequest& request) override {
    log.push_back("encode");
    EncodedTensorMap encoded;
    if (encode_failure.empty()) {
      encoded.bytes = encode_emulated(request);
    } else {
      encoded.status = Status::kInvalid;
      encoded.reason = encode_failure;
    }
    return encoded;
  }

 private:
  static std::byte* at(const DeviceBuffer& buffer, std::size_t offset) {
    return reinterpret_cast<std::byte*>(buffer.address()) + offset;
  }
};

}  // namespace warpwright::testing
