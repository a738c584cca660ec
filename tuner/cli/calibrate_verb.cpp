// Implements `warpwright calibrate`: measures the best that a device can reach, so that results can
// be compared with it.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

#include "analysis/board/roofline.h"
#include "cli/device_claim.h"
#include "cli/print.h"
#include "cli/verb.h"
#include "core/error.h"
#include "harness/calibrate/calibrate.h"
#include "output/text/limit_text.h"
#include "store/database.h"
#include "terminal/numbers.h"

namespace warpwright {
namespace {

constexpr const char* kCalibrateExample =
    "Examples:\n"
    "  warpwright calibrate                          the first GPU, into the default database\n"
    "  warpwright calibrate --device cuda:1 --db mine.db --json\n"
    "  warpwright calibrate --list                   what is known of every device\n"
    "Sweeps read, write, copy, L2 and arithmetic kernels on random data and keeps the best of "
    "each;\n"
    "then times chains of dependent steps, which give latencies.\n"
    "`warpwright show` holds results against these ceilings from then on, and `warpwright gpu` "
    "shows\n"
    "all of it on one page.\n"
    "Exit code 0 when everything the device can do was measured, 1 when something was not, 2 on a\n"
    "device without a clock.\n";

struct CalibrateArguments {
  DeviceClaim claim;
  std::string device = "auto";
  std::string database;
  bool list = false;
  bool quiet = false;
};

// A device with its ceilings.
struct Listed {
  DeviceRecord device;
  Roofs roofs;
};

DeviceRecord record_of(const DeviceInfo& device) {
  return {device.fingerprint(), device.id,     device.name,      device.arch,
          device.uuid,          device.driver, device.has_clock, device};
}

// Lists the devices of the database, then those of this machine that are not in it.
std::vector<Listed> known_devices(const std::filesystem::path& file) {
  std::vector<Listed> devices;
  std::set<std::string> known;
  if (std::filesystem::exists(file)) {
    const Database database(file, OpenMode::kReadOnly);
    for (const auto& [id, device] : database.devices()) {
      devices.push_back({device, make_roofs(device, database.ceilings(id))});
      known.insert(device.fingerprint);
    }
  }
  for (const DeviceInfo& info : query_devices().devices) {
    DeviceRecord device = record_of(info);
    if (known.insert(device.fingerprint).second)
      devices.push_back({device, make_roofs(device, {})});
  }
  return devices;
}

int list(const CalibrateArguments& arguments, const std::filesystem::path& file,
         const GlobalOptions& global) {
  const bool json = global.json;
  std::vector<Listed> devices = known_devices(file);
  if (arguments.device != "auto") {
    std::erase_if(devices, [&](const Listed& listed) {
      return listed.device.id != arguments.device && listed.device.name != arguments.device &&
             listed.device.fingerprint != arguments.device;
    });
    if (devices.empty()) {
      throw user_error(fmt::format(
          "no device '{}' here or in {}; `warpwright calibrate --list` shows all of them",
          arguments.device, file.string()));
    }
  }
  nlohmann::json all = nlohmann::json::array();
  for (const Listed& listed : devices) {
    if (json) {
      all.push_back(ceilings_json(listed.device, listed.roofs));
    } else {
      print_text(global, ceilings_text(listed.device, listed.roofs, text_screen()) + "\n");
    }
  }
  if (json) print_json(nlohmann::json{{"devices", all}});
  return 0;
}

nlohmann::json reasons_json(const std::vector<NoCeiling>& list) {
  nlohmann::json json = nlohmann::json::array();
  for (const NoCeiling& one : list) json.push_back({{"name", one.name}, {"reason", one.reason}});
  return json;
}

// Returns only the ceilings that were measured now.
Roofs roofs_of(const Calibration& calibration) {
  return make_roofs(record_of(calibration.device), calibration.ceilings);
}

void print_calibration(const Calibration& calibration, const GlobalOptions& global) {
  const DeviceRecord device = record_of(calibration.device);
  const Roofs roofs = roofs_of(calibration);
  if (global.json) {
    nlohmann::json all = ceilings_json(device, roofs);
    all["skipped"] = reasons_json(calibration.skipped);
    all["failed"] = reasons_json(calibration.failed);
    all["database"] = calibration.database.string();
    all["wall_seconds"] = calibration.wall_seconds;
    print_json(all);
    return;
  }
  std::string text = ceilings_text(device, roofs, text_screen());
  for (const NoCeiling& one : calibration.skipped)
    text += fmt::format("skipped {}: {}\n", one.name, one.reason);
  for (const NoCeiling& one : calibration.failed)
    text += fmt::format("not measured {}: {}\n", one.name, one.reason);
  text += fmt::format(
      "{} figures in {}, stored in {}; `warpwright show` holds results against the "
      "ceilings, `warpwright gpu` shows all of them on one page\n",
      calibration.ceilings.size(), format_duration(calibration.wall_seconds),
      calibration.database.string());
  print_text(global, text);
}

int run(CalibrateArguments& arguments, const GlobalOptions& global) {
  const Paths paths = find_paths(global.kernel_roots());
  const std::filesystem::path file = arguments.database.empty()
                                         ? paths.default_database()
                                         : std::filesystem::path(arguments.database);
  if (arguments.list) return list(arguments, file, global);
  const DeviceInfo device = calibratable_device(query_devices(), arguments.device);
  arguments.claim.take({device}, global);
  CalibrateOptions options;
  options.database = arguments.database;
  options.quiet = arguments.quiet;
  options.command_line = global.command_line;
  options.version = version_text();
  const Calibration calibration = calibrate(
      options, paths, device, [&](const SweepOptions& sweep) { return run_sweep(sweep, paths); });
  print_calibration(calibration, global);
  if (calibration.interrupted) return 130;
  return calibration.failed.empty() && !calibration.ceilings.empty() ? 0 : 1;
}

}  // namespace

void add_calibrate_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb = app.add_subcommand(
      "calibrate", "Measure what a device reaches at best, to hold results against it");
  auto arguments = std::make_shared<CalibrateArguments>();
  verb->add_option("--device", arguments->device, "auto or cuda:0; one with a clock")
      ->type_name("DEVICE")
      ->capture_default_str();
  verb->add_option("--db", arguments->database, "Results database instead of results/warpwright.db")
      ->type_name("FILE");
  verb->add_flag("--list", arguments->list,
                 "Only show what is known: of the database's devices and of this machine's");
  arguments->claim.add_option(*verb);
  verb->add_flag("--quiet", arguments->quiet, "No progress on stderr");
  add_common_options(*verb, context);
  verb->footer(kCalibrateExample);
  verb->callback([arguments, context] {
    GlobalOptions& global = context.global;
    context.action = [arguments, &global] { return run(*arguments, global); };
  });
}

}  // namespace warpwright
