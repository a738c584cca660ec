#include "bench/bench_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/words.h"
#include "spec/value_rule.h"
#include "trial/launch/launch_plan.h"

namespace warpwright {
namespace {

// Parts are separated by '/' and a part's value by ':'; spaces end a word on a command line.
std::string name_part(std::string text) {
  for (char& letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (letter == '/' || letter == ':' || byte <= ' ' || byte == 0x7f) letter = '_';
  }
  return text;
}

struct Assignment {
  std::string name;
  Value value;
};

// Splits "a=1 b=x", or the same with commas, into names and values; each name may occur once.
std::vector<Assignment> read_assignments(std::string_view text, const SourceLocation& where,
                                         const char* example) {
  std::vector<Assignment> read;
  for (const std::string& word : assignment_words(text)) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == word.size()) {
      throw user_error(where,
                       fmt::format("got '{}', expected NAME=VALUE, as in \"{}\"", word, example));
    }
    Assignment one{word.substr(0, equals), {}};
    const ScalarReading reading = read_plain_scalar(std::string_view(word).substr(equals + 1));
    if (!reading.refusal.empty()) throw user_error(where, reading.refusal);
    one.value = reading.value;
    if (std::any_of(read.begin(), read.end(),
                    [&](const Assignment& other) { return other.name == one.name; }))
      throw user_error(where, fmt::format("'{}' is given twice", one.name));
    read.push_back(std::move(one));
  }
  if (read.empty()) throw user_error(where, fmt::format("is empty, expected \"{}\"", example));
  return read;
}

void set_parameter(const KernelSpec& kernel, const VariantSpec& variant, const Assignment& given,
                   const SourceLocation& where, Configuration& configuration) {
  if (!configuration.values.contains(given.name)) {
    throw user_error(
        where, fmt::format("unknown parameter '{}' of variant '{}' of kernel '{}'{}", given.name,
                           variant.name, kernel.name, suggestion(given.name, variant.parameters)));
  }
  Value value = given.value;
  if (const auto wrong = rule_of(*kernel.find_parameter(given.name)).violation(value))
    throw user_error(where, fmt::format("parameter '{}': {}", given.name, *wrong));
  configuration.values[given.name] = value;
}

std::string violated(const std::vector<ConstraintSpec>& constraints,
                     const Environment& environment) {
  for (const ConstraintSpec& constraint : constraints) {
    if (constraint.expr.evaluate_bool(environment)) continue;
    return fmt::format("the contract excludes it: {} does not hold{}", constraint.expr.text(),
                       constraint.because.empty() ? "" : ": " + constraint.because);
  }
  return "";
}

}  // namespace

std::string bench_name(const KernelSpec& kernel, const Problem& problem,
                       const Configuration& configuration) {
  std::string name = name_part(kernel.name);
  const auto add = [&](const std::string& key, const Value& value) {
    name += fmt::format("/{}:{}", key, name_part(value.to_string()));
  };
  for (const ProblemSizeSpec& size : kernel.problem) {
    const auto value = problem.find(size.name);
    if (value != problem.end()) add(size.name, value->second);
  }
  name += "/" + name_part(configuration.variant);
  for (const auto& [key, value] : configuration.values) add(key, value);
  return name;
}

BenchCase make_bench_case(const KernelSpec& kernel, const Problem& problem,
                          const Configuration& configuration, const std::string& origin,
                          const DeviceInfo& device) {
  BenchCase made{&kernel, problem, configuration, bench_name(kernel, problem, configuration),
                 origin,  ""};
  const Environment environment = trial_environment(kernel, configuration, problem, device);
  made.refused = violated(kernel.constraints, environment);
  if (made.refused.empty())
    made.refused = violated(variant_of(kernel, configuration).constraints, environment);
  made.units = units_of_work(kernel, environment);
  made.bytes = kernel.work.bytes.evaluate_real(environment) / made.units;
  made.flops = kernel.work.flops.evaluate_real(environment) / made.units;
  return made;
}

Configuration default_configuration(const KernelSpec& kernel, const VariantSpec& variant) {
  Configuration configuration{variant.name, {}};
  for (const std::string& name : variant.parameters)
    configuration.values[name] = kernel.find_parameter(name)->default_value;
  return configuration;
}

Configuration parse_configuration(const KernelSpec& kernel, std::string_view text) {
  const SourceLocation where{fmt::format("--configuration \"{}\"", text), 0, 0};
  std::vector<Assignment> given = read_assignments(text, where, "variant=threshold THREADS=256");
  const auto chosen = std::find_if(given.begin(), given.end(),
                                   [](const Assignment& one) { return one.name == "variant"; });
  if (chosen == given.end() && kernel.variants.size() != 1) {
    std::vector<std::string> known;
    for (const VariantSpec& variant : kernel.variants) known.push_back(variant.name);
    throw user_error(where, fmt::format("kernel '{}' has several variants; add variant=NAME: {}",
                                        kernel.name, fmt::join(known, ", ")));
  }
  const VariantSpec& variant = chosen == given.end()
                                   ? kernel.variants.front()
                                   : require_variant(kernel, chosen->value.to_string(), where);
  Configuration configuration = default_configuration(kernel, variant);
  for (const Assignment& one : given)
    if (one.name != "variant") set_parameter(kernel, variant, one, where, configuration);
  return configuration;
}

Configuration configure_variant(const KernelSpec& kernel, const std::string& variant,
                                std::string_view parameters) {
  const std::string& usual =
      kernel.baseline.empty() ? kernel.variants.front().name : kernel.baseline;
  const VariantSpec& chosen = require_variant(kernel, variant.empty() ? usual : variant, {});
  Configuration configuration = default_configuration(kernel, chosen);
  if (parameters.empty()) return configuration;
  const SourceLocation where{fmt::format("--set \"{}\"", parameters), 0, 0};
  for (const Assignment& one : read_assignments(parameters, where, "THREADS=256"))
    set_parameter(kernel, chosen, one, where, configuration);
  return configuration;
}

std::vector<ChosenVersion> bench_versions(const KernelSpec& kernel, const std::string& text,
                                          const std::vector<std::string>& overrides) {
  for (const std::string& assignment : overrides) {
    const SourceLocation where{fmt::format("--set {}", assignment), 0, 0};
    const std::string name = assignment.substr(0, assignment.find('='));
    if (kernel.find_size(name) != nullptr)
      throw user_error(where, fmt::format("'{}' is a size; give it with --problem", name));
    if (text.empty())
      throw user_error(where,
                       "expected --version, which it changes; a whole configuration is given with "
                       "--configuration");
  }
  return text.empty() ? std::vector<ChosenVersion>() : choose_versions(kernel, text, overrides);
}

Configuration check_configuration(const KernelSpec& kernel, const Configuration& stored) {
  const SourceLocation where{fmt::format("stored configuration '{}'", stored.to_string()), 0, 0};
  const VariantSpec& variant = require_variant(kernel, stored.variant, where);
  Configuration configuration = default_configuration(kernel, variant);
  for (const auto& [name, value] : stored.values)
    set_parameter(kernel, variant, {name, value}, where, configuration);
  return configuration;
}

Problem parse_problem(const KernelSpec& kernel, std::string_view text) {
  const SourceLocation where{fmt::format("--problem \"{}\"", text), 0, 0};
  Problem sizes;
  for (Assignment& one : read_assignments(text, where, "rows=8192 V=50257 K=10"))
    sizes[one.name] = std::move(one.value);
  return complete_problem(kernel, sizes, where);
}

}  // namespace warpwright
