// The embedded PTX emulator executes the PTX that NVRTC generates for a real architecture on the
// CPU, exactly enough to validate kernels and to count their operations. It does not measure time.
// Code outside tuner/emu uses only this header, for tensor maps emu/async/encoded_map.h, and for
// observed launches emu/observe/observation.h.
//
// Contract: for one seed the result, the counters and the first fault reported are identical on
// every machine and for every number of host threads, unless the kernel itself races between
// blocks.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/finding.h"
#include "core/sync_site.h"

namespace warpwright::emu {

struct Observation;

// The texture behind a handle in a launch: texels in global memory, and the way they are sampled.
// Launch::textures binds handles; a tex of any other handle is a fault.
struct Texture {
  enum class Texel : std::uint8_t { kUnsigned, kSigned, kFloat };
  enum class Addressing : std::uint8_t { kWrap, kClamp, kMirror, kBorder };

  std::uint64_t address = 0;  // device address of the first texel
  std::size_t width = 1;      // in texels
  std::size_t height = 0;     // 0: one dimension
  std::size_t row_bytes = 0;  // from one row to the next
  Texel texel = Texel::kFloat;
  int bits = 32;     // of a channel: 8, 16, 32
  int channels = 1;  // 1, 2, 4
  // Linear memory, like cudaResourceTypeLinear: integer coordinates only; texels outside are 0.
  bool linear_memory = false;
  std::array<Addressing, 2> addressing{Addressing::kClamp, Addressing::kClamp};
  bool linear_filter = false;
  bool normalized_coordinates = false;
  bool normalized_texels = false;  // integers of 8 and 16 bits are read as floats up to 1
};

// Limits of an emulated device, by compute capability. Bytes unless the name says otherwise.
struct DeviceModel {
  std::string id;              // the part after "emu:": "sm_90a", or "h100" if an arch has several
  std::string arch;            // as passed to NVRTC: "sm_80", "sm_90a", "sm_120a"
  std::string name;            // "emulated NVIDIA H200 (sm_90a)"
  int compute_capability = 0;  // 90
  int sm_count = 0;
  int max_threads_per_block = 1024;
  int max_threads_per_sm = 0;
  int max_blocks_per_sm = 0;
  int registers_per_sm = 65536;
  int max_shared_per_block = 0;  // with opt-in
  int shared_per_sm = 0;
  int reserved_shared_per_block = 1024;
  std::int64_t l2_bytes = 0;
  std::int64_t global_bytes = 0;
  double clock_ghz = 0;      // for the time model only
  double dram_gb_per_s = 0;  // for the time model only
  double l2_gb_per_s = 0;    // for the time model only
};

// All models. find_model() returns nullopt for an unknown id, such as "sm_75".
[[nodiscard]] const std::vector<DeviceModel>& device_models();
[[nodiscard]] std::optional<DeviceModel> find_model(const std::string& id);

// The resources of one entry as reported by ptxas; the emulator needs them for launch checks,
// occupancy and the time model.
struct EntryResources {
  int registers = 0;
  int static_shared_bytes = 0;
  int spill_store_bytes = 0;
  int spill_load_bytes = 0;
  int stack_bytes = 0;
};

// Global memory: allocations with guard zones on both sides, at addresses that are never valid host
// pointers. An access that is not wholly inside one live allocation is a fault. Thread-safe for the
// accesses of one launch.
class GlobalMemory {
 public:
  GlobalMemory();
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  // Returns a device address aligned to 256 bytes. `label` names the buffer in faults ("logits").
  // Throws Error (environment) when the host does not have enough memory.
  [[nodiscard]] std::uint64_t allocate(std::size_t bytes, std::string label);
  void release(std::uint64_t address);
  // The host view of [address, address + bytes); throws Error (internal) unless it is inside one
  // allocation.
  [[nodiscard]] std::byte* host_view(std::uint64_t address, std::size_t bytes);
  [[nodiscard]] std::size_t bytes_in_use() const;
  // For LaunchOptions::check: marks these bytes as uninitialised until a kernel writes them or the
  // host calls define() for them. Throws Error (internal) like host_view().
  void forget(std::uint64_t address, std::size_t bytes);
  void define(std::uint64_t address, std::size_t bytes);
  // The bytes in this range that forget() was called for and that neither the host nor a launch
  // under LaunchOptions::check has written since; writes of other launches are not recorded.
  // Nullopt when there are none.
  struct Unwritten {
    std::size_t first = 0;  // from `address`
    std::size_t count = 0;  // all of them in the range
  };
  [[nodiscard]] std::optional<Unwritten> unwritten(std::uint64_t address, std::size_t bytes) const;
  // Whether any launch since begin_sequence() has accessed the allocation that begins at `address`:
  // read, written, or read a variable of its module that was given content from there.
  [[nodiscard]] bool accessed(std::uint64_t address) const;

