#include "support/scripted_sweep.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <sstream>

#include "analysis/board/impossible.h"
#include "core/error.h"
#include "core/escape.h"
#include "core/process/subprocess.h"
#include "support/program.h"
#include "support/test_worker.h"
#include "sweep/ranking_stage.h"
#include "sweep/sweep_engine.h"
#include "trial/outcome_codec.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kScript = "SCRIPTED_SWEEP_SCRIPT";
constexpr const char* kLog = "SCRIPTED_SWEEP_LOG";

std::string devices_log() { return std::string(std::getenv(kLog)) + ".devices"; }
std::string compilers_log() { return std::string(std::getenv(kLog)) + ".compilers"; }

// Until some line of the log ends so, or seven seconds have passed.
void wait_for_line(const std::string& log, const std::string& end) {
  for (int looks = 0; looks < 1500; ++looks) {
    if (("\n" + read_file_if_present(log).value_or("")).find(end + "\n") != std::string::npos)
      return;
    ::usleep(5000);
  }
}

WARPWRIGHT_TEST_WORKER(scripted_compile) {
  WorkerChannel channel;
  channel.send({{"nvrtc_version", "99.1"}, {"compiler", "fake"}});
  json message;
  while (channel.receive(message)) {
    CompileResult result;
    result.ok = true;
    for (const auto& [name, value] : message.get<CompileJob>().defines)
      if (name != "HINT") result.cubin.append(name).append(value).append(" ");
    for (const auto& [name, value] : message.get<CompileJob>().defines) {
      if (name != "THREADS") continue;
      std::ofstream(compilers_log(), std::ios::app) << value << "\n";
      KernelResources& resources = result.resources.emplace_back();
      resources.entry = "square";
      resources.registers = std::stoi(value);
    }
    channel.send(result);
  }
  return 0;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// Writes down the question `what`, and returns the script's answer: {} when there is none. A list
// gives one entry each time, and its last from then on.
json next_in_script(const std::string& what, const std::string& more = "") {
  const auto before = lines_of(read_file_if_present(std::getenv(kLog)).value_or(""));
  const auto times = static_cast<std::size_t>(std::count_if(
      before.begin(), before.end(),
      [&](const std::string& line) { return line == what || line.starts_with(what + ":"); }));
  std::ofstream(std::getenv(kLog), std::ios::app) << what << more << "\n";
  const json script = json::parse(read_file(std::getenv(kScript)));
  const json found = script.value(what, json::object());
  return found.is_array() ? found.at(std::min(times, found.size() - 1)) : found;
}

// Writes down which device is asked; waits for others to be asked, and for a compiler.
void note_device(const std::string& what, const std::string& device, const json& script) {
  std::ofstream(devices_log(), std::ios::app) << what << " by " << device << "\n";
  for (const std::string other : script.value("waits", json::array()))
    wait_for_line(devices_log(), " by " + other);
  if (script.contains("waits_for_compiler_of"))
    wait_for_line(compilers_log(), "\n" + script["waits_for_compiler_of"].get<std::string>());
}

// Makes a worker fail in the scripted way, if any; false when it goes on.
bool misbehave(const json& script, WorkerChannel& channel) {
  if (script.contains("interrupts")) ::kill(::getppid(), SIGINT);
  if (script.contains("dies")) ::raise(SIGKILL);
  if (script.contains("hangs")) ::pause();
  if (!script.contains("error")) return false;
  channel.send({{"error", {{"fault", script["error"]}, {"message", "told to fail"}}}});
  return true;
}

Status status_in(const json& script) { return parse_status(script.value("status", "ok")).value(); }

Outcome trial_outcome(const json& script, std::int64_t threads, bool energy) {
  Outcome outcome;
  outcome.status = status_in(script);
  outcome.worker_lost = script.value("worker_lost", false);
  outcome.cubin_hash = "hash";
  outcome.samples_us = {100, 100};
  outcome.anchor_drift = script.value("drift", outcome.anchor_drift);
  outcome.anchor_moved = script.value("moved", false);
  if (script.contains("hazard")) outcome.hazards = {{script["hazard"], "as told"}};
  if (outcome.status == Status::kOk) {
    const double us = script.value("us", 100 + static_cast<double>(threads));
    outcome.time = TimeEstimate{us, us - 1, us + 1, 3, false, "cold-graph-1", us + 3};
    if (energy) {
      outcome.energy_mj_per_launch = script.value("mj", 1000.0 / static_cast<double>(threads));
      outcome.power_w = 300;
    }
  } else {
    outcome.reason = "told to end like this";
    if (outcome.status == Status::kPruned) outcome.at_least_us = 500;
  }
  return outcome;
}

// Rounds in which every finalist takes its time from the sweep, or the scripted one. The first of
// several tied ones wins.
Outcome ranking_outcome(const json& script, const std::vector<Finalist>& finalists) {
  auto finals = std::make_shared<FinalsOutcome>();
  Outcome outcome;
  outcome.status = finals->status = status_in(script);
  if (finals->status == Status::kOk) {
    for (int round = 0; round < 30; ++round) {
      std::vector<double>& times = finals->round_us.emplace_back();
      for (const Finalist& finalist : finalists)
        times.push_back(script.value("us", finalist.about_us));
    }
    finals->ranking = rank_final(finals->round_us);
    finals->winner = finals->ranking.best;
    finals->protocol = "cold-graph-1";
    finals->decided_by = "fewer registers";
    finals->headline.emplace().cold.emplace().median_us = script.value("headline", 42.0);
  } else {
    outcome.reason = finals->reason = "told to end like this";
    if (script.contains("failed")) finals->failed = script["failed"].get<std::size_t>();
  }
  outcome.worker_lost = script.value("worker_lost", false);
  outcome.measure_seconds = finals->seconds = 0.5;
  outcome.found = std::shared_ptr<const FinalsOutcome>(std::move(finals));
  return outcome;
}

std::string short_name(const Configuration& configuration) {
  std::string name = configuration.values.at("THREADS").to_string();
  const std::int64_t hint = configuration.values.at("HINT").as_integer();
  return hint == 0 ? name : name + "." + std::to_string(hint);
}

WARPWRIGHT_TEST_WORKER(scripted_measure) {
  WorkerChannel channel;
  json message;
  std::string device;
  while (channel.receive(message)) {
    if (message.contains("open")) {
      device = message["open"]["device"];
      channel.send({{"ready", true}});
      continue;
    }
    const auto request = message.at("trial").get<MeasureRequest>();
    if (const auto* asked = std::get_if<TrialToTime>(&request.what)) {
      const auto& [configuration, problem, compiled, cases] = asked->trial;
      const std::string what = short_name(configuration) + " on " + problem.at("n").to_string();
      const json script = next_in_script(what);
      note_device(what, device, script);
      if (misbehave(script, channel)) continue;
      const std::int64_t threads = configuration.values.at("THREADS").as_integer();
      Outcome outcome = trial_outcome(script, threads, asked->energy);
      outcome.resources = compiled.resources;
      // A second each.
      outcome.validate_seconds = outcome.case_seconds = static_cast<double>(cases.size());
      if (outcome.time) {
        const json own = json::parse(read_file(std::getenv(kScript))).value(device, json::object());
        const double factor = own.value("factor", 1.0);
        for (double* us : {&outcome.time->median_us, &outcome.time->ci_low_us,
                           &outcome.time->ci_high_us, &outcome.time->raw_median_us})
          *us *= factor;
      }
      channel.send({{"outcome", outcome}});
      continue;
    }
    if (const auto* asked = std::get_if<TrialToModel>(&request.what)) {
      const json script = next_in_script("model " + short_name(asked->trial.configuration));
      if (misbehave(script, channel)) continue;
      const std::int64_t threads = asked->trial.configuration.values.at("THREADS").as_integer();
      Outcome outcome = trial_outcome(script, threads, false);
      if (outcome.time) outcome.time->modelled = true;
      channel.send({{"outcome", outcome}});
      continue;
    }
    std::string who = ":";
    const auto& asked = std::get<FinalistsToRank>(request.what);
    const std::string n = asked.problem.at("n").to_string();
    for (const Finalist& finalist : asked.finalists)
      who += " " + short_name(finalist.configuration) + (finalist.incumbent ? "*" : "");
    const json script = next_in_script("rank " + n, who);
    if (misbehave(script, channel)) continue;
    channel.send({{"outcome", ranking_outcome(script, asked.finalists)}});
  }
  return 0;
}

}  // namespace

