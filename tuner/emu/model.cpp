#include <algorithm>
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
};

// From the architecture tuning guides and the arithmetic throughput table of the CUDA C++
// programming guide.
Rates rates_of(int compute_capability) {
  Rates rates;
  if (compute_capability == 80) {
    rates.fp32 = 64;
    rates.fp64 = 32;
  }
  if (compute_capability >= 120) rates.fp64 = 2;
  return rates;
}

constexpr double kWarp = 32;
constexpr double kSchedulers = 4;  // warp instructions an SM issues per clock
constexpr double kBytesPerSector = 32;
constexpr double kDramEfficiency =
    0.92;  // of the datasheet's bandwidth, the most that streaming reaches
constexpr double kMemoryLatencyUs = 0.6;  // one trip to DRAM and back
constexpr double kLaunchUs = 2.0;         // an empty kernel
constexpr double kFullOccupancyWarps =
    16;  // warps per SM that hide a memory latency of streaming code

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
    a100.arch = "sm_80";
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
    h200.arch = "sm_90a";
    h200.name = "emulated NVIDIA H200 (sm_90a)";
    h200.compute_capability = 90;
    h200.sm_count = 132;
    h200.max_shared_per_block = 227 * 1024;
    h200.shared_per_sm = 228 * 1024;
    h200.l2_bytes = 62914560;
    h200.global_bytes = 141 * kGiB;
    h200.clock_ghz = 1.98;
    h200.dram_gb_per_s = 4800;
    h200.l2_gb_per_s = 7000;
    DeviceModel h200_portable = h200;
    h200_portable.arch = "sm_90";
    h200_portable.name = "emulated NVIDIA H200 (sm_90)";
    DeviceModel rtx = h200;
    rtx.arch = "sm_120a";
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
    return std::vector<DeviceModel>{a100, h200_portable, h200, rtx};
  }();
  return models;
}

std::optional<DeviceModel> find_model(const std::string& arch) {
  for (const DeviceModel& model : device_models()) {
    if (model.arch == arch) return model;
  }
  return std::nullopt;
}

int blocks_per_sm(const DeviceModel& device, const EntryResources& resources, int threads_per_block,
                  std::size_t shared_bytes_per_block) {
  if (threads_per_block <= 0 || threads_per_block > device.max_threads_per_block) return 0;
  if (shared_bytes_per_block > static_cast<std::size_t>(device.max_shared_per_block)) return 0;
  const int warps = (threads_per_block + 31) / 32;
  int blocks = std::min(device.max_blocks_per_sm, device.max_threads_per_sm / 32 / warps);
  // Registers are given to warps in units of 256, on one of four partitions.
  if (resources.registers > 0) {
    const int per_warp = round_up(resources.registers * 32, 256);
    const int warps_that_fit = device.registers_per_sm / 4 / per_warp * 4;
    blocks = std::min(blocks, warps_that_fit / warps);
  }
  // Shared memory in units of 128 bytes, and a reserve of the system in every block.
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
  return {{"read", dram},
          {"write", dram},
          {"copy", dram},
          {"l2_read", device.l2_gb_per_s},
          {"fma_f64", clocks * rates.fp64 * kFlopsPerFma},
          {"fma_f32", clocks * rates.fp32 * kFlopsPerFma},
          {"fma_f16", clocks * rates.fp16 * kFlopsPerFma * kHalvesPerLane}};
}

ModelledTime model_time(const DeviceModel& device, const EntryResources& resources,
                        const Launch& launch, const Counters& counters) {
  const int threads = static_cast<int>(launch.block[0] * launch.block[1] * launch.block[2]);
  const std::size_t shared = static_cast<std::size_t>(std::max(resources.static_shared_bytes, 0)) +
                             launch.dynamic_shared_bytes;
  const int resident = blocks_per_sm(device, resources, threads, shared);
  if (resident == 0) return {};
  const double blocks = static_cast<double>(launch.grid[0]) * launch.grid[1] * launch.grid[2];
  const double slots = static_cast<double>(resident) * device.sm_count;
  const double waves = std::ceil(blocks / slots);
  // SMs that have work, averaged over the waves: the tail of the last wave leaves some idle.
  const double busy_sms = std::min<double>(device.sm_count, blocks / waves);
  const double warps_per_sm =
      std::min<double>(resident, std::ceil(blocks / device.sm_count)) * ((threads + 31) / 32);

  const Rates rates = rates_of(device.compute_capability);
  const double per_sm =
      busy_sms * device.clock_ghz * 1e3;  // SM clocks in a microsecond, all busy SMs together
  const auto cycles = [](std::uint64_t warp_instructions, double lanes_per_clock) {
    return static_cast<double>(warp_instructions) * kWarp / lanes_per_clock;
  };
  const double issue = static_cast<double>(counters.warp_instructions) / kSchedulers;
  const double pipes =
      std::max({cycles(counters.fp32, rates.fp32), cycles(counters.integer, rates.integer),
                cycles(counters.fp16, rates.fp16), cycles(counters.fp64, rates.fp64),
                cycles(counters.special + counters.convert, rates.special),
                cycles(counters.load_store, rates.load_store),
                static_cast<double>(counters.shared_wavefronts)});
  const double compute_us = std::max(issue, pipes) / per_sm;

  const double sectors =
      static_cast<double>(counters.global_load_sectors + counters.global_store_sectors +
                          counters.global_atomic_requests * 32);
  const double bytes = sectors * kBytesPerSector;
  // What is touched again comes from L2 as far as the touched data fit there.
  const double distinct = static_cast<double>(counters.global_distinct_bytes);
  const double kept =
      distinct == 0 ? 0 : std::min(1.0, static_cast<double>(device.l2_bytes) / distinct);
  const double dram_bytes = distinct + std::max(0.0, bytes - distinct) * (1 - kept);
  const double occupancy = std::min(1.0, warps_per_sm / kFullOccupancyWarps);
  const double dram_us =
      dram_bytes / (device.dram_gb_per_s * 1e3 * kDramEfficiency) / std::max(occupancy, 0.05);
  const double l2_us = bytes / (device.l2_gb_per_s * 1e3);
  const double latency_us = waves * kMemoryLatencyUs;
  ModelledTime time;
  time.terms_us = {
      {"DRAM", dram_us}, {"L2", l2_us}, {"compute", compute_us}, {"latency", latency_us}};
  std::stable_sort(time.terms_us.begin(), time.terms_us.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  time.bound = time.terms_us.front().first;
  time.total_us = kLaunchUs + latency_us + std::max({compute_us, dram_us, l2_us});
  return time;
}

double model_us(const DeviceModel& device, const EntryResources& resources, const Launch& launch,
                const Counters& counters) {
  return model_time(device, resources, launch, counters).total_us;
}

}  // namespace warpwright::emu
