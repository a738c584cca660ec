#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "device/device.h"
#include "device/registry/device_registry.h"

namespace warpwright {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::StartsWith;

DeviceInfo some_gpu() {
  DeviceInfo info;
  info.id = "cuda:0";
  info.name = "NVIDIA H200";
  info.arch = "sm_90a";
  info.has_clock = true;
  info.uuid = "GPU-1";
  info.driver = "580.1";
  info.sm_count = 132;
  info.global_bytes = 150'000'000'000;
  info.l2_bytes = 62'914'560;
  info.max_threads_per_block = 1024;
  info.max_threads_per_sm = 2048;
  info.max_blocks_per_sm = 32;
  info.registers_per_sm = 65536;
  info.registers_per_block = 65536;
  info.max_shared_per_block = 232448;
  info.shared_per_sm = 233472;
  info.compute_capability = 90;
  info.max_sm_clock_mhz = 1980;
  info.memory_clock_mhz = 3201;
  info.memory_bus_bits = 6144;
  return info;
}

TEST(DeviceInfoTest, JsonKeepsEveryField) {
  const DeviceInfo info = some_gpu();
  const auto back = nlohmann::json::parse(nlohmann::json(info).dump()).get<DeviceInfo>();
  EXPECT_EQ(nlohmann::json(back), nlohmann::json(info));
  EXPECT_EQ(back.global_bytes, 150'000'000'000);
  EXPECT_EQ(back.memory_bus_bits, 6144);
  EXPECT_EQ(back.fingerprint(), info.fingerprint());
}

TEST(DeviceInfoTest, TheModelsRatesAreKeptAndMayBeMissing) {
  DeviceInfo info = some_gpu();
  EXPECT_FALSE(nlohmann::json(info).contains("model_ceilings"));
  const std::string without = info.fingerprint();
  info.model_ceilings = {{"read", 4416}};
  const auto back = nlohmann::json(info).get<DeviceInfo>();
  EXPECT_EQ(back.model_ceilings, info.model_ceilings);
  EXPECT_EQ(info.fingerprint(), without);  // results stay comparable
}

TEST(DeviceInfoTest, LimitsAreTheNamesOfExpressions) {
  const std::map<std::string, Value> limits = some_gpu().limits();
  EXPECT_EQ(limits.at("max_shared").as_integer(), 232448);
  EXPECT_EQ(limits.at("max_threads").as_integer(), 1024);
  EXPECT_EQ(limits.at("l2_bytes").as_integer(), 62'914'560);
  EXPECT_EQ(limits.at("compute_capability").as_integer(), 90);
}

TEST(DeviceInfoTest, TheFingerprintIsOfTheDeviceNotOfItsPlace) {
  DeviceInfo moved = some_gpu();
  moved.id = "cuda:3";
  EXPECT_EQ(moved.fingerprint(), some_gpu().fingerprint());
  DeviceInfo updated = some_gpu();
  updated.driver = "581.0";
  EXPECT_NE(updated.fingerprint(), some_gpu().fingerprint());
}

TEST(ListDevicesTest, EmulatedDevicesAreAlwaysThere) {
  std::vector<std::string> ids;
  for (const DeviceInfo& info : list_devices()) ids.push_back(info.id);
  EXPECT_THAT(ids, Contains("emu:sm_90a"));
}

TEST(ListDevicesTest, EitherThereIsAGpuOrAReason) {
  bool gpu = false;
  for (const DeviceInfo& info : list_devices()) gpu = gpu || info.id.starts_with("cuda:");
  EXPECT_EQ(gpu, why_no_cuda().empty()) << why_no_cuda();
}

std::string error_of_opening(const std::string& id) {
  try {
    (void)open_device(id);
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kUser);
    return error.what();
  }
  return "no error";
}

TEST(OpenDeviceTest, AnUnknownArchIsSuggested) {
  EXPECT_THAT(error_of_opening("emu:sm_120b"),
              AllOf(StartsWith("unknown device 'emu:sm_120b'; did you mean 'emu:sm_120a'?"),
                    HasSubstr("devices here: ")));
}

TEST(OpenDeviceTest, AnUnknownKindListsWhatThereIs) {
  EXPECT_THAT(error_of_opening("tpu"),
              AllOf(StartsWith("unknown device 'tpu'"), HasSubstr("emu:sm_90a")));
}

TEST(OpenDeviceTest, AMissingGpuSaysWhy) {
  if (why_no_cuda().empty()) GTEST_SKIP() << "this machine has a GPU";
  EXPECT_THAT(error_of_opening("cuda:0"), HasSubstr("(no CUDA device: " + why_no_cuda() + ")"));
}

TEST(OpenDeviceTest, AnOrdinalMustBeANumber) {
  EXPECT_THAT(error_of_opening("cuda:"), StartsWith("unknown device 'cuda:'"));
  EXPECT_THAT(error_of_opening("cuda:x"), StartsWith("unknown device 'cuda:x'"));
  EXPECT_THAT(error_of_opening("cuda:-1"), StartsWith("unknown device 'cuda:-1'"));
  EXPECT_THAT(error_of_opening("cuda:999"), StartsWith("unknown device 'cuda:999'"));
}

}  // namespace
}  // namespace warpwright
