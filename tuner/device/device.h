// One accelerator, real or emulated, behind one interface: identity, limits, memory, modules,
// launches, samples of time. Only worker processes open devices; the orchestrator sees DeviceInfo.
// Errors of a kernel are returned as a LaunchResult; only faults of the environment throw Error.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compile/compile_job.h"
#include "core/finding.h"
#include "core/sync_site.h"
#include "device/tensor_map.h"
#include "device/timing.h"
#include "records/device_info.h"
#include "records/kernel_resources.h"
#include "records/status.h"

namespace warpwright {

// The comparison of the elements of an array on a device with their expected values. The device
// only identifies correct elements; the host judges those that may be wrong.

// How elements are converted to doubles; the kernel ww_compare uses the same values.
enum class ElementKind : std::uint64_t {
  kByte = 0,  // by a table of 256 doubles
  kHalf = 1,  // by a table of 65,536
  kF32 = 2,
  kI32 = 3,
  kU32 = 4,
  kF64 = 5,
  kI64 = 6,
  kU64 = 7
};

// All arrays lie on the device, at these addresses.
struct ElementComparison {
  ElementKind kind = ElementKind::kF32;
  std::uint64_t got = 0;            // the whole array
  std::uint64_t units = 0;          // indices of the compared units, as i64; 0: all
  std::uint64_t unit_elements = 1;  // elements of a unit
  std::uint64_t count = 0;          // compared elements: the length of `expected` and `allowed`
  std::uint64_t expected = 0;       // f64
  std::uint64_t allowed = 0;        // f64: the allowed error of each; below 0: never right
  std::uint64_t table = 0;          // f64, for kByte and kHalf
};

struct ElementsFound {
  std::uint64_t wrong = 0;  // elements that exceed the allowed error, including NaNs
  // Maxima over the elements within the allowed error.
  double max_abs = 0;
  double max_rel = 0;  // relative to the expected value, if that is not 0
  double worst_ratio = 0;
};

// Device memory. Freed when the object is destroyed.
class DeviceBuffer {
 public:
  virtual ~DeviceBuffer() = default;
  [[nodiscard]] std::uint64_t address() const { return address_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 protected:
  std::uint64_t address_ = 0;
  std::size_t bytes_ = 0;
};

class DeviceModule {
 public:
  virtual ~DeviceModule() = default;
  // Resources of one entry as reported by the device; nullopt when there is no such entry.
  [[nodiscard]] virtual std::optional<KernelResources> resources(
      const std::string& entry) const = 0;
  // Bytes of each parameter of the entry, in order; empty when they are unknown.
  [[nodiscard]] virtual std::vector<std::size_t> parameter_sizes(
      const std::string& entry) const = 0;
  // Bytes of a variable that the source declares for the whole module (__constant__, __device__);
  // nullopt when there is none, for example because the compiler removed an unused one.
  [[nodiscard]] virtual std::optional<std::size_t> variable_bytes(
      const std::string& /*variable*/) const {
    return std::nullopt;
  }
  // The reason why state that its launches keep for later ones cannot be restored between them:
  // "the code calls malloc() on the device". Empty when it can be restored.
  [[nodiscard]] virtual std::string unrestorable_state() const { return ""; }
};

// The content of a module variable before a launch: bytes of an array on the device.
struct VariableContent {
  std::string variable;
  std::uint64_t from = 0;
  std::size_t bytes = 0;
};

// A tensor map among the arguments of a launch: the request that it was encoded from, so that the
// launch can be moved to other buffers, or encode the map anew in timed code.
struct TensorMapArgument {
  std::size_t argument = 0;  // in DeviceLaunch::arguments, which holds the encoded bytes
  std::uint64_t array = 0;   // address of the array that the map views
  TensorMapRequest request;
};

// One kernel launch, ready to go. Each argument holds exactly the bytes of its parameter (8 for a
// pointer, 128 for a tensor map).
struct DeviceLaunch {
  std::shared_ptr<const DeviceModule> module;
  std::string entry;
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::array<std::uint32_t, 3> cluster{1, 1, 1};
  std::uint32_t dynamic_shared = 0;  // bytes
  std::vector<std::vector<std::byte>> arguments;
  std::vector<TensorMapArgument> tensor_maps;
  std::vector<VariableContent> variables;
};

struct LaunchLimits {
  std::chrono::milliseconds time{0};        // 0 is none
  std::uint64_t emulated_instructions = 0;  // warp instructions; 0 is none
  std::uint64_t emulated_seed = 1;          // for the emulator's scheduling choices
  bool count_lines = false;                 // LaunchResult::lines, on the emulator
  std::uint64_t sample_blocks = 0;          // blocks of each launch to run on an emulator; 0: all
  // LaunchResult::hazards, on the emulator; such a launch takes several times longer.
  bool check = false;
  bool trust_cas_reads = false;  // in the checkers; see emu::LaunchOptions
  // Module variables stay as the previous launch left them. Otherwise their content after loading
  // is restored before the first launch of the sequence.
  bool keep_state = false;
};

// The emulator's counters of one source line, by name; counters that are 0 are left out.
struct LineCounters {
  std::string file;  // as passed to the compiler; empty, with line 0, when unknown
  int line = 0;
  std::map<std::string, std::uint64_t> counters;
};

struct LaunchResult {
  Status status = Status::kOk;  // kOk, kInvalid, kLaunchFailed, kTimeout, kHazard
  std::string reason;           // with the source position when known
  FailureDetail detail;
  bool device_lost = false;  // the process must be replaced: the context is poisoned
  double elapsed_us = 0;     // on a device with a clock: rough, of this one launch
  double modelled_us = 0;    // on a device without one
  std::map<std::string, std::uint64_t>
      counters;                     // emulator counters by name, summed over the launches
  std::vector<LineCounters> lines;  // by file and line, summed over the launches; on request
  // With LaunchLimits::check, in the order of the launches. The fault that ended a launch comes
  // last. They do not change `status`: the caller decides what they mean.
  std::vector<Finding> hazards;
  // Also with LaunchLimits::check: all launches ended, nothing was found, and from the same memory
  // the emulator would behave identically under every other schedule and find nothing.
  bool same_under_all_schedules = false;
  // Also with LaunchLimits::check, of a module of Device::load_without(): whether some launch came
  // to the place of an instruction that was left out.
  bool passed_left_out = false;
};

inline TimedSequence::TimedSequence(LaunchSequence the_launches)
    : launches(std::move(the_launches)) {}

// A module variable whose content differs from what it was after loading.
struct KeptVariable {
  std::string name;
  std::size_t bytes = 0;
};

// Bytes of an array that no launch has written since Device::forget().
struct UnwrittenBytes {
  std::size_t first = 0;  // offset in the queried region
  std::size_t count = 0;
};

// Part of a buffer; the offset is a multiple of 16.
struct DeviceRegion {
  const DeviceBuffer* buffer = nullptr;
  std::size_t offset = 0;
  std::size_t bytes = 0;
};

// Whether Device::scatter() changes word i of an array of `words` words.
[[nodiscard]] inline bool scatters(std::uint64_t seed, std::uint64_t words, std::uint64_t i) {
  std::uint32_t hash =
      static_cast<std::uint32_t>(i) * 0x9e3779b1u + static_cast<std::uint32_t>(seed);
  hash ^= hash >> 15;
  hash *= 0x85ebca77u;
  hash ^= hash >> 13;
  return (hash & 15) == 0 || i == words / 2;
}

class Device {
 public:
  virtual ~Device() = default;
  [[nodiscard]] virtual const DeviceInfo& info() const = 0;
  [[nodiscard]] virtual std::size_t free_bytes() const = 0;

