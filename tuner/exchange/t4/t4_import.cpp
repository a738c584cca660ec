#include "exchange/t4/t4_import.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>

#include "core/error.h"
#include "core/hash.h"
#include "core/terminal_text.h"
#include "core/utf8.h"
#include "core/words.h"
#include "exchange/t4/t4_subject.h"
#include "exchange/t4/t4_values.h"
#include "records/records.h"
#include "stats/median.h"

namespace warpwright {
namespace {

// Reads the member that our own export adds to T4, so that reading it back loses nothing.

void require_times(const TrialRecord& trial, const std::string& place) {
  for (const TrialFigure& figure : kTrialFigures) {
    const std::optional<double> value = value_of(trial, figure);
    if (!value || is_usable(figure, *value)) continue;
    throw user_error(fmt::format(
        "{}.warpwright.{}: expected {}, got {}", place, figure.name,
        figure.above_zero ? "a finite positive time" : "a finite number of at least 0", *value));
  }
  const double median = trial.median_us.value_or(0);
  if (!trial.median_us ||
      (trial.ci_low_us.value_or(median) <= median && trial.ci_high_us.value_or(median) >= median))
    return;
  throw user_error(fmt::format(
      "{}.warpwright: expected ci_low_us <= median_us <= ci_high_us, got {}, {} and {}", place,
      trial.ci_low_us.value_or(median), median, trial.ci_high_us.value_or(median)));
}

// Does nothing if there is no such member. `place` is the position of the result, for messages.
// Throws Error (user) for a value that is not a number, and for times that our export never writes:
// a file that claims to be ours may come from anyone.
void read_ours(const nlohmann::json& ours, const std::string& place, TrialRecord& trial) {
  if (!ours.is_object()) return;
  const auto number = [&](const char* member) -> std::optional<double> {
    const auto found = ours.find(member);
    if (found == ours.end() || found->is_null()) return std::nullopt;
    if (!found->is_number()) {
      throw user_error(
          fmt::format("{}.warpwright.{}: expected a number, got {}", place, member, found->dump()));
    }
    return found->get<double>();
  };
  const std::string status = text_in(ours, "status");
  const auto known = parse_status(status);
  if (!known) throw user_error(fmt::format("{}.warpwright.status: unknown '{}'", place, status));
  trial.status = *known;
  trial.reason = text_in(ours, "reason");
  for (const TrialFigure& figure : kTrialFigures)
    if (figure.group != TrialFigure::Group::kCost) set_value(trial, figure, number(figure.name));
  trial.arithmetic = text_in(ours, "arithmetic");
  require_times(trial, place);
  if (const auto found = ours.find("resources"); found != ours.end() && found->is_array())
    trial.resources = Stored<TrialResources>::of(*found);
}

using Json = nlohmann::json;

// With this many samples, the order-statistic interval reaches its 95 %.
constexpr std::size_t kSamplesForInterval = 6;

constexpr std::size_t kShownName = 80;

// The longest name that a database accepts, including the text of a configuration.
constexpr std::size_t kLongestName = 64 << 10;

// Counts the oddities that are reported to the reader.
struct Oddities {
  std::size_t other_runtimes = 0;
  std::size_t published_only = 0;
  std::size_t untimed = 0;
};

struct NamedStatus {
  const char* name;
  Status status;
};

std::optional<Status> find_status(std::span<const NamedStatus> known, const std::string& name) {
  for (const NamedStatus& one : known)
    if (name == one.name) return one.status;
  return std::nullopt;
}

constexpr std::array kInvalidities = {NamedStatus{"correct", Status::kOk},
                                      NamedStatus{"compile", Status::kCompileFailed},
                                      NamedStatus{"runtime", Status::kLaunchFailed},
                                      NamedStatus{"timeout", Status::kTimeout},
                                      NamedStatus{"correctness", Status::kWrongResult},
                                      NamedStatus{"constraints", Status::kInvalid}};
// The labels that Kernel Tuner writes in place of a time.
constexpr std::array kLabels = {NamedStatus{"CompilationFailedConfig", Status::kCompileFailed},
                                NamedStatus{"RuntimeFailedConfig", Status::kLaunchFailed},
                                NamedStatus{"InvalidConfig", Status::kInvalid}};

void read_status(const T4Result& result, const std::string& place, TrialRecord& trial) {
  const T4Measurement* time = time_measurement(result);
  const std::string label = time == nullptr ? "" : time->text;
  const auto labelled = find_status(kLabels, label);
  const std::string invalidity = result.invalidity.empty() ? "correct" : result.invalidity;
  const auto known = find_status(kInvalidities, invalidity);
  if (!known) {
    std::vector<std::string> names;
    for (const NamedStatus& one : kInvalidities) names.emplace_back(one.name);
    throw user_error(fmt::format("{}.invalidity: unknown '{}'{}", place, invalidity,
                                 suggestion(invalidity, names)));
  }
  trial.status = *known;
  if (trial.status == Status::kOk && labelled) trial.status = *labelled;
  if (trial.status == Status::kOk && result.correctness == 0) trial.status = Status::kWrongResult;
  if (trial.status == Status::kOk) return;
  trial.reason = !label.empty() ? label
                 : *known == Status::kOk
                     ? "reported with correctness 0"
                     : fmt::format("reported as {}, without a reason", invalidity);
}

void read_time(const T4Result& result, const T4Unit& unit, Oddities& oddities, TrialRecord& trial) {
  oddities.other_runtimes += result.other_runtimes;
  std::vector<double> runtimes_us;
  for (const double runtime : result.runtimes) {
    const double us = runtime * unit.microseconds;
    // Skip values outside the range of a stored sample: above 1e38 µs, longer than anything ran, or
    // rounded to 0.
    if (us > std::numeric_limits<float>::max() || static_cast<float>(us) <= 0) {
      ++oddities.other_runtimes;
      continue;
    }
    runtimes_us.push_back(us);
    // Round samples as they will be stored, so that a trial equals itself when it is read back.
    trial.samples_us.push_back(static_cast<float>(us));
  }
  if (trial.status != Status::kOk) return;
  if (!runtimes_us.empty()) {
    const MedianInterval found = median_interval(runtimes_us);
    trial.median_us = found.median;
    if (runtimes_us.size() < kSamplesForInterval) return;
    trial.ci_low_us = found.low;
    trial.ci_high_us = found.high;
  } else if (const auto published = published_us(result, unit)) {
    trial.median_us = published;
    ++oddities.published_only;
  } else {
    trial.reason = "imported without a time";
    ++oddities.untimed;
  }
}

double seconds_of(const T4Result& result, const char* time, const T4Unit& unit) {
  const auto found = result.times.find(time);
  const double seconds = found == result.times.end() ? 0 : found->second * unit.microseconds / 1e6;
  return std::isfinite(seconds) && seconds > 0 ? seconds : 0;
}

Json measurements_json(const T4Result& result) {
  Json list = Json::array();
  for (const T4Measurement& measurement : result.measurements) {
    list.push_back(
        {{"name", measurement.name},
         {"unit", measurement.unit},
         {"value", measurement.value ? Json(*measurement.value) : Json(measurement.text)}});
  }
  return list;
}

// Everything in the file about a result that has no column.
Stored<TrialMeasurement> measurement_of(const T4File& file, const T4Result& result,
                                        const T4Unit& unit, const T4ImportOptions& options) {
  Json imported = {{"file", options.file_name},
                   {"sha256", options.sha256},
                   {"format", "T4 " + file.schema_version},
                   {"timestamp", result.timestamp},
                   {"invalidity", result.invalidity},
                   {"objectives", result.objectives},
                   {"measurements", measurements_json(result)},
                   {"times_us", Json::object()}};
  for (const auto& [name, time] : result.times)
    imported["times_us"][name] = time * unit.microseconds;
  if (result.correctness) imported["correctness"] = *result.correctness;
  if (const auto published = published_us(result, unit)) imported["published_us"] = *published;
  if (result.other_runtimes > 0) imported["runtimes_left_out"] = result.other_runtimes;
  if (!result.rest.empty()) imported["rest"] = result.rest;
  if (const std::string protocol = text_in(our_metadata(file), "protocol"); !protocol.empty())
    imported["protocol"] = protocol;
  return Stored<TrialMeasurement>::of(Json{{"imported", std::move(imported)}});
}

class Importer {
 public:
  Importer(const T4File& file, const T4ImportOptions& options)
      : file_(file),
        options_(options),
        subject_(subject_of(file, options)),
        unit_(time_unit_of(file, options.file_name)) {}