namespace testing {
namespace {

// A parameter that neither the launches nor the compiled code depend on.
void add_hint(const fs::path& contract) {
  std::string text = read_file(contract);
  const auto replace = [&](const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos);
    text.replace(at, from.size(), to);
  };
  replace("\nvariants:", "\n  HINT: {default: 0, min: 0, max: 9}\nvariants:");
  replace("[THREADS, PER_THREAD]", "[THREADS, PER_THREAD, HINT]");
  write_text(contract, text);
}

}  // namespace

void ScriptedSweep::SetUp() {
  write_square_kernel(folder_.path());
  add_hint(folder_.path() / "kernels" / "square" / "kernel.yaml");
  fs::create_directories(folder_.path() / "kernels" / "common");
  write_text(
      folder_.path() / "workers",
      "#!/bin/sh\nexec " + shell_word(test_worker_command("x")[0]) + " --worker scripted_$2\n");
  fs::permissions(folder_.path() / "workers", fs::perms::owner_all);
  setenv(kLog, (folder_.path() / "log").c_str(), 1);
  setenv(kScript, (folder_.path() / "script").c_str(), 1);
  setenv("WARPWRIGHT_CACHE", (folder_.path() / "cache").c_str(), 1);
  setenv("WARPWRIGHT_MEMORY_LIMIT", "off", 1);  // sanitizers map terabytes
  options_.config = folder_.path() / "square.yaml";
  options_.compile_workers = 1;
  options_.any_order = false;  // the log is compared in the order of the space
  script(json::object());
}

