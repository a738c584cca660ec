// T4, the format in which the auto-tuning community publishes results, version 1.0.0: one JSON
// object with a list of results, one per configuration that was tried. Schema:
// https://github.com/odgaard/TuningSchema (results-schema.json); written by Kernel Tuner and KTT,
// published in https://github.com/AutoTuningAssociation/benchmark_hub. The structures here hold a
// file's content in its own units; t4_import.h interprets it.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/expr/value.h"

namespace warpwright {

struct T4Measurement {
  std::string name, unit;
  std::optional<double> value;  // finite
  std::string text;             // the label in place of a value: "RuntimeFailedConfig"
};

struct T4Result {
  std::string timestamp;
  std::map<std::string, Value> configuration;
  std::vector<double> runtimes;         // those that are a time: finite and above 0
  std::size_t other_runtimes = 0;       // those that are not
  std::map<std::string, double> times;  // "compilation", "validation", "framework", ...
  std::string invalidity;               // "" when missing
  std::optional<double> correctness;
  std::vector<T4Measurement> measurements;
  std::vector<std::string> objectives;
  nlohmann::json warpwright;  // our own member, null in others' files
  nlohmann::json rest;        // members that this program does not use
};

struct T4File {
  std::string schema_version;
  nlohmann::json metadata;  // an object, {} when missing
  std::vector<T4Result> results;
};

// Reads one result after another, so that a file of hundreds of megabytes is never in memory as a
// tree. Treats NaN and Infinity, which Python writes though JSON has no such numbers, as missing
// values. `name` is the file's name in messages. Throws Error (user): not JSON, with line and
// column; JSON but not T4; a member of the wrong type, with its place.
[[nodiscard]] T4File read_t4(std::string text, const std::string& name);

// Microseconds per unit: "ms", "milliseconds", "miliseconds" as some files spell it, "s", "us",
// "ns" and their long names, in any case; nullopt for anything else.
[[nodiscard]] std::optional<double> microseconds_per(std::string_view unit);

}  // namespace warpwright
