#include "workers/sequence_worker.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/notices.h"
#include "core/process/serve.h"
#include "device/registry/device_registry.h"
#include "records/codec.h"
#include "workers/watchdog.h"

namespace warpwright {
namespace {

using std::chrono::milliseconds;

SequenceResult carry_out(WorkerChannel& channel, SequenceRequest request) {
  std::deque<KernelSpec> kernels;
  std::vector<SequenceStep> steps;
  for (RequestedStep& asked : request.steps) {
    SequenceStep step;
    step.kernel = &kernels.emplace_back(read_contract(asked.setup));
    step.options = asked.setup.options;
    step.options.on_phase = [&channel, name = asked.name](std::string_view phase) {
      channel.send({{"phase", phase}, {"step", name}});
    };
    step.name = asked.name;
    step.configuration = std::move(asked.configuration);
    step.problem = std::move(asked.problem);
    step.compiled = std::move(asked.compiled);
    step.fills = std::move(asked.fills);
    step.inputs = std::move(asked.inputs);
    steps.push_back(std::move(step));
  }
  const std::unique_ptr<Device> device = open_device(request.device, request.emulator_threads);
  return run_sequence(*device, steps);
}

// The last reported position of the process.
struct Whereabouts {
  std::string step, phase;

  // "while checking results of step 'qkv'"; "" before the first phase.
  [[nodiscard]] std::string text() const {
    const std::string_view doing = describe_phase(phase);
    if (doing.empty()) return "";
    return fmt::format(" {}{}", doing, step.empty() ? "" : fmt::format(" of step '{}'", step));
  }
};

SequenceResult failed(Status status, std::string reason) {
  SequenceResult result;
  result.status = status;
  result.reason = std::move(reason);
  result.device_lost = true;
  return result;
}

SequenceResult crashed(Subprocess& process, const Whereabouts& where) {
  const std::string end =
      process.sent_nonsense() ? "sent something that is not a message" : process.wait().describe();
  process.kill();
  const std::string said = process.stderr_tail();
  return failed(Status::kCrashed, fmt::format("the measuring process ended{}: {}{}", where.text(),
                                              end, said.empty() ? "" : "; it said: " + said));
}

SequenceResult silent(Subprocess& process, const Whereabouts& where, milliseconds limit) {
  process.kill();
  const std::string reason =
      fmt::format("the measuring process was silent for {} s{} and was killed",
                  static_cast<double>(limit.count()) / 1000, where.text());
  if (is_contract_phase(where.phase)) throw user_error(reason);
  return failed(Status::kTimeout, reason);
}

}  // namespace

WARPWRIGHT_MEMBERS(RequestedStep, io, step) {
  io("name", step.name);
  io("setup", step.setup);
  io("variant", step.configuration.variant);
  io("values", step.configuration.values);
  io("problem", step.problem);
  io("compiled", step.compiled);
  io("fills", step.fills);
  io("inputs", step.inputs);
}
WARPWRIGHT_CODEC_OF(RequestedStep)
WARPWRIGHT_CODEC(SequenceRequest, device, emulator_threads, steps)

SequenceResult ask_sequence_worker(const SequenceWorker& worker, const SequenceRequest& request) {
  Subprocess process(worker.command, worker.limits);
  Whereabouts where;
  if (!process.send({{"sequence", request}}, worker.patience)) return crashed(process, where);
  milliseconds launch_limit{0};
  for (const RequestedStep& step : request.steps)
    launch_limit = std::max(launch_limit, step.setup.options.launch_time_limit);
  for (;;) {
    // One phase covers all launches of the sequence.
    const milliseconds limit = where.phase.empty()
                                   ? worker.patience
                                   : silence_limit(where.phase, launch_limit, worker.patience);
    nlohmann::json reply;
    const auto result = process.receive(reply, limit);
    if (result == Subprocess::ReadResult::kTimeout) return silent(process, where, limit);
    if (result == Subprocess::ReadResult::kClosed) return crashed(process, where);
    hear_notices(reply);
    if (const auto error = reported_error(reply)) throw *error;
    if (reply.contains("result")) return reply.at("result").get<SequenceResult>();
    where = {reply.value("step", ""), reply.value("phase", "")};
    if (worker.on_phase) worker.on_phase(where.step, where.phase);
  }
}

int sequence_worker_main() {
  WorkerChannel channel;
  return serve(channel, Serving::kOneMessage, [&](nlohmann::json& message) -> nlohmann::json {
    return {{"result", carry_out(channel, message.at("sequence").get<SequenceRequest>())}};
  });
}

}  // namespace warpwright
