#include "run/measure_worker.h"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <new>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/memory_limit.h"
#include "core/subprocess.h"
#include "trial/measure.h"

namespace warpwright {
namespace {

nlohmann::json error_frame(const Error& error) {
  const char* fault = error.fault() == Fault::kUser          ? "user"
                      : error.fault() == Fault::kEnvironment ? "environment"
                                                             : "internal";
  return {{"error", {{"fault", fault}, {"message", error.what()}}}};
}

// What the problem's data need is known to whoever prepares them; what they may have is known here.
Error with_memory_limit(Error error) {
  if (error.message().starts_with("not enough host memory"))
    error.add_context(
        fmt::format("in a process with {}", describe_memory_limit(own_memory_limit())));
  return error;
}

Outcome answer(TrialRunner& runner, const MeasureRequest& request, const TrialLimits& limits) {
  if (!request.finalists.empty())
    return runner.rank(request.problem, request.finalists, {}, limits);
  if (request.vet) return runner.vet(request.configuration, request.cases, *request.vet, limits);
  if (request.keep) {
    return runner.prepare(request.configuration, request.problem, request.compiled, request.cases,
                          limits);
  }
  if (request.gate) {
    return runner.gate(request.configuration, request.problem, request.compiled, request.cases,
                       *request.gate, limits);
  }
  return runner.run(request.configuration, request.problem, request.compiled, request.cases,
                    limits);
}

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
    // Not by a return: closing a device may need memory, or wait for what runs on it.
    ::_exit(kOutOfMemoryExit);
  } catch (const Error& error) {
    channel.send(error_frame(with_memory_limit(error)));
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
          {"seed", options.seed},
          {"reference_library", options.reference_library.string()},
          {"reference_include", options.reference_include.string()},
          {"cache_folder", options.cache_folder.string()},
          {"validated_elements", options.validated_elements},
          {"determinism_runs", options.determinism_runs},
          {"screening", options.screening},
          {"launch_time_limit_ms", options.launch_time_limit.count()},
          {"emulated_instruction_limit", options.emulated_instruction_limit}};
}

void from_json(const nlohmann::json& json, MeasurerSetup& setup) {
  TrialOptions& options = setup.options;
  setup.device = json.at("device").get<std::string>();
  setup.emulator_threads = json.at("emulator_threads").get<int>();
  setup.kernel_file = json.at("kernel_file").get<std::string>();
  setup.launch_contract = json.at("launch_contract").get<bool>();
  options.seed = json.at("seed").get<std::uint64_t>();
  options.reference_library = json.at("reference_library").get<std::string>();
  options.reference_include = json.at("reference_include").get<std::string>();
  options.cache_folder = json.at("cache_folder").get<std::string>();
  options.validated_elements = json.at("validated_elements").get<std::uint64_t>();
  options.determinism_runs = json.at("determinism_runs").get<int>();
  options.screening = json.at("screening").get<bool>();
  options.launch_time_limit =
      std::chrono::milliseconds(json.at("launch_time_limit_ms").get<std::int64_t>());
  options.emulated_instruction_limit = json.at("emulated_instruction_limit").get<std::uint64_t>();
}

void to_json(nlohmann::json& json, const MeasureRequest& request) {
  nlohmann::json cases = nlohmann::json::array();
  for (const TrialRunner::CompiledCase& test : request.cases) {
    cases.push_back({{"name", test.test.name},
                     {"problem", test.test.problem},
                     {"fills", test.test.fills},
                     {"compiled", test.compiled}});
  }
  json = {{"variant", request.configuration.variant},
          {"values", request.configuration.values},
          {"problem", request.problem},
          {"compiled", request.compiled},
          {"cases", std::move(cases)},
          {"finalists", request.finalists},
          {"keep", request.keep},
          {"gate", request.gate ? nlohmann::json(*request.gate) : nlohmann::json(nullptr)},
          {"vet", request.vet ? nlohmann::json(*request.vet) : nlohmann::json(nullptr)},
          {"best_us", request.best_us ? nlohmann::json(*request.best_us) : nlohmann::json(nullptr)},
          {"launch_time_limit_ms", request.launch_time_limit.count()}};
}

void from_json(const nlohmann::json& json, MeasureRequest& request) {
  request.configuration.variant = json.at("variant").get<std::string>();
  request.configuration.values = json.at("values").get<std::map<std::string, Value>>();
  request.problem = json.at("problem").get<std::map<std::string, Value>>();
  request.compiled = json.at("compiled").get<CompileResult>();
  request.cases.clear();
  for (const nlohmann::json& item : json.at("cases")) {
    TrialRunner::CompiledCase test;
    test.test.name = item.at("name").get<std::string>();
    test.test.problem = item.at("problem").get<std::map<std::string, Value>>();
    test.test.fills = item.at("fills").get<std::map<std::string, std::string>>();
    test.compiled = item.at("compiled").get<CompileResult>();
    request.cases.push_back(std::move(test));
  }
  request.finalists = json.at("finalists").get<std::vector<Finalist>>();
  request.keep = json.at("keep").get<bool>();
  if (!json.at("gate").is_null()) request.gate = json.at("gate").get<GateRequest>();
  if (!json.at("vet").is_null()) request.vet = json.at("vet").get<VetRequest>();
  if (!json.at("best_us").is_null()) request.best_us = json.at("best_us").get<double>();
  request.launch_time_limit =
      std::chrono::milliseconds(json.at("launch_time_limit_ms").get<std::int64_t>());
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

int measure_worker_main() {
  WorkerChannel channel;
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
        kernel = setup.launch_contract ? read_launch_contract(setup.kernel_file)
                                       : read_kernel(setup.kernel_file);
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
      limits.best_us = request.best_us;
      channel.send({{"outcome", answer(*runner, request, limits)}});
    });
  }
  return 0;
}

}  // namespace warpwright
