#include "workers/blocking_compiler.h"

#include <utility>

#include "core/error.h"

namespace warpwright {

BlockingCompiler::BlockingCompiler(CompilePoolOptions options)
    : pool_(std::move(options), [this](std::uint64_t ticket, CompileResult result) {
        const std::lock_guard lock(mutex_);
        done_[ticket] = std::move(result);
        wake_.notify_all();
      }) {}

void refuse_what_the_machine_stopped(const std::vector<CompileResult>& results) {
  for (const CompileResult& result : results)
    if (result.by_machine) throw environment_error(result.failure + "; run the same command again");
}

std::vector<CompileResult> BlockingCompiler::compile(std::vector<CompileJob> jobs) {
  std::vector<std::uint64_t> tickets;
  for (CompileJob& job : jobs) tickets.push_back(pool_.submit(std::move(job)));
  std::vector<CompileResult> results;
  std::unique_lock lock(mutex_);
  for (const std::uint64_t ticket : tickets) {
    wake_.wait(lock, [&] { return done_.contains(ticket); });
    results.push_back(std::move(done_.extract(ticket).mapped()));
  }
  lock.unlock();
  refuse_what_the_machine_stopped(results);
  return results;
}

}  // namespace warpwright
