#include "output/text/gpu_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "core/escape.h"
#include "core/shared_names.h"
#include "core/terminal_text.h"
#include "output/text/limit_text.h"
#include "output/text/ranking_text.h"
#include "terminal/numbers.h"
#include "terminal/table.h"

namespace warpwright {
namespace {

using Json = nlohmann::json;

constexpr std::string_view kLatencyPrefix = "latency_";
constexpr const char* kNone = "-";

// A latency that belongs to no memory, in the order of the page.
struct Wait {
  const char* name;
  const char* text;
};
constexpr std::array kWaits = {
    Wait{"latency_add", "integer addition or exclusive or, on its own result"},
    Wait{"latency_fma", "f32 fused multiply-add, on its own result"},
    Wait{"latency_sync_128", "__syncthreads of 128 threads"},
    Wait{"latency_sync_256", "__syncthreads of 256 threads"},
    Wait{"latency_sync_1024", "__syncthreads of 1024 threads"},
    Wait{"latency_mbarrier", "mbarrier, one warp to another and back"},
    Wait{"latency_bulk_copy", "TMA, 1 KiB from L2 until its mbarrier completes"},
    Wait{"latency_cluster", "barrier of a cluster of two blocks"},
    Wait{"latency_cluster_release", "the same with release and acquire"}};

// A memory of the device; without an SM's share or a size where that is 0.
struct Memory {
  std::string name;
  std::int64_t per_sm = 0, chip = 0;  // bytes
  const char* latency;
};

// The cache that L1 and shared memory divide between them, in KiB: "Technical Specifications per
// Compute Capability" of the CUDA C++ Programming Guide. 0 for a device that is not in the table.
std::int64_t unified_cache_kib(int compute_capability) {
  switch (compute_capability) {
    case 80:
    case 87:
      return 192;
    case 90:
    case 100:
      return 256;
    case 86:
    case 89:
    case 120:
      return 128;
    default:
      return 0;
  }
}

std::vector<Memory> memories_of(const DeviceInfo& device) {
  constexpr std::int64_t kRegisterBytes = 4, kKib = 1024;
  const auto of_all = [&](std::int64_t per_sm) { return per_sm * device.sm_count; };
  const std::int64_t registers = device.registers_per_sm * kRegisterBytes;
  const std::int64_t shared = device.shared_per_sm;
  const std::int64_t l1 = unified_cache_kib(device.compute_capability) * kKib;
  return {{"registers", registers, of_all(registers), "latency_add"},
          {"shared memory", shared, of_all(shared), "latency_shared"},
          {"L1, with shared memory", l1, of_all(l1), "latency_l1"},
          {"L2, nearer lines", 0, device.l2_bytes, "latency_l2_near"},
          {"L2, farther lines", 0, device.l2_bytes, "latency_l2_far"},
          {"device memory", 0, device.global_bytes, "latency_memory"}};
}

std::optional<double> clock_mhz(const Roofs& roofs) {
  const CeilingRecord* clock = roofs.find("latency_clock");
  return clock == nullptr ? std::nullopt : std::optional(clock->value);
}

std::optional<double> cycles(const CeilingRecord* latency, const Roofs& roofs) {
  const std::optional<double> clock = clock_mhz(roofs);
  if (latency == nullptr || !clock) return std::nullopt;
  return latency->value * *clock / 1e3;
}

std::string plain(double value) { return fmt::format("{:.{}f}", value, value < 99.95 ? 1 : 0); }

std::string cycles_cell(const CeilingRecord* latency, const Roofs& roofs) {
  const std::optional<double> count = cycles(latency, roofs);
  return count ? plain(*count) : kNone;
}

std::string ns_cell(const CeilingRecord* latency) {
  if (latency == nullptr) return kNone;
  return latency->value < 9.995 ? fmt::format("{:.2f}", latency->value) : plain(latency->value);
}

std::string size_cell(std::int64_t bytes) {
  constexpr double kKib = 1024, kMib = kKib * 1024, kGib = kMib * 1024;
  const auto size = static_cast<double>(bytes);
  if (bytes <= 0) return kNone;
  if (size < kMib) return fmt::format("{:.0f} KiB", size / kKib);
  if (size < kGib) return fmt::format("{:.{}f} MiB", size / kMib, size < 100 * kMib ? 1 : 0);
  return fmt::format("{:.0f} GiB", size / kGib);
}

// Memory first, then arithmetic.
std::vector<const CeilingRecord*> rates_of(const Roofs& roofs) {
  std::vector<const CeilingRecord*> rates;
  for (const std::vector<std::string>* names : {&memory_ceilings(), &arithmetic_ceilings()}) {
    for (const std::string& name : *names)
      if (const CeilingRecord* rate = roofs.find(name)) rates.push_back(rate);
  }
  return rates;
}

// A figure that is often stated, and what this device shows.
struct Stated {
  std::string statement, measured;
  bool holds = false;
};

std::vector<Stated> stated_figures(const GpuPage& page) {
  constexpr double kStatedCycles = 3, kStatedGflops = 1.97e6;
  std::vector<Stated> all;
  const CeilingRecord* shared = page.roofs.find("latency_shared");
  if (const std::optional<double> count = cycles(shared, page.roofs)) {
    all.push_back({"shared memory answers within 1 to 3 cycles",
                   fmt::format("{} cycles", plain(*count)), *count <= kStatedCycles});
  }
  const CeilingRecord* bf16 = page.roofs.find("tensor_bf16");
  const std::string& name = page.device.name;
  const bool hopper =
      name.find("H100") != std::string::npos || name.find("H200") != std::string::npos;
  if (hopper && bf16 != nullptr && !page.roofs.modelled) {
    all.push_back({"1,970 TFLOP/s of dense bf16",
                   fmt::format("{}; the data sheet's 1,979 count skipped zeros (2:4 sparsity)",
                               format_rate(bf16->value, bf16->unit)),
                   bf16->value >= kStatedGflops});
  }
  return all;
}

std::string heading(const GpuPage& page, const DeviceInfo& device) {
  std::string text = fmt::format("{} ({}), {}", terminal_line(page.device.name),
                                 terminal_line(page.device.id), terminal_line(page.device.arch));
  if (!page.device.driver.empty()) text += "; driver " + terminal_line(page.device.driver);
  text += fmt::format("\n{} SMs of at most {} threads and {} blocks", device.sm_count,
                      device.max_threads_per_sm, device.max_blocks_per_sm);
  if (device.max_sm_clock_mhz > 0)
    text += fmt::format(", at most {} MHz", format_thousands(device.max_sm_clock_mhz));
  if (const std::optional<double> clock = clock_mhz(page.roofs))
    text += fmt::format("; latencies were measured at {} MHz", format_thousands(*clock));
  return text + "\n";
}

std::string memories_text(const GpuPage& page, const DeviceInfo& device, const Screen& screen) {
  Table table({prose_column("memory", 14), number_column("per SM", 1), number_column("chip", 2),
               number_column("cycles"), number_column("ns")});
  for (const Memory& memory : memories_of(device)) {
    const CeilingRecord* latency = page.roofs.find(memory.latency);
    table.add_row({memory.name, size_cell(memory.per_sm), size_cell(memory.chip),
                   cycles_cell(latency, page.roofs), ns_cell(latency)});
  }
  std::string text = table.render(2, screen);
  const CeilingRecord* nearest = page.roofs.find("latency_l2_nearest");
  const CeilingRecord* farthest = page.roofs.find("latency_l2_farthest");
  const CeilingRecord* lines = page.roofs.find("latency_l2_lines");
  if (nearest != nullptr && farthest != nullptr && lines != nullptr) {
    text += fmt::format(
        "  {:.0f} lines of L2 seen from one SM: {} to {} ns; nearer and farther are the medians of "
        "the two groups that divide them best\n",
        lines->value, ns_cell(nearest), ns_cell(farthest));
  }
  return text;
}

std::string waits_text(const Roofs& roofs, const Screen& screen) {
  Table table({prose_column("waiting for", 20), number_column("cycles"), number_column("ns"),
               number_column("95 % interval", 1)});
  for (const Wait& wait : kWaits) {
    const CeilingRecord* latency = roofs.find(wait.name);
    if (latency == nullptr) continue;
    table.add_row({wait.text, cycles_cell(latency, roofs), ns_cell(latency),
                   half_width(latency->value, latency->ci_low, latency->ci_high)});
  }
  return table.empty() ? "" : "\n" + table.render(2, screen);
}

std::string rates_text(const Roofs& roofs, const Screen& screen) {
  Table table({word_column("rate"), number_column(roofs.modelled ? "modelled" : "measured"),
               number_column("95 % interval", 1)});
  for (const CeilingRecord* rate : rates_of(roofs)) {
    table.add_row({rate->name, format_rate(rate->value, rate->unit),
                   half_width(rate->value, rate->ci_low, rate->ci_high)});
  }
  return table.empty() ? "" : "\n" + table.render(2, screen);
}

std::string machine_text(const std::vector<DeviceInfo>& gpus) {
  if (gpus.empty()) return "\nno GPU on this machine\n";
  if (gpus.size() == 1) return "\none GPU on this machine: nothing connects it to another\n";
  std::string text = fmt::format("\n{} GPUs on this machine:", gpus.size());
  for (const DeviceInfo& gpu : gpus)
    text += fmt::format("{} {} ({})", &gpu == &gpus.front() ? "" : ",", gpu.id,
                        terminal_line(gpu.name));
  return text + "; copies between them are not measured\n";
}

std::string missing_text(const GpuPage& page) {
  if (page.roofs.modelled) {
    return "\nrates are those of its model; latencies are measured on a GPU only\n";
  }
  const bool rates = has_rates(page.roofs), latencies = has_latencies(page.roofs);
  if (rates && latencies) return "";
  return fmt::format("\n{} not measured: `warpwright gpu --measure --device {}` measures them\n",
                     rates       ? "latencies were"
                     : latencies ? "rates were"
                                 : "latencies and rates were",
                     terminal_line(shell_word(page.device.id)));
}

Json or_null(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

Json latency_json(const CeilingRecord* latency, const Roofs& roofs) {
  if (latency == nullptr) return nullptr;
  return {{"name", latency->name},
          {"ns", latency->value},
          {"cycles", or_null(cycles(latency, roofs))},
          {"ci_low_ns", or_null(latency->ci_low)},
          {"ci_high_ns", or_null(latency->ci_high)}};
}

Json rate_json(const CeilingRecord& rate) {
  return {{"name", rate.name},
          {"value", rate.value},
          {"unit", rate.unit},
          {"ci_low", or_null(rate.ci_low)},
          {"ci_high", or_null(rate.ci_high)}};
}

Json device_json(const GpuPage& page, const DeviceInfo& device) {
  return {{"id", page.device.id},
          {"name", page.device.name},
          {"arch", page.device.arch},
          {"driver", page.device.driver},
          {"fingerprint", page.device.fingerprint},
          {"has_clock", page.device.has_clock},
          {"sm_count", device.sm_count},
          {"max_threads_per_sm", device.max_threads_per_sm},
          {"max_blocks_per_sm", device.max_blocks_per_sm},
          {"max_sm_clock_mhz", device.max_sm_clock_mhz}};
}

}  // namespace

bool has_latencies(const Roofs& roofs) {
  return std::any_of(roofs.ceilings.begin(), roofs.ceilings.end(),
                     [](const auto& named) { return named.first.starts_with(kLatencyPrefix); });
}

bool has_rates(const Roofs& roofs) {
  return std::any_of(roofs.ceilings.begin(), roofs.ceilings.end(),
                     [](const auto& named) { return !named.first.starts_with(kLatencyPrefix); });
}

std::string gpu_text(const GpuPage& page, const Screen& screen) {
  const DeviceInfo& device = *page.device.details;
  std::string text = heading(page, device) + "\n" + memories_text(page, device, screen) +
                     waits_text(page.roofs, screen) + rates_text(page.roofs, screen) +
                     machine_text(page.gpus);
  const std::vector<Stated> stated = stated_figures(page);
  if (!stated.empty()) {
    Table table({prose_column("often stated", 16), prose_column("here", 16), {"verdict"}});
    for (const Stated& one : stated)
      table.add_row({one.statement, one.measured, one.holds ? "holds" : "refuted"});
    text += "\n" + table.render(2, screen);
  }
  return text + missing_text(page);
}

Json gpu_json(const GpuPage& page) {
  const DeviceInfo& device = *page.device.details;
  const Roofs& roofs = page.roofs;
  Json json = {{"device", device_json(page, device)},
               {"modelled", roofs.modelled},
               {"clock_mhz", or_null(clock_mhz(roofs))},
               {"memories", Json::array()},
               {"waits", Json::array()},
               {"rates", Json::array()},
               {"l2_lines", nullptr},
               {"gpus", Json::array()},
               {"stated", Json::array()}};
  for (const Memory& memory : memories_of(device)) {
    json["memories"].push_back({{"name", memory.name},
                                {"per_sm_bytes", memory.per_sm > 0 ? Json(memory.per_sm) : Json()},
                                {"chip_bytes", memory.chip > 0 ? Json(memory.chip) : Json()},
                                {"latency", latency_json(roofs.find(memory.latency), roofs)}});
  }
  for (const Wait& wait : kWaits)
    if (const CeilingRecord* latency = roofs.find(wait.name))
      json["waits"].push_back(latency_json(latency, roofs));
  for (const CeilingRecord* rate : rates_of(roofs)) json["rates"].push_back(rate_json(*rate));
  if (const CeilingRecord* lines = roofs.find("latency_l2_lines")) {
    json["l2_lines"] = {{"lines", lines->value},
                        {"median", latency_json(roofs.find("latency_l2"), roofs)},
                        {"nearest", latency_json(roofs.find("latency_l2_nearest"), roofs)},
                        {"farthest", latency_json(roofs.find("latency_l2_farthest"), roofs)}};
  }
  for (const DeviceInfo& gpu : page.gpus)
    json["gpus"].push_back({{"id", gpu.id}, {"name", gpu.name}});
  for (const Stated& one : stated_figures(page))
    json["stated"].push_back(
        {{"statement", one.statement}, {"measured", one.measured}, {"holds", one.holds}});
  return json;
}

}  // namespace warpwright
