// Implements `warpwright devices`: lists the devices of this machine that --device accepts.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "cli/print.h"
#include "cli/verb.h"
#include "terminal/table.h"
#include "workers/device_query.h"

namespace warpwright {
namespace {

constexpr const char* kDevicesExample =
    "Example:\n"
    "  warpwright devices\n"
    "An emulated device runs the same PTX on the CPU: it validates and counts, and models time "
    "instead of measuring it.\n";

int run_devices(const GlobalOptions& global) {
  const DeviceList list = query_devices();
  if (global.json) {
    print_json(nlohmann::json{{"devices", list.devices}, {"why_no_cuda", list.why_no_cuda}});
    return 0;
  }
  Table table({{"device"},
               middle_column("name", 12),
               word_column("arch", 4),
               number_column("SMs", 3),
               number_column("memory", 2),
               number_column("L2", 6),
               number_column("shared/block", 7),
               {"time"},
               middle_column("driver", 10, 5)});
  for (const DeviceInfo& device : list.devices) {
    table.add_row({device.id, device.name, device.arch, std::to_string(device.sm_count),
                   fmt::format("{:.0f} GiB", static_cast<double>(device.global_bytes) / (1 << 30)),
                   fmt::format("{:.0f} MiB", static_cast<double>(device.l2_bytes) / (1 << 20)),
                   fmt::format("{} KiB", device.max_shared_per_block / 1024),
                   device.has_clock ? "measured" : "modelled", device.driver});
  }
  std::string text = table.render(0, text_screen());
  if (!list.why_no_cuda.empty()) text += fmt::format("no CUDA device: {}\n", list.why_no_cuda);
  print_text(global, text);
  return 0;
}

}  // namespace

void add_devices_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb = app.add_subcommand("devices", "Devices of this machine, real and emulated");
  add_common_options(*verb, context);
  verb->footer(kDevicesExample);
  verb->callback([context] {
    GlobalOptions& global = context.global;
    context.action = [&global] { return run_devices(global); };
  });
}

}  // namespace warpwright
