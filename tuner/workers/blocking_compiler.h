// A compile pool for one thread that waits for it: the jobs of one case at a time.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <mutex>
#include <vector>

#include "compile/compile_pool.h"

namespace warpwright {

// For callers that cannot represent an unknown result. Throws Error (environment) with the first
// failure that the machine caused.
void refuse_what_the_machine_stopped(const std::vector<CompileResult>& results);

class BlockingCompiler {
 public:
  // Throws Error (environment) when there is no compiler.
  explicit BlockingCompiler(CompilePoolOptions options);
  // Returns the results in the order of the jobs. Throws Error (environment) when the machine
  // stopped one of them.
  [[nodiscard]] std::vector<CompileResult> compile(std::vector<CompileJob> jobs);
  [[nodiscard]] std::string nvrtc_version() const { return pool_.nvrtc_version(); }

 private:
  std::mutex mutex_;
  std::condition_variable wake_;
  std::map<std::uint64_t, CompileResult> done_;  // by ticket
  CompilePool pool_;                             // last: its threads write the above
};

}  // namespace warpwright
