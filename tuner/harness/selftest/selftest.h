// The selftest, end to end: every requested section, one after another, and the report for people
// and for machines. A section that cannot run becomes a failed figure with the reason; the others
// still run.
#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "device/device.h"
#include "harness/selftest/section.h"
#include "harness/selftest/sweep_sections.h"
#include "terminal/screen.h"
#include "workers/device_query.h"
#include "workers/paths.h"

namespace warpwright {

struct SelftestReport {
  DeviceInfo device;
  std::string nvrtc;
  std::string version;
  std::string date_utc;
  bool quick = false;
  std::set<std::string> protocols;
  std::vector<Figure> figures;
  std::map<std::string, nlohmann::json> raw;  // by section

  [[nodiscard]] std::size_t targets() const;
  [[nodiscard]] std::size_t met() const;
};

// The one device to test. Throws Error (user) when `wanted` does not name exactly one, or it has no
// clock.
[[nodiscard]] DeviceInfo provable_device(const DeviceList& list, const std::string& wanted);

// The number of calls of Workers::step that run_selftest() will make.
[[nodiscard]] std::size_t planned_steps(const SelftestOptions& options);

// Throws Error (user), and Interrupted.
[[nodiscard]] SelftestReport run_selftest(const SelftestOptions& options, const DeviceInfo& device,
                                          const Workers& workers, const RunSweep& sweep,
                                          const SpaceTruth& truth);

// The device and versions, a table of every figure next to its target, and "N of M targets met".
[[nodiscard]] std::string selftest_text(const SelftestReport& report, const Screen& screen = {});
// {"selftest": {"device", "driver", "nvrtc", "version", "date_utc", "protocols", "quick", "met",
//  "targets"}, "figures": [...], "raw": {section: ...}}
[[nodiscard]] nlohmann::json selftest_json(const SelftestReport& report);

}  // namespace warpwright
