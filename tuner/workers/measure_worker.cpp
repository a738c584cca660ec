#include "workers/measure_worker.h"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <memory>
#include <new>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/notices.h"
#include "core/process/memory_limit.h"
#include "core/process/subprocess.h"
#include "trial/outcome_codec.h"
#include "trial/timing/measure.h"

namespace warpwright {
namespace {

// A background worker gets a tenth of a contended core.
constexpr int kBackgroundNiceness = 10;

nlohmann::json error_frame(const Error& error) {
  const char* fault = error.fault() == Fault::kUser          ? "user"
                      : error.fault() == Fault::kEnvironment ? "environment"
                                                             : "internal";
  return {{"error", {{"fault", fault}, {"message", error.what()}}}};
}

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

// Runs `body`; an exception becomes an error frame and false.
template <typename Body>
bool reporting_errors(WorkerChannel& channel, Body body) {
  try {
    body();
    return true;
  } catch (const std::bad_alloc&) {
    // Exits without unwinding: closing a device may need memory, or wait for a running kernel.
    ::_exit(kOutOfMemoryExit);
  } catch (const Error& error) {
    channel.send(error_frame(error));
  } catch (const std::exception& error) {
    channel.send(error_frame(Error(Fault::kInternal, error.what())));
  }
  return false;
}

}  // namespace

void to_json(nlohmann::json& json, const MeasurerSetup& setup) {
  const TrialOptions& options = setup.options;
  json = {{"device", setup.device},
          {"emulator_threads", setup.emulator_threads},
          {"kernel_file", setup.kernel_file.string()},
          {"launch_contract", setup.launch_contract},
          {"background", setup.background},
          {"texts", texts_to_json(setup.texts)},
          {"seed", options.seed},
          {"reference_library", options.reference_library.string()},
          {"reference_include", options.reference_include.string()},
          {"cache_folder", options.cache_folder.string()},
          {"validated_elements", options.validated_elements},
          {"determinism_runs", options.determinism_runs},
          {"screening", options.screening},
          {"hazards", hazard_policy_name(options.hazards)},
          {"strict", options.strict},
          {"launch_time_limit_ms", options.launch_time_limit.count()},
          {"emulated_instruction_limit", options.emulated_instruction_limit}};
}

void from_json(const nlohmann::json& json, MeasurerSetup& setup) {
  TrialOptions& options = setup.options;
  setup.device = json.at("device").get<std::string>();
  setup.emulator_threads = json.at("emulator_threads").get<int>();
  setup.kernel_file = json.at("kernel_file").get<std::string>();
  setup.launch_contract = json.at("launch_contract").get<bool>();
  setup.background = json.at("background").get<bool>();
  setup.texts = texts_from_json(json.at("texts"));
  options.seed = json.at("seed").get<std::uint64_t>();
  options.reference_library = json.at("reference_library").get<std::string>();
  options.reference_include = json.at("reference_include").get<std::string>();
  options.cache_folder = json.at("cache_folder").get<std::string>();
  options.validated_elements = json.at("validated_elements").get<std::uint64_t>();
  options.determinism_runs = json.at("determinism_runs").get<int>();
  options.screening = json.at("screening").get<bool>();
  options.hazards = find_hazard_policy(json.at("hazards").get<std::string>()).value();
  options.strict = json.at("strict").get<bool>();
  options.launch_time_limit =
      std::chrono::milliseconds(json.at("launch_time_limit_ms").get<std::int64_t>());
  options.emulated_instruction_limit = json.at("emulated_instruction_limit").get<std::uint64_t>();
}

void to_json(nlohmann::json& json, const TakenSamples& samples) {
  json = {{"status", status_name(samples.status)}, {"reason", samples.reason},
          {"worker_lost", samples.worker_lost},    {"raw_us", samples.raw_us},
          {"floor_us", samples.floor_us},          {"protocol", samples.protocol}};
}

void from_json(const nlohmann::json& json, TakenSamples& samples) {
  samples.status = parse_status(json.at("status").get<std::string>()).value_or(Status::kCrashed);
  samples.reason = json.at("reason").get<std::string>();
  samples.worker_lost = json.at("worker_lost").get<bool>();
  samples.raw_us = json.at("raw_us").get<std::vector<double>>();
  samples.floor_us = json.at("floor_us").get<double>();
  samples.protocol = json.at("protocol").get<std::string>();
}

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
  nlohmann::json message;
  while (channel.receive(message)) {
    if (message.contains("open")) {
      const bool opened = reporting_errors(channel, [&] {
        auto setup = message["open"].get<MeasurerSetup>();
        setup.options.on_phase = [&channel](std::string_view phase) {
          channel.send({{"phase", phase}});
        };
        // If this is not permitted, the worker merely competes with other processes.
        if (setup.background) (void)::setpriority(PRIO_PROCESS, 0, kBackgroundNiceness);
        kernel = read_contract(setup);
        device = open_device(setup.device, setup.emulator_threads);
        runner = std::make_unique<TrialRunner>(kernel, *device, setup.options);
        channel.send({{"ready", true}});
      });
      if (!opened) return 1;
      continue;
    }
    WARPWRIGHT_CHECK(runner != nullptr, "a measurer is opened before its first trial");
    reporting_errors(channel, [&] {
      if (message.contains("sample")) {
        channel.send({{"samples", taken(runner->sample(message["sample"].get<int>()))}});
        return;
      }
      if (message.contains("recheck")) {
        channel.send({{"outcome", runner->recheck()}});
        return;
      }
      const auto request = message.at("trial").get<MeasureRequest>();
      TrialLimits limits;
      if (request.launch_time_limit.count() > 0)
        limits.launch_time_limit = request.launch_time_limit;
      channel.send({{"outcome", std::visit(Answer{*runner, limits}, request.what)}});
    });
  }
  return 0;
}

}  // namespace warpwright
