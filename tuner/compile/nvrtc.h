// NVRTC, opened at run time. Used inside compile workers; the orchestrator only asks `locate_toolchain`.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compile/compile_job.h"

namespace warpwright {

// Where NVRTC and the toolkit's headers were found.
struct Toolchain {
  std::filesystem::path nvrtc;                         // the shared library
  std::vector<std::filesystem::path> include_folders;  // cuda_fp16.h and friends
  std::string found_by;                                // "WARPWRIGHT_NVRTC", "CUDA_HOME", "/usr/local/cuda", "wheel ..."
};

// Looks in $WARPWRIGHT_NVRTC, $CUDA_HOME, $CUDA_PATH, the project's .deps/ (wheels), LD_LIBRARY_PATH and the loader's
// default, /usr/local/cuda, /opt/cuda, and Python site-packages wheels, in this order. nullopt when there is none;
// `looked_in` (when given) receives every place for the message.
[[nodiscard]] std::optional<Toolchain> locate_toolchain(std::vector<std::string>* looked_in = nullptr);

class Nvrtc {
 public:
  // Throws Error (environment) when the library is missing or cannot be opened; the message lists where it looked and
  // how to get it.
  explicit Nvrtc(const Toolchain& toolchain);
  ~Nvrtc();
  [[nodiscard]] std::string version() const;                       // "13.0"
  [[nodiscard]] std::vector<std::string> architectures() const;    // "sm_75", ...
  // Compiles here and now, in this process. Never throws for what a source does wrong: that is in the result.
  [[nodiscard]] CompileResult compile(const CompileJob& job) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpwright
