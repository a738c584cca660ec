// Implements `warpwright gpu`: one page about a device, from what `warpwright calibrate` has
// measured.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "analysis/board/roofline.h"
#include "cli/device_claim.h"
#include "cli/print.h"
#include "cli/verb.h"
#include "core/error.h"
#include "core/words.h"
#include "harness/calibrate/calibrate.h"
#include "output/text/gpu_text.h"
#include "store/database.h"
#include "sweep/sweep.h"
#include "workers/device_query.h"
#include "workers/paths.h"

namespace warpwright {
namespace {

constexpr const char* kGpuExample =
    "Examples:\n"
    "  warpwright gpu                                the first GPU, from the default database\n"
    "  warpwright gpu --measure --device cuda:1      measures first what has not been measured\n"
    "  warpwright gpu --device \"NVIDIA H200\" --db results.db --json\n"
    "  warpwright gpu --device emu:sm_90a            sizes, and the rates of the model\n"
    "Shows the memories of a device with their sizes, latencies and rates, what barriers and "
    "copies\n"
    "cost, and the rates of arithmetic. The figures are those of `warpwright calibrate`.\n";

struct GpuArguments {
  DeviceClaim claim;
  std::string device = "auto";
  std::string database;
  bool measure = false;
  bool quiet = false;
};

using KnownDevices = std::vector<std::pair<DeviceRecord, std::vector<CeilingRecord>>>;

KnownDevices devices_in(const std::filesystem::path& file) {
  KnownDevices known;
  if (!std::filesystem::exists(file)) return known;
  const Database database(file, OpenMode::kReadOnly);
  for (const auto& [id, device] : database.devices())
    known.emplace_back(device, database.ceilings(id));
  return known;
}

GpuPage page_of(const DeviceInfo& info, const KnownDevices& known) {
  GpuPage page;
  page.device = {info.fingerprint(), info.id,     info.name,      info.arch,
                 info.uuid,          info.driver, info.has_clock, info};
  std::vector<CeilingRecord> measured;
  for (const auto& [device, ceilings] : known)
    if (device.fingerprint == page.device.fingerprint) measured = ceilings;
  page.roofs = make_roofs(page.device, measured);
  return page;
}

bool is_named(const DeviceRecord& device, const std::string& wanted) {
  constexpr std::size_t kFewestDigits = 6;  // of a fingerprint
  return device.id == wanted || device.name == wanted ||
         (wanted.size() >= kFewestDigits && device.fingerprint.starts_with(wanted));
}

// The newest stored device that is meant, one with figures if there is one.
std::optional<GpuPage> stored_page(const KnownDevices& known, const std::string& wanted) {
  std::optional<GpuPage> found;
  for (const auto& [device, ceilings] : known) {
    const bool meant =
        wanted == "auto" ? device.has_clock && !ceilings.empty() : is_named(device, wanted);
    if (!meant || (found && ceilings.empty() && !found->roofs.ceilings.empty())) continue;
    found = GpuPage{device, make_roofs(device, ceilings), {}};
  }
  return found;
}

Error unknown_device(const std::string& wanted, const DeviceList& list, const KnownDevices& known,
                     const std::filesystem::path& file) {
  if (wanted == "auto") {
    return user_error(fmt::format(
        "no GPU on this machine, and {} {}: run `warpwright calibrate` where there is one, or name "
        "a device, as in `warpwright gpu --device emu:sm_90a`",
        file.string(),
        std::filesystem::exists(file) ? "holds no figures of one" : "does not exist"));
  }
  std::vector<std::string> names;
  for (const DeviceInfo& device : list.devices) names.push_back(device.id);
  for (const auto& [device, ceilings] : known) {
    for (const std::string& name : {device.id, device.name})
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  return user_error(fmt::format("no device '{}' on this machine or in {}{}", wanted, file.string(),
                                suggestion(wanted, names)));
}

GpuPage find_page(const GpuArguments& arguments, const DeviceList& list,
                  const std::filesystem::path& file) {
  const KnownDevices known = devices_in(file);
  std::optional<GpuPage> page;
  for (const DeviceInfo& device : list.devices) {
    const bool meant = arguments.device == "auto"
                           ? device.has_clock
                           : device.id == arguments.device || device.name == arguments.device;
    if (meant && !page) page = page_of(device, known);
  }
  if (!page) page = stored_page(known, arguments.device);
  if (!page) throw unknown_device(arguments.device, list, known, file);
  for (const DeviceInfo& device : list.devices)
    if (device.has_clock) page->gpus.push_back(device);
  return std::move(*page);
}

// Measures what the page lacks. Returns the exit code.
int measure(GpuArguments& arguments, const DeviceList& list, const Paths& paths,
            const std::filesystem::path& file, const GlobalOptions& global) {
  const DeviceInfo device = calibratable_device(list, arguments.device);
  const Roofs roofs = page_of(device, devices_in(file)).roofs;
  const bool rates = has_rates(roofs), latencies = has_latencies(roofs);
  if (rates && latencies) return 0;
  arguments.claim.take({device}, global);
  CalibrateOptions options;
  options.part = rates       ? CalibratedPart::kLatencies
                 : latencies ? CalibratedPart::kCeilings
                             : CalibratedPart::kAll;
  options.database = file;
  options.quiet = arguments.quiet;
  options.command_line = global.command_line;
  options.version = version_text();
  const Calibration done = calibrate(
      options, paths, device, [&](const SweepOptions& sweep) { return run_sweep(sweep, paths); });
  for (const NoCeiling& one : done.failed)
    print_message(global, fmt::format("not measured {}: {}\n", one.name, one.reason));
  if (done.interrupted) return 130;
  return done.failed.empty() ? 0 : 1;
}

int run_gpu(GpuArguments& arguments, const GlobalOptions& global) {
  const Paths paths = find_paths(global.kernel_roots());
  const std::filesystem::path file = arguments.database.empty()
                                         ? paths.default_database()
                                         : std::filesystem::path(arguments.database);
  const DeviceList list = query_devices();
  const int code = arguments.measure ? measure(arguments, list, paths, file, global) : 0;
  if (code == 130) return code;
  const GpuPage page = find_page(arguments, list, file);
  if (global.json)
    print_json(gpu_json(page));
  else
    print_text(global, gpu_text(page, text_screen()));
  return code;
}

}  // namespace

void add_gpu_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb =
      app.add_subcommand("gpu", "One page about a device: sizes, latencies and rates as measured");
  auto arguments = std::make_shared<GpuArguments>();
  verb->add_option("--device", arguments->device,
                   "auto, cuda:0, emu:sm_90a, or the name or fingerprint of a stored one")
      ->type_name("DEVICE")
      ->capture_default_str();
  verb->add_option("--db", arguments->database, "Results database instead of results/warpwright.db")
      ->type_name("FILE");
  verb->add_flag("--measure", arguments->measure, "Measure first what has not been measured");
  arguments->claim.add_option(*verb);
  verb->add_flag("--quiet", arguments->quiet, "No progress on stderr");
  add_common_options(*verb, context);
  verb->footer(kGpuExample);
  verb->callback([arguments, context] {
    GlobalOptions& global = context.global;
    context.action = [arguments, &global] { return run_gpu(*arguments, global); };
  });
}

}  // namespace warpwright
