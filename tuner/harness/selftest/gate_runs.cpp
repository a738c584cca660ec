#include "harness/selftest/gate_runs.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/error.h"
#include "harness/selftest/selftest_bench.h"
#include "records/codec.h"
#include "trial/timing/gate.h"

namespace warpwright {
namespace {

constexpr double kRunTargetUs = 50;
constexpr int kBlocks = 20;

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

WARPWRIGHT_CODEC(GateRuns, kernel, protocol, slower_permille, true_slowdown, about_us, noise_blocks,
                 runs)

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
