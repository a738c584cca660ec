#include "device/emulated_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <string_view>

#include "core/error.h"
#include "core/process/memory_limit.h"
#include "device/emulated_report.h"
#include "emu/emulator.h"

namespace warpwright {
namespace {

class EmulatedBuffer : public DeviceBuffer {
 public:
  EmulatedBuffer(std::shared_ptr<emu::GlobalMemory> memory, std::size_t bytes,
                 const std::string& label)
      : memory_(std::move(memory)) {
    address_ = memory_->allocate(bytes, label);
    bytes_ = bytes;
  }
  ~EmulatedBuffer() override { memory_->release(address_); }
  EmulatedBuffer(const EmulatedBuffer&) = delete;
  EmulatedBuffer& operator=(const EmulatedBuffer&) = delete;

 private:
  std::shared_ptr<emu::GlobalMemory> memory_;
};

class EmulatedModule : public DeviceModule {
 public:
  EmulatedModule(std::shared_ptr<const emu::Module> module, CompileResult compiled)
      : module_(std::move(module)), compiled_(std::move(compiled)) {}

  // Finds an entry under its name in the PTX; nullptr when there is no such entry.
  const emu::Module::Entry* find(const std::string& entry) const {
    return module_->find(compiled_.symbol(entry));
  }

  std::optional<KernelResources> resources(const std::string& entry) const override {
    const emu::Module::Entry* found = find(entry);
    if (found == nullptr) return std::nullopt;
    if (const KernelResources* known = compiled_.find(entry)) return *known;
    // A PTX-only job has no resource figures from ptxas; the static shared memory is in the PTX
    // itself.
    KernelResources known;
    known.entry = entry;
    known.static_shared = static_cast<int>(found->static_shared_bytes);
    return known;
  }

  std::vector<std::size_t> parameter_sizes(const std::string& entry) const override {
    std::vector<std::size_t> sizes;
    if (const emu::Module::Entry* found = find(entry)) {
      for (const emu::Module::Parameter& parameter : found->parameters)
        sizes.push_back(parameter.size);
    }
    return sizes;
  }

  std::optional<std::size_t> variable_bytes(const std::string& variable) const override {
    return module_->variable_bytes(compiled_.symbol(variable));
  }

  const emu::Module& module() const { return *module_; }
  const std::string& symbol(const std::string& name) const { return compiled_.symbol(name); }

 private:
  std::shared_ptr<const emu::Module> module_;
  CompileResult compiled_;  // without its code
};

constexpr const char* kModuleName = "kernel";

LaunchResult failure(Status status, std::string reason, FailureCode code = FailureCode::kNone) {
  LaunchResult result;
  result.status = status;
  result.reason = std::move(reason);
  result.detail.code = code;
  return result;
}

// Lays out the arguments as the entry expects them in `buffer`, or returns the reason why they do
// not fit.
std::optional<std::string> lay_out(const emu::Module::Entry& entry, const DeviceLaunch& launch,
                                   std::vector<std::byte>& buffer) {
  if (entry.parameters.size() != launch.arguments.size()) {
    return fmt::format("entry '{}' takes {} parameters, the launch passes {}", entry.name,
                       entry.parameters.size(), launch.arguments.size());
  }
  buffer.assign(entry.parameter_bytes, std::byte{0});
  for (std::size_t i = 0; i < entry.parameters.size(); ++i) {
    const emu::Module::Parameter& parameter = entry.parameters[i];
    const std::vector<std::byte>& argument = launch.arguments[i];
    if (parameter.size != argument.size()) {
      return fmt::format("parameter {} of entry '{}' has {} bytes, the launch passes {}", i,
                         entry.name, parameter.size, argument.size());
    }
    std::memcpy(buffer.data() + parameter.offset, argument.data(), argument.size());
  }
  return std::nullopt;
}

// The memory that the host can provide without swapping: emulated memory is host memory, however
// large the modelled device is.
std::size_t host_bytes_available() {
  return available_memory_bytes().value_or(std::numeric_limits<std::size_t>::max());
}

// A plan that only reports that there is no clock.
class NoClockPlan : public TimingPlan {
 public:
  explicit NoClockPlan(std::string device) : device_(std::move(device)) {}
  Samples take(int, std::chrono::milliseconds) override {
    Samples samples;
    samples.status = Status::kInvalid;
    samples.reason = fmt::format("{} has no clock: its times are modelled, never sampled", device_);
    return samples;
  }

 private:
  std::string device_;
};

class EmulatedDevice : public Device {
 public:
  EmulatedDevice(emu::DeviceModel model, int threads)
      : model_(std::move(model)),
        info_(describe(model_)),
        threads_(threads),
        memory_(std::make_shared<emu::GlobalMemory>()) {}

  const DeviceInfo& info() const override { return info_; }
  bool checks_bounds() const override { return true; }

  std::size_t free_bytes() const override {
    const auto total = static_cast<std::size_t>(model_.global_bytes);
    const std::size_t modelled = total - std::min(total, memory_->bytes_in_use());
    return std::min(modelled, host_bytes_available());
  }

