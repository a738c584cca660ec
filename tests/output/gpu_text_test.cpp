// The page of `warpwright gpu`, from figures like those of an H200.
#include "output/text/gpu_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "analysis/sample_roofs.h"
#include "output/golden.h"
#include "support/stored_text.h"
#include "terminal/narrow.h"

namespace warpwright {
namespace {

using testing::ceiling;
using testing::expect_golden;
using testing::h200;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::set_text;

DeviceInfo sample_gpu(const std::string& id = "cuda:0") {
  DeviceInfo info;
  info.id = id;
  info.name = "NVIDIA H200";
  info.has_clock = true;
  return info;
}

DeviceRecord described_h200() {
  DeviceRecord device = h200();
  set_text(device.details,
           R"({"compute_capability":90,"global_bytes":150754820096,"l2_bytes":62914560,)"
           R"("max_blocks_per_sm":32,"max_sm_clock_mhz":1980,"max_threads_per_sm":2048,)"
           R"("registers_per_sm":65536,"shared_per_sm":233472,"sm_count":132})");
  return device;
}

CeilingRecord latency(const std::string& name, double ns) {
  CeilingRecord record = ceiling("latency_" + name, ns);
  record.unit = "ns";
  record.ci_low = ns * 0.99;
  record.ci_high = ns * 1.01;
  return record;
}

GpuPage sample_page() {
  GpuPage page;
  page.device = described_h200();
  page.roofs = make_roofs(page.device, {ceiling("copy", 4000),
                                        ceiling("fma_f32", 60000),
                                        ceiling("l2_read", 7000),
                                        ceiling("read", 4400),
                                        ceiling("tensor_bf16", 800000),
                                        ceiling("write", 3600),
                                        ceiling("latency_clock", 1980),
                                        latency("add", 2.25),
                                        latency("fma", 2.02),
                                        latency("shared", 11.6),
                                        latency("l1", 16.5),
                                        latency("l2", 125),
                                        latency("l2_near", 110),
                                        latency("l2_far", 140),
                                        latency("l2_nearest", 101.5),
                                        latency("l2_farthest", 151),
                                        ceiling("latency_l2_lines", 32),
                                        latency("memory", 402),
                                        latency("mbarrier", 42.5),
                                        latency("sync_128", 10),
                                        latency("sync_256", 12),
                                        latency("sync_1024", 22),
                                        latency("bulk_copy", 510),
                                        latency("cluster", 95),
                                        latency("cluster_release", 345)});
  page.gpus = {sample_gpu()};
  return page;
}

TEST(GpuText, Golden) {
  expect_golden("gpu.txt", gpu_text(sample_page()));
  expect_golden("gpu.json", gpu_json(sample_page()).dump(2) + "\n");
}

TEST(GpuText, EveryTerminalShowsLatenciesAndRates) {
  testing::expect_fits([](const Screen& screen) { return gpu_text(sample_page(), screen); },
                       {"23.0", "11.6", "4,400 GB/s", "800 TFLOP/s"});
}

TEST(GpuText, WithoutFiguresItSaysWhatMeasuresThem) {
  GpuPage page = sample_page();
  page.roofs = make_roofs(page.device, {});
  EXPECT_THAT(gpu_text(page),
              HasSubstr("\nlatencies and rates were not measured: `warpwright gpu --measure "
                        "--device cuda:0` measures them\n"));
  page.roofs = make_roofs(page.device, {ceiling("read", 4400)});
  EXPECT_THAT(gpu_text(page), HasSubstr("\nlatencies were not measured: `warpwright gpu"));
  page.roofs = make_roofs(page.device, {latency("shared", 11.6)});
  EXPECT_THAT(gpu_text(page), HasSubstr("\nrates were not measured: `warpwright gpu"));
  EXPECT_THAT(gpu_text(sample_page()), Not(HasSubstr("not measured")));
}

TEST(GpuText, WithoutAClockThereAreNoCycles) {
  GpuPage page = sample_page();
  page.roofs.ceilings.erase("latency_clock");
  const nlohmann::json json = gpu_json(page);
  EXPECT_TRUE(json["clock_mhz"].is_null());
  EXPECT_TRUE(json["memories"][1]["latency"]["cycles"].is_null());
  EXPECT_EQ(json["memories"][1]["latency"]["ns"], 11.6);
  EXPECT_THAT(gpu_text(page), Not(HasSubstr("1 to 3 cycles")));
}

TEST(GpuText, AStatedFigureHoldsWhereTheDeviceReachesIt) {
  GpuPage page = sample_page();
  page.roofs.ceilings.at("latency_shared").value = 1.5;
  EXPECT_TRUE(gpu_json(page)["stated"][0]["holds"].get<bool>());
  page.device.name = "NVIDIA A100";
  EXPECT_EQ(gpu_json(page)["stated"].size(), 1U);  // the figure of bf16 is about another GPU
}

TEST(GpuText, AModelHasRatesOnly) {
  GpuPage page = sample_page();
  page.device.has_clock = false;
  set_text(page.device.details, R"({"compute_capability":90,"model_ceilings":{"read":4416}})");
  page.roofs = make_roofs(page.device, {});
  page.gpus.clear();
  const std::string text = gpu_text(page);
  EXPECT_THAT(text, HasSubstr("\nno GPU on this machine\n"));
  EXPECT_THAT(text, HasSubstr("\nrates are those of its model; latencies are measured on a GPU "
                              "only\n"));
  EXPECT_TRUE(gpu_json(page)["waits"].empty());
}

TEST(GpuText, SeveralGpusAreNamed) {
  GpuPage page = sample_page();
  page.gpus.push_back(sample_gpu("cuda:1"));
  EXPECT_THAT(
      gpu_text(page),
      HasSubstr("\n2 GPUs on this machine: cuda:0 (NVIDIA H200), cuda:1 (NVIDIA H200); copies "
                "between them are not measured\n"));
}

}  // namespace
}  // namespace warpwright
