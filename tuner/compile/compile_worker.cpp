// Implements the compile worker's side of the protocol; README.md describes the messages.
#include <fmt/format.h>
#include <pthread.h>
#include <sys/resource.h>

#include <cstdlib>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>

#include "compile/compile_pool.h"
#include "compile/compiler_log.h"
#include "compile/nvrtc.h"
#include "core/error.h"
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

CompileResult compile(const Nvrtc& nvrtc, const CompileJob& job) {
  forget_peak_memory();
  CompileResult result = nvrtc.compile(job);
  if (!ran_out_of_memory(job, result)) return result;
  result.failure = fmt::format("{}: the compiler ran out of memory ({})", job.source.string(),
                               describe_memory_limit(own_memory_limit()));
  result.crashed = result.by_machine = true;  // the result may differ with more memory
  return result;
}

// Used where the default stack is smaller than usual: gives the compiler, and all threads that it
// starts, a stack of the usual size, so that an ordinary source does not overflow it.
void on_usual_stack(const std::function<void()>& work) {
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, kUsualStackBytes);
  ::pthread_setattr_default_np(&attributes);
  ::pthread_attr_destroy(&attributes);
  std::thread(work).join();
}

int serve_jobs(WorkerChannel& channel) {
  std::optional<Nvrtc> nvrtc;
  // An error here is reported to the user by the pool.
  const std::optional<int> failed = report_errors(channel, [&] {
    nvrtc.emplace(require_toolchain());
    channel.send({{"nvrtc_version", nvrtc->version()}, {"compiler", nvrtc->identity()}});
  });
  if (failed) return *failed;
  return serve(channel, Serving::kUntilAnError, [&](nlohmann::json& message) -> nlohmann::json {
    return compile(*nvrtc, message.get<CompileJob>());
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
  if (!has_small_stack()) return serve_jobs(channel);
  int code = 0;
  on_usual_stack([&] { code = serve_jobs(channel); });
  return code;
}

}  // namespace warpwright
