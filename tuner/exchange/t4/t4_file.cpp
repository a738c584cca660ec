#include "exchange/t4/t4_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/error.h"
#include "core/words.h"
#include "exchange/json_fault.h"

namespace warpwright {
namespace {

using Json = nlohmann::json;

// Replaces NaN, Infinity and -Infinity outside of strings by an empty string, which is not a number
// either, padded with spaces so that positions in the file stay the same.
void blank_python_numbers(std::string& text) {
  if (text.find("NaN") == std::string::npos && text.find("Infinity") == std::string::npos) return;
  bool quoted = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (quoted) {
      if (text[at] == '\\') {
        ++at;
      } else {
        quoted = text[at] != '"';
      }
      continue;
    }
    quoted = text[at] == '"';
    for (const std::string_view word : {"NaN", "Infinity", "-Infinity"}) {
      if (std::string_view(text).substr(at, word.size()) != word) continue;
      text.replace(at, word.size(), "\"\"" + std::string(word.size() - 2, ' '));
      at += word.size() - 1;
      break;
    }
  }
}

std::string kind_of(const Json& json) {
  if (json.is_null()) return "null";
  const std::string type = json.type_name();
  return (type == "object" || type == "array" ? "an " : "a ") + type;
}

// Reads members of one JSON object and reports those of the wrong type.
class Reader {
 public:
  Reader(const Json& object, std::string place, const std::string& name)
      : object_(object), place_(std::move(place)), name_(name) {}

  [[noreturn]] void fail(const std::string& member, const char* expected, const Json& got) const {
    throw user_error(fmt::format("{}: {}{}{}: expected {}, got {}", name_, place_,
                                 member.empty() ? "" : ".", member, expected, kind_of(got)));
  }
  // Returns nullptr if the member is missing or null.
  [[nodiscard]] const Json* find(const char* member) const {
    const auto found = object_.find(member);
    return found == object_.end() || found->is_null() ? nullptr : &*found;
  }
  [[nodiscard]] const Json* find_object(const char* member) const {
    const Json* found = find(member);
    if (found != nullptr && !found->is_object()) fail(member, "an object", *found);
    return found;
  }
  [[nodiscard]] const Json* find_array(const char* member) const {
    const Json* found = find(member);
    if (found != nullptr && !found->is_array()) fail(member, "an array", *found);
    return found;
  }
  [[nodiscard]] std::string text(const char* member) const {
    const Json* found = find(member);
    if (found == nullptr) return "";
    // Some programs write times as numbers.
    if (found->is_number()) return found->dump();
    if (!found->is_string()) fail(member, "a string", *found);
    return found->get<std::string>();
  }

 private:
  const Json& object_;
  std::string place_;
  const std::string& name_;
};

std::optional<double> finite_number(const Json& json) {
  if (!json.is_number()) return std::nullopt;
  const double value = json.get<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// Lists, objects and null are not parameter values here; their text is used instead.
Value parameter_value(const Json& json) {
  const bool plain = json.is_boolean() || json.is_number() || json.is_string();
  const bool too_large = json.is_number_unsigned() &&
                         json.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX);
  if (!plain || too_large) return json.dump();
  return json.get<Value>();
}

void read_times(const Reader& reader, T4Result& result) {
  const Json* times = reader.find_object("times");
  if (times == nullptr) return;
  for (const auto& [name, value] : times->items()) {
    if (name != "runtimes") {
      if (const auto number = finite_number(value)) result.times[name] = *number;
      continue;
    }
    if (value.is_null()) continue;
    // Some files give a single number for a single run.
    for (const Json& runtime : value.is_array() ? value : Json::array({value})) {
      const auto number = finite_number(runtime);
      if (number && *number > 0) {
        result.runtimes.push_back(*number);
      } else {
        ++result.other_runtimes;
      }
    }
  }
}

T4Measurement read_measurement(const Json& json, const std::string& place,
                               const std::string& name) {
  const Reader reader(json, place, name);
  if (!json.is_object()) reader.fail("", "an object", json);
  T4Measurement measurement{reader.text("name"), reader.text("unit"), std::nullopt, ""};
  if (const Json* value = reader.find("value")) {
    measurement.value = finite_number(*value);
    if (!measurement.value)
      measurement.text = value->is_string() ? value->get<std::string>() : value->dump();
  }
  return measurement;
}

constexpr std::array kKnownMembers = {"timestamp",   "configuration", "times",      "invalidity",
                                      "correctness", "measurements",  "objectives", "warpwright"};

T4Result read_result(const Json& json, const std::string& place, const std::string& name) {
  const Reader reader(json, place, name);
  if (!json.is_object()) reader.fail("", "an object", json);
  T4Result result;
  result.timestamp = reader.text("timestamp");
  const Json* configuration = reader.find_object("configuration");
  if (configuration == nullptr) {
    throw user_error(
        fmt::format("{}: {}.configuration is missing; every result of a T4 file says "
                    "which configuration it is of",
                    name, place));
  }
  for (const auto& [parameter, value] : configuration->items())
    result.configuration[parameter] = parameter_value(value);
  read_times(reader, result);
  result.invalidity = reader.text("invalidity");
  if (const Json* correctness = reader.find("correctness")) {
    if (correctness->is_boolean()) {
      result.correctness = correctness->get<bool>() ? 1 : 0;
    } else {
      result.correctness = finite_number(*correctness);
    }
  }
  if (const Json* list = reader.find_array("measurements")) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      result.measurements.push_back(
          read_measurement((*list)[i], fmt::format("{}.measurements[{}]", place, i), name));
    }
  }
  if (const Json* list = reader.find_array("objectives")) {
    for (const Json& objective : *list)
      result.objectives.push_back(objective.is_string() ? objective.get<std::string>()
                                                        : objective.dump());
  }
  if (const Json* ours = reader.find_object("warpwright")) result.warpwright = *ours;
  result.rest = json;
  for (const char* member : kKnownMembers) result.rest.erase(member);
  return result;
}

