#include "workers/measure_worker.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/notices.h"
#include "core/process/serve.h"
#include "device/registry/device_registry.h"
#include "records/codec.h"
#include "trial/outcome_codec.h"
#include "trial/timing/measure.h"

namespace warpwright {
namespace {

// A background worker gets a tenth of a contended core.
constexpr int kBackgroundNiceness = 10;

// Carries out a request.
struct Answer {
  TrialRunner& runner;
  TrialLimits limits;

  Outcome operator()(const TrialToTime& asked) {
    limits.best_us = asked.best_us;
    limits.energy = asked.energy;
    const CompiledTrial& trial = asked.trial;
    return runner.run(trial.configuration, trial.problem, trial.compiled, trial.cases, limits);
  }
  Outcome operator()(const TrialToKeep& asked) {
    const CompiledTrial& trial = asked.trial;
    return runner.prepare(trial.configuration, trial.problem, trial.compiled, trial.cases, limits);
  }
  Outcome operator()(const TrialToCompare& asked) {
    const CompiledTrial& trial = asked.trial;
    return runner.gate(trial.configuration, trial.problem, trial.compiled, trial.cases,
                       asked.baseline, limits);
  }
  Outcome operator()(const CasesToVet& asked) {
    return runner.vet(asked.configuration, asked.cases, asked.schedules, limits);
  }
  Outcome operator()(const TrialToModel& asked) {
    const CompiledTrial& trial = asked.trial;
    return runner.model(trial.configuration, trial.problem, trial.compiled, asked.sample_blocks,
                        limits);
  }
  Outcome operator()(const FinalistsToRank& asked) {
    RaceOptions race;
    if (asked.time_limit) race.time_limit = *asked.time_limit;
    return runner.rank(asked.problem, asked.finalists, race, limits);
  }
};

TakenSamples taken(Measurement measurement) {
  TakenSamples samples;
  samples.status = measurement.status;
  samples.reason = std::move(measurement.reason);
  samples.worker_lost = measurement.device_lost;
  samples.raw_us = std::move(measurement.samples_us);
  if (measurement.time) {
    samples.floor_us = measurement.time->floor_us;
    samples.protocol = measurement.time->protocol;
  }
  return samples;
}

}  // namespace

WARPWRIGHT_MEMBERS(MeasurerSetup, io, setup) {
  auto& options = setup.options;
  io("device", setup.device);
  io("emulator_threads", setup.emulator_threads);
  io("kernel_file", setup.kernel_file);
  io("launch_contract", setup.launch_contract);
  io("background", setup.background);
  io.as("texts", setup.texts, texts_to_json, texts_from_json);
  io("seed", options.seed);
  io("reference_library", options.reference_library);
  io("reference_include", options.reference_include);
  io("cache_folder", options.cache_folder);
  io("validated_elements", options.validated_elements);
  io("determinism_runs", options.determinism_runs);
  io("screening", options.screening);
  io.named("hazards", options.hazards, hazard_policy_name, find_hazard_policy);
  io("strict", options.strict);
  io("launch_time_limit_ms", options.launch_time_limit);
  io("emulated_instruction_limit", options.emulated_instruction_limit);
}
WARPWRIGHT_CODEC_OF(MeasurerSetup)

WARPWRIGHT_MEMBERS(TakenSamples, io, samples) {
  io.named("status", samples.status, status_name, parse_status);
  io("reason", samples.reason);
  io("worker_lost", samples.worker_lost);
  io("raw_us", samples.raw_us);
  io("floor_us", samples.floor_us);
  io("protocol", samples.protocol);
}
WARPWRIGHT_CODEC_OF(TakenSamples)

KernelSpec read_contract(MeasurerSetup& setup) {
  auto texts = bundle_of(std::move(setup.texts));
  return setup.launch_contract ? read_launch_contract(setup.kernel_file, std::move(texts))
                               : read_kernel(setup.kernel_file, std::move(texts));
}

int measure_worker_main() {
  WorkerChannel channel;
  // Sent at once, not with an answer: the process may be killed before it answers.
  pass_notices_on([&channel](const std::string& line) { channel.send({{"notices", {line}}}); });
  KernelSpec kernel;
  std::unique_ptr<Device> device;
  std::unique_ptr<TrialRunner> runner;
  return serve(channel, Serving::kOnceItAnswers, [&](nlohmann::json& message) -> nlohmann::json {
    if (message.contains("open")) {
      auto setup = message["open"].get<MeasurerSetup>();
      setup.options.on_phase = [&channel](std::string_view phase) {
        channel.send({{"phase", phase}});
      };
      // If this is not permitted, the worker merely competes with other processes.
      if (setup.background) (void)::setpriority(PRIO_PROCESS, 0, kBackgroundNiceness);
      kernel = read_contract(setup);
      device = open_device(setup.device, setup.emulator_threads);
      runner = std::make_unique<TrialRunner>(kernel, *device, setup.options);
      return {{"ready", true}};
    }
    WARPWRIGHT_CHECK(runner != nullptr, "a measurer is opened before its first trial");
    if (message.contains("sample"))
      return {{"samples", taken(runner->sample(message["sample"].get<int>()))}};
    if (message.contains("recheck")) return {{"outcome", runner->recheck()}};
    const auto request = message.at("trial").get<MeasureRequest>();
    TrialLimits limits;
    if (request.launch_time_limit.count() > 0) limits.launch_time_limit = request.launch_time_limit;
    return {{"outcome", std::visit(Answer{*runner, limits}, request.what)}};
  });
}

}  // namespace warpwright