  std::unique_ptr<DeviceBuffer> allocate(std::size_t bytes, const std::string& label) override {
    if (bytes > free_bytes()) {
      throw environment_error(
          fmt::format("{} has {} bytes free, '{}' needs {}", info_.id, free_bytes(), label, bytes));
    }
    return std::make_unique<EmulatedBuffer>(memory_, bytes, label);
  }

  void upload(DeviceBuffer& to, std::size_t offset, std::span<const std::byte> from) override {
    if (from.empty()) return;
    memory_->define(to.address() + offset, from.size());
    std::memcpy(memory_->host_view(to.address() + offset, from.size()), from.data(), from.size());
  }

  void download(std::span<std::byte> to, const DeviceBuffer& from, std::size_t offset) override {
    if (to.empty()) return;
    std::memcpy(to.data(), memory_->host_view(from.address() + offset, to.size()), to.size());
  }

  void copy(DeviceBuffer& to, const DeviceBuffer& from, std::size_t bytes) override {
    if (bytes == 0) return;
    memory_->define(to.address(), bytes);
    std::memcpy(memory_->host_view(to.address(), bytes), memory_->host_view(from.address(), bytes),
                bytes);
  }

  void fill(DeviceBuffer& to, std::size_t offset, std::size_t bytes,
            std::uint32_t pattern) override {
    if (bytes == 0) return;
    memory_->define(to.address() + offset, bytes);
    std::byte* view = memory_->host_view(to.address() + offset, bytes);
    for (std::size_t i = 0; i < bytes; ++i)
      view[i] = static_cast<std::byte>(pattern >> (8 * (i % 4)));
  }

  void forget(DeviceBuffer& buffer, std::size_t offset, std::size_t bytes) override {
    if (bytes != 0) memory_->forget(buffer.address() + offset, bytes);
  }

  // Only launches that are checked update these marks.
  std::optional<UnwrittenBytes> unwritten(const DeviceBuffer& buffer, std::size_t offset,
                                          std::size_t bytes) const override {
    const auto found = memory_->unwritten(buffer.address() + offset, bytes);
    if (!found) return std::nullopt;
    return UnwrittenBytes{found->first, found->count};
  }

  std::optional<bool> accessed(const DeviceBuffer& buffer) const override {
    if (!launched_) return std::nullopt;
    return memory_->accessed(buffer.address());
  }

  std::vector<KeptVariable> kept_state(std::span<const DeviceLaunch> launches) override {
    std::vector<KeptVariable> kept;
    for (const emu::Module* module : modules_of(launches)) {
      for (auto& [name, bytes] : emu::changed_variables(*memory_, *module))
        kept.push_back({std::move(name), bytes});
    }
    return kept;
  }

  Loaded load(const CompileResult& compiled) override { return load_parts(nullptr, compiled); }

  std::vector<SyncSite> sync_sites(const CompileResult& compiled,
                                   std::span<const std::string> entries) const override {
    std::vector<std::string> symbols;
    for (const std::string& entry : entries) symbols.push_back(compiled.symbol(entry));
    return emu::find_sync_sites(compiled.ptx, kModuleName, symbols);
  }

  Loaded load_without(const SyncSite& site, const CompileResult& compiled) override {
    return load_parts(&site, compiled);
  }

  LaunchResult launch(std::span<const DeviceLaunch> launches, const LaunchLimits& limits) override {
    LaunchResult result;
    const auto start = std::chrono::steady_clock::now();
    std::uint64_t instructions = 0;
    bool same = limits.check;
    begin_sequence(launches, limits);
    for (const DeviceLaunch& launch : launches) {
      // Both limits hold for the whole sequence; each launch gets the remainder, but never 0, which
      // would mean "none".
      emu::LaunchOptions options;
      options.threads = threads_;
      options.seed = limits.emulated_seed;
      options.count_lines = limits.count_lines;
      options.check = limits.check;
      options.trust_cas_reads = limits.trust_cas_reads;
      options.sample_blocks = limits.sample_blocks;
      if (limits.emulated_instructions != 0) {
        const std::uint64_t used = std::min(instructions, limits.emulated_instructions - 1);
        options.instruction_limit = limits.emulated_instructions - used;
      }
      if (limits.time.count() > 0) {
        const auto used = std::chrono::duration_cast<std::chrono::milliseconds>(
            std::chrono::steady_clock::now() - start);
        options.time_limit = std::max(std::chrono::milliseconds(1), limits.time - used);
      }
      result.same_under_all_schedules = false;  // unless this launch sets it, too
      if (!run_one(launch, options, result)) return result;
      same = same && result.same_under_all_schedules;
      instructions = result.counters["warp_instructions"];
    }
    result.same_under_all_schedules = same;
    return result;
  }

  std::unique_ptr<TimingPlan> plan_timing(TimingRequest) override {
    return std::make_unique<NoClockPlan>(info_.id);
  }

 protected:
  EncodedTensorMap encode_anew(const TensorMapRequest& request) override {
    EncodedTensorMap encoded;
    encoded.bytes = encode_emulated(request);
    return encoded;
  }

