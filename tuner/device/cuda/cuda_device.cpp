#include "device/cuda/cuda_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "core/error.h"
#include "device/checksum.h"
#include "device/cuda/context.h"
#include "device/cuda/cuda_module.h"
#include "device/cuda/helper_kernels.h"
#include "device/cuda/nvml.h"
#include "device/cuda/timing_bench.h"

namespace warpwright::cuda {
namespace {

// Longer than any copy takes; a stream that does not answer within this time is dead.
constexpr std::chrono::milliseconds kCopyLimit{120'000};

std::string format_uuid(const CUuuid& uuid) {
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
    text += fmt::format("{:02x}", static_cast<unsigned char>(uuid.bytes[i]));
  }
  return text;
}

DeviceInfo query(const Driver& driver, const Nvml& nvml, int ordinal) {
  const auto& fn = driver.functions();
  const std::string doing = fmt::format("asking for the properties of cuda:{}", ordinal);
  CUdevice device = 0;
  driver.require(fn.device_get(&device, ordinal), doing);
  const auto attribute = [&](CUdevice_attribute which) {
    int value = 0;
    driver.require(fn.device_get_attribute(&value, which, device), doing);
    return value;
  };
  std::array<char, 256> name{};
  driver.require(fn.device_get_name(name.data(), static_cast<int>(name.size()) - 1, device), doing);
  CUuuid uuid{};
  driver.require(fn.device_get_uuid(&uuid, device), doing);
  std::size_t memory = 0;
  driver.require(fn.device_total_mem(&memory, device), doing);

  DeviceInfo info;
  info.id = fmt::format("cuda:{}", ordinal);
  info.name = name.data();
  info.has_clock = true;
  info.uuid = format_uuid(uuid);
  info.compute_capability = 10 * attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                            attribute(CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  // From 9.0 on, the architecture-specific instructions (wgmma, block-scaled mma) need the "a"
  // target.
  info.arch =
      fmt::format("sm_{}{}", info.compute_capability, info.compute_capability >= 90 ? "a" : "");
  info.driver = nvml.driver_version();
  if (info.driver.empty()) {
    int version = 0;
    driver.require(fn.driver_get_version(&version), doing);
    info.driver = fmt::format("CUDA {}.{}", version / 1000, version % 1000 / 10);
  }
  info.sm_count = attribute(CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  info.global_bytes = static_cast<std::int64_t>(memory);
  info.l2_bytes = attribute(CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  info.max_threads_per_block = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  info.max_threads_per_sm = attribute(CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR);
  info.max_blocks_per_sm = attribute(CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
  info.registers_per_sm = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
  info.registers_per_block = attribute(CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK);
  info.max_shared_per_block = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  info.shared_per_sm = attribute(CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  info.warp_size = attribute(CU_DEVICE_ATTRIBUTE_WARP_SIZE);
  const Nvml::Gpu gpu = nvml.find(info.uuid);
  info.max_sm_clock_mhz = gpu.max_sm_clock_mhz();
  info.counts_energy = gpu.energy_mj().has_value();
  if (info.max_sm_clock_mhz == 0)
    info.max_sm_clock_mhz = attribute(CU_DEVICE_ATTRIBUTE_CLOCK_RATE) / 1000;
  info.memory_clock_mhz = attribute(CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) / 1000;
  info.memory_bus_bits = attribute(CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  info.ecc = attribute(CU_DEVICE_ATTRIBUTE_ECC_ENABLED) != 0;
  return info;
}

// This is visible in PTX, in a cache policy or a load, but not in machine code.
bool keeps_lines_in_l2(const CompileResult& compiled) {
  return compiled.ptx.find("evict_last") != std::string::npos;
}

template <typename T>
std::vector<std::byte> argument(T value) {
  std::vector<std::byte> bytes(sizeof value);
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

class CudaDevice : public Device {
 public:
  CudaDevice(std::shared_ptr<const Driver> driver, int ordinal)
      : info_(query(*driver, nvml_, ordinal)),
        context_(std::make_shared<Context>(std::move(driver), ordinal)) {
    LaunchResult failure;
    helpers_ = Module::load(context_, helper_ptx(), failure);
    if (!helpers_) {
      throw environment_error(
          fmt::format("{} cannot load Warpwright's helper kernels: {}; the driver's PTX compiler "
                      "(libnvidia-ptxjitcompiler.so.1) may be missing",
                      info_.id, failure.reason));
    }
    gpu_ = nvml_.find(info_.uuid);
    bench_.emplace(context_, helpers_, static_cast<std::size_t>(info_.l2_bytes), info_.sm_count,
                   static_cast<std::size_t>(info_.max_shared_per_block),
                   static_cast<std::size_t>(info_.max_threads_per_sm));
  }

  const DeviceInfo& info() const override { return info_; }

  std::size_t free_bytes() const override {
    std::size_t free = 0;
    std::size_t total = 0;
    context_->require(context_->fn().mem_get_info(&free, &total), "asking for free memory");
    return free;
  }

  std::unique_ptr<DeviceBuffer> allocate(std::size_t bytes, const std::string& label) override {
    return std::make_unique<Buffer>(context_, bytes, label);
  }

  std::unique_ptr<DeviceBuffer> allocate_hidden(std::size_t bytes,
                                                const std::string& /*label*/) override {
    return HiddenBuffer::make(context_, bytes);
  }
  void reveal(DeviceBuffer& hidden) override { dynamic_cast<HiddenBuffer&>(hidden).map(); }
  void hide(DeviceBuffer& hidden) override { dynamic_cast<HiddenBuffer&>(hidden).unmap(); }

  void upload(DeviceBuffer& to, std::size_t offset, std::span<const std::byte> from) override {
    if (from.empty()) return;
    finish(context_->fn().copy_to_device(to.address() + offset, from.data(), from.size(),
                                         context_->stream()),
           "uploading");
  }

  void download(std::span<std::byte> to, const DeviceBuffer& from, std::size_t offset) override {
    if (to.empty()) return;
    finish(context_->fn().copy_to_host(to.data(), from.address() + offset, to.size(),
                                       context_->stream()),
           "downloading");
  }

  // No host memory is involved, so this does not wait: later work in the stream runs after the
  // copy.
  void copy(DeviceBuffer& to, const DeviceBuffer& from, std::size_t bytes) override {
    if (bytes == 0) return;
    context_->require(
        context_->fn().copy_on_device(to.address(), from.address(), bytes, context_->stream()),
        "copying");
  }

  void fill(DeviceBuffer& to, std::size_t offset, std::size_t bytes,
            std::uint32_t pattern) override {
    const std::size_t words = bytes / 4;
    if (words != 0) {
      context_->require(
          context_->fn().memset_d32(to.address() + offset, pattern, words, context_->stream()),
          "filling");
    }
    if (bytes % 4 == 0) return;
    const std::vector<std::byte> rest = argument(pattern);
    upload(to, offset + 4 * words, std::span(rest).first(bytes % 4));
  }

  void scatter(DeviceBuffer& to, std::size_t offset, std::size_t bytes, std::uint32_t mask,
               std::uint64_t seed) override {
    const std::uint64_t words = bytes / 4;
    if (words == 0) return;
    enqueue_helper("ww_scatter", kChecksumThreads, words,
                   {argument(to.address() + offset), argument(words), argument(mask),
                    argument(static_cast<std::uint32_t>(seed))});
  }

  std::uint64_t checksum(const DeviceBuffer& of, std::size_t offset, std::size_t bytes) override {
    const DeviceRegion region{&of, offset, bytes};
    return checksums(std::span(&region, 1)).front();
  }

  std::vector<std::uint64_t> checksums(std::span<const DeviceRegion> regions) override {
    if (regions.empty()) return {};
    const std::size_t needed = regions.size() * sizeof(std::uint64_t);
    if (!sums_ || sums_->bytes() < needed) sums_ = allocate(needed, "checksums");
    fill(*sums_, 0, needed, 0);
    for (std::size_t i = 0; i < regions.size(); ++i) {
      const std::uint64_t words = regions[i].bytes / 8;
      if (words == 0) continue;
      enqueue_helper("ww_checksum", kChecksumThreads, words,
                     {argument(regions[i].buffer->address() + regions[i].offset), argument(words),
                      argument(sums_->address() + i * sizeof(std::uint64_t))});
    }
    std::vector<std::uint64_t> sums(regions.size());
    download(std::as_writable_bytes(std::span(sums)), *sums_, 0);
    for (std::size_t i = 0; i < regions.size(); ++i) {
      // The last bytes, which do not fill a word, are summed here as one more word.
      const std::uint64_t words = regions[i].bytes / 8;
      std::array<std::byte, 8> rest{};
      const std::span<std::byte> rest_bytes(rest.data(), regions[i].bytes % 8);
      download(rest_bytes, *regions[i].buffer, regions[i].offset + 8 * words);
      sums[i] += checksum_part(rest_bytes, words);
    }
    return sums;
  }

  bool compares() const override { return true; }

  std::optional<ElementsFound> compare(const ElementComparison& comparison) override {
    std::array<std::uint64_t, 4> found{};
    if (!found_) found_ = allocate(sizeof found, "comparison");
    fill(*found_, 0, sizeof found, 0);
    enqueue_helper(
        "ww_compare", kChecksumThreads, comparison.count,
        {argument(comparison.got), argument(comparison.units), argument(comparison.unit_elements),
         argument(comparison.count), argument(comparison.expected), argument(comparison.allowed),
         argument(comparison.table), argument(static_cast<std::uint64_t>(comparison.kind)),
         argument(found_->address())});
    download(std::as_writable_bytes(std::span(found)), *found_, 0);
    return ElementsFound{found[0], std::bit_cast<double>(found[1]), std::bit_cast<double>(found[2]),
                         std::bit_cast<double>(found[3])};
  }

  Loaded load(const CompileResult& compiled) override {
    Loaded loaded;
    const std::shared_ptr<Module> module = Module::load(
        context_, compiled.cubin.empty() ? compiled.ptx : compiled.cubin, loaded.failure);
    if (module && keeps_lines_in_l2(compiled)) module->set_pins_l2();
    if (module) module->set_symbols(compiled.symbols);
    if (module) module->note_state(compiled.state);
    loaded.module = module;
    return loaded;
  }

  std::vector<KeptVariable> kept_state(std::span<const DeviceLaunch> launches) override {
    std::vector<KeptVariable> kept;
    for (const StatePart* part : state_of(launches)) {
      if (part->write_only) continue;
      std::vector<std::byte> now(part->bytes);
      finish(context_->fn().copy_to_host(now.data(), part->address, now.size(), context_->stream()),
             "reading a module's variables");
      if (now != part->content) kept.push_back({part->name, part->bytes});
    }
    return kept;
  }

  LaunchResult launch(std::span<const DeviceLaunch> launches, const LaunchLimits& limits) override {
    LaunchResult result;
    if (!limits.keep_state) restore_state(launches);
    std::vector<PreparedLaunch> prepared;
    for (const DeviceLaunch& launch : launches) {
      std::optional<PreparedLaunch> one = PreparedLaunch::prepare(*context_, launch, result);
      if (!one) return result;
      prepared.push_back(std::move(*one));
    }
    Event start(context_);
    Event end(context_);
    CUresult queued = start.record();
    for (PreparedLaunch& launch : prepared) {
      if (queued == CUDA_SUCCESS) queued = launch.enqueue(*context_);
      if (queued != CUDA_SUCCESS) {
        result = launch_failure(*context_, queued, "launching " + launch.describe());
        // Earlier launches of the sequence may still run on the buffers that the caller is about to
        // free.
        if (!context_->lost()) (void)context_->wait(kCopyLimit);
        return result;
      }
    }
    queued = end.record();
    const CUresult waited = queued == CUDA_SUCCESS ? context_->wait(limits.time) : queued;
    if (waited == CUDA_ERROR_NOT_READY) {
      context_->mark_lost();
      result.status = Status::kTimeout;
      result.reason = fmt::format("{} did not finish within {} ms", prepared.back().describe(),
                                  limits.time.count());
      result.device_lost = true;
    } else if (waited != CUDA_SUCCESS) {
      result = launch_failure(*context_, waited, "running " + prepared.back().describe());
      result.detail.code = FailureCode::kRuntimeFault;
    } else {
      result.elapsed_us = end.since_us(start);
      for (const DeviceLaunch& launch : launches) {
        if (const auto* module = dynamic_cast<const Module*>(launch.module.get()))
          module->note_run(launch.entry);
      }
    }
    return result;
  }

  std::unique_ptr<TimingPlan> plan_timing(TimingRequest request) override {
    switch (request.mode) {
      case TimingMode::kCold:
        return make_cold_graph_plan(*bench_, std::move(request));
      case TimingMode::kHot:
        return make_hot_plan(*bench_, std::move(request));
      case TimingMode::kSlope:
        return make_slope_plan(*bench_, std::move(request));
      case TimingMode::kGap:
        return make_gap_plan(*bench_, std::move(request));
      case TimingMode::kEndToEnd:
      case TimingMode::kEndToEndUncached:
        return make_end_to_end_plan(*bench_, std::move(request));
    }
    WARPWRIGHT_CHECK(false, "every timing mode has a plan");
  }

  void warm_up() override {
    using Clock = std::chrono::steady_clock;
    constexpr auto kSteady = std::chrono::milliseconds(250);
    constexpr auto kPatience = std::chrono::seconds(10);
    constexpr double kTolerance = 0.01;
    if (warm_) return;
    warm_ = true;
    const auto start = Clock::now();
    auto steady_since = start;
    int lowest = gpu_.sm_clock_mhz();
    int highest = lowest;
    while (Clock::now() - start < kPatience && Clock::now() - steady_since < kSteady) {
      context_->require(bench_->queue_spin(std::chrono::milliseconds(1)), "warming up");
      context_->require(context_->wait(kCopyLimit), "warming up");
      const int now = gpu_.sm_clock_mhz();
      lowest = std::min(lowest, now);
      highest = std::max(highest, now);
      if (highest - lowest <= kTolerance * highest) continue;
      lowest = highest = now;
      steady_since = Clock::now();
    }
    calibrate_cold(*bench_);
  }

  DeviceState state() override {
    using Clock = std::chrono::steady_clock;
    constexpr auto kKept = std::chrono::milliseconds(100);
    // Clocks and their reasons are read every time; values that change slowly or cost more are read
    // less often.
    if (Clock::now() - slow_state_at_ > kKept) {
      slow_state_at_ = Clock::now();
      state_.power_w = gpu_.power_w();
      state_.temperature_c = gpu_.temperature_c();
      state_.other_processes = std::max(0, gpu_.compute_processes() - 1);
    }
    Nvml::Gpu::ClockReasons reasons = gpu_.clock_reasons();
    state_.slowdown = std::move(reasons.slowdown);
    state_.limits = std::move(reasons.limits);
    state_.sm_clock_mhz = gpu_.sm_clock_mhz();
    state_.memory_clock_mhz = gpu_.memory_clock_mhz();
    return state_;
  }

  std::optional<double> energy_mj() override { return gpu_.energy_mj(); }

 protected:
  EncodedTensorMap encode_anew(const TensorMapRequest& request) override {
    return encode_tensor_map(context_->driver(), request);
  }

 private:
  void restore_state(std::span<const DeviceLaunch> launches) {
    for (const StatePart* part : state_of(launches)) {
      context_->require(context_->fn().copy_on_device(part->address, part->pristine, part->bytes,
                                                      context_->stream()),
                        "restoring a module's variables");
    }
  }

  // Starts a helper kernel over `items` items, without waiting for its end.
  void enqueue_helper(const char* entry, std::uint32_t threads, std::uint64_t items,
                      std::vector<std::vector<std::byte>> arguments) {
    constexpr std::uint64_t kBlocksPerSm = 8;
    const std::uint64_t most = kBlocksPerSm * static_cast<std::uint64_t>(info_.sm_count);
    DeviceLaunch launch;
    launch.module = helpers_;
    launch.entry = entry;
    launch.grid[0] =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>(items / threads + 1, 1, most));
    launch.block[0] = threads;
    launch.arguments = std::move(arguments);
    LaunchResult failure;
    std::optional<PreparedLaunch> prepared = PreparedLaunch::prepare(*context_, launch, failure);
    if (!prepared)
      throw environment_error(fmt::format("starting {} on the GPU: {}", entry, failure.reason));
    context_->require(prepared->enqueue(*context_), fmt::format("running {}", entry));
  }

  // Waits for one operation, because the host memory that it accesses belongs to the caller.
  void finish(CUresult queued, const std::string& doing) {
    context_->require(queued, doing);
    context_->require(context_->wait(kCopyLimit), doing);
  }

  Nvml nvml_;
  DeviceInfo info_;
  std::shared_ptr<Context> context_;
  std::shared_ptr<const Module> helpers_;
  Nvml::Gpu gpu_;
  std::optional<TimingBench> bench_;
  bool warm_ = false;
  DeviceState state_;
  std::chrono::steady_clock::time_point slow_state_at_{};
  std::unique_ptr<DeviceBuffer> sums_;
  std::unique_ptr<DeviceBuffer> found_;
};

}  // namespace

std::vector<DeviceInfo> list_cuda_devices(const std::shared_ptr<const Driver>& driver) {
  const Nvml nvml;
  std::vector<DeviceInfo> devices;
  for (int ordinal = 0; ordinal < driver->device_count(); ++ordinal) {
    devices.push_back(query(*driver, nvml, ordinal));
  }
  return devices;
}

std::unique_ptr<Device> open_cuda_device(std::shared_ptr<const Driver> driver, int ordinal) {
  return std::make_unique<CudaDevice>(std::move(driver), ordinal);
}

}  // namespace warpwright::cuda
