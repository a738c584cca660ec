#include "spec/metric_table.h"

#include <array>

namespace warpwright {
namespace {

constexpr std::array kBuiltIn = {
    BuiltInMetric{"time_us", "µs", MetricNeeds::kTime,
                  "the median time as boards show it, of one unit if the contract has units"},
    BuiltInMetric{"time_low_us", "µs", MetricNeeds::kTime, "lower end of its 95 % interval"},
    BuiltInMetric{"time_high_us", "µs", MetricNeeds::kTime, "upper end of its 95 % interval"},
    BuiltInMetric{"gbs", "GB/s", MetricNeeds::kTime, "the contract's bytes per time"},
    BuiltInMetric{"gflops", "GFLOP/s", MetricNeeds::kTime, "the contract's flops per time"},
    BuiltInMetric{"energy_j", "J", MetricNeeds::kEnergy,
                  "energy of what time_us is the time of, launches back to back"},
    BuiltInMetric{"power_w", "W", MetricNeeds::kEnergy, "mean power over those launches"},
    BuiltInMetric{"edp", "J s", MetricNeeds::kEnergy,
                  "energy-delay product: energy_j * time_us / 1e6"},
    BuiltInMetric{"registers", "", MetricNeeds::kCompiler, "per thread, the most of any launch"},
    BuiltInMetric{"shared_bytes", "B", MetricNeeds::kCompiler,
                  "per block, static and dynamic, the most of any launch"},
    BuiltInMetric{"local_bytes", "B", MetricNeeds::kCompiler,
                  "local memory per thread (the stack frame), the most of any launch"},
    BuiltInMetric{"spill_bytes", "B", MetricNeeds::kCompiler,
                  "spilled per thread, stores and loads, all launches"},
    BuiltInMetric{"block_threads", "", MetricNeeds::kCompiler,
                  "threads per block, the most of any launch"},
    BuiltInMetric{"occupancy", "", MetricNeeds::kCompiler,
                  "share of an SM's threads that can be resident, 0 to 1, the least of any launch"},
    BuiltInMetric{"work_bytes", "B", MetricNeeds::kCompiler, "by the contract, of one unit"},
    BuiltInMetric{"work_flops", "", MetricNeeds::kCompiler, "by the contract, of one unit"},
    BuiltInMetric{"max_abs_error", "", MetricNeeds::kRun,
                  "largest error against the reference, over all outputs"},
    BuiltInMetric{"max_rel_error", "", MetricNeeds::kRun,
                  "largest relative error against the reference, over all outputs"},
    BuiltInMetric{"sm_clock_mhz", "MHz", MetricNeeds::kTime, "the SM clock while it was timed"},
    BuiltInMetric{"compile_seconds", "s", MetricNeeds::kRun, "what compiling it took"},
};

constexpr std::array kWords = {MetricWord{"time", "time_us"}, MetricWord{"energy", "energy_j"}};

}  // namespace

std::span<const BuiltInMetric> built_in_metrics() { return kBuiltIn; }

const BuiltInMetric* find_built_in_metric(std::string_view name) {
  for (const BuiltInMetric& metric : kBuiltIn)
    if (metric.name == name) return &metric;
  return nullptr;
}

std::span<const MetricWord> metric_words() { return kWords; }

}  // namespace warpwright
