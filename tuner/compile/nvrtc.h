// NVRTC, which is opened at run time. Used inside compile workers; the orchestrator only calls
// `locate_toolchain`.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compile/compile_job.h"

namespace warpwright {

// The location of NVRTC and of the toolkit's headers.
struct Toolchain {
  std::filesystem::path nvrtc;                         // the shared library
  std::vector<std::filesystem::path> include_folders;  // contain cuda_fp16.h and the like
  std::string found_by;  // "WARPWRIGHT_NVRTC", "CUDA_HOME", "/usr/local/cuda", "wheel ..."
};

// Looks in $WARPWRIGHT_NVRTC, $CUDA_HOME, $CUDA_PATH, the project's .deps/ (wheels),
// LD_LIBRARY_PATH and the loader's default, /usr/local/cuda, /opt/cuda, and Python site-packages
// wheels, in this order. nullopt when there is none; `looked_in`, if given, receives every place
// for the message. With WARPWRIGHT_NO_SYSTEM_CUDA=1 only $WARPWRIGHT_NVRTC and .deps/ count.
[[nodiscard]] std::optional<Toolchain> locate_toolchain(
    std::vector<std::string>* looked_in = nullptr);

// As locate_toolchain(), but throws Error (environment) that lists where it looked and how to get
// NVRTC.
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
  // Identifies everything that must be equal for results to be equal: the version, the size of the
  // library, and the toolkit's header folders. Toolkit headers count as part of the compiler and
  // are not hashed one by one.
  [[nodiscard]] std::string identity() const;
  // Compiles in this process. Never throws for errors of a source: they are in the result, and so
  // are kernels that ptxas accepts with a mere remark although they do not do what their source
  // says (serialised wgmma, ignored setmaxnreg).
  [[nodiscard]] CompileResult compile(const CompileJob& job) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace warpwright
