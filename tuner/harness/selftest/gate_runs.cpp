#include "harness/selftest/gate_runs.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "harness/selftest/selftest_bench.h"
#include "trial/timing/gate.h"

namespace warpwright {
namespace {

constexpr double kRunTargetUs = 50;
constexpr int kBlocks = 20;

nlohmann::json pairs_of(const std::vector<AbbaBlock>& blocks) {
  nlohmann::json pairs = nlohmann::json::array();
  for (const AbbaBlock& block : blocks) pairs.push_back({block.baseline_us, block.candidate_us});
  return pairs;
}

std::vector<AbbaBlock> blocks_of(const nlohmann::json& pairs) {
  std::vector<AbbaBlock> blocks;
  for (const nlohmann::json& pair : pairs)
    blocks.push_back({pair.at(0).get<double>(), pair.at(1).get<double>()});
  return blocks;
}

struct Injected {
  int permille;
  double caught_percent;  // at least
};
constexpr Injected kInjected[] = {{30, 90}, {50, 99}};

double target_of(int permille) {
  for (const Injected& injected : kInjected)
    if (injected.permille == permille) return injected.caught_percent;
  return 100;
}

}  // namespace

void to_json(nlohmann::json& json, const GateRuns& runs) {
  json = {{"kernel", runs.kernel},
          {"protocol", runs.protocol},
          {"slower_permille", runs.slower_permille},
          {"true_slowdown", runs.true_slowdown},
          {"about_us", runs.about_us},
          {"noise_blocks", pairs_of(runs.noise_blocks)},
          {"runs", nlohmann::json::array()}};
  for (const auto& blocks : runs.runs) json["runs"].push_back(pairs_of(blocks));
}

void from_json(const nlohmann::json& json, GateRuns& runs) {
  json.at("kernel").get_to(runs.kernel);
  json.at("protocol").get_to(runs.protocol);
  json.at("slower_permille").get_to(runs.slower_permille);
  json.at("true_slowdown").get_to(runs.true_slowdown);
  json.at("about_us").get_to(runs.about_us);
  runs.noise_blocks = blocks_of(json.at("noise_blocks"));
  runs.runs.clear();
  for (const nlohmann::json& blocks : json.at("runs")) runs.runs.push_back(blocks_of(blocks));
}

std::vector<AbbaBlock> abba_blocks_or_throw(Device& device, TimingPlan& baseline,
                                            TimingPlan& candidate, double about_us, int blocks) {
  AbbaOptions options;
  options.blocks = blocks;
  AbbaRun run = take_abba_blocks(device, baseline, candidate, about_us, options);
  if (run.status == Status::kNoisy) throw environment_error("comparing in blocks: " + run.reason);
  if (run.status != Status::kOk) throw environment_error("taking samples of time: " + run.reason);
  return std::move(run.blocks);
}

GateRuns run_gate(const Bench& bench, const std::string& kernel, int runs, int slower_permille) {
  const auto subject = Subject::make(bench, kernel, kRunTargetUs);
  GateRuns result;
  result.kernel = kernel;
  result.slower_permille = slower_permille;
  result.about_us = subject->about_us();
  const auto baseline = subject->kernel().plan(subject->configuration());
  const auto again = subject->kernel().plan(subject->configuration());
  const auto candidate = subject->kernel().plan(subject->configuration(slower_permille));
  result.protocol = take_or_throw(*baseline, 1).protocol;
  (void)take_or_throw(*again, 1);
  (void)take_or_throw(*candidate, 1);
  if (slower_permille > 0) result.true_slowdown = subject->true_slowdown(slower_permille);
  result.noise_blocks =
      abba_blocks_or_throw(bench.device, *baseline, *again, result.about_us, kBlocks);
  for (int run = 0; run < runs; ++run) {
    result.runs.push_back(
        abba_blocks_or_throw(bench.device, *baseline, *candidate, result.about_us, kBlocks));
  }
  return result;
}

Verdicts judge(const GateRuns& runs) {
  Verdicts verdicts;
  const double noise = aa_noise(runs.noise_blocks);
  verdicts.delta = gate_delta(noise);
  for (const std::vector<AbbaBlock>& blocks : runs.runs) {
    ++verdicts.all;
    switch (judge_blocks(blocks, noise).verdict) {
      case GateVerdict::kRegression:
        ++verdicts.regressions;
        break;
      case GateVerdict::kImproved:
        ++verdicts.improvements;
        break;
      case GateVerdict::kInconclusive:
        ++verdicts.inconclusive;
        break;
      case GateVerdict::kOk:
        break;
    }
  }
  return verdicts;
}

Figure aa_figure(const std::vector<GateRuns>& halves) {
  Figure figure{"aa", "false alarms", "50 us", 0, "%", Target::at_most(1), {}};
  Verdicts sum;
  std::string deltas;
  for (const GateRuns& half : halves) {
    const Verdicts verdicts = judge(half);
    sum.regressions += verdicts.regressions;
    sum.improvements += verdicts.improvements;
    sum.inconclusive += verdicts.inconclusive;
    sum.all += verdicts.all;
    deltas += fmt::format("; {} asks for {:.2f} %", half.kernel, 100 * verdicts.delta);
  }
  figure.value = percent(sum.regressions + sum.improvements, sum.all);
  figure.detail = fmt::format("{} regressions, {} improvements, {} inconclusive of {}{}",
                              sum.regressions, sum.improvements, sum.inconclusive, sum.all, deltas);
  return figure;
}

SectionResult run_aa(const Workers& workers, int comparisons) {
  SectionResult result;
  std::vector<GateRuns> halves;
  for (const char* kernel : {"spin", "stream"}) {
    workers.step(fmt::format("a kernel against itself, {}", kernel));
    const nlohmann::json reply = workers.ask({{"do", "gate"},
                                              {"kernel", kernel},
                                              {"runs", (comparisons + 1) / 2},
                                              {"slower_permille", 0}});
    halves.push_back(reply.get<GateRuns>());
    result.protocols.insert(halves.back().protocol);
    result.raw[kernel] = reply;
  }
  result.figures.push_back(aa_figure(halves));
  return result;
}

Figure slowdown_figure(const GateRuns& runs) {
  const Verdicts verdicts = judge(runs);
  Figure figure;
  figure.section = "slowdown";
  figure.name = fmt::format("{:g} % slower, caught", runs.slower_permille / 10.0);
  figure.size = fmt::format("50 us, {}", runs.kernel);
  figure.value = percent(verdicts.regressions, verdicts.all);
  figure.unit = "%";
  figure.target = Target::at_least(target_of(runs.slower_permille));
  figure.detail = fmt::format("{}, {} inconclusive; really {:.2f} % slower; asked for {:.2f} %",
                              of(verdicts.regressions, verdicts.all), verdicts.inconclusive,
                              100 * runs.true_slowdown, 100 * verdicts.delta);
  return figure;
}

SectionResult run_slowdown(const Workers& workers, int runs) {
  SectionResult result;
  result.raw = nlohmann::json::array();
  for (const Injected& injected : kInjected) {
    for (const char* kernel : {"spin", "stream"}) {
      workers.step(fmt::format("{}, {:g} % slower", kernel, injected.permille / 10.0));
      const nlohmann::json reply = workers.ask({{"do", "gate"},
                                                {"kernel", kernel},
                                                {"runs", runs},
                                                {"slower_permille", injected.permille}});
      const auto taken = reply.get<GateRuns>();
      result.protocols.insert(taken.protocol);
      result.figures.push_back(slowdown_figure(taken));
      result.raw.push_back(reply);
    }
  }
  return result;
}

}  // namespace warpwright
