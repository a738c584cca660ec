#include <algorithm>
#include <array>
#include <cmath>

#include "emu/emulator.h"

namespace warpwright::emu {
namespace {

// Rates of one SM, per clock.
struct Rates {
  double fp32 = 128;
  double integer = 64;
  double fp16 = 128;
  double fp64 = 64;
  double special = 16;
  double convert = 16;
  double load_store = 32;
  // operations of tensor cores; a multiplication and an addition are two
  double tensor_f16 = 4096;  // bf16 too
  double tensor_tf32 = 2048;
  double tensor_byte = 8192;  // 8-bit integers and floats
  double tensor_fp4 = 8192;   // two in a byte
  double tensor_f64 = 256;
};

// From the architecture tuning guides and the arithmetic throughput table of the CUDA C++
// programming guide.
Rates rates_of(int compute_capability) {
  Rates rates;
  if (compute_capability == 80) {
    rates.fp32 = 64;
    rates.fp64 = 32;
    rates.tensor_f16 = 2048;
    rates.tensor_tf32 = 1024;
    rates.tensor_byte = 4096;
    rates.tensor_f64 = 128;
  }
  if (compute_capability >= 120) {
    rates.fp64 = 2;
    rates.tensor_f16 = 1024;
    rates.tensor_tf32 = 512;
    rates.tensor_byte = 2048;
    rates.tensor_fp4 = 4096;
    rates.tensor_f64 = 4;
  }
  return rates;
}

// Latencies in µs: one trip to DRAM and back, one to L2, and a barrier until the last warp of a
// block is released.
struct Latencies {
  int compute_capability;  // and those above it, up to the next row
  double dram, l2, barrier;
};
// Source: the model's own values, whose ranking of configurations was compared with that of an
// H200's times (results/nvidia-h200/studies/model_ranking.txt). They stand for a loaded device;
// `warpwright calibrate` measures an idle one, as latency_memory, latency_l2 and latency_sync_256.
constexpr std::array kLatencies = {Latencies{0, 0.65, 0.3, 0.02}, Latencies{90, 0.65, 0.3, 0.02},
                                   Latencies{120, 0.65, 0.3, 0.02}};

const Latencies& latencies_of(int compute_capability) {
  const auto later = std::find_if(
      kLatencies.begin() + 1, kLatencies.end(),
      [&](const Latencies& row) { return row.compute_capability > compute_capability; });
  return *(later - 1);
}

constexpr double kWarp = 32;
constexpr double kSchedulers = 4;  // warp instructions an SM issues per clock
constexpr double kBytesPerSector = 32;
constexpr double kDramEfficiency =
    0.92;                          // of the datasheet's bandwidth, the most that streaming reaches
constexpr double kLaunchUs = 2.0;  // an empty kernel
// The share of their peak that tensor cores keep up within the power limit (912.8 of 1071 TFLOP/s
// in bf16 on an H200).
constexpr double kTensorEfficiency = 0.85;
constexpr double kIssueLatency = 3;   // cycles between instructions of one warp, on average
constexpr double kOwnRegisters = 16;  // of a thread, that hold no data in flight
constexpr double kSpillBytesPerClock = 24;
// Blocks that the device starts in a microsecond (an H200, of grids of 0.5 and 1.8 million blocks).
constexpr double kBlocksPerUs = 1660;
// SMs have different distances to memory. With several waves of blocks this averages out; in a
// single wave all wait for the slowest SM.
constexpr double kSlowestSm = 1.05;
// Terms overlap, but not completely: the time is between their maximum and their sum.
constexpr double kOverlap = 3;

int round_up(int value, int step) { return (value + step - 1) / step * step; }

}  // namespace

Counters& Counters::operator+=(const Counters& more) {
  for (const CounterField& field : kCounterFields) this->*field.member += more.*field.member;
  return *this;
}

const std::vector<DeviceModel>& device_models() {
  static const std::vector<DeviceModel> models = [] {
    constexpr std::int64_t kGiB = std::int64_t{1} << 30;
    DeviceModel a100;
    a100.id = a100.arch = "sm_80";
    a100.name = "emulated NVIDIA A100 80GB (sm_80)";
    a100.compute_capability = 80;
    a100.sm_count = 108;
    a100.max_threads_per_sm = 2048;
    a100.max_blocks_per_sm = 32;
    a100.max_shared_per_block = 163 * 1024;
    a100.shared_per_sm = 164 * 1024;
    a100.l2_bytes = 41943040;
    a100.global_bytes = 80 * kGiB;
    a100.clock_ghz = 1.41;
    a100.dram_gb_per_s = 2039;
    a100.l2_gb_per_s = 4500;
    DeviceModel h200 = a100;
    h200.id = h200.arch = "sm_90a";
    h200.name = "emulated NVIDIA H200 (sm_90a)";
    h200.compute_capability = 90;
    h200.sm_count = 132;
    h200.max_shared_per_block = 227 * 1024;
    h200.shared_per_sm = 228 * 1024;
    h200.l2_bytes = 62914560;
    h200.global_bytes = 141 * kGiB;
    h200.clock_ghz = 1.98;
    h200.dram_gb_per_s = 4800;
    h200.l2_gb_per_s = 10000;
    DeviceModel h200_portable = h200;
    h200_portable.id = h200_portable.arch = "sm_90";
    h200_portable.name = "emulated NVIDIA H200 (sm_90)";
    // The same chip with less memory.
    DeviceModel h100 = h200;
    h100.id = "h100";
    h100.name = "emulated NVIDIA H100 SXM (sm_90a)";
    h100.l2_bytes = 52428800;
    h100.global_bytes = 80 * kGiB;
    h100.dram_gb_per_s = 3352;
    DeviceModel rtx = h200;
    rtx.id = rtx.arch = "sm_120a";
    rtx.name = "emulated NVIDIA RTX PRO 6000 Blackwell (sm_120a)";
    rtx.compute_capability = 120;
    rtx.sm_count = 188;
    rtx.max_threads_per_sm = 1536;
    rtx.max_blocks_per_sm = 24;
    rtx.max_shared_per_block = 99 * 1024;
    rtx.shared_per_sm = 100 * 1024;
    rtx.l2_bytes = 134217728;
    rtx.global_bytes = 96 * kGiB;
    rtx.clock_ghz = 2.6;
    rtx.dram_gb_per_s = 1792;
    rtx.l2_gb_per_s = 8000;
    return std::vector<DeviceModel>{a100, h200_portable, h200, rtx, h100};
  }();
  return models;
}

std::optional<DeviceModel> find_model(const std::string& id) {
  for (const DeviceModel& model : device_models()) {
    if (model.id == id) return model;
  }
  return std::nullopt;
}

int blocks_per_sm(const DeviceModel& device, const EntryResources& resources, int threads_per_block,
                  std::size_t shared_bytes_per_block) {
  if (threads_per_block <= 0 || threads_per_block > device.max_threads_per_block) return 0;
  if (shared_bytes_per_block > static_cast<std::size_t>(device.max_shared_per_block)) return 0;
  const int warps = (threads_per_block + 31) / 32;
  int blocks = std::min(device.max_blocks_per_sm, device.max_threads_per_sm / 32 / warps);
  // Registers are allocated to warps in units of 256, on one of four partitions.
  if (resources.registers > 0) {
    const int per_warp = round_up(resources.registers * 32, 256);
    const int warps_that_fit = device.registers_per_sm / 4 / per_warp * 4;
    blocks = std::min(blocks, warps_that_fit / warps);
  }
  // Shared memory is allocated in units of 128 bytes, with a system reserve in every block.
  const int shared =
      round_up(static_cast<int>(shared_bytes_per_block) + device.reserved_shared_per_block, 128);
  return std::min(blocks, device.shared_per_sm / shared);
}

std::map<std::string, double> model_ceilings(const DeviceModel& device) {
  constexpr double kFlopsPerFma = 2;
  constexpr double kHalvesPerLane = 2;  // f16 goes in pairs
  const Rates rates = rates_of(device.compute_capability);
  const double clocks = device.sm_count * device.clock_ghz;  // of all SMs, in a nanosecond
  const double dram = device.dram_gb_per_s * kDramEfficiency;
  std::map<std::string, double> ceilings = {
      {"read", dram},
      {"write", dram},
      {"copy", dram},
      {"l2_read", device.l2_gb_per_s},
      {"fma_f64", clocks * rates.fp64 * kFlopsPerFma},
      {"fma_f32", clocks * rates.fp32 * kFlopsPerFma},
      {"fma_f16", clocks * rates.fp16 * kFlopsPerFma * kHalvesPerLane},
      {"tensor_f16", clocks * rates.tensor_f16 * kTensorEfficiency},
      {"tensor_bf16", clocks * rates.tensor_f16 * kTensorEfficiency},
      {"tensor_tf32", clocks * rates.tensor_tf32 * kTensorEfficiency},
      {"tensor_i8", clocks * rates.tensor_byte * kTensorEfficiency}};
  if (device.compute_capability >= 89)
    ceilings["tensor_e4m3"] = clocks * rates.tensor_byte * kTensorEfficiency;
  return ceilings;
}

namespace {

// The distribution of the blocks of a launch over the device.
struct Placement {
  double blocks = 0;
  double threads = 0;       // of a block
  double warps = 0;         // of a block
  double waves = 0;         // in which they run, at least 1
  double imbalance = 1;     // work of the busiest SM over the average one
  double warps_per_sm = 0;  // at a time
};

Placement place(const DeviceModel& device, const Launch& launch, int resident) {
  Placement p;
  const auto product = [](const std::array<std::uint32_t, 3>& v) {
    return static_cast<double>(v[0]) * v[1] * v[2];
  };
  p.blocks = product(launch.grid);
  p.threads = product(launch.block);
  p.warps = std::ceil(p.threads / kWarp);
  const double slots = static_cast<double>(resident) * device.sm_count;
  const double even = p.blocks / device.sm_count;
  // In one wave some SMs have one block more than others; in many, SMs take the remaining blocks
  // as they become free, and the wait is only half a block.
  p.waves = std::max(1.0, p.blocks / slots);
  p.imbalance = (p.blocks <= slots ? std::ceil(even) : even + 0.5) / even;
  p.warps_per_sm = std::min<double>(resident, std::ceil(even)) * p.warps;
  return p;
}

double count(std::uint64_t value) { return static_cast<double>(value); }

// The cycles of the busiest pipe, summed over all SMs.
double pipe_cycles(const Rates& rates, const Counters& c, double warps_per_sm) {
  const auto lanes = [](std::uint64_t warp_instructions, double per_clock) {
    return count(warp_instructions) * kWarp / per_clock;
  };
  const double tensor = count(c.tensor_f16_ops + c.tensor_bf16_ops) / rates.tensor_f16 +
                        count(c.tensor_tf32_ops) / rates.tensor_tf32 +
                        count(c.tensor_f64_ops) / rates.tensor_f64 +
                        count(c.tensor_int8_ops + c.tensor_fp8_ops) / rates.tensor_byte +
                        count(c.tensor_fp4_ops) / rates.tensor_fp4;
  const double issued_per_clock = std::min(kSchedulers, warps_per_sm / kIssueLatency);
  return std::max({count(c.warp_instructions) / issued_per_clock, lanes(c.fp32, rates.fp32),
                   lanes(c.integer, rates.integer), lanes(c.fp16, rates.fp16),
                   lanes(c.fp64, rates.fp64), lanes(c.special + c.convert, rates.special),
                   lanes(c.load_store, rates.load_store), count(c.shared_wavefronts),
                   tensor / kTensorEfficiency});
}

// The bytes of the sectors of loads, stores and atomics, and of asynchronous copies.
double traffic_bytes(const Counters& c) {
  return count(c.global_load_sectors + c.global_store_sectors + c.global_atomic_sectors) *
             kBytesPerSector +
         count(c.async_load_bytes + c.async_store_bytes);
}

// A warp executes its rounds of loads one after another; loads that do not fit into registers at a
// time take another round.
double latency_us(const Latencies& latencies, const Placement& p, const EntryResources& resources,
                  const Counters& c, double dram_share) {
  const double warps = p.blocks * p.warps;
  const double bytes_per_thread =
      count(c.global_load_sectors) * kBytesPerSector / (p.blocks * p.threads);
  const double room = std::max(16.0, (resources.registers - kOwnRegisters) * 4);
  const double fewest = resources.registers > 0 ? bytes_per_thread / room : 0;
  const double rounds = std::max(count(c.global_load_rounds) / warps, fewest);
  const double trip = latencies.l2 + (latencies.dram - latencies.l2) * dram_share;
  return p.waves * (std::max(rounds, 1.0) * trip + count(c.barriers) / warps * latencies.barrier);
}

double spill_bytes(const Placement& p, const EntryResources& resources, const Counters& c) {
  const double warps = p.blocks * p.warps;
  const double turns = std::max(1.0, count(c.global_load_rounds) / warps);
  return (resources.spill_load_bytes + resources.spill_store_bytes) * p.blocks * p.threads * turns;
}

}  // namespace

ModelledTime model_time(const DeviceModel& device, const EntryResources& resources,
                        const Launch& launch, const Counters& counters) {
  const int threads = static_cast<int>(launch.block[0] * launch.block[1] * launch.block[2]);
  const std::size_t shared = static_cast<std::size_t>(std::max(resources.static_shared_bytes, 0)) +
                             launch.dynamic_shared_bytes;
  const int resident = blocks_per_sm(device, resources, threads, shared);
  if (resident == 0) return {};
  const Placement p = place(device, launch, resident);
  const double sm_clocks_per_us = device.sm_count * device.clock_ghz * 1e3 / p.imbalance;
  const Rates rates = rates_of(device.compute_capability);

  const double bytes = traffic_bytes(counters);
  // Repeated accesses are assumed to be close in time: they hit L2 to the extent that all data that
  // the blocks access meanwhile, in a wave or an iteration of their loops, fits there.
  const double distinct = std::min(bytes, count(counters.global_distinct_bytes));
  const double turns = std::max(p.waves, count(counters.global_load_rounds) / (p.blocks * p.warps));
  const double meanwhile = distinct / std::max(turns, 1.0);
  const double kept =
      distinct == 0 ? 0 : std::min(1.0, static_cast<double>(device.l2_bytes) / meanwhile);
  const double dram_bytes = distinct + (bytes - distinct) * (1 - kept);
  const double dram_share = bytes == 0 ? 0 : dram_bytes / bytes;

  ModelledTime time;
  time.terms_us = {
      {"compute", pipe_cycles(rates, counters, p.warps_per_sm) / sm_clocks_per_us},
      {"DRAM", dram_bytes / (device.dram_gb_per_s * 1e3 * kDramEfficiency) *
                   (p.waves > 1 ? 1 : kSlowestSm)},
      {"block starts", p.blocks / kBlocksPerUs},
      {"L2", bytes / (device.l2_gb_per_s * 1e3) * p.imbalance},
      {"latency",
       latency_us(latencies_of(device.compute_capability), p, resources, counters, dram_share)},
      {"spills", spill_bytes(p, resources, counters) / kSpillBytesPerClock / sm_clocks_per_us},
  };
  std::stable_sort(time.terms_us.begin(), time.terms_us.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  double sum = 0;
  for (const auto& [name, us] : time.terms_us) sum += std::pow(us, kOverlap);
  time.total_us = kLaunchUs + std::pow(sum, 1 / kOverlap);
  time.bound = time.terms_us.front().second < kLaunchUs ? "launch" : time.terms_us.front().first;
  return time;
}

double model_us(const DeviceModel& device, const EntryResources& resources, const Launch& launch,
                const Counters& counters) {
  return model_time(device, resources, launch, counters).total_us;
}

}  // namespace warpwright::emu