  struct Impl;
  [[nodiscard]] Impl& impl() { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

// A parsed and decoded PTX module; immutable and shareable between threads.
class Module {
 public:
  // Throws UnsupportedPtx when the PTX needs something the emulator lacks, Error (user) when it
  // cannot be parsed.
  [[nodiscard]] static std::shared_ptr<const Module> parse(std::string ptx, std::string name);
  // The same without the instructions of one site, as if the source lacked them: barriers and
  // fences do nothing, waits are over at once. Leaves out nothing if the module has no such site.
  [[nodiscard]] static std::shared_ptr<const Module> parse_without(const SyncSite& site,
                                                                   std::string ptx,
                                                                   std::string name);
  ~Module();

  struct Parameter {
    std::string name;
    std::size_t offset = 0;  // in the parameter buffer
    std::size_t size = 0;
    std::size_t alignment = 1;
  };
  struct Entry {
    std::string name;
    std::vector<Parameter> parameters;
    std::size_t parameter_bytes = 0;
    std::size_t static_shared_bytes = 0;
    std::array<int, 3> max_threads{0, 0, 0};       // .maxntid, 0 when absent
    std::array<int, 3> required_cluster{0, 0, 0};  // .reqnctapercluster, 0 when absent
  };
  [[nodiscard]] const std::vector<Entry>& entries() const;
  [[nodiscard]] const Entry* find(std::string_view name) const;
  // The size of a .const or .global variable of the module; nullopt if there is none of that name.
  [[nodiscard]] std::optional<std::size_t> variable_bytes(std::string_view name) const;

  struct Impl;
  [[nodiscard]] const Impl& impl() const { return *impl_; }

 private:
  Module();
  std::unique_ptr<Impl> impl_;
};

// The barriers, waits and fences in the functions of a module, except in entries other than the
// given ones, in the order of the PTX. Throws as Module::parse() does.
[[nodiscard]] std::vector<SyncSite> find_sync_sites(const std::string& ptx, const std::string& name,
                                                    std::span<const std::string> entries);

// "emulator lacks `mma.sync...` at softmax.cu:41" and the like: the outcome of the configuration is
// `invalid`.
class UnsupportedPtx : public std::exception {
 public:
  explicit UnsupportedPtx(std::string message) : message_(std::move(message)) {}
  [[nodiscard]] const char* what() const noexcept override { return message_.c_str(); }

 private:
  std::string message_;
};

// The content of a module's variable before a launch, copied from global memory.
struct VariableBytes {
  std::string name;
  std::uint64_t from = 0;
  std::size_t bytes = 0;
};

struct Launch {
  const Module* module = nullptr;
  std::string entry;
  std::array<std::uint32_t, 3> grid{1, 1, 1};
  std::array<std::uint32_t, 3> block{1, 1, 1};
  std::array<std::uint32_t, 3> cluster{1, 1, 1};
  std::uint32_t dynamic_shared_bytes = 0;
  int registers_per_thread = 0;       // as ptxas allocated them; 0 when unknown
  std::vector<std::byte> parameters;  // laid out as Module::Entry::parameters says
  std::vector<VariableBytes> variables = {};
  std::map<std::uint64_t, Texture> textures = {};  // by handle, as passed to kernels
};

struct LaunchOptions {
  int threads = 0;                            // host threads; 0 is one per core
  std::uint64_t instruction_limit = 0;        // warp instructions in total; 0 is none
  std::chrono::milliseconds time_limit{0};    // 0 is none
  std::uint64_t seed = 1;                     // of every scheduling choice
  const std::atomic<bool>* cancel = nullptr;  // set by another thread to stop early
  bool count_lines = false;                   // LaunchReport::lines; costs nothing when off
  bool check = false;  // LaunchReport::hazards: code that worked by chance; several times slower
  // LaunchReport::observation, for a launch that is not checked; several times slower.
  bool observe = false;
  // A plain load whose value is the first guess of an atomicCAS loop does not count as a race with
  // atomics: a torn or stale value only costs an iteration. CUDA leaves the race undefined.
  bool trust_cas_reads = false;
  // Run about this many blocks (whole clusters), spread evenly over the grid, and scale the
  // counters up to the whole grid; 0 runs every block. The writes of the other blocks are missing.
  std::uint64_t sample_blocks = 0;
};

// Deterministic counts of one launch, summed over all warps. kCounterFields names every member.
struct Counters {
  std::uint64_t warp_instructions = 0;
  std::uint64_t lane_instructions = 0;  // sum of active lanes over warp instructions
  // warp instructions by class
  std::uint64_t fp32 = 0, fp64 = 0, fp16 = 0, integer = 0, special = 0, tensor = 0, convert = 0,
                load_store = 0, control = 0, other = 0;
  // and the lanes that were active in them
  std::uint64_t fp32_lanes = 0, fp64_lanes = 0, fp16_lanes = 0, integer_lanes = 0,
                special_lanes = 0, tensor_lanes = 0, convert_lanes = 0, load_store_lanes = 0,
                control_lanes = 0, other_lanes = 0;
  // lanes that added or subtracted, multiplied, or did both at once; one for a pair of halves
  std::uint64_t fp32_add_lanes = 0, fp32_mul_lanes = 0, fp32_fma_lanes = 0, fp64_add_lanes = 0,
                fp64_mul_lanes = 0, fp64_fma_lanes = 0, fp16_add_lanes = 0, fp16_mul_lanes = 0,
                fp16_fma_lanes = 0;
  // operations of tensor instructions by operand type; a multiplication and an addition are two
  std::uint64_t tensor_f16_ops = 0, tensor_bf16_ops = 0, tensor_tf32_ops = 0, tensor_f64_ops = 0,
                tensor_int8_ops = 0, tensor_fp8_ops = 0,
                tensor_fp4_ops = 0;  // fp8: 6- and 4-bit floats in bytes too; fp4: two in a byte
  std::uint64_t global_load_requests = 0,
                global_load_sectors = 0;  // requests per warp, 32-byte sectors
  // How often a warp had to wait for loads; loads that do not need each other's results share one
  // wait.
  std::uint64_t global_load_rounds = 0;
  std::uint64_t global_store_requests = 0, global_store_sectors = 0;
  std::uint64_t global_atomic_requests = 0, global_atomic_sectors = 0;
  std::uint64_t global_distinct_bytes = 0;  // touched at least once, in whole sectors
  std::uint64_t shared_requests = 0, shared_wavefronts = 0;  // of loads, stores and atomics
  // conflicts: wavefronts beyond the minimum for the width of the request
  std::uint64_t shared_load_requests = 0, shared_load_wavefronts = 0, shared_load_conflicts = 0;
  std::uint64_t shared_store_requests = 0, shared_store_wavefronts = 0, shared_store_conflicts = 0;
  std::uint64_t local_requests = 0;
  // moved by cp.async, bulk and tensor copies: into shared memory, and out of it
  std::uint64_t async_load_bytes = 0, async_store_bytes = 0;
  std::uint64_t barriers = 0, barrier_waits = 0;  // arrivals of warps; those before the last one
  std::uint64_t blocks = 0;

  Counters& operator+=(const Counters& other);
};

struct CounterField {
  const char* name;
  std::uint64_t Counters::*member;
};
inline constexpr CounterField kCounterFields[] = {
    {"warp_instructions", &Counters::warp_instructions},
    {"lane_instructions", &Counters::lane_instructions},
    {"fp32", &Counters::fp32},
    {"fp64", &Counters::fp64},
    {"fp16", &Counters::fp16},
    {"integer", &Counters::integer},
    {"special", &Counters::special},
    {"tensor", &Counters::tensor},
    {"convert", &Counters::convert},
    {"load_store", &Counters::load_store},
    {"control", &Counters::control},
    {"other", &Counters::other},
    {"fp32_lanes", &Counters::fp32_lanes},
    {"fp64_lanes", &Counters::fp64_lanes},
    {"fp16_lanes", &Counters::fp16_lanes},
    {"integer_lanes", &Counters::integer_lanes},
    {"special_lanes", &Counters::special_lanes},
    {"tensor_lanes", &Counters::tensor_lanes},
    {"convert_lanes", &Counters::convert_lanes},
    {"load_store_lanes", &Counters::load_store_lanes},
    {"control_lanes", &Counters::control_lanes},
    {"other_lanes", &Counters::other_lanes},
    {"fp32_add_lanes", &Counters::fp32_add_lanes},
    {"fp32_mul_lanes", &Counters::fp32_mul_lanes},
    {"fp32_fma_lanes", &Counters::fp32_fma_lanes},
    {"fp64_add_lanes", &Counters::fp64_add_lanes},
    {"fp64_mul_lanes", &Counters::fp64_mul_lanes},
    {"fp64_fma_lanes", &Counters::fp64_fma_lanes},
    {"fp16_add_lanes", &Counters::fp16_add_lanes},
    {"fp16_mul_lanes", &Counters::fp16_mul_lanes},
    {"fp16_fma_lanes", &Counters::fp16_fma_lanes},
    {"tensor_f16_ops", &Counters::tensor_f16_ops},
    {"tensor_bf16_ops", &Counters::tensor_bf16_ops},
    {"tensor_tf32_ops", &Counters::tensor_tf32_ops},
    {"tensor_f64_ops", &Counters::tensor_f64_ops},
    {"tensor_int8_ops", &Counters::tensor_int8_ops},
    {"tensor_fp8_ops", &Counters::tensor_fp8_ops},
    {"tensor_fp4_ops", &Counters::tensor_fp4_ops},
    {"global_load_requests", &Counters::global_load_requests},
    {"global_load_sectors", &Counters::global_load_sectors},
    {"global_load_rounds", &Counters::global_load_rounds},
    {"global_store_requests", &Counters::global_store_requests},
    {"global_store_sectors", &Counters::global_store_sectors},
    {"global_atomic_requests", &Counters::global_atomic_requests},
    {"global_atomic_sectors", &Counters::global_atomic_sectors},
    {"global_distinct_bytes", &Counters::global_distinct_bytes},
    {"shared_requests", &Counters::shared_requests},
    {"shared_wavefronts", &Counters::shared_wavefronts},
    {"shared_load_requests", &Counters::shared_load_requests},
    {"shared_load_wavefronts", &Counters::shared_load_wavefronts},
    {"shared_load_conflicts", &Counters::shared_load_conflicts},
    {"shared_store_requests", &Counters::shared_store_requests},
    {"shared_store_wavefronts", &Counters::shared_store_wavefronts},
    {"shared_store_conflicts", &Counters::shared_store_conflicts},
    {"local_requests", &Counters::local_requests},
    {"async_load_bytes", &Counters::async_load_bytes},
    {"async_store_bytes", &Counters::async_store_bytes},
    {"barriers", &Counters::barriers},
    {"barrier_waits", &Counters::barrier_waits},
    {"blocks", &Counters::blocks},
};

// The counters of one source line over all warps; line 0 is code whose line is not known. Distinct
// bytes and blocks are counted for the launch as a whole and are 0 here.
struct LineCounts {
  std::string file;
  int line = 0;
  Counters counters;
};

struct LaunchReport {
  // The message names the place and the values, and describes the fix.
  std::optional<Finding> fault;
  // With LaunchOptions::check: the first hazard of each pair of lines, in block order. If the
  // launch has a fault, only those found before it.
  std::vector<Finding> hazards;
  // With LaunchOptions::check, for a launch without hazards: true if it certainly behaves the same
  // under every other schedule from the same memory, without hazards.
  bool same_under_all_schedules = false;
  // With LaunchOptions::check, of a module of Module::parse_without(): whether some warp executed
  // the place of an instruction that was left out.
  bool passed_left_out = false;
  Counters counters;
  std::string printf_output;  // the kernel's output through vprintf, in block order
  // With LaunchOptions::count_lines, for a launch without a fault: by file, then by line.
  std::vector<LineCounts> lines;
  // With LaunchOptions::observe, for a launch without a fault (emu/observe/observation.h).
  std::shared_ptr<const Observation> observation;
};

// How the variables of the modules are treated when a sequence of launches begins, if earlier
// launches have changed them.
enum class SequenceStart {
  kRestored,  // they get their values after loading
  kKept,      // they stay as they are
  // They stay as they are. A launch under LaunchOptions::check has FindingKind::kStateKept if it
  // reads a byte that differs from its value after loading and that the sequence has not written.
  kWatched,
};

// Called before the first of a sequence of launches, which may pass data to each other in variables
// of their modules. Without it, every launch continues from the state of the previous one.
void begin_sequence(GlobalMemory& memory, std::span<const Module* const> modules,
                    SequenceStart start);

// The variables of a module that differ from their values after loading, except those that the
// host set for the sequence's launches: names and sizes, in the order of their declarations.
[[nodiscard]] std::vector<std::pair<std::string, std::size_t>> changed_variables(
    GlobalMemory& memory, const Module& module);

// Runs every block of the launch. Errors of the kernel are faults in the report; they never throw.
[[nodiscard]] LaunchReport run(GlobalMemory& memory, const DeviceModel& device,
                               const Launch& launch, const LaunchOptions& options);

// The peak rates of this device in the time model, in GB/s or GFLOP/s, by the names of
// core/shared_names.h. Ceilings without a rate in the model are absent.
[[nodiscard]] std::map<std::string, double> model_ceilings(const DeviceModel& device);

// The number of blocks of this shape that one SM holds at a time, computed from the resources; 0
// when one block does not fit.
[[nodiscard]] int blocks_per_sm(const DeviceModel& device, const EntryResources& resources,
                                int threads_per_block, std::size_t shared_bytes_per_block);

// The modelled time of one launch, from counters, occupancy and the device's rates. It is a model,
// not a measurement, and is never ranked together with measured times.
struct ModelledTime {
  double total_us = 0;  // 0 when no block fits on an SM
  std::string bound;    // the longest term: "DRAM", "L2", "fp32", "latency", "launch"
  std::vector<std::pair<std::string, double>> terms_us;  // all of them, longest first
};
[[nodiscard]] ModelledTime model_time(const DeviceModel& device, const EntryResources& resources,
                                      const Launch& launch, const Counters& counters);
// Returns only the total of model_time().
[[nodiscard]] double model_us(const DeviceModel& device, const EntryResources& resources,
                              const Launch& launch, const Counters& counters);

}  // namespace warpwright::emu