void ScriptedSweep::TearDown() {
  for (const char* name : {kLog, kScript, "WARPWRIGHT_CACHE", "WARPWRIGHT_MEMORY_LIMIT"})
    unsetenv(name);
}

void ScriptedSweep::write_sweep(const std::string& threads, const std::string& sizes,
                                const std::string& hints) const {
  write_text(folder_.path() / "square.yaml",
             "kernel: square\nproblems: [" + sizes + "]\nspace:\n  THREADS: [" + threads +
                 "]\n  PER_THREAD: [1]\n  HINT: [" + hints + "]\nsearch: exhaustive\n");
}

void ScriptedSweep::add_to_sweep(const std::string& yaml) const {
  const fs::path file = folder_.path() / "square.yaml";
  write_text(file, read_file(file) + yaml);
}

void ScriptedSweep::script(const json& script) const {
  write_text(folder_.path() / "script", script.dump());
}

DeviceInfo ScriptedSweep::device(const std::string& id, bool has_clock) {
  DeviceInfo device;
  device.id = device.name = id;
  device.arch = "sm_90a";
  device.has_clock = device.counts_energy = has_clock;
  device.max_threads_per_block = 1024;
  device.registers_per_block = 65536;
  return device;
}

SweepSummary ScriptedSweep::sweep() { return sweep_on({device("fake:0", true)}); }

SweepSummary ScriptedSweep::sweep_on(const std::vector<DeviceInfo>& devices) {
  fs::remove(folder_.path() / "log");
  fs::remove(folder_.path() / "log.devices");
  fs::remove(folder_.path() / "log.compilers");
  Paths paths;
  paths.home = folder_.path();
  paths.program = folder_.path() / "workers";
  paths.kernel_roots = {folder_.path() / "kernels"};
  ProgressOptions to_file;
  to_file.stream = std::fopen((folder_.path() / "said").c_str(), "w");
  Database database(database_);
  SweepSummary summary;
  std::optional<Error> error;
  {
    Progress progress(to_file);
    SweepPlan plan = make_plan(options_, paths, devices);
    if (options_.rank_only) keep_finalists(plan, database);
    WorkerHost host;
    SweepEngine engine(options_, paths, std::move(plan), database, progress, host);
    try {
      summary = engine.run();
    } catch (const Error& caught) {
      error = caught;
    }
  }
  std::fclose(to_file.stream);
  if (error) throw *error;
  return summary;
}

std::string ScriptedSweep::error_of_sweep() {
  try {
    (void)sweep();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::vector<std::string> ScriptedSweep::asked() const {
  return lines_of(read_file_if_present(folder_.path() / "log").value_or(""));
}

std::vector<std::string> ScriptedSweep::asked_of_devices() const {
  return lines_of(read_file_if_present(folder_.path() / "log.devices").value_or(""));
}

std::vector<std::string> ScriptedSweep::asked_sorted() const {
  std::vector<std::string> all = asked();
  std::sort(all.begin(), all.end());
  return all;
}

std::string ScriptedSweep::said() const { return read_file(folder_.path() / "said"); }

std::vector<RankingRecord> ScriptedSweep::rankings() const {
  std::vector<RankingRecord> all;
  for (auto& row : Database(database_, OpenMode::kReadOnly).rankings({}))
    all.push_back(std::move(row.ranking));
  return all;
}

std::vector<TrialRecord> ScriptedSweep::stored(bool newest) const {
  Database::TrialFilter filter;
  filter.newest_per_key = newest;
  std::vector<TrialRecord> trials;
  for (auto& row : Database(database_, OpenMode::kReadOnly).trials(filter))
    trials.push_back(std::move(row.trial));
  return trials;
}

TrialRecord ScriptedSweep::newest(int threads, int n, int hint) const {
  const std::string configuration =
      "plain HINT=" + std::to_string(hint) + " PER_THREAD=1 THREADS=" + std::to_string(threads);
  for (const TrialRecord& trial : stored()) {
    if (trial.configuration_text == configuration && trial.problem_text == "n=" + std::to_string(n))
      return trial;
  }
  ADD_FAILURE() << configuration << " is not stored for n=" << n;
  return {};
}

std::vector<Leaderboard> ScriptedSweep::leaderboards() const {
  const Database database(database_, OpenMode::kReadOnly);
  return make_leaderboards(database.trials({}), database.rankings({}), BoardGoals(database),
                           read_peaks(database));
}

}  // namespace testing
}  // namespace warpwright
