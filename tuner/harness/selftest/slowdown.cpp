#include "harness/selftest/slowdown.h"

#include <fmt/format.h>

namespace warpwright {
namespace {

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