  T4Import make() {
    require_plain("the kernel", subject_.kernel);
    require_plain("the device", subject_.device);
    require_plain("the problem", subject_.problem_text);
    const Json ours = our_metadata(file_);
    for (const char* member : {"arch", "driver", "protocol"})
      require_plain(fmt::format("metadata's {}", member), text_in(ours, member));
    put_basics();
    std::vector<T4Result> results = file_.results;
    if (our_metadata(file_).empty()) read_integers(results);
    for (std::size_t i = 0; i < results.size(); ++i) {
      import_.snapshot.trials.push_back(
          make_trial(results[i], fmt::format("{}: results[{}]", options_.file_name, i)));
    }
    add_notes();
    return std::move(import_);
  }

 private:
  // Names appear in tables, files and commands, so they must be plain.
  void require_plain(const std::string& what, const std::string& name) const {
    if (name.size() > kLongestName) {
      throw user_error(fmt::format("{}: {} has {} bytes, expected a name of at most {}",
                                   options_.file_name, what, name.size(), kLongestName));
    }
    if (!has_control_characters(name)) return;
    throw user_error(fmt::format(
        "{}: {} is '{}', expected a name without control characters; rename it in the file",
        options_.file_name, what, terminal_line(name.substr(0, kShownName))));
  }

