// Files and jobs that the tests of the compile layer share.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "compile/compile_job.h"
#include "compile/nvrtc.h"
#include "core/files.h"

namespace warpwright {

// A temporary folder with sources; paths are given relative to it.
class SourceFolder {
 public:
  std::filesystem::path write(const std::filesystem::path& name, std::string_view text) const {
    const std::filesystem::path path = folder_.path() / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
    return path;
  }
  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_{"warpwright-compile-test"};
};

inline CompileJob job_for(std::filesystem::path source) {
  CompileJob job;
  job.source = std::move(source);
  job.arch = "sm_90a";
  return job;
}

// One library for all tests of the program: opening it costs 10 ms.
inline const Nvrtc& nvrtc() {
  static const Nvrtc library(require_toolchain());
  return library;
}

inline constexpr std::string_view kScale = R"(extern "C" __global__ void scale(float* x) {
  x[threadIdx.x] *= FACTOR;
}
)";

}  // namespace warpwright

// For the tests that compile; the machine may have no NVRTC.
#define SKIP_WITHOUT_NVRTC() \
  if (!locate_toolchain()) GTEST_SKIP() << "no NVRTC here: run scripts/dev/fetch_cuda"
