#include "harness/selftest/aa.h"

#include <fmt/format.h>

namespace warpwright {

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

}  // namespace warpwright
