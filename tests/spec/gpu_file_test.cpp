// Tests the files of configs/gpus and how one is found by its name.
#include "spec/gpu_file.h"

#include <gmock/gmock.h>

#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

using ::testing::HasSubstr;

std::filesystem::path gpu_folder() {
  return std::filesystem::path(WARPWRIGHT_SOURCE_DIR) / "configs" / "gpus";
}

std::string gpu_message(std::string_view text) {
  return message_of([&] { static_cast<void>(parse_gpu(text, "mine.yaml")); });
}

TEST(GpuFile, HasCeilingsInTheirUnitsWithSources) {
  const GpuFile gpu = parse_gpu(
      "gpu: mine\ntitle: My GPU\nceilings:\n  read: {value: 1000, source: its datasheet}\n"
      "  special: {value: 2.5, source: counted}\n",
      "mine.yaml");
  EXPECT_EQ(gpu.name, "mine");
  EXPECT_EQ(gpu.title, "My GPU");
  ASSERT_EQ(gpu.ceilings.size(), 2U);
  EXPECT_EQ(gpu.ceilings[0].unit(), "GB/s");
  EXPECT_EQ(gpu.ceilings[0].source, "its datasheet");
  EXPECT_EQ(gpu.ceilings[1].unit(), "Gop/s");
  EXPECT_EQ(gpu.ceilings[1].value, 2.5);
}

TEST(GpuFile, ShippedOnesAreNamedAfterTheirFilesAndHaveTheCeilingsOfOurKernels) {
  for (const char* name : {"a100", "h100", "h200", "rtx5090"}) {
    const GpuFile gpu = find_gpu(name, gpu_folder());
    EXPECT_EQ(gpu.name, name);
    std::vector<std::string> ceilings;
    for (const GpuCeiling& ceiling : gpu.ceilings) ceilings.push_back(ceiling.name);
    EXPECT_THAT(ceilings, ::testing::IsSupersetOf({"read", "fma_f32", "tensor_bf16", "special"}));
  }
}

TEST(GpuFile, UnknownNamesListTheKnownOnes) {
  EXPECT_EQ(message_of([] { static_cast<void>(find_gpu("h300", gpu_folder())); }),
            "--at h300: unknown GPU; known: a100, h100, h200, rtx5090; did you mean 'h100'?");
  EXPECT_EQ(message_of([] { static_cast<void>(find_gpu("tpu", gpu_folder())); }),
            "--at tpu: unknown GPU; known: a100, h100, h200, rtx5090");
}

TEST(GpuFile, AFileIsNamedByItsEnding) {
  EXPECT_THAT(message_of([] { static_cast<void>(find_gpu("/no/such.yaml", gpu_folder())); }),
              HasSubstr("/no/such.yaml"));
}

class GpuFileErrors : public testing::TestWithParam<BadText> {};

TEST_P(GpuFileErrors, SayPlaceCauseAndFix) {
  EXPECT_EQ(gpu_message("gpu: mine\ntitle: My GPU\nceilings: " + std::string(GetParam().text)),
            GetParam().message);
}

const BadText kGpuErrors[] = {
    {"UnknownCeiling", "{reed: {value: 1, source: x}}",
     "mine.yaml:3:12: ceilings.reed: unknown ceiling 'reed'; did you mean 'read'?"},
    {"NotAboveZero", "{read: {value: 0, source: x}}",
     "mine.yaml:3:26: ceilings.read.value: got 0, expected a rate above 0"},
    {"NoSource", "{read: {value: 1}}",
     "mine.yaml:3:18: missing key 'source' in ceilings.read; add `source: NVIDIA H200 datasheet`"},
    {"NoMemory", "{special: {value: 1, source: x}}",
     "mine.yaml:1:1: has no ceiling `read`, the bandwidth of its memory; add it"},
};

INSTANTIATE_TEST_SUITE_P(Gpus, GpuFileErrors, testing::ValuesIn(kGpuErrors), case_name<BadText>);

}  // namespace
}  // namespace warpwright