  // Throws Error (environment) with the sizes when the device has not enough memory. `label` names
  // the buffer in faults.
  [[nodiscard]] virtual std::unique_ptr<DeviceBuffer> allocate(std::size_t bytes,
                                                               const std::string& label) = 0;
  // Memory that launches cannot reach, for data that a candidate must not see: it can be uploaded
  // to and computed with only between reveal() and hide(). It starts hidden. Null when a device has
  // no such memory. Devices whose kernels cannot reach beyond their arguments return ordinary
  // memory.
  [[nodiscard]] virtual std::unique_ptr<DeviceBuffer> allocate_hidden(std::size_t bytes,
                                                                      const std::string& label) {
    return allocate(bytes, label);
  }
  virtual void reveal(DeviceBuffer& /*hidden*/) {}
  virtual void hide(DeviceBuffer& /*hidden*/) {}
  virtual void upload(DeviceBuffer& to, std::size_t offset, std::span<const std::byte> from) = 0;
  virtual void download(std::span<std::byte> to, const DeviceBuffer& from, std::size_t offset) = 0;
  virtual void copy(DeviceBuffer& to, const DeviceBuffer& from, std::size_t bytes) = 0;
  // Repeats the pattern's four bytes (little-endian) from `offset`, which is a multiple of 4;
  // `bytes` may be odd.
  virtual void fill(DeviceBuffer& to, std::size_t offset, std::size_t bytes,
                    std::uint32_t pattern) = 0;
  // Flips the bits of the mask in about one of sixteen words of four bytes from `offset`, a
  // multiple of 4, and in at least one if there is a whole word; scatters() determines which. The
  // default implementation copies through the host.
  virtual void scatter(DeviceBuffer& to, std::size_t offset, std::size_t bytes, std::uint32_t mask,
                       std::uint64_t seed);
  // Marks these bytes as uninitialised: a checker reports reads of them before they are written.
  // Does nothing on a device without checkers.
  virtual void forget(DeviceBuffer& /*buffer*/, std::size_t /*offset*/, std::size_t /*bytes*/) {}
  // Bytes of the region that forget() marked and that nothing has written since; nullopt when there
  // are none, and on a device without checkers.
  [[nodiscard]] virtual std::optional<UnwrittenBytes> unwritten(const DeviceBuffer& /*buffer*/,
                                                                std::size_t /*offset*/,
                                                                std::size_t /*bytes*/) const {
    return std::nullopt;
  }
  // Whether the latest launch() accessed any byte of the buffer; nullopt when unknown.
  [[nodiscard]] virtual std::optional<bool> accessed(const DeviceBuffer& /*buffer*/) const {
    return std::nullopt;
  }
  // device/checksum.h over these bytes; `offset` is a multiple of 16. The default downloads them
  // piece by piece.
  [[nodiscard]] virtual std::uint64_t checksum(const DeviceBuffer& of, std::size_t offset,
                                               std::size_t bytes);
  // checksum() of several regions, at the cost of one.
  [[nodiscard]] virtual std::vector<std::uint64_t> checksums(std::span<const DeviceRegion> regions);
  // Compares on the device; nullopt when the host has to compare.
  [[nodiscard]] virtual std::optional<ElementsFound> compare(
      const ElementComparison& /*comparison*/) {
    return std::nullopt;
  }
  // Whether compare() is implemented.
  [[nodiscard]] virtual bool compares() const { return false; }
  // True when every access outside a buffer is a fault already, so that guard zones would only hide
  // such faults.
  [[nodiscard]] virtual bool checks_bounds() const { return false; }

