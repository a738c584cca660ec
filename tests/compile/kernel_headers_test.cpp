// Tests every header of kernels/ as the first and only include of a source: it includes all that it
// uses, and expects no macros and no names from the file around it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "compile/fixtures.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

const fs::path kKernels = fs::path(WARPWRIGHT_SOURCE_DIR) / "kernels";

std::vector<fs::path> kernel_headers() {
  std::vector<fs::path> headers;
  for (const auto& entry : fs::recursive_directory_iterator(kKernels))
    if (entry.path().extension() == ".cuh") headers.push_back(entry.path());
  std::sort(headers.begin(), headers.end());
  return headers;
}

class KernelHeader : public ::testing::TestWithParam<fs::path> {};

TEST_P(KernelHeader, CompilesAlone) {
  SKIP_WITHOUT_NVRTC();
  const SourceFolder sources;
  CompileJob job =
      job_for(sources.write("alone.cu", "#include \"" + GetParam().filename().string() +
                                            "\"\n"
                                            "extern \"C\" __global__ void nothing() {}\n"));
  job.include_folders = {GetParam().parent_path(), kKernels / "common"};
  job.want_cubin = false;
  const CompileResult result = nvrtc().compile(job);
  EXPECT_TRUE(result.ok) << result.failure;
}

INSTANTIATE_TEST_SUITE_P(Kernels, KernelHeader, ::testing::ValuesIn(kernel_headers()),
                         [](const auto& header) {
                           return header.param.parent_path().filename().string() + "_" +
                                  header.param.stem().string();
                         });

}  // namespace
}  // namespace warpwright