 private:
  // `left_out` is null to load everything.
  static Loaded load_parts(const SyncSite* left_out, const CompileResult& compiled) {
    Loaded loaded;
    try {
      CompileResult figures = compiled;
      figures.ptx.clear();
      figures.cubin.clear();
      figures.log.clear();
      loaded.module = std::make_shared<EmulatedModule>(
          left_out == nullptr ? emu::Module::parse(compiled.ptx, kModuleName)
                              : emu::Module::parse_without(*left_out, compiled.ptx, kModuleName),
          std::move(figures));
    } catch (const emu::UnsupportedPtx& unsupported) {
      loaded.failure = failure(Status::kInvalid, unsupported.what(), FailureCode::kEmulatorLacks);
    } catch (const Error& unreadable) {
      // The source contains inline assembly that is not PTX: NVRTC parses it only when it generates
      // machine code.
      if (unreadable.fault() != Fault::kUser) throw;
      loaded.failure = failure(Status::kInvalid, unreadable.message());
    }
    return loaded;
  }

  static const EmulatedModule& module_of(const DeviceLaunch& launch) {
    const auto* module = dynamic_cast<const EmulatedModule*>(launch.module.get());
    WARPWRIGHT_CHECK(module != nullptr, "a launch holds a module of another device");
    return *module;
  }

  static std::vector<const emu::Module*> modules_of(std::span<const DeviceLaunch> launches) {
    std::vector<const emu::Module*> modules;
    for (const DeviceLaunch& launch : launches) {
      const emu::Module* module = &module_of(launch).module();
      if (std::find(modules.begin(), modules.end(), module) == modules.end())
        modules.push_back(module);
    }
    return modules;
  }

  void begin_sequence(std::span<const DeviceLaunch> launches, const LaunchLimits& limits) {
    emu::begin_sequence(*memory_, modules_of(launches),
                        !limits.keep_state ? emu::SequenceStart::kRestored
                        : limits.check     ? emu::SequenceStart::kWatched
                                           : emu::SequenceStart::kKept);
    launched_ = true;
  }

  // Adds one launch to `result`; false when it failed.
  bool run_one(const DeviceLaunch& launch, const emu::LaunchOptions& options,
               LaunchResult& result) {
    const EmulatedModule* module = &module_of(launch);
    const emu::Module::Entry* entry = module->find(launch.entry);
    if (entry == nullptr) {
      std::vector<std::string> names;
      for (const emu::Module::Entry& known : module->module().entries())
        names.push_back(known.name);
      result.status = Status::kInvalid;
      result.reason = fmt::format("no entry '{}' in the module; it has: {}", launch.entry,
                                  fmt::join(names, ", "));
      return false;
    }
    emu::Launch emulated;
    emulated.module = &module->module();
    emulated.entry = entry->name;
    emulated.grid = launch.grid;
    emulated.block = launch.block;
    emulated.cluster = launch.cluster;
    emulated.dynamic_shared_bytes = launch.dynamic_shared;
    for (const VariableContent& content : launch.variables)
      emulated.variables.push_back({module->symbol(content.variable), content.from, content.bytes});
    emulated.registers_per_thread = module->resources(launch.entry)->registers;
    if (auto mismatch = lay_out(*entry, launch, emulated.parameters)) {
      result.status = Status::kInvalid;
      result.reason = std::move(*mismatch);
      return false;
    }
    emu::LaunchReport report;
    try {
      report = emu::run(*memory_, model_, emulated, options);
    } catch (const emu::UnsupportedPtx& unsupported) {
      result.status = Status::kInvalid;
      result.reason = unsupported.what();
      result.detail.code = FailureCode::kEmulatorLacks;
      return false;
    }
    add_counters(result.counters, report.counters);
    if (options.check) add_findings(result.hazards, report);
    result.passed_left_out = result.passed_left_out || report.passed_left_out;
    if (report.fault) {
      result.status = status_of(*report.fault);
      result.reason = fault_reason(*report.fault);
      if (result.status == Status::kLaunchFailed) result.detail.code = FailureCode::kRuntimeFault;
      return false;
    }
    const std::optional<KernelResources> known = module->resources(launch.entry);
    add_lines(result.lines, report.lines);
    result.same_under_all_schedules = report.same_under_all_schedules;
    result.modelled_us += emu::model_us(model_, entry_resources(*known), emulated, report.counters);
    return true;
  }

  emu::DeviceModel model_;
  DeviceInfo info_;
  int threads_;
  bool launched_ = false;
  std::shared_ptr<emu::GlobalMemory> memory_;  // shared: buffers may outlive the device
};

}  // namespace

std::vector<DeviceInfo> list_emulated_devices() {
  std::vector<DeviceInfo> devices;
  for (const emu::DeviceModel& model : emu::device_models()) devices.push_back(describe(model));
  return devices;
}

std::unique_ptr<Device> open_emulated_device(const std::string& id, int threads) {
  const std::optional<emu::DeviceModel> model = emu::find_model(id);
  if (!model) return nullptr;
  return std::make_unique<EmulatedDevice>(*model, threads);
}

}  // namespace warpwright
