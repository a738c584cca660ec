#include "workers/device_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <string_view>

#include "core/error.h"
#include "core/files.h"
#include "core/process/subprocess.h"
#include "core/words.h"
#include "device/registry/device_registry.h"

namespace warpwright {
namespace {

constexpr const char* kDefaultEmulator = "emu:sm_90a";

constexpr std::string_view kCuda = "cuda:";

// "cuda:0,2,emu:sm_80" -> cuda:0, cuda:2, emu:sm_80: a number alone continues the list of GPUs.
std::vector<std::string> split_commas(const std::string& text) {
  std::vector<std::string> parts;
  for (const std::string_view piece : split(text, ',')) {
    std::string part(piece);
    if (all_digits(part) && !parts.empty() && parts.back().starts_with(kCuda))
      part.insert(0, kCuda);
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace

DeviceList query_devices() {
  Subprocess worker({own_executable().string(), "worker", "devices"});
  nlohmann::json reply;
  const auto result = worker.receive(reply, std::chrono::seconds(60));
  if (result != Subprocess::ReadResult::kMessage) {
    const bool silent = result == Subprocess::ReadResult::kTimeout;
    if (silent) worker.kill();
    throw environment_error(fmt::format(
        "the process that lists devices {}: {}",
        silent ? "did not answer within 60 s" : worker.wait().describe(), worker.stderr_tail()));
  }
  DeviceList list;
  list.devices = reply.at("devices").get<std::vector<DeviceInfo>>();
  list.why_no_cuda = reply.at("why_no_cuda").get<std::string>();
  return list;
}

std::vector<DeviceInfo> select_devices(const DeviceList& list, const std::string& wanted) {
  std::vector<std::string> ids;
  for (const DeviceInfo& device : list.devices) ids.push_back(device.id);
  std::vector<DeviceInfo> chosen;
  const auto add = [&](const DeviceInfo& device) {
    const bool known = std::any_of(chosen.begin(), chosen.end(),
                                   [&](const DeviceInfo& other) { return other.id == device.id; });
    if (!known) chosen.push_back(device);
  };
  const auto is_cuda = [](const DeviceInfo& device) { return device.id.starts_with(kCuda); };
  for (const std::string& part : split_commas(wanted)) {
    if (part == "auto") {
      const auto gpu = std::find_if(list.devices.begin(), list.devices.end(), is_cuda);
      const auto emulator =
          std::find_if(list.devices.begin(), list.devices.end(),
                       [](const DeviceInfo& device) { return device.id == kDefaultEmulator; });
      WARPWRIGHT_CHECK(emulator != list.devices.end(), "the default emulated device exists");
      add(gpu != list.devices.end() ? *gpu : *emulator);
      continue;
    }
    if (part == "cuda" || part == "cuda:all") {
      if (!list.why_no_cuda.empty()) {
        throw user_error(
            fmt::format("--device {}: no CUDA device: {}; use --device {} to run without one", part,
                        list.why_no_cuda, kDefaultEmulator));
      }
      for (const DeviceInfo& device : list.devices)
        if (is_cuda(device)) add(device);
      continue;
    }
    const auto it = std::find_if(list.devices.begin(), list.devices.end(),
                                 [&](const DeviceInfo& device) { return device.id == part; });
    if (it == list.devices.end()) {
      std::vector<std::string> known = ids;
      known.insert(known.end(), {"auto", "cuda:all"});
      // One ordinal is not a misspelling of another.
      const bool is_ordinal = part.starts_with(kCuda) && all_digits(part.substr(kCuda.size()));
      const bool hints = !is_ordinal && nearest(part, known);
      const std::string no_cuda = part.starts_with("cuda") && !list.why_no_cuda.empty()
                                      ? fmt::format(" (no CUDA device: {})", list.why_no_cuda)
                                      : "";
      throw user_error(
          fmt::format("unknown device '{}'{}{}; devices here: {}; see `warpwright devices`", part,
                      no_cuda, hints ? suggestion(part, known) : "", fmt::join(ids, ", ")));
    }
    add(*it);
  }
  return chosen;
}

int devices_worker_main() {
  WorkerChannel channel;
  nlohmann::json reply;
  reply["devices"] = list_devices();
  reply["why_no_cuda"] = why_no_cuda();
  channel.send(reply);
  return 0;
}

}  // namespace warpwright
