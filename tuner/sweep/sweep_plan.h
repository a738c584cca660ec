// What a sweep will do, decided before any worker starts: kernel, devices, and per device and
// problem a space and a strategy. Bad input of every kind is found here.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "search/strategy.h"
#include "space/search_space.h"
#include "sweep/sweep.h"
#include "workers/paths.h"

namespace warpwright {

struct PlannedBoard {
  SweepBoard summary;
  std::size_t device = 0;  // index into SweepPlan::devices
  std::shared_ptr<const SearchSpace> space;
  std::unique_ptr<Strategy> strategy;
  std::string strategy_name;
  std::uint64_t questions = 0;  // the strategy has at most: those of the space, or of a part of it
  bool warm_start = false;      // it is told what is known of other boards
  bool model_prior = false;     // it is told what an emulator models
};

struct SweepPlan {
  SweepSpec sweep;
  KernelSpec kernel;
  std::vector<DeviceInfo> devices;
  std::vector<std::filesystem::path> include_folders;  // for compile jobs
  std::vector<PlannedBoard> boards;
  std::vector<SweepBoard> skipped;  // with SweepOptions::skip_impossible
  std::optional<Shard> shard;
  Budget budget;
  std::string strategy;
  HazardPolicy hazards = HazardPolicy::kReject;
  // The sweep's with what the options replace; without places in files, as it is when it is read
  // from the database.
  GoalDraft goal_draft;
  GoalSpec goal;

  [[nodiscard]] const DeviceInfo& device_of(std::size_t board) const {
    return devices[boards[board].device];
  }
  // Its problem; with the device where there are several.
  [[nodiscard]] std::string board_name(std::size_t board) const;
};

// The device's limits under the names that expressions use: "device.max_shared", ...
[[nodiscard]] std::map<std::string, Value> device_constants(const DeviceInfo& device);

// Throws Error (user).
[[nodiscard]] SweepPlan make_plan(const SweepOptions& options, const Paths& paths);
// The same on given devices; on those that the options name when there are none.
[[nodiscard]] SweepPlan make_plan(const SweepOptions& options, const Paths& paths,
                                  std::vector<DeviceInfo> devices);

}  // namespace warpwright