  // The module of a successful CompileResult, or the reason why it cannot be loaded as a
  // LaunchResult.
  struct Loaded {
    std::shared_ptr<const DeviceModule> module;  // null on failure; `failure` holds the reason
    LaunchResult failure;
  };
  [[nodiscard]] virtual Loaded load(const CompileResult& compiled) = 0;
  // The barriers, waits and fences in code that launches of these entries may execute; none on a
  // device without checkers. `compiled` is one that the device loads.
  [[nodiscard]] virtual std::vector<SyncSite> sync_sites(
      const CompileResult& /*compiled*/, std::span<const std::string> /*entries*/) const {
    return {};
  }
  // load() without the instructions of one of them, for devices with checkers.
  [[nodiscard]] virtual Loaded load_without(const SyncSite& /*site*/,
                                            const CompileResult& compiled) {
    return load(compiled);
  }

  // The descriptor of a tensor map, encoded once per request and device. The status is kInvalid,
  // with the broken rule, when the request cannot be encoded.
  [[nodiscard]] EncodedTensorMap encode(const TensorMapRequest& request) {
    return tensor_maps_.find_or_encode(
        request, [&](const TensorMapRequest& wanted) { return encode_anew(wanted); });
  }
  // Counts of encode() since the device was opened.
  [[nodiscard]] const TensorMapStatistics& tensor_map_statistics() const {
    return tensor_maps_.statistics();
  }

  // Variables of the launches' modules whose content differs from that after loading, excluding
  // those that the launches set and those that the code never reads.
  [[nodiscard]] virtual std::vector<KeptVariable> kept_state(
      std::span<const DeviceLaunch> /*launches*/) {
    return {};
  }

  // Runs the launches in stream order and waits.
  [[nodiscard]] virtual LaunchResult launch(std::span<const DeviceLaunch> launches,
                                            const LaunchLimits& limits) = 0;
  // Never null: errors of the device are reported by the plan's first take(), as is kInvalid on a
  // device without a clock. The plan must not outlive the device and refers to the buffers it
  // restores.
  [[nodiscard]] virtual std::unique_ptr<TimingPlan> plan_timing(TimingRequest request) = 0;

  // Keeps the device busy until its clock is steady (within 1 % over 250 ms) or 10 s have passed,
  // and calibrates the cold protocol with an empty kernel. Does nothing when called again.
  virtual void warm_up() {}
  [[nodiscard]] virtual DeviceState state() { return {}; }
  // No samples may be taken before this time, so that earlier work that drew much power does not
  // slow them down (trial/timing/paced_plan.h). Other work may continue.
  std::chrono::steady_clock::time_point rests_until{};
  // Energy used since some moment in the past; nullopt without a counter. Counters of GPUs advance
  // in steps of about 100 ms.
  [[nodiscard]] virtual std::optional<double> energy_mj() { return std::nullopt; }

 protected:
  // Encodes a request that obeys the rules, without caching.
  [[nodiscard]] virtual EncodedTensorMap encode_anew(const TensorMapRequest& request) = 0;

 private:
  TensorMapCache tensor_maps_;
};

}  // namespace warpwright
