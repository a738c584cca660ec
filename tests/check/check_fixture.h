// Checks the tiny kernel on a device whose times come from the sources: "// us=52.5" makes a kernel
// take that long, "// wrong" makes it wrong, "// hang" makes it a timeout. Every request runs
// through the real trials; each group of requests acts as a separate process.
#pragma once

#include <gmock/gmock.h>

#include <random>

#include "check/check.h"
#include "core/hash.h"
#include "support/tiny_cubin.h"
#include "trial/outcome_codec.h"
#include "trial/timing/gate.h"
#include "trial/tiny_kernel.h"

namespace warpwright::testing {

class CheckDevice : public FakeDevice {
 public:
  CheckDevice() {
    device_info.has_clock = true;
    device_info.driver = "1.0";
    states = {{1980, 3201, 300, 50, {}, {}, 0}};
    kernels["twice"] = [this](const FakeArguments& arguments, LaunchResult& result) {
      const std::string& source = sources_[arguments.launch().module.get()];
      if (source.find("// hang") != std::string::npos) {
        result.status = Status::kTimeout;
        result.reason = "staged";
        return;
      }
      twice(arguments);
      if (source.find("// wrong") != std::string::npos) *arguments.pointer<float>(1) += 1;
    };
    sampler = [this](const TimingRequest& request, int wanted) { return sample(request, wanted); };
  }

  double noise = 0.001;  // standard deviation of a sample, a fraction
  double drift = 0;      // each sample is slower than the previous one by this fraction
  // Maps a kernel's declared time `us` to the time that a process, counted from 0, observes.
  std::function<double(double us, int process)> seen = [](double us, int) { return us; };
  int process = -1;

  Loaded load(const CompileResult& compiled) override {
    Loaded loaded = FakeDevice::load(compiled);
    // Kept, so that no other module gets the same address.
    kept_.push_back(loaded.module);
    sources_[loaded.module.get()] = compiled.cubin;
    return loaded;
  }

 private:
  static double said_us(const std::string& source) {
    const std::size_t at = source.find("us=");
    return at == std::string::npos ? 50 : std::strtod(source.c_str() + at + 3, nullptr);
  }
  Samples sample(const TimingRequest& request, int wanted) {
    const std::string& source = sources_[request.rotation.front().launches.front().module.get()];
    Samples taken;
    taken.protocol = "cold-graph-1";
    taken.floor_us = 3;
    std::normal_distribution<double> normal(1, noise);
    for (int i = 0; i < wanted; ++i) {
      drifted_ *= 1 + drift;
      taken.elapsed_us.push_back(3 + seen(said_us(source), process) * drifted_ * normal(random_));
    }
    return taken;
  }

  std::map<const DeviceModule*, std::string> sources_;
  std::vector<std::shared_ptr<const DeviceModule>> kept_;
  std::mt19937 random_{11};
  double drifted_ = 1;
};

class CheckTest : public ::testing::Test {
 protected:
  CheckTest() {
    paths.home = folder.path();
    paths.kernel_roots = {folder.path() / "kernels"};
    baseline.folder = folder.path() / "baseline";
    baseline.arch = "sm_90a";
    baseline.nvrtc = "13.0";
    baseline.emulator = "1.0";
    baseline.entries = {entry()};
    write_kernel(folder.path() / "kernels", tiny_source());
    write_kernel(baseline.folder / "kernels", tiny_source());
    world.device = device.device_info;
    world.nvrtc = "13.0";
    world.compile = [this](std::vector<CompileJob> jobs) { return compile(jobs); };
    world.ask = [this](const KernelSpec& kernel,
                       std::vector<std::shared_ptr<const MeasureRequest>> requests) {
      return ask(kernel, requests);
    };
  }

  static BaselineEntry entry(int threads = 128) {
    BaselineEntry one;
    one.kernel = "twice";
    one.problem = tiny_problem();
    one.configuration = tiny_configuration(threads);
    one.where = {"baseline.yaml", 9, 5};
    return one;
  }

  void write_kernel(const std::filesystem::path& root, const std::string& source,
                    const std::string& contract = tiny_contract()) const {
    const std::filesystem::path kernel = root / "twice";
    std::filesystem::create_directories(kernel);
    std::filesystem::create_directories(root / "common");
    write_text(kernel / "kernel.yaml", contract);
    write_text(kernel / "reference.cpp", tiny_reference());
    write_text(kernel / "twice.cu", source);
    std::filesystem::copy_file(reference_include() / "reference.h", root / "common/reference.h",
                               std::filesystem::copy_options::overwrite_existing);
  }
  // Makes the current kernel the baseline's with one more line.
  void change(const std::string& line) const {
    write_kernel(folder.path() / "kernels", tiny_source() + line + "\n");
  }

  CheckReport check() { return check_baseline(world, options, baseline, paths); }
  CheckEntry check_one() {
    const CheckReport report = check();
    EXPECT_EQ(report.entries.size(), 1u);
    return report.entries.at(0);
  }

  // The fake "code" is the source with the defines, so comments are part of it here.
  std::vector<CompileResult> compile(const std::vector<CompileJob>& jobs) {
    std::vector<CompileResult> results;
    for (const CompileJob& job : jobs) {
      ++compiled;
      CompileResult result;
      std::string text = read_file(job.source);
      if (const std::size_t at = text.find("#error"); at != std::string::npos) {
        result.failure = job.source.string() + ":7: error: " + text.substr(at);
        results.push_back(result);
        continue;
      }
      for (const auto& [name, value] : job.defines) text += name + "=" + value + ";";
      result.ok = true;
      result.cubin = tiny_cubin({{"twice", text}});
      result.ptx = ".visible .entry twice(\n)\n{\n}\n";
      KernelResources resources;
      resources.entry = "twice";
      resources.registers = 16;
      result.resources = {resources};
      results.push_back(result);
    }
    return results;
  }

  std::vector<MeasureAnswer> ask(
      const KernelSpec& kernel,
      const std::vector<std::shared_ptr<const MeasureRequest>>& requests) {
    ++device.process;
    TrialOptions trial = tiny_options();
    trial.screening = false;
    TrialRunner runner(kernel, device, trial);
    std::vector<MeasureAnswer> answers;
    for (const auto& request : requests) {
      // Passes the request through JSON, as if through the pipe.
      const MeasureRequest sent = nlohmann::json(*request).get<MeasureRequest>();
      MeasureAnswer answer;
      try {
        const auto& [candidate, gate] = std::get<TrialToCompare>(sent.what);
        answer.outcome = runner.gate(candidate.configuration, candidate.problem, candidate.compiled,
                                     candidate.cases, gate);
        answer.outcome = nlohmann::json(answer.outcome).get<Outcome>();
      } catch (const Error& error) {
        answer.error = error;
      }
      answers.push_back(std::move(answer));
    }
    return answers;
  }

  TemporaryFolder folder{"warpwright-gate-test"};
  CheckDevice device;
  WorkerWorld world;
  CheckOptions options;
  Baseline baseline;
  Paths paths;
  int compiled = 0;
};

}  // namespace warpwright::testing
