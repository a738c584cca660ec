// Tests which devices of which nodes a sweep works on, and their names.
#include "workers/worker_node.h"

#include <gmock/gmock.h>

#include "support/error_text.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;

DeviceInfo gpu(int ordinal, const std::string& uuid) {
  DeviceInfo info;
  info.id = "cuda:" + std::to_string(ordinal);
  info.uuid = uuid;
  info.has_clock = true;
  return info;
}
DeviceInfo emulator() {
  DeviceInfo info;
  info.id = "emu:sm_90a";
  return info;
}

WorkerNode node(const std::string& name, const std::string& host, std::vector<DeviceInfo> gpus) {
  WorkerNode result;
  result.name = name;
  result.host = host;
  if (gpus.empty()) result.devices.why_no_cuda = "libcuda.so.1 not found";
  result.devices.devices = std::move(gpus);
  result.devices.devices.push_back(emulator());
  return result;
}

std::vector<std::string> named(const std::vector<WorkerNode>& nodes, const std::string& wanted) {
  std::vector<std::string> result;
  for (const NodeDevice& placed : select_node_devices(nodes, wanted))
    result.push_back(std::to_string(placed.node) + " " + placed.id + " as " + placed.device.id);
  return result;
}

TEST(SelectNodeDevices, AutoIsEveryGpuOfEveryNode) {
  EXPECT_THAT(named({node("rank 1 on a", "a", {gpu(0, "A0"), gpu(1, "A1")}),
                     node("rank 2 on b", "b", {gpu(0, "B0")})},
                    "auto"),
              ElementsAre("0 a/cuda:0 as cuda:0", "0 a/cuda:1 as cuda:1", "1 b/cuda:0 as cuda:0"));
}

TEST(SelectNodeDevices, AnEmulatedDeviceIsTheSameEverywhere) {
  EXPECT_THAT(named({node("rank 1 on a", "a", {}), node("rank 2 on b", "b", {})}, "auto"),
              ElementsAre("0 emu:sm_90a as emu:sm_90a", "1 emu:sm_90a as emu:sm_90a"));
}

TEST(SelectNodeDevices, RanksOfOneHostShareOutItsGpus) {
  const std::vector<DeviceInfo> both = {gpu(0, "A0"), gpu(1, "A1")};
  EXPECT_THAT(named({node("rank 1 on a", "a", both), node("rank 2 on a", "a", both)}, "auto"),
              ElementsAre("0 a/cuda:0 as cuda:0", "1 a/cuda:1 as cuda:1"));
}

TEST(SelectNodeDevices, ARankTooManyHasNone) {
  const std::vector<DeviceInfo> one = {gpu(0, "A0")};
  EXPECT_THAT(named({node("rank 1 on a", "a", one), node("rank 2 on a", "a", one)}, "auto"),
              ElementsAre("0 a/cuda:0 as cuda:0"));
}

TEST(SelectNodeDevices, AGpuThatOneRankAloneSeesIsDealtFirst) {
  EXPECT_THAT(named({node("rank 1 on a", "a", {gpu(0, "A0"), gpu(1, "A1")}),
                     node("rank 2 on a", "a", {gpu(0, "A1")})},
                    "auto"),
              ElementsAre("0 rank 1 on a/cuda:0 as cuda:0", "1 rank 2 on a/cuda:0 as cuda:0"));
}

TEST(DescribeNodes, SaysWhatThereIsAndWhoOnlyCompiles) {
  const std::vector<DeviceInfo> one = {gpu(0, "A0")};
  const std::vector<WorkerNode> nodes = {node("rank 1 on a", "a", one),
                                         node("rank 2 on a", "a", one),
                                         node("rank 3 on b", "b", {gpu(0, "B0")})};
  EXPECT_THAT(describe_nodes(nodes, select_node_devices(nodes, "auto")),
              ElementsAre("3 ranks on 2 hosts work on a/cuda:0, b/cuda:0",
                          "rank 2 on a has no device of its own, and only compiles: others of its "
                          "host have them all"));
  const std::vector<WorkerNode> alike = {node("rank 1 on a", "a", {}),
                                         node("rank 2 on a", "a", {})};
  EXPECT_THAT(describe_nodes(alike, select_node_devices(alike, "auto")),
              ElementsAre("2 ranks on 1 host work on emu:sm_90a (2 times)"));
}

TEST(SelectNodeDevices, RanksThatEachCallTheirGpuTheFirstAreToldApart) {
  EXPECT_THAT(
      named({node("rank 1 on a", "a", {gpu(0, "A0")}), node("rank 2 on a", "a", {gpu(0, "A1")})},
            "cuda:0"),
      ElementsAre("0 rank 1 on a/cuda:0 as cuda:0", "1 rank 2 on a/cuda:0 as cuda:0"));
}

TEST(SelectNodeDevices, ADeviceThatANodeLacksIsAnErrorThatNamesTheNode) {
  EXPECT_EQ(testing::error_text([] {
              (void)named({node("rank 1 on a", "a", {gpu(0, "A0")}), node("rank 2 on b", "b", {})},
                          "cuda:0");
            }),
            "unknown device 'cuda:0' (no CUDA device: libcuda.so.1 not found); devices here: "
            "emu:sm_90a; see `warpwright devices`\n  rank 2 on b");
}

}  // namespace
}  // namespace warpwright
