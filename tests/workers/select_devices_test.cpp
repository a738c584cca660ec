#include <gmock/gmock.h>

#include "core/error.h"
#include "workers/device_query.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;

DeviceInfo device(const std::string& id) {
  DeviceInfo info;
  info.id = id;
  return info;
}

DeviceList laptop() {
  return {{device("emu:sm_80"), device("emu:sm_90a")}, "libcuda.so.1 not found"};
}

DeviceList server() { return {{device("cuda:0"), device("cuda:1"), device("emu:sm_90a")}, ""}; }

std::vector<std::string> ids(const std::vector<DeviceInfo>& devices) {
  std::vector<std::string> result;
  for (const DeviceInfo& info : devices) result.push_back(info.id);
  return result;
}

std::string message_of(const DeviceList& list, const std::string& wanted) {
  try {
    (void)select_devices(list, wanted);
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    return error.what();
  }
  return "no error";
}

TEST(SelectDevices, AutoIsTheFirstGpu) {
  EXPECT_THAT(ids(select_devices(server(), "auto")), ElementsAre("cuda:0"));
}

TEST(SelectDevices, AutoWithoutAGpuIsTheHopperEmulator) {
  EXPECT_THAT(ids(select_devices(laptop(), "auto")), ElementsAre("emu:sm_90a"));
}

TEST(SelectDevices, CudaAllIsEveryGpu) {
  EXPECT_THAT(ids(select_devices(server(), "cuda:all")), ElementsAre("cuda:0", "cuda:1"));
}

TEST(SelectDevices, CommasJoinAndRepeatsCountOnce) {
  EXPECT_THAT(ids(select_devices(server(), "cuda:1,emu:sm_90a,cuda:all")),
              ElementsAre("cuda:1", "emu:sm_90a", "cuda:0"));
}

TEST(SelectDevices, ANumberAfterAGpuIsAnotherGpu) {
  EXPECT_THAT(ids(select_devices(server(), "cuda:1,0")), ElementsAre("cuda:1", "cuda:0"));
  EXPECT_THAT(ids(select_devices(server(), "emu:sm_90a,cuda:0,1,emu:sm_90a")),
              ElementsAre("emu:sm_90a", "cuda:0", "cuda:1"));
}

TEST(SelectDevices, SeveralEmulatedDevicesAreNamedInFull) {
  EXPECT_THAT(ids(select_devices(laptop(), "emu:sm_90a,emu:sm_80")),
              ElementsAre("emu:sm_90a", "emu:sm_80"));
}

TEST(SelectDevices, AnOrdinalThatDoesNotExistIsToldBesideThoseThatDo) {
  const std::string here = "; devices here: cuda:0, cuda:1, emu:sm_90a; see `warpwright devices`";
  EXPECT_EQ(message_of(server(), "cuda:0,7"), "unknown device 'cuda:7'" + here);
  EXPECT_EQ(message_of(server(), "0,1"), "unknown device '0'" + here);
  EXPECT_EQ(message_of(server(), "emu:sm_90a,1"), "unknown device '1'" + here);
}

TEST(SelectDevices, CudaAllWithoutAGpuSaysWhyAndWhatToDo) {
  EXPECT_EQ(message_of(laptop(), "cuda:all"),
            "--device cuda:all: no CUDA device: libcuda.so.1 not found; use --device emu:sm_90a to "
            "run without one");
}

TEST(SelectDevices, AnUnknownIdListsThoseThatExist) {
  EXPECT_EQ(
      message_of(server(), "tpu:0"),
      "unknown device 'tpu:0'; devices here: cuda:0, cuda:1, emu:sm_90a; see `warpwright devices`");
}

TEST(SelectDevices, ASlipIsSuggested) {
  EXPECT_EQ(message_of(laptop(), "emu:sm90a"),
            "unknown device 'emu:sm90a'; did you mean 'emu:sm_90a'?; devices here: emu:sm_80, "
            "emu:sm_90a; see "
            "`warpwright devices`");
}

TEST(SelectDevices, AGpuWithoutOneSaysWhy) {
  EXPECT_THAT(message_of(laptop(), "cuda:0"),
              ::testing::HasSubstr("(no CUDA device: libcuda.so.1 not found)"));
}

}  // namespace
}  // namespace warpwright
