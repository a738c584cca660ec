// Tests `warpwright gpu` on a machine without a GPU, with the stored figures of one.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/files.h"
#include "store/database.h"
#include "support/program.h"
#include "support/stored_text.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;

class GpuVerb : public ::testing::Test {
 protected:
  [[nodiscard]] std::string database() const { return (folder_.path() / "x.db").string(); }
  [[nodiscard]] ProgramResult gpu(std::vector<std::string> words) const {
    words.insert(words.begin(), "gpu");
    words.insert(words.end(), {"--db", database()});
    return run_program(words, {"CUDA_VISIBLE_DEVICES="});
  }
  // Stores a GPU that this machine does not have.
  void store_a_gpu(bool measured) const {
    Database results{std::filesystem::path(database())};
    DeviceRecord device;
    device.fingerprint = "0123456789abcdef";
    device.id = "cuda:0";
    device.name = "NVIDIA H200";
    device.arch = "sm_90a";
    device.has_clock = true;
    set_text(device.details, R"({"sm_count":132,"shared_per_sm":233472})");
    const RowId row = results.put_device(device);
    if (!measured) return;
    results.add_ceiling({row, "read", 4400, "GB/s", 4390, 4410, "cold-graph-3", "2026-03-01"});
    results.add_ceiling({row, "latency_shared", 11.6, "ns", 11.5, 11.7, "cold-graph-3", ""});
    results.add_ceiling({row, "latency_clock", 1980, "MHz", {}, {}, "cold-graph-3", ""});
  }
  TemporaryFolder folder_;
};

TEST_F(GpuVerb, ShowsTheStoredFigures) {
  store_a_gpu(true);
  for (const char* device : {"auto", "cuda:0", "NVIDIA H200", "012345"}) {
    const ProgramResult result = gpu({"--device", device, "--json"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const auto json = nlohmann::json::parse(result.out);
    EXPECT_EQ(json["device"]["name"], "NVIDIA H200");
    EXPECT_EQ(json["memories"][1]["name"], "shared memory");
    EXPECT_EQ(json["memories"][1]["per_sm_bytes"], 233472);
    EXPECT_DOUBLE_EQ(json["memories"][1]["latency"]["cycles"].get<double>(), 11.6 * 1980 / 1e3);
    EXPECT_EQ(json["stated"][0]["holds"], false);
  }
}

TEST_F(GpuVerb, AGpuWithoutFiguresHasAPageThatSaysWhatMeasuresThem) {
  store_a_gpu(false);
  const ProgramResult result = gpu({"--device", "cuda:0"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("latencies and rates were not measured: `warpwright gpu "
                                    "--measure --device cuda:0 --db " +
                                    database() + "` measures them\n"));
}

TEST_F(GpuVerb, AnEmulatedDeviceHasModelledRates) {
  const auto json = nlohmann::json::parse(gpu({"--device", "emu:sm_90a", "--json"}).out);
  EXPECT_TRUE(json["modelled"].get<bool>());
  EXPECT_TRUE(json["waits"].empty());
  EXPECT_EQ(json["rates"][0]["name"], "read");
  EXPECT_TRUE(json["memories"][5]["latency"].is_null());
}

TEST_F(GpuVerb, WithoutAGpuAndWithoutFiguresItSaysWhereToGoOn) {
  const std::string fix =
      ": run `warpwright calibrate --db " + database() +
      "` where there is one, or name a device, as in `warpwright gpu --device emu:sm_90a --db " +
      database() + "`\n";
  ProgramResult result = gpu({});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err,
            "warpwright: no GPU on this machine, and " + database() + " does not exist" + fix);
  store_a_gpu(false);
  result = gpu({});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.err, "warpwright: no GPU on this machine, and " + database() +
                            " holds no figures of one" + fix);
}

TEST_F(GpuVerb, AnUnknownDeviceIsNamedWithTheOneThatIsMeant) {
  store_a_gpu(true);
  const ProgramResult result = gpu({"--device", "cuda:7"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(result.err, "warpwright: no device 'cuda:7' on this machine or in " + database() +
                            "; did you mean 'cuda:0'?\n");
}

TEST_F(GpuVerb, NothingIsMeasuredOnADeviceWithoutAClock) {
  const ProgramResult result = gpu({"--measure", "--device", "emu:sm_90a"});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("emu:sm_90a has no clock, so there is nothing to measure"));
}

}  // namespace
}  // namespace warpwright::testing
