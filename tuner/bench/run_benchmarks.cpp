#include "bench/run_benchmarks.h"

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <numeric>
#include <set>

#include "metrics/peaks.h"
#include "stats/median.h"

namespace warpwright {
namespace {

// Samples per request: few enough that an unresponsive worker is noticed soon, many enough that the
// round trip costs nothing.
constexpr std::int64_t kBatch = 256;

// The counters of a benchmark; run_benchmarks.h explains them.
constexpr const char* kBytes = "bytes_per_second";
constexpr const char* kFlops = "flop_per_second";
constexpr const char* kFloor = "floor_us";
constexpr const char* kMedian = "median_us";

// Returns times one by one and fetches the next batch when they run out.
class Supply {
 public:
  explicit Supply(BenchMeasurer& measurer) : measurer_(measurer) {}

  // Returns nullopt on a failure. `wanted` is the number of times that will still be requested,
  // including this one.
  std::optional<double> next(std::int64_t wanted) {
    if (!batch_.modelled && at_ == batch_.times_us.size()) {
      batch_ = measurer_.take(static_cast<int>(std::min(wanted, kBatch)));
      at_ = 0;
    }
    if (!batch_.failure.empty()) return std::nullopt;
    const double time_us = batch_.times_us.at(batch_.modelled ? 0 : at_++);
    if (!batch_.modelled || all_us_.empty()) all_us_.push_back(time_us);
    return time_us;
  }

  [[nodiscard]] const BenchBatch& batch() const { return batch_; }
  [[nodiscard]] double median_us() const { return median(all_us_); }

 private:
  BenchMeasurer& measurer_;
  BenchBatch batch_;
  std::size_t at_ = 0;
  std::vector<double> all_us_;
};

class Run {
 public:
  Run(BenchMeasurer& measurer, const Peaks& peaks) : measurer_(measurer), peaks_(peaks) {}

  // The library does not handle exceptions: a fault that no configuration caused is kept for the
  // caller.
  void operator()(benchmark::State& state, const BenchCase& one) {
    std::string failure;
    try {
      failure = measure(state, one);
    } catch (const Error& error) {
      if (!result.error) result.error = error;
      failure = error.message();
    }
    if (failure.empty()) return;
    failed_.insert(one.name);
    result.failed = failed_.size();
    state.SkipWithError(printable(failure).c_str());
  }

  BenchResult result;

 private:
  std::string measure(benchmark::State& state, const BenchCase& one) {
    if (std::string failure = measurer_.prepare(one); !failure.empty()) return failure;
    Supply supply(measurer_);
    const auto wanted = static_cast<std::int64_t>(state.max_iterations);
    std::int64_t done = 0;
    for ([[maybe_unused]] auto iteration : state) {
      const std::optional<double> time_us = supply.next(wanted - done);
      if (!time_us) return supply.batch().failure;
      state.SetIterationTime(*time_us * 1e-6);
      ++done;
    }
    if (std::string failure = measurer_.recheck(); !failure.empty()) return failure;
    if (std::string failure = impossible(one, supply.median_us()); !failure.empty()) return failure;
    describe(state, one, supply);
    return "";
  }

  [[nodiscard]] std::string impossible(const BenchCase& one, double us) const {
    if (one.kernel != nullptr && is_harness_kernel(one.kernel->name)) return "";
    Work work;
    work.bytes = one.bytes;
    work.flops = one.flops;
    work.units = one.units;
    const std::optional<FailureReason> reason = beyond_peaks(work, us, peaks_);
    return reason ? fmt::format("{}: {}", status_name(Status::kImpossible), reason->text) : "";
  }

  static void describe(benchmark::State& state, const BenchCase& one, const Supply& supply) {
    using benchmark::Counter;
    // Like SetBytesProcessed(), whose integer would overflow on many samples of a large problem.
    const auto iterations = static_cast<double>(state.iterations());
    // Zeros are left out: their coefficient of variation would be NaN, which JSON cannot hold.
    const BenchBatch& batch = supply.batch();
    if (one.bytes > 0) {
      state.counters[kBytes] = Counter(one.bytes * iterations, Counter::kIsRate, Counter::kIs1024);
    }
    if (one.flops > 0) state.counters[kFlops] = Counter(one.flops * iterations, Counter::kIsRate);
    if (batch.floor_us > 0) state.counters[kFloor] = batch.floor_us;
    state.counters[kMedian] = supply.median_us();
    state.SetLabel(fmt::format("{} ({}); {}",
                               batch.modelled ? "modelled, not measured" : "measured cold",
                               batch.protocol, one.origin));
  }

  BenchMeasurer& measurer_;
  const Peaks& peaks_;
  std::set<std::string> failed_;
};

// Google's own lines before the table describe the CPU's caches and the build of the library, and
// warn that it affects times, which does not apply to times taken on another device.
class ConsoleReporter : public benchmark::ConsoleReporter {
 public:
  ConsoleReporter(OutputOptions options, const BenchContext& context)
      : benchmark::ConsoleReporter(options), context_(context) {}

