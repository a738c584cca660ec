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
[[nodiscard]] Status status_of(emu::FaultKind kind);
[[nodiscard]] std::string describe(const emu::LaunchFault& fault);
// Adds every counter under its name.
void add_counters(std::map<std::string, std::uint64_t>& to, const emu::Counters& from);
// Adds the counters of every line, keeping the order by file and line.
void add_lines(std::vector<LineCounters>& to, const std::vector<emu::LineCounts>& from);
// Adds the hazards of a launch and the fault that ended it.
void add_hazards(std::vector<LaunchHazard>& to, const emu::LaunchReport& from);
[[nodiscard]] emu::EntryResources entry_resources(const KernelResources& known);

}  // namespace warpwright
