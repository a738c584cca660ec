// What a sweep will do, decided before any worker starts: kernel, devices, and per kind of device
// and problem a space and a strategy. Bad input of every kind is found here.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "search/strategy.h"
#include "space/search_space.h"
#include "sweep/sweep.h"
#include "workers/paths.h"
#include "workers/worker_node.h"

namespace warpwright {

// Devices of one kind (DeviceInfo::kind()): they share their boards, and each trial is of the one
// that timed it. Where they have clocks, the best of all meet on one of them, the first
// (decisions/0021-gpus-of-a-kind-share-a-board.md); where there are very many, one of every
// kGpusToARanker is the first of its share of the boards: rankings come after one another, and
// would keep all others waiting.
inline constexpr std::size_t kGpusToARanker = 8;

struct DeviceGroup {
  std::vector<std::size_t> devices;  // indices into SweepPlan::devices
  // As which device of the plan the results of each count: another one where that is the same
  // emulated device once more.
  std::vector<std::size_t> counts_as;
  std::vector<std::size_t> distinct;  // each of those once

  [[nodiscard]] std::size_t lead() const { return devices.front(); }
  // Where the best of the group's board of this number meet.
  [[nodiscard]] std::size_t ranker(std::size_t board) const {
    const std::size_t rankers = (distinct.size() + kGpusToARanker - 1) / kGpusToARanker;
    return distinct[board % rankers * kGpusToARanker];
  }
  // In `devices`, of a device of the plan.
  [[nodiscard]] std::size_t position(std::size_t device) const {
    return static_cast<std::size_t>(std::find(devices.begin(), devices.end(), device) -
                                    devices.begin());
  }
  [[nodiscard]] bool shares_boards() const { return distinct.size() > 1; }
};

struct PlannedBoard {
  SweepBoard summary;      // its device is the one that ranks it, DeviceGroup::ranker()
  std::size_t device = 0;  // likewise; index into SweepPlan::devices
  std::size_t group = 0;   // index into SweepPlan::groups
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
  // Where each of `devices` is, by node of SweepOptions::nodes; empty: all on this machine. Its id
  // there may be another.
  std::vector<NodeDevice> places;
  std::vector<DeviceGroup> groups;                     // of `devices`, in the order of their leads
  std::vector<std::filesystem::path> include_folders;  // for compile jobs
  std::vector<PlannedBoard> boards;
  std::vector<SweepBoard> skipped;  // with SweepOptions::skip_impossible
  std::optional<Shard> shard;
  Budget budget;
  std::string strategy;
  HazardPolicy hazards = HazardPolicy::kReject;
  bool strict = false;  // problems that the contract leaves untested are refused
  // The sweep's with what the options replace; without places in files, as it is when it is read
  // from the database.
  GoalDraft goal_draft;
  GoalSpec goal;

  [[nodiscard]] const DeviceInfo& device_of(std::size_t board) const {
    return devices[boards[board].device];
  }
  [[nodiscard]] const DeviceGroup& group_of(std::size_t board) const {
    return groups[boards[board].group];
  }
  // As it is called where it is.
  [[nodiscard]] const DeviceInfo& device_there(std::size_t device) const {
    return places.empty() ? devices[device] : places[device].device;
  }
  // By node, with ids as they are there.
  [[nodiscard]] std::vector<std::vector<DeviceInfo>> devices_of_nodes(std::size_t nodes) const;
  // Its problem; with the device where there are several kinds.
  [[nodiscard]] std::string board_name(std::size_t board) const;
};

[[nodiscard]] std::vector<DeviceGroup> group_devices(const std::vector<DeviceInfo>& devices);

// The device's limits under the names that expressions use: "device.max_shared", ...
[[nodiscard]] std::map<std::string, Value> device_constants(const DeviceInfo& device);

// Throws Error (user).
[[nodiscard]] SweepPlan make_plan(const SweepOptions& options, const Paths& paths);
// The same on given devices; on those that the options name when there are none.
[[nodiscard]] SweepPlan make_plan(const SweepOptions& options, const Paths& paths,
                                  std::vector<DeviceInfo> devices);

}  // namespace warpwright