// Takes each element of the array "results" out of the tree as soon as it is complete.
class ResultCollector {
 public:
  ResultCollector(std::vector<T4Result>& results, const std::string& name)
      : results_(results), name_(name) {}

  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    using Event = Json::parse_event_t;
    if (depth == 1 && event == Event::key) in_results_ = parsed == "results";
    if (!in_results_) return true;
    if (depth == 1 && event == Event::array_start) in_list_ = true;
    if (depth == 1 && event == Event::array_end) in_list_ = false;
    const bool complete =
        event == Event::value || event == Event::object_end || event == Event::array_end;
    if (!in_list_ || depth != 2 || !complete) return true;
    results_.push_back(read_result(parsed, fmt::format("results[{}]", results_.size()), name_));
    return false;
  }

 private:
  std::vector<T4Result>& results_;
  const std::string& name_;
  bool in_results_ = false, in_list_ = false;
};

[[noreturn]] void not_t4(const Json& root, const std::string& name) {
  std::string why = "it has no list \"results\"";
  if (root.is_object() && root.contains("cache")) {
    why = "it is a cache file of Kernel Tuner; store_output_file() writes its results as T4";
  } else if (root.is_object() && root.contains("results")) {
    why = "its \"results\" are " + kind_of(root["results"]) + ", expected an array";
  } else if (!root.is_object()) {
    why = "expected an object, got " + kind_of(root);
  }
  throw user_error(fmt::format("{}: this JSON is not a T4 file of results: {}", name, why));
}

}  // namespace

T4File read_t4(std::string text, const std::string& name) {
  blank_python_numbers(text);
  T4File file;
  Json root;
  try {
    root = Json::parse(text, Json::parser_callback_t(ResultCollector(file.results, name)));
  } catch (const Json::exception& error) {
    throw not_json(error, text, name);
  }
  if (!root.is_object() || !root.contains("results") || !root["results"].is_array())
    not_t4(root, name);
  const Reader reader(root, "", name);
  file.schema_version = reader.text("schema_version");
  const Json* metadata = reader.find("metadata");
  file.metadata = metadata != nullptr && metadata->is_object() ? *metadata : Json::object();
  return file;
}

std::optional<double> microseconds_per(std::string_view unit) {
  struct Unit {
    double microseconds;
    std::array<std::string_view, 7> names;
  };
  static constexpr std::array kUnits = {
      Unit{1e6, {"s", "sec", "secs", "second", "seconds"}},
      Unit{1e3,
           {"ms", "msec", "msecs", "millisecond", "milliseconds", "milisecond", "miliseconds"}},
      Unit{1, {"us", "µs", "μs", "usec", "usecs", "microsecond", "microseconds"}},
      Unit{1e-3, {"ns", "nsec", "nsecs", "nanosecond", "nanoseconds"}}};
  const std::string word = lower(unit);
  for (const Unit& known : kUnits) {
    if (!word.empty() &&
        std::find(known.names.begin(), known.names.end(), word) != known.names.end())
      return known.microseconds;
  }
  return std::nullopt;
}

}  // namespace warpwright
