#include "workers/reference_ahead.h"

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/notices.h"
#include "core/process/serve.h"
#include "device/absent_device.h"
#include "trial/data/problem_inputs.h"
#include "trial/trial_steps.h"
#include "workers/measure_worker.h"

namespace warpwright {
namespace {

constexpr std::chrono::milliseconds kUnlimited{-1};

bool is_asked_ahead(const KernelSpec& kernel, const TrialOptions& options) {
  return kernel.shaping.empty() && !options.cache_folder.empty();
}

}  // namespace

struct ReferenceAhead::Impl {
  MeasurePoolOptions recipe;
  DeviceInfo device;
  std::mutex mutex;
  std::condition_variable wake;
  std::deque<Problem> queue;
  std::vector<Problem> asked;
  bool stopping = false;
  std::shared_ptr<WorkerProcess> process;
  std::thread thread;

  // Waits for a problem; false at the end.
  bool take(Problem& problem) {
    std::unique_lock lock(mutex);
    wake.wait(lock, [&] { return stopping || !queue.empty(); });
    if (stopping) return false;
    problem = std::move(queue.front());
    queue.pop_front();
    return true;
  }

  // Returns whether there was an answer that is not an error; the destructor ends the wait. Errors
  // are left to the measurers, which report them.
  static bool tell(WorkerProcess& to, const nlohmann::json& message) {
    nlohmann::json reply;
    const bool heard = to.send(message, kUnlimited) &&
                       to.receive(reply, kUnlimited) == WorkerProcess::ReadResult::kMessage;
    if (!heard || reported_error(reply)) return false;
    hear_notices(reply);
    return true;
  }

  std::shared_ptr<WorkerProcess> start() {
    auto started = recipe.start(recipe.worker_command, recipe.limits);
    {
      const std::lock_guard lock(mutex);
      if (stopping) return nullptr;
      process = started;
    }
    const nlohmann::json open = {{"setup", recipe.setup}, {"device", device}};
    return tell(*started, {{"open", open}}) ? started : nullptr;
  }

  void serve() {
    try {
      Problem problem;
      std::shared_ptr<WorkerProcess> to;
      while (take(problem)) {
        if (!to) to = start();
        if (!to || !tell(*to, {{"problem", problem}})) return;
      }
    } catch (const Error&) {
      // No process could be started: the measurers will report that.
    }
  }
};

ReferenceAhead::ReferenceAhead(MeasurePoolOptions measurers, DeviceInfo device)
    : impl_(std::make_unique<Impl>()) {
  impl_->recipe = std::move(measurers);
  impl_->recipe.worker_command.back() = "reference";
  impl_->device = std::move(device);
  impl_->thread = std::thread([this] { impl_->serve(); });
}

ReferenceAhead::~ReferenceAhead() {
  {
    const std::lock_guard lock(impl_->mutex);
    impl_->stopping = true;
    if (impl_->process) impl_->process->kill();
  }
  impl_->wake.notify_all();
  impl_->thread.join();
}

void ReferenceAhead::ask(const Problem& problem) {
  {
    const std::lock_guard lock(impl_->mutex);
    std::vector<Problem>& asked = impl_->asked;
    if (std::find(asked.begin(), asked.end(), problem) != asked.end()) return;
    asked.push_back(problem);
    impl_->queue.push_back(problem);
  }
  impl_->wake.notify_one();
}

void compute_reference_ahead(const KernelSpec& kernel, const DeviceInfo& device,
                             const TrialOptions& options, const Problem& problem) {
  if (!is_asked_ahead(kernel, options)) return;
  AbsentDevice elsewhere(device);
  std::optional<TemporaryFolder> own_folder;
  const Reference reference = make_reference(kernel, options, own_folder);
  const ReferenceStore store(answers_folder(options));
  ProblemRequest request;
  request.problem = problem;
  request.title = describe_problem(kernel, problem);
  ProblemInputs inputs(kernel, elsewhere, options, reference, store, std::move(request));
  (void)inputs.other();
}

int reference_worker_main() {
  WorkerChannel channel;
  KernelSpec kernel;
  DeviceInfo device;
  TrialOptions options;
  return serve(channel, Serving::kUntilAnError, [&](nlohmann::json& message) -> nlohmann::json {
    if (message.contains("open")) {
      auto setup = message["open"].at("setup").get<MeasurerSetup>();
      message["open"].at("device").get_to(device);
      kernel = read_contract(setup);
      options = setup.options;
      // The reference is made before the answer, so that its notices about the cache are received
      // even when the sweep ends before a problem's answers are there.
      if (is_asked_ahead(kernel, options)) {
        std::optional<TemporaryFolder> own_folder;
        (void)make_reference(kernel, options, own_folder);
      }
    } else {
      compute_reference_ahead(kernel, device, options, message.at("problem").get<Problem>());
    }
    return {{"done", true}};
  });
}

}  // namespace warpwright
