// Converts results of the emulator to the types of Device: identity, status, counters.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "device/device.h"
#include "emu/emulator.h"

namespace warpwright {

[[nodiscard]] DeviceInfo describe(const emu::DeviceModel& model);
[[nodiscard]] Status status_of(const Finding& fault);
// The reason of a launch that ended with the fault.
[[nodiscard]] std::string fault_reason(const Finding& fault);
// Adds every counter under its name.
void add_counters(std::map<std::string, std::uint64_t>& to, const emu::Counters& from);
// Adds the counters of every line, keeping the order by file and line.
void add_lines(std::vector<LineCounters>& to, const std::vector<emu::LineCounts>& from);
// Moves the hazards of a launch to `to` and adds the fault that ended it.
void add_findings(std::vector<Finding>& to, emu::LaunchReport& from);
[[nodiscard]] emu::EntryResources entry_resources(const KernelResources& known);

}  // namespace warpwright
