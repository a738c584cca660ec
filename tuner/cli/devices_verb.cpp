// warpwright devices: what --device can name on this machine.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/verb.h"
#include "output/table.h"
#include "run/device_query.h"

namespace warpwright {
namespace {

constexpr const char* kExample =
    "Example:\n"
    "  warpwright devices\n"
    "An emulated device runs the same PTX on the CPU: it validates and counts, and models time "
    "instead of measuring it.\n";

int run(const GlobalOptions& global) {
  const DeviceList list = query_devices();
  if (global.json) {
    fmt::print(
        "{}\n",
        nlohmann::json{{"devices", list.devices}, {"why_no_cuda", list.why_no_cuda}}.dump(2));
    return 0;
  }
  Table table({{"device"},
               {"name"},
               {"arch"},
               {"SMs", Table::Align::kRight},
               {"memory", Table::Align::kRight},
               {"L2", Table::Align::kRight},
               {"shared/block", Table::Align::kRight},
               {"time"},
               {"driver"}});
  for (const DeviceInfo& device : list.devices) {
    table.add_row({device.id, device.name, device.arch, std::to_string(device.sm_count),
                   fmt::format("{:.0f} GiB", static_cast<double>(device.global_bytes) / (1 << 30)),
                   fmt::format("{:.0f} MiB", static_cast<double>(device.l2_bytes) / (1 << 20)),
                   fmt::format("{} KiB", device.max_shared_per_block / 1024),
                   device.has_clock ? "measured" : "modelled", device.driver});
  }
  fmt::print("{}", table.render());
  if (!list.why_no_cuda.empty()) fmt::print("no CUDA device: {}\n", list.why_no_cuda);
  return 0;
}

}  // namespace

void add_devices_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb = app.add_subcommand("devices", "Devices of this machine, real and emulated");
  add_common_options(*verb, context);
  verb->footer(kExample);
  verb->callback([context] {
    GlobalOptions& global = context.global;
    context.action = [&global] { return run(global); };
  });
}

}  // namespace warpwright
