#include "cli/profile_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "compile/include_scan.h"
#include "records/status.h"
#include "terminal/numbers.h"
#include "terminal/screen.h"
#include "terminal/table.h"

namespace warpwright {
namespace {

struct Meaning {
  std::uint64_t emu::Counters::*counter;
  const char* name;
  const char* meaning;
};

constexpr Meaning kMeanings[] = {
    {&emu::Counters::warp_instructions, "warp_instructions", "PTX instructions, one for a warp"},
    {&emu::Counters::lane_instructions, "lane_instructions", "lanes that were on in them"},
    {&emu::Counters::fp32, "fp32", "warp instructions of the FP32 pipes"},
    {&emu::Counters::fp32_add_lanes, "fp32_add_lanes", "additions"},
    {&emu::Counters::fp32_mul_lanes, "fp32_mul_lanes", "multiplications"},
    {&emu::Counters::fp32_fma_lanes, "fp32_fma_lanes", "fused pairs of both"},
    {&emu::Counters::fp64, "fp64", "warp instructions of the FP64 pipes"},
    {&emu::Counters::fp16, "fp16", "warp instructions of half precision"},
    {&emu::Counters::integer, "integer", "warp instructions of the integer pipes"},
    {&emu::Counters::special, "special", "exponentials, roots and their like"},
    {&emu::Counters::convert, "convert", "conversions"},
    {&emu::Counters::tensor, "tensor", "tensor-core instructions"},
    {&emu::Counters::load_store, "load_store", "loads, stores, atomics, shuffles"},
    {&emu::Counters::control, "control", "branches and barriers"},
    {&emu::Counters::global_load_requests, "global_load_requests", "loads of a warp"},
    {&emu::Counters::global_load_sectors, "global_load_sectors", "pieces of 32 bytes they touch"},
    {&emu::Counters::global_load_rounds, "global_load_rounds", "times a warp waits for loads"},
    {&emu::Counters::global_store_requests, "global_store_requests", "stores of a warp"},
    {&emu::Counters::global_store_sectors, "global_store_sectors", "pieces of 32 bytes they touch"},
    {&emu::Counters::global_atomic_requests, "global_atomic_requests", "atomics of a warp"},
    {&emu::Counters::global_distinct_bytes, "global_distinct_bytes", "touched at least once"},
    {&emu::Counters::async_load_bytes, "async_load_bytes", "copied into shared memory"},
    {&emu::Counters::shared_load_wavefronts, "shared_load_wavefronts",
     "passes over the banks by loads"},
    {&emu::Counters::shared_load_conflicts, "shared_load_conflicts",
     "of those, because of bank conflicts"},
    {&emu::Counters::shared_store_wavefronts, "shared_store_wavefronts", "passes by stores"},
    {&emu::Counters::shared_store_conflicts, "shared_store_conflicts",
     "of those, because of bank conflicts"},
    {&emu::Counters::local_requests, "local_requests", "accesses to local arrays"},
    {&emu::Counters::barriers, "barriers", "warps that arrived at a barrier"},
    {&emu::Counters::barrier_waits, "barrier_waits", "of those, before the last one"},
};

double ratio(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

// Counts the floating-point operations of all pipes; a fused multiply-add counts as two.
double operations(const emu::Counters& c) {
  return static_cast<double>(c.fp32_add_lanes + c.fp32_mul_lanes + 2 * c.fp32_fma_lanes +
                             c.fp64_add_lanes + c.fp64_mul_lanes + 2 * c.fp64_fma_lanes +
                             2 * (c.fp16_add_lanes + c.fp16_mul_lanes + 2 * c.fp16_fma_lanes) +
                             c.tensor_f16_ops + c.tensor_bf16_ops + c.tensor_tf32_ops +
                             c.tensor_f64_ops + c.tensor_int8_ops + c.tensor_fp8_ops +
                             c.tensor_fp4_ops);
}

struct Derived {
  std::string name;
  double value;
};

std::vector<Derived> derived_figures(const emu::Counters& c) {
  std::vector<Derived> figures = {
      {"lanes_per_instruction", ratio(c.lane_instructions, c.warp_instructions)},
      {"sectors_per_load_request", ratio(c.global_load_sectors, c.global_load_requests)},
      {"sectors_per_store_request", ratio(c.global_store_sectors, c.global_store_requests)},
      {"loads_in_flight_per_round", ratio(c.global_load_requests, c.global_load_rounds)},
      {"conflicts_per_shared_load", ratio(c.shared_load_conflicts, c.shared_load_requests)},
      {"conflicts_per_shared_store", ratio(c.shared_store_conflicts, c.shared_store_requests)}};
  if (c.global_distinct_bytes != 0) {
    figures.push_back({"operations_per_distinct_byte",
                       operations(c) / static_cast<double>(c.global_distinct_bytes)});
  }
  std::erase_if(figures, [](const Derived& figure) { return figure.value == 0; });
  return figures;
}

// Counters that are 0 are omitted.
nlohmann::json counters_json(const emu::Counters& counters) {
  nlohmann::json json = nlohmann::json::object();
  for (const emu::CounterField& field : emu::kCounterFields)
    if (counters.*field.member != 0) json[field.name] = counters.*field.member;
  return json;
}

std::string counter_table(const emu::Counters& counters, const Screen& screen) {
  Table table({middle_column("counter", 16),
               {"count", Table::Align::kRight},
               prose_column("meaning", 24, 1)});
  for (const Meaning& meaning : kMeanings) {
    const std::uint64_t value = counters.*meaning.counter;
    if (value != 0)
      table.add_row({meaning.name, format_thousands(static_cast<double>(value)), meaning.meaning});
  }
  for (const Derived& figure : derived_figures(counters))
    table.add_row({figure.name, fmt::format("{:.2f}", figure.value), "derived"});
  return table.render(2, screen);
}

// Returns the text of a line without its indentation; empty for a file that was not read for the
// kernel, whatever a #line directive names.
std::string source_line(const SourceBundle* texts, const std::string& file, int line) {
  const std::string* text = texts == nullptr ? nullptr : texts->known(file);
  if (text == nullptr && texts != nullptr) text = texts->known(path_of_compiler_name(file));
  if (text == nullptr || line <= 0) return "";
  std::size_t at = 0;
  for (int i = 1; i < line && at != std::string::npos; ++i) {
    at = text->find('\n', at);
    if (at != std::string::npos) ++at;
  }
  if (at == std::string::npos) return "";
  const std::string found = text->substr(at, text->find('\n', at) - at);
  const std::size_t first = found.find_first_not_of(" \t");
  return first == std::string::npos ? "" : found.substr(first);
}

// The lines with the most warp instructions, in source order; a star marks lines with a tenth of
// the total or more.
std::string line_table(const ProfiledLaunch& launch, const SourceBundle* texts, std::size_t lines,
                       const Screen& screen) {
  std::vector<emu::LineCounts> hot = launch.lines;
  std::stable_sort(hot.begin(), hot.end(), [](const auto& a, const auto& b) {
    return a.counters.warp_instructions > b.counters.warp_instructions;
  });
  if (hot.size() > lines) hot.resize(lines);
  std::stable_sort(hot.begin(), hot.end(), [](const auto& a, const auto& b) {
    return std::pair(a.file, a.line) < std::pair(b.file, b.line);
  });
  Table table({{""},
               middle_column("line", 14),
               {"share", Table::Align::kRight},
               number_column("instructions", 2),
               number_column("sectors", 3),
               number_column("conflicts", 4),
               {"source", Table::Align::kLeft, 70, Table::Narrow::kMiddle, 24, 1}});
  for (const emu::LineCounts& line : hot) {
    const emu::Counters& c = line.counters;
    const double share = ratio(c.warp_instructions, launch.counters.warp_instructions);
    table.add_row(
        {share >= 0.1 ? "*" : "",
         fmt::format("{}:{}", std::filesystem::path(line.file).filename().string(), line.line),
         fmt::format("{:.1f} %", 100 * share),
         format_thousands(static_cast<double>(c.warp_instructions)),
         format_thousands(static_cast<double>(c.global_load_sectors + c.global_store_sectors)),
         format_thousands(static_cast<double>(c.shared_load_conflicts + c.shared_store_conflicts)),
         source_line(texts, line.file, line.line)});
  }
  return table.render(2, screen);
}

std::string shape(const std::array<std::uint32_t, 3>& v) {
  return fmt::format("{}x{}x{}", v[0], v[1], v[2]);
}

}  // namespace

std::string profile_text(const ProfileHeading& heading, const Configuration& configuration,
                         const Profile& profile, std::size_t lines, const Screen& screen) {
  std::string text = fmt::format(
      "{} {}\n{}\non {} ({}): counted on the emulator{}; times are modelled, not measured\n",
      heading.kernel, heading.problem, configuration.to_string(), heading.device,
      heading.device_name,
      heading.sample_blocks == 0
          ? ""
          : fmt::format(" from a sample of {} blocks a launch", heading.sample_blocks));
  for (const ProfiledLaunch& launch : profile.launches) {
    text += fmt::format("\n{}: grid {}, block {}, {} registers, {} bytes of shared memory\n",
                        launch.entry, shape(launch.grid), shape(launch.block),
                        launch.resources.registers,
                        launch.resources.static_shared + static_cast<int>(launch.dynamic_shared));
    std::vector<std::string> terms;
    for (const auto& [name, us] : launch.modelled.terms_us)
      terms.push_back(fmt::format("{} {}", name, format_us(us)));
    text += fmt::format("  modelled {} µs, bound by {}; of it in µs: {}\n",
                        format_us(launch.modelled.total_us), launch.modelled.bound,
                        fmt::join(terms, ", "));
    text += counter_table(launch.counters, screen);
    if (lines > 0 && !launch.lines.empty())
      text += fmt::format("  hottest lines, a star from a tenth of all instructions on:\n{}",
                          line_table(launch, heading.texts.get(), lines, screen));
  }
  if (profile.status != Status::kOk)
    text += fmt::format("{}: {}\n", status_name(profile.status), profile.reason);
  return text + "\n";
}

nlohmann::json profile_json(const Configuration& configuration, const Profile& profile) {
  nlohmann::json json = {{"configuration_text", configuration.to_string()},
                         {"variant", configuration.variant},
                         {"values", configuration.values},
                         {"status", status_name(profile.status)},
                         {"reason", profile.reason},
                         {"modelled_us", profile.modelled_us()},
                         {"launches", nlohmann::json::array()}};
  for (const ProfiledLaunch& launch : profile.launches) {
    nlohmann::json lines = nlohmann::json::array();
    for (const emu::LineCounts& line : launch.lines)
      lines.push_back(
          {{"file", line.file}, {"line", line.line}, {"counters", counters_json(line.counters)}});
    nlohmann::json derived = nlohmann::json::object();
    for (const Derived& figure : derived_figures(launch.counters))
      derived[figure.name] = figure.value;
    nlohmann::json terms = nlohmann::json::object();
    for (const auto& [name, us] : launch.modelled.terms_us) terms[name] = us;
    json["launches"].push_back({{"entry", launch.entry},
                                {"grid", launch.grid},
                                {"block", launch.block},
                                {"dynamic_shared", launch.dynamic_shared},
                                {"registers", launch.resources.registers},
                                {"static_shared", launch.resources.static_shared},
                                {"spill_stores", launch.resources.spill_stores},
                                {"spill_loads", launch.resources.spill_loads},
                                {"stack", launch.resources.stack},
                                {"modelled_us", launch.modelled.total_us},
                                {"modelled_bound", launch.modelled.bound},
                                {"modelled_terms_us", std::move(terms)},
                                {"counters", counters_json(launch.counters)},
                                {"derived", std::move(derived)},
                                {"lines", std::move(lines)}});
  }
  return json;
}

nlohmann::json heading_json(const ProfileHeading& heading, nlohmann::json profiles) {
  return {{"kernel", heading.kernel},
          {"problem", heading.problem},
          {"device", heading.device},
          {"device_name", heading.device_name},
          {"times", "modelled"},
          {"sample_blocks", heading.sample_blocks},
          {"profiles", std::move(profiles)}};
}

}  // namespace warpwright