  void put_basics() {
    Snapshot& snapshot = import_.snapshot;
    snapshot.name = options_.file_name;
    const Json ours = our_metadata(file_);
    DeviceRecord device;
    device.fingerprint = subject_.fingerprint;
    device.id = "imported";
    device.name = subject_.device;
    device.arch = text_in(ours, "arch");
    device.driver = text_in(ours, "driver");
    device.has_clock = !subject_.modelled;
    device.details = Stored<DeviceInfo>::of(
        Json{{"imported", {{"file", options_.file_name}, {"sha256", options_.sha256}}}});
    snapshot.devices.emplace_back(1, device);
    // The contract is the same for every file of this kernel, so that later results do not make
    // earlier ones outdated.
    snapshot.kernels.emplace_back(
        1, KernelRecord{subject_.kernel, Sha256().field("imported").field(subject_.kernel).hex(),
                        "results measured elsewhere", ""});
    RunRecord run;
    run.config_path = options_.file_name;
    run.strategy = "import";
    run.version = options_.version;
    run.command_line = options_.command_line;
    run.started_utc = run.finished_utc = options_.now_utc;
    run.ended = run_end_name(RunEnd::kComplete);
    snapshot.runs.emplace_back(1, run);
  }

  TrialRecord make_trial(const T4Result& result, const std::string& place) {
    TrialRecord trial;
    trial.id = static_cast<RowId>(import_.snapshot.trials.size()) + 1;
    trial.run = trial.kernel = trial.device = 1;
    trial.problem = subject_.problem;
    trial.problem_text = subject_.problem_text;
    std::map<std::string, Value> values = result.configuration;
    if (result.warpwright.is_object()) {
      trial.variant = text_in(result.warpwright, "variant");
      if (!trial.variant.empty()) values.erase("variant");
    }
    trial.parameters = values;
    trial.configuration_text = configuration_text(trial.variant, values);
    if (trial.configuration_text.size() > kLongestName) {
      throw user_error(fmt::format("{}.configuration: expected at most {} bytes, got {}", place,
                                   kLongestName, trial.configuration_text.size()));
    }
    require_plain(fmt::format("results[{}].configuration", trial.id - 1), trial.configuration_text);
    read_status(result, place, trial);
    read_time(result, unit_, oddities_, trial);
    read_ours(result.warpwright, place, trial);
    trial.modelled = subject_.modelled;
    trial.protocol = kT4Protocol;
    trial.measurement = measurement_of(file_, result, unit_, options_);
    trial.compile_seconds =
        seconds_of(result, "compilation", unit_) + seconds_of(result, "compilation_time", unit_);
    trial.validate_seconds = seconds_of(result, "validation", unit_);
    trial.measure_seconds = seconds_of(result, "benchmark", unit_);
    trial.started_utc = utc_of_timestamp(result.timestamp);
    trial.key = Sha256()
                    .field(kT4Protocol)
                    .field(subject_.kernel)
                    .field(subject_.fingerprint)
                    .field(subject_.problem_text)
                    .field(trial.configuration_text)
                    .hex();
    return trial;
  }

  void add_notes() {
    const auto note = [&](std::size_t count, const char* one, const char* many) {
      if (count > 0) import_.notes.push_back(plural(count, one, many));
    };
    if (unit_.assumed)
      import_.notes.emplace_back("no unit of time is given: taken for milliseconds, as usual");
    if (!file_.schema_version.empty() && !file_.schema_version.starts_with("1.")) {
      import_.notes.push_back(
          fmt::format("schema version {}: read as 1.0.0", file_.schema_version));
    }
    note(oddities_.published_only, "result has no raw runtimes: its published time stands alone",
         "results have no raw runtimes: their published times stand alone");
    note(oddities_.other_runtimes, "runtime is not a time (finite and above 0) and left out",
         "runtimes are not times (finite and above 0) and left out");
    note(oddities_.untimed, "correct result has no time", "correct results have no time");
  }

  const T4File& file_;
  const T4ImportOptions& options_;
  T4Subject subject_;
  T4Unit unit_;
  Oddities oddities_;
  T4Import import_;
};

}  // namespace

T4Import import_t4(const T4File& file, const T4ImportOptions& options) {
  return Importer(file, options).make();
}

}  // namespace warpwright
