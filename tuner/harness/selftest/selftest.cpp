#include "harness/selftest/selftest.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/words.h"
#include "harness/selftest/coverage.h"
#include "harness/selftest/gate_runs.h"
#include "harness/selftest/ranking_section.h"
#include "harness/selftest/sweep_sections.h"
#include "harness/selftest/timers.h"
#include "sweep/sweep_engine.h"
#include "terminal/screen.h"
#include "terminal/table.h"

namespace warpwright {
namespace {

bool wants_timers(const std::set<Section>& sections) {
  return sections.contains(Section::kBias) || sections.contains(Section::kCv) ||
         sections.contains(Section::kWall);
}

Figure failure(std::string_view section, const Error& error) {
  Figure figure;
  figure.section = section;
  figure.name = "ran";
  figure.target = Target::at_least(1);
  figure.detail = one_line(error.what());
  return figure;
}

std::string verdict(const Figure& figure) {
  if (!figure.target.given()) return "";
  return figure.passed() ? "PASS" : "FAIL";
}

// Figures are data, with "us" in their texts and units. This turns "5 us, cold" into "5 µs, cold".
std::string for_people(std::string text) {
  const std::string unit = " us";
  for (std::size_t at = text.find(unit); at != std::string::npos; at = text.find(unit, at + 1)) {
    const std::size_t end = at + unit.size();
    const bool digit = at > 0 && is_digit(text[at - 1]);
    if (digit && (end == text.size() || text[end] == ',' || text[end] == ' ' || text[end] == ';'))
      text.replace(at, unit.size(), " µs");
  }
  return text;
}

}  // namespace

std::size_t SelftestReport::targets() const {
  return static_cast<std::size_t>(std::count_if(
      figures.begin(), figures.end(), [](const Figure& figure) { return figure.target.given(); }));
}

std::size_t SelftestReport::met() const {
  return static_cast<std::size_t>(
      std::count_if(figures.begin(), figures.end(),
                    [](const Figure& figure) { return figure.target.given() && figure.passed(); }));
}

DeviceInfo provable_device(const DeviceList& list, const std::string& wanted) {
  const std::vector<DeviceInfo> chosen = select_devices(list, wanted);
  if (chosen.size() != 1) {
    throw user_error(fmt::format(
        "--device {}: expected one device, got {}; prove one at a time, such as --device cuda:0",
        wanted, chosen.size()));
  }
  if (!chosen.front().has_clock) {
    const std::string without =
        list.why_no_cuda.empty() ? "" : fmt::format(" (no CUDA device here: {})", list.why_no_cuda);
    throw user_error(fmt::format(
        "--device {}: {} has no clock, its times are modelled, so how well times are measured "
        "cannot "
        "be proven on it; run the selftest on a machine with a CUDA GPU{}. What the statistics "
        "promise is proven by the tests, which need no GPU: `scripts/test`",
        wanted, chosen.front().id, without));
  }
  return chosen.front();
}

std::size_t planned_steps(const SelftestOptions& options) {
  const SelftestCounts& counts = options.counts;
  const auto wants = [&](Section section) { return options.sections.contains(section); };
  int steps = 1;  // one to identify the compiler
  if (wants_timers(options.sections)) steps += 3 * counts.processes;
  if (wants(Section::kCoverage)) steps += 1;
  if (wants(Section::kAa)) steps += 2;
  if (wants(Section::kSlowdown)) steps += 4;
  if (wants(Section::kRanking)) steps += 2;
  if (wants(Section::kTau)) steps += 3;
  if (wants(Section::kPicks)) steps += counts.tunings;
  if (wants(Section::kFaults)) steps += 2;
  return static_cast<std::size_t>(steps);
}

SelftestReport run_selftest(const SelftestOptions& options, const DeviceInfo& device,
                            const Workers& workers, const RunSweep& sweep,
                            const SpaceTruth& truth) {
  const SelftestCounts& counts = options.counts;
  SelftestReport report;
  report.device = device;
  report.version = options.version;
  report.date_utc = utc_now();
  report.quick = options.quick;
  workers.step("looking for NVRTC");
  report.nvrtc = workers.ask({{"do", "identify"}}).at("nvrtc").get<std::string>();

  const auto run = [&](std::string_view name, bool wanted, auto section) {
    if (!wanted) return;
    try {
      SectionResult result = section();
      report.figures.insert(report.figures.end(), result.figures.begin(), result.figures.end());
      report.protocols.merge(result.protocols);
      report.raw.emplace(name, std::move(result.raw));
    } catch (const Error& error) {
      if (error.fault() == Fault::kUser) throw;
      report.figures.push_back(failure(name, error));
    }
  };
  const auto run_one = [&](Section which, auto section) {
    run(section_name(which), options.sections.contains(which), section);
  };
  run("timers", wants_timers(options.sections),
      [&] { return run_timers(workers, counts.processes, options.sections); });
  run_one(Section::kCoverage, [&] { return run_coverage(workers, counts.measurements); });
  run_one(Section::kAa, [&] { return run_aa(workers, counts.aa_comparisons); });
  run_one(Section::kSlowdown, [&] { return run_slowdown(workers, counts.slowdown_runs); });
  run_one(Section::kRanking, [&] { return run_ranking(workers, counts.races); });
  run_one(Section::kTau, [&] { return run_tau(workers, sweep, truth.count()); });
  run_one(Section::kPicks, [&] { return run_picks(workers, sweep, truth, counts.tunings); });
  run_one(Section::kFaults, [&] { return run_faults(workers, sweep); });
  report.protocols.erase("");
  return report;
}

std::string selftest_text(const SelftestReport& report, const Screen& screen) {
  std::string text =
      fmt::format("{} ({}), driver {}, NVRTC {}, {}, {}\n", report.device.name, report.device.id,
                  report.device.driver, report.nvrtc, report.version, report.date_utc);
  if (!report.protocols.empty())
    text += fmt::format("protocols: {}\n", fmt::join(report.protocols, ", "));
  if (report.quick)
    text +=
        "quick: fewer repetitions than the targets are stated for; leave --quick out to prove "
        "them\n";
  Table table({word_column("section", 2),
               prose_column("figure", 10),
               middle_column("of", 8, 3),
               {"value", Table::Align::kRight},
               number_column("target", 1),
               {"verdict"},
               prose_column("detail", 24, 4)});
  for (const Figure& figure : report.figures) {
    table.add_row({figure.section, figure.name, for_people(figure.size),
                   for_people(format_value(figure.value, figure.unit)),
                   for_people(figure.target.text(figure.unit)), verdict(figure),
                   for_people(figure.detail)});
  }
  return text + "\n" + table.render(0, screen) +
         fmt::format("\n{} of {} targets met\n", report.met(), report.targets());
}

nlohmann::json selftest_json(const SelftestReport& report) {
  return {{"selftest",
           {{"device", report.device},
            {"driver", report.device.driver},
            {"nvrtc", report.nvrtc},
            {"version", report.version},
            {"date_utc", report.date_utc},
            {"protocols", report.protocols},
            {"quick", report.quick},
            {"met", report.met()},
            {"targets", report.targets()}}},
          {"figures", report.figures},
          {"raw", report.raw}};
}

}  // namespace warpwright
