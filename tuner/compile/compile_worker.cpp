// Implements the compile worker's side of the protocol; README.md describes the messages.
#include <fmt/format.h>
#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <future>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "compile/compile_pool.h"
#include "compile/compiler_log.h"
#include "compile/nvrtc.h"
#include "core/error.h"
#include "core/process/confine.h"
#include "core/process/memory_limit.h"
#include "core/process/serve.h"

namespace warpwright {
namespace {

// The front end reports that it ran out of memory; ptxas only gives up, with a remark on stderr. A
// failure without a named error in a process that came near its limit counts as the second case.
bool ran_out_of_memory(const CompileJob& job, const CompileResult& result) {
  if (result.ok) return false;
  if (result.log.find("catastrophic error: out of memory") != std::string::npos) return true;
  const auto limit = own_memory_limit();
  if (!limit || peak_memory_bytes() < *limit / 4 * 3) return false;
  const auto error = first_error(result.log, job.source.string(), "");
  return !error || error->find("Ptx assembly aborted due to errors") != std::string::npos;
}

// The files that the compiler itself opens: its libraries and the toolkit's headers, with the
// systems that keep a package's files elsewhere and link to them.
std::vector<std::filesystem::path> files_of(const Toolchain& toolchain) {
  std::vector<std::filesystem::path> files = {"/usr",
                                              "/lib",
                                              "/lib64",
                                              "/opt",
                                              "/nix/store",
                                              "/gnu/store",
                                              "/etc/ld.so.cache",
                                              "/proc/cpuinfo",
                                              "/proc/meminfo",
                                              "/sys/devices/system",
                                              toolchain.nvrtc.parent_path()};
  for (const std::filesystem::path& folder : toolchain.include_folders) {
    files.push_back(folder);
    std::error_code ignored;
    const std::filesystem::path header =
        std::filesystem::canonical(folder / "cuda_fp16.h", ignored);
    if (!ignored) files.push_back(header.parent_path());
  }
  return files;
}

// True if the compiler needs no file of the job from the disk: all were sent with it, and no
// #include names a macro that only the compiler can expand, which needs --trust-includes.
bool is_complete(const CompileJob& job) {
  return !job.files.empty() && std::none_of(job.files.begin(), job.files.end(),
                                            [](const SourceFile& file) { return file.unforeseen; });
}

CompileResult compile_confined(const Nvrtc& nvrtc,
                               const std::vector<std::filesystem::path>& readable,
                               const CompileJob& job) {
  if (!is_complete(job)) return nvrtc.compile(job);
  // A confined thread stays confined, so that each job has its own.
  const auto work = [&] {
    // On a system that cannot confine it, the scan of includes is the only guard.
    static_cast<void>(confine_thread(readable));
    return nvrtc.compile(job);
  };
  return std::async(std::launch::async, work).get();
}

CompileResult compile(const Nvrtc& nvrtc, const std::vector<std::filesystem::path>& readable,
                      const CompileJob& job) {
  forget_peak_memory();
  CompileResult result = compile_confined(nvrtc, readable, job);
  if (!ran_out_of_memory(job, result)) return result;
  result.failure = fmt::format("{}: the compiler ran out of memory ({})", job.source.string(),
                               describe_memory_limit(own_memory_limit()));
  result.crashed = result.by_machine = true;  // the result may differ with more memory
  return result;
}

// Gives all threads that are started from now on a stack of the usual size, so that an ordinary
// source does not overflow it. Without a limit on stacks, too, threads have less.
void use_usual_stacks() {
  rlimit stack{};
  const bool unlimited = ::getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur == RLIM_INFINITY;
  if (!unlimited && !has_small_stack()) return;
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, kUsualStackBytes);
  ::pthread_setattr_default_np(&attributes);
  ::pthread_attr_destroy(&attributes);
}

int serve_jobs(WorkerChannel& channel) {
  std::optional<Nvrtc> nvrtc;
  std::vector<std::filesystem::path> readable;
  // An error here is reported to the user by the pool.
  const std::optional<int> failed = report_errors(channel, [&] {
    const Toolchain toolchain = require_toolchain();
    readable = files_of(toolchain);
    nvrtc.emplace(toolchain);
    channel.send({{"nvrtc_version", nvrtc->version()}, {"compiler", nvrtc->identity()}});
  });
  if (failed) return *failed;
  return serve(channel, Serving::kUntilAnError, [&](nlohmann::json& message) -> nlohmann::json {
    return compile(*nvrtc, readable, message.get<CompileJob>());
  });
}

}  // namespace

int compile_worker_main() {
  WorkerChannel channel;
  // If there is a driver, NVRTC also keeps machine code in the driver's cache, and it does not
  // report registers and spills for code that it finds there. Our own cache keeps both.
  ::setenv("CUDA_CACHE_DISABLE", "1", 1);
  // The compilers together would slow down the process that measures, and the device would wait for
  // it.
  constexpr int kNiceness = 5;
  (void)::setpriority(PRIO_PROCESS, 0, kNiceness);
  use_usual_stacks();
  if (!has_small_stack()) return serve_jobs(channel);
  return std::async(std::launch::async, [&] { return serve_jobs(channel); }).get();
}

}  // namespace warpwright
