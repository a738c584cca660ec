// NVRTC, opened at run time. Used inside compile workers; the orchestrator only asks
// `locate_toolchain`.
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
  std::string found_by;  // "WARPWRIGHT_NVRTC", "CUDA_HOME", "/usr/local/cuda", "wheel ..."
};

// Looks in $WARPWRIGHT_NVRTC, $CUDA_HOME, $CUDA_PATH, the project's .deps/ (wheels),
// LD_LIBRARY_PATH and the loader's default, /usr/local/cuda, /opt/cuda, and Python site-packages
// wheels, in this order. nullopt when there is none; `looked_in` (when given) receives every place
// for the message. With WARPWRIGHT_NO_SYSTEM_CUDA=1 only $WARPWRIGHT_NVRTC and .deps/ count.
[[nodiscard]] std::optional<Toolchain> locate_toolchain(
    std::vector<std::string>* looked_in = nullptr);

// locate_toolchain(), or Error (environment) that lists where it looked and how to get NVRTC.
[[nodiscard]] Toolchain require_toolchain();

class Nvrtc {
 public:
  // Throws Error (environment) when the library cannot be opened or is too old to make cubins.
  explicit Nvrtc(const Toolchain& toolchain);
  ~Nvrtc();
  Nvrtc(const Nvrtc&) = delete;
  Nvrtc& operator=(const Nvrtc&) = delete;
  [[nodiscard]] std::string version() const;                     // "13.0"
  [[nodiscard]] std::vector<std::string> architectures() const;  // "sm_75", ...
  // What must be equal for results to be equal: version, size of the library, and the toolkit's
  // header folders. Toolkit headers are part of the compiler here: they are not hashed one by one.
  [[nodiscard]] std::string identity() const;
  // Compiles here and now, in this process. Never throws for what a source does wrong: that is in
  // the result, as is what ptxas accepts with a mere remark although it changes the kernel
  // (serialised wgmma, ignored setmaxnreg).
  [[nodiscard]] CompileResult compile(const CompileJob& job) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpwright
