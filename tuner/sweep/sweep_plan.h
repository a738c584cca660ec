// The plan of a sweep, made before any worker starts: kernel, devices, and a space and a strategy
// for each problem on each kind of device. Every kind of bad input is found here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "search/strategy.h"
#include "space/search_space.h"
#include "spec/kernel_spec.h"
#include "spec/sweep_spec.h"
#include "sweep/sweep.h"
#include "workers/paths.h"
#include "workers/worker_node.h"

namespace warpwright {

// The first questions of a search, before it has learnt anything: the configurations that the
// contract and the presets of a sweep declare to be good. Returns indices of `space`, each once:
// the defaults of every variant, then the presets in their order, with parameters that they do not
// name at the default. Configurations outside the space are left out.
[[nodiscard]] std::vector<std::uint64_t> first_questions(const SearchSpace& space,
                                                         const KernelSpec& kernel,
                                                         const SweepSpec& sweep);

// Devices of one kind (DeviceInfo::kind()): they share their boards, and each trial belongs to the
// device that timed it. If they have clocks, the best configurations of all devices meet on the
// first device (decisions/0021-gpus-of-a-kind-share-a-board.md). In very large groups, one of every
// kGpusToARanker devices ranks a share of the boards: the rankings of one device run one after
// another and would keep all other devices waiting.
inline constexpr std::size_t kGpusToARanker = 8;

struct DeviceGroup {
  std::vector<std::size_t> devices;  // indices into SweepPlan::devices
  // The device of the plan that the results of each count for: a different one if it is the same
  // emulated device listed again.
  std::vector<std::size_t> counts_as;
  std::vector<std::size_t> distinct;  // each device of counts_as once

  [[nodiscard]] std::size_t lead() const { return devices.front(); }
  // The device on which the best configurations of the group's board of this number meet.
  [[nodiscard]] std::size_t ranker(std::size_t board) const {
    const std::size_t rankers = (distinct.size() + kGpusToARanker - 1) / kGpusToARanker;
    return distinct[board % rankers * kGpusToARanker];
  }
  // The position in `devices` of a device of the plan.
  [[nodiscard]] std::size_t position(std::size_t device) const {
    return static_cast<std::size_t>(std::find(devices.begin(), devices.end(), device) -
                                    devices.begin());
  }
  [[nodiscard]] bool shares_boards() const { return distinct.size() > 1; }
};

struct PlannedBoard {
  SweepBoard summary;      // `device` is the one that ranks it, DeviceGroup::ranker()
  std::size_t device = 0;  // the same device; index into SweepPlan::devices
  std::size_t group = 0;   // index into SweepPlan::groups
  std::shared_ptr<const SearchSpace> space;
  std::unique_ptr<Strategy> strategy;
  std::string strategy_name;
  std::uint64_t questions = 0;  // at most: those of the space, or of a part of it
  bool warm_start = false;      // it uses results of other boards
  bool model_prior = false;     // it uses the model of an emulator
};

struct SweepPlan {
  SweepSpec sweep;
  KernelSpec kernel;
  std::vector<DeviceInfo> devices;
  // The node and the device there of each of `devices`, by node of SweepOptions::nodes; empty if
  // all are on this machine. The id on the node may differ.
  std::vector<NodeDevice> places;
  std::vector<DeviceGroup> groups;                     // of `devices`, in the order of their leads
  std::vector<std::filesystem::path> include_folders;  // for compile jobs
  std::vector<PlannedBoard> boards;
  std::vector<SweepBoard> skipped;           // with SweepOptions::skip_impossible
  std::vector<std::string> version_changes;  // as in SweepSummary
  std::optional<Shard> shard;
  Budget budget;
  std::string strategy;
  HazardPolicy hazards = HazardPolicy::kReject;
  bool strict = false;  // problems that the contract leaves untested are refused
  // The sweep's goal with the parts that the options replace. It carries no places in files, as if
  // it had been read from the database.
  GoalDraft goal_draft;
  GoalSpec goal;

  [[nodiscard]] const DeviceInfo& device_of(std::size_t board) const {
    return devices[boards[board].device];
  }
  [[nodiscard]] const DeviceGroup& group_of(std::size_t board) const {
    return groups[boards[board].group];
  }
  // The device as its own node names it.
  [[nodiscard]] const DeviceInfo& device_there(std::size_t device) const {
    return places.empty() ? devices[device] : places[device].device;
  }
  // By node, with the ids that the nodes use.
  [[nodiscard]] std::vector<std::vector<DeviceInfo>> devices_of_nodes(std::size_t nodes) const;
  // The board's problem, with the device if there are several kinds of device.
  [[nodiscard]] std::string board_name(std::size_t board) const;
};

[[nodiscard]] std::vector<DeviceGroup> group_devices(const std::vector<DeviceInfo>& devices);

// The device's limits under the names that expressions use: "device.max_shared", ...
[[nodiscard]] std::map<std::string, Value> device_constants(const DeviceInfo& device);

// Throws Error (user).
[[nodiscard]] SweepPlan make_plan(const SweepOptions& options, const Paths& paths);
// The same on the given devices, or on those that the options name when none are given.
[[nodiscard]] SweepPlan make_plan(const SweepOptions& options, const Paths& paths,
                                  std::vector<DeviceInfo> devices);

}  // namespace warpwright
