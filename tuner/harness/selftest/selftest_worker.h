// The selftest worker: one process that opens the device, runs one task and exits, so that every
// task starts from a fresh context. Frames in: {"setup": {...}, "task": {"do": ..., ...}} once.
// Frames out: {"result": ...} or {"error": {"fault": "user"|"environment"|"internal", "message":
// "..."}}. Tasks:
//   {"do": "identify"}                                             -> {"nvrtc": "13.0"}; no device
//   {"do": "timer", "kernel", "target_us", "size" (optional)}      -> TimerReport
//   {"do": "coverage", "measurements"}                             -> CoverageRuns
//   {"do": "gate", "kernel", "runs", "slower_permille"}            -> GateRuns
//   {"do": "races", "races", "slower_permille"}                    -> RaceRuns
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "harness/selftest/selftest_bench.h"
#include "workers/paths.h"

namespace warpwright {

// Throws Error (user) when a harness kernel is missing.
[[nodiscard]] HarnessSetup make_harness_setup(const Paths& paths, const std::string& device);

// Runs a task on an open device.
[[nodiscard]] nlohmann::json do_task(const Bench& bench, const nlohmann::json& task);

// Starts a worker with `command`, gives it the task and waits for the result. Throws the Error that
// the worker reports, and Error (environment) when it dies or sends nothing for ten minutes.
[[nodiscard]] nlohmann::json ask_selftest_worker(const std::vector<std::string>& command,
                                                 const HarnessSetup& setup,
                                                 const nlohmann::json& task);

// The body of the worker. Returns the exit code.
int selftest_worker_main();

}  // namespace warpwright
