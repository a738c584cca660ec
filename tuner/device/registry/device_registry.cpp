#include "device/registry/device_registry.h"

#include <fmt/format.h>

#include <charconv>

#include "core/error.h"
#include "core/words.h"
#include "device/cuda/cuda_device.h"
#include "device/cuda/driver.h"
#include "device/emulated_device.h"

namespace warpwright {

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> devices;
  if (const cuda::DriverLookup found = cuda::Driver::open(); found.driver) {
    devices = cuda::list_cuda_devices(found.driver);
  }
  for (DeviceInfo& emulated : list_emulated_devices()) devices.push_back(std::move(emulated));
  return devices;
}

std::string why_no_cuda() { return cuda::Driver::open().why_not; }

namespace {

std::string known_devices(const std::string& id) {
  std::vector<std::string> ids;
  for (const DeviceInfo& info : list_devices()) ids.push_back(info.id);
  std::string message = fmt::format("unknown device '{}'{}; devices here: {}", id,
                                    suggestion(id, ids), fmt::join(ids, ", "));
  if (const std::string reason = why_no_cuda(); !reason.empty() && id.starts_with("cuda")) {
    message += fmt::format(" (no CUDA device: {})", reason);
  }
  return message;
}

}  // namespace

std::unique_ptr<Device> open_device(const std::string& id, int threads) {
  constexpr std::string_view kCuda = "cuda:";
  constexpr std::string_view kEmulated = "emu:";
  if (id.starts_with(kCuda)) {
    int ordinal = -1;
    const char* first = id.data() + kCuda.size();
    const char* last = id.data() + id.size();
    const auto [end, error] = std::from_chars(first, last, ordinal);
    const cuda::DriverLookup found = cuda::Driver::open();
    const bool is_number = error == std::errc() && end == last && ordinal >= 0;
    if (is_number && found.driver && ordinal < found.driver->device_count()) {
      return cuda::open_cuda_device(found.driver, ordinal);
    }
  } else if (id.starts_with(kEmulated)) {
    if (auto device = open_emulated_device(id.substr(kEmulated.size()), threads)) return device;
  }
  throw user_error(known_devices(id));
}

}  // namespace warpwright