  bool ReportContext(const Context& context) override {
    name_field_width_ = context.name_field_width;
    printed_header_ = false;
    prev_counters_.clear();
    for (const auto& [key, value] : context_)
      GetErrorStream() << fmt::format("{}: {}\n", key, value);
    return true;
  }

 private:
  const BenchContext& context_;
};

benchmark::ConsoleReporter::OutputOptions console_options(const GoogleFlags& flags) {
  const char* no_colour = std::getenv("NO_COLOR");
  const bool asked = flags.colour != "auto" && flags.colour != "false" && flags.colour != "no" &&
                     flags.colour != "0" && flags.colour != "off";
  const bool fitting = flags.colour == "auto" && isatty(STDOUT_FILENO) == 1 &&
                       (no_colour == nullptr || *no_colour == '\0');
  int options = benchmark::ConsoleReporter::OO_None;
  if (asked || fitting) options |= benchmark::ConsoleReporter::OO_Color;
  if (flags.tabular) options |= benchmark::ConsoleReporter::OO_Tabular;
  return static_cast<benchmark::ConsoleReporter::OutputOptions>(options);
}

// Its CSV reporter is deprecated, but there is no other.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

// The columns are those of the first row, and a later counter without one ends the process: rows
// without counters, of benchmarks that failed, wait for one that has them.
class CsvReporter : public benchmark::CSVReporter {
 public:
  void ReportRuns(const std::vector<Run>& reports) override {
    const bool bare = std::all_of(reports.begin(), reports.end(),
                                  [](const Run& run) { return run.counters.empty(); });
    if (bare && !has_columns_) {
      waiting_.push_back(reports);
      return;
    }
    std::vector<Run> complete = reports;
    for (const char* counter : {kBytes, kFlops, kFloor, kMedian})
      complete.front().counters.emplace(counter, 0);
    benchmark::CSVReporter::ReportRuns(has_columns_ ? reports : complete);
    has_columns_ = true;
    flush();
  }
  void Finalize() override { flush(); }

 private:
  void flush() {
    for (const std::vector<Run>& reports : waiting_) benchmark::CSVReporter::ReportRuns(reports);
    waiting_.clear();
  }

  bool has_columns_ = false;
  std::vector<std::vector<Run>> waiting_;
};

std::unique_ptr<benchmark::BenchmarkReporter> make_reporter(const GoogleFlags& flags,
                                                            const BenchContext& context) {
  if (flags.format == "json") return std::make_unique<benchmark::JSONReporter>();
  if (flags.format == "csv") return std::make_unique<CsvReporter>();
  return std::make_unique<ConsoleReporter>(console_options(flags), context);
}

// Null: the library makes its own, if there is a file.
std::unique_ptr<benchmark::BenchmarkReporter> make_file_reporter(const GoogleFlags& flags) {
  if (flags.out.empty() || flags.out_format != "csv") return nullptr;
  return std::make_unique<CsvReporter>();
}
#pragma GCC diagnostic pop

void initialize(const GoogleFlags& flags) {
  std::vector<std::string> words = {"warpwright bench"};
  words.insert(words.end(), flags.arguments.begin(), flags.arguments.end());
  // The library keeps a pointer to the first for its reports.
  static std::string program;
  program = words.front();
  std::vector<char*> raw = {program.data()};
  for (std::size_t i = 1; i < words.size(); ++i) raw.push_back(words[i].data());
  raw.push_back(nullptr);
  int count = static_cast<int>(words.size());
  benchmark::Initialize(&count, raw.data());
  if (count > 1) {
    throw user_error(
        fmt::format("the Google Benchmark that this program was built with does not "
                    "take '{}'; leave it out, or give it in an older form",
                    raw[1]));
  }
}

}  // namespace

std::string printable(const std::string& text) {
  std::string clean = text;
  for (char& letter : clean) {
    const auto byte = static_cast<unsigned char>(letter);
    if ((byte < ' ' && letter != '\n' && letter != '\t') || byte == 0x7f) letter = '?';
  }
  return clean;
}

BenchResult run_benchmarks(const std::vector<BenchCase>& cases, const GoogleFlags& flags,
                           const BenchContext& context, BenchMeasurer& measurer,
                           const Peaks& peaks) {
  initialize(flags);
  for (const auto& [key, value] : context) benchmark::AddCustomContext(key, printable(value));
  const auto run = std::make_shared<Run>(measurer, peaks);
  for (const BenchCase& one : cases) {
    benchmark::RegisterBenchmark(one.name.c_str(),
                                 [run, &one](benchmark::State& state) { (*run)(state, one); })
        ->UseManualTime()
        ->Unit(benchmark::kMicrosecond);
  }
  const auto reporter = make_reporter(flags, context);
  const auto file = make_file_reporter(flags);
  run->result.matched = benchmark::RunSpecifiedBenchmarks(reporter.get(), file.get());
  std::cout.flush();
  BenchResult result = run->result;
  benchmark::ClearRegisteredBenchmarks();
  if (result.matched == 0) {
    throw user_error(fmt::format(
        "no benchmark matches --benchmark_filter={}; see their names with `warpwright bench "
        "--benchmark_list_tests`",
        flags.filter));
  }
  return result;
}

}  // namespace warpwright
