// Reads configs/<name>.yaml and checks everything that does not need the kernel it names.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/expr/value.h"
#include "core/words.h"
#include "spec/kernel_sections.h"
#include "spec/sweep_spec.h"
#include "spec/value_rule.h"
#include "spec/versions.h"
#include "spec/yaml_reader.h"

namespace warpwright {
namespace {

// A list with more values than this is a typo, and would fill the memory before anyone noticed.
constexpr std::int64_t kMaxListValues = 100000;

// The values of one parameter or problem size in a sweep: one value, a list, {range: [first, last,
// step]} or {pow2: [first, last]}.
struct ValueList {
  std::vector<Value> values;          // distinct, of one type, in the order given
  std::vector<SourceLocation> where;  // of each value; empty for range and pow2
};

// Reads between `least` and `most` integers, of which the first two are in order; `form` shows how
// to write them.
std::vector<std::int64_t> read_bounds(const YamlReader& reader, std::size_t least, std::size_t most,
                                      const char* form) {
  if (!reader.is_list()) throw reader.wrong_type(form);
  const std::vector<YamlReader> items = reader.items();
  if (items.size() < least || items.size() > most) {
    throw reader.error(fmt::format("got a list of {}, expected {}", items.size(), form));
  }
  std::vector<std::int64_t> bounds;
  for (const YamlReader& item : items) bounds.push_back(item.integer());
  if (bounds[0] > bounds[1]) {
    throw reader.error(
        fmt::format("got {} to {}, expected the smaller number first", bounds[0], bounds[1]));
  }
  return bounds;
}

std::vector<Value> read_range(const YamlReader& reader) {
  std::vector<std::int64_t> bounds =
      read_bounds(reader, 2, 3, "[first, last] or [first, last, step]");
  const std::int64_t step = bounds.size() == 3 ? bounds[2] : 1;
  if (step < 1) throw reader.error(fmt::format("got step {}, expected at least 1", step));
  // Unsigned, because the distance of two 64-bit integers may not fit a signed one.
  const auto distance =
      static_cast<std::uint64_t>(bounds[1]) - static_cast<std::uint64_t>(bounds[0]);
  const std::uint64_t steps = distance / static_cast<std::uint64_t>(step);
  if (steps >= static_cast<std::uint64_t>(kMaxListValues)) {
    throw reader.error(
        fmt::format("got more than {} values, expected fewer; take a larger step", kMaxListValues));
  }
  std::vector<Value> values;
  for (std::uint64_t i = 0; i <= steps; ++i) {
    const auto offset = i * static_cast<std::uint64_t>(step);
    values.emplace_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(bounds[0]) + offset));
  }
  return values;
}

std::vector<Value> read_pow2(const YamlReader& reader) {
  const std::vector<std::int64_t> bounds = read_bounds(reader, 2, 2, "[first, last]");
  for (const std::int64_t bound : bounds) {
    if (bound < 1 || (bound & (bound - 1)) != 0) {
      throw reader.error(fmt::format("got {}, expected a power of two", bound));
    }
  }
  std::vector<Value> values;
  // The last power is added separately: doubling it may overflow.
  for (std::int64_t value = bounds[0]; value < bounds[1]; value *= 2) values.emplace_back(value);
  values.emplace_back(bounds[1]);
  return values;
}

// Throws Error (user) on an empty list, mixed types, a repeated value, and a range that is empty or
// too long.
ValueList read_value_list(const YamlReader& reader) {
  ValueList list;
  if (reader.is_scalar()) {
    list.values.push_back(reader.value());
    list.where.push_back(reader.where());
    return list;
  }
  if (reader.is_map()) {
    const YamlMap map = reader.map({"range", "pow2"});
    const auto range = map.find("range");
    const auto pow2 = map.find("pow2");
    if (range.has_value() == pow2.has_value()) {
      throw reader.error("expected either {range: [first, last, step]} or {pow2: [first, last]}");
    }
    list.values = range ? read_range(*range) : read_pow2(*pow2);
    return list;
  }
  if (!reader.is_list()) throw reader.wrong_type("a value, a list, {range: ...} or {pow2: ...}");
  list.values = read_distinct_values(reader, &list.where);
  return list;
}

// Reads `version: [0..4]`, the presets that a sweep runs instead of the free space, each once
// (expand_versions()). Throws Error (user) on a malformed or reversed range, on a version that is
// given twice, and on one that is not among the sweep's presets if others are refused.
void read_versions(const YamlReader& section, OtherVersions others, SweepSpec& sweep) {
  std::vector<std::string> known;
  for (const Preset& preset : sweep.presets) known.push_back(preset.name);
  const bool refuse = others == OtherVersions::kRefuse;
  for (const YamlReader& item : section.items_or_one()) {
    const ExpandedVersions expanded =
        expand_versions(item.text(), refuse ? &sweep.presets : nullptr);
    if (!expanded.fault.empty()) throw item.error(expanded.fault);
    for (const std::string& name : expanded.names) {
      if (refuse && std::find(known.begin(), known.end(), name) == known.end()) {
        if (known.empty()) {
          throw item.error(
              fmt::format("unknown preset '{}', the sweep has none; add `presets`", name));
        }
        throw item.error(fmt::format("unknown preset '{}'{}", name, suggestion(name, known)));
      }
      if (std::find(sweep.versions.begin(), sweep.versions.end(), name) != sweep.versions.end())
        throw item.error(fmt::format("version '{}' is selected twice; remove one", name));
      sweep.versions.push_back(name);
      sweep.version_places.push_back({item.where(), item.path()});
    }
  }
  if (sweep.versions.empty()) {
    throw section.error(
        "got an empty list, expected at least one version; leave `version` out for "
        "the free space");
  }
}

constexpr std::string_view kSweepKind = "a sweep";
// Each problem is a sweep of its own; with more than this, one of the lists is a mistake.
constexpr std::size_t kMaxProblems = 10000;
constexpr std::size_t kMaxSizes = 64;  // of one problem; bounds the work of multiplying out

// Cases have a key `fill`, so detect it here; {range: ...} under that name belongs to a size.
void refuse_fill(const std::string& name, const YamlReader& value) {
  if (name != "fill" || !value.is_map()) return;
  for (const auto& [key, ignored] : value.entries(kMaxSizes))
    if (key.text() == "range" || key.text() == "pow2") return;
  throw value.error(
      "problems are filled as kernel.yaml says; write the fill there, under `arguments`, or under "
      "`cases` for a case alone");
}

// One entry of `problems`: lists multiply out, with the last key varying fastest.
void read_problem(const YamlReader& reader, std::vector<ProblemChoice>& problems) {
  std::vector<ProblemChoice> choices(1);
  choices[0].where = reader.where();
  for (const auto& [key, value] : reader.entries(kMaxSizes)) {
    const std::string name = key.identifier();
    refuse_fill(name, value);
    const ValueList list = read_value_list(value);
    if (choices.size() * list.values.size() + problems.size() > kMaxProblems) {
      throw value.error(
          fmt::format("the lists multiply out to more than {} problems", kMaxProblems));
    }
    std::vector<ProblemChoice> product;
    for (const ProblemChoice& choice : choices) {
      for (std::size_t i = 0; i < list.values.size(); ++i) {
        product.push_back(choice);
        product.back().sizes[name] = list.values[i];
        product.back().size_where[name] = list.where.empty() ? value.where() : list.where[i];
      }
    }
    choices = std::move(product);
  }
  problems.insert(problems.end(), std::make_move_iterator(choices.begin()),
                  std::make_move_iterator(choices.end()));
}

// Duplicates are rejected, not merged: it is unclear which of two equal lines the author meant to
// change.
std::vector<ProblemChoice> read_problems(const YamlReader& section) {
  std::vector<ProblemChoice> problems;
  for (const YamlReader& item : section.items()) read_problem(item, problems);
  if (problems.empty()) throw section.error("got an empty list, expected at least one problem");
  std::set<std::map<std::string, Value>> seen;
  for (const ProblemChoice& problem : problems) {
    if (!seen.insert(problem.sizes).second) {
      throw user_error(problem.where, fmt::format("{}: the same problem is given twice; remove one",
                                                  section.path()));
    }
  }
  return problems;
}

void read_variants(const YamlReader& reader, SweepSpec& sweep) {
  if (reader.is_scalar() && reader.text() == "all") return;
  std::vector<std::string> names;
  for (const YamlReader& item : reader.items_or_one()) {
    names.push_back(item.text());
    if (std::count(names.begin(), names.end(), names.back()) > 1) {
      throw item.error(fmt::format("variant '{}' is listed twice; remove one", names.back()));
    }
    if (names.back() == "all") throw item.error("got 'all' in a list; write `variant: all`");
    sweep.variants_where.push_back(item.where());
  }
  if (names.empty()) {
    throw reader.error(
        "got an empty list, expected at least one variant; write `all` for every one");
  }
  sweep.variants = std::move(names);
}

void read_space(const YamlReader& section, SweepSpec& sweep) {
  for (const auto& [key, reader] : section.entries()) {
    if (key.text() == "variant") {
      if (sweep.kernel.empty()) throw key.error("a bare space has no variants; remove it");
      read_variants(reader, sweep);
      continue;
    }
    SpaceParameter parameter;
    parameter.name = key.identifier();
    parameter.where = key.where();
    ValueList list = read_value_list(reader);
    parameter.values = std::move(list.values);
    parameter.value_where = std::move(list.where);
    sweep.space.push_back(std::move(parameter));
  }
}

// Options that are not named here belong to the strategy; search/ checks them.
void read_search(const YamlReader& section, SweepSpec& sweep) {
  if (section.is_scalar()) {
    sweep.strategy = section.nonempty_text();
    sweep.strategy_where = section.where();
    return;
  }
  for (const auto& [key, value] : section.entries()) {
    if (key.text() == "strategy") {
      sweep.strategy = value.nonempty_text();
      sweep.strategy_where = value.where();
    } else if (key.text() == "warm_start") {
      sweep.warm_start = value.boolean();
    } else if (key.text() == "prior") {
      sweep.prior = find_prior(value.text());
      if (!sweep.prior) {
        throw value.error(fmt::format("got '{}', expected none or emulator", value.text()));
      }
    } else {
      sweep.strategy_options[key.text()] = value.value();
    }
  }
  const bool knowledge_alone = (sweep.warm_start || sweep.prior) && sweep.strategy_options.empty();
  if (!sweep.strategy_where.known() && !knowledge_alone) {
    throw section.error("got no strategy, expected one; add `strategy: exhaustive`");
  }
}

// Reads `budget: 200,90s,3%` as on the command line, or its parts by name.
Budget read_budget(const YamlReader& section) {
  if (section.is_scalar()) return parse_budget(section.text(), section.where());
  const YamlMap map = section.map({"trials", "time", "until"});
  Budget budget;
  if (const auto trials = map.find("trials")) {
    budget.trials = trials->integer();
    if (*budget.trials < 1) {
      throw trials->error(fmt::format("got {}, expected at least 1", *budget.trials));
    }
  }
  if (const auto time = map.find("time")) {
    const Budget parsed = parse_budget(time->text(), time->where());
    if (parsed.trials) {
      throw time->error(
          fmt::format("got '{}', expected a time; add a unit: ms, s, min or h", time->text()));
    }
    budget.time = parsed.time;
  }
  if (const auto until = map.find("until")) {
    const Budget parsed = parse_budget(until->text(), until->where());
    if (!parsed.until)
      throw until->error(fmt::format("got '{}', expected a share, as in 3%", until->text()));
    budget.until = parsed.until;
  }
  if (!budget.trials && !budget.time && !budget.until) {
    throw section.error("got none of trials, time and until, expected at least one");
  }
  return budget;
}

HazardPolicy read_hazards(const YamlReader& reader) {
  const std::string name = reader.text();
  const std::optional<HazardPolicy> policy = find_hazard_policy(name);
  if (!policy) throw reader.error(unknown_hazard_policy(name));
  return *policy;
}

// A bare space defines all its names itself.
void check_bare_space(const SweepSpec& sweep) {
  ExprScope scope("parameter");
  for (const SpaceParameter& parameter : sweep.space) scope.allow(parameter.name);
  for (const ConstraintSpec& constraint : sweep.constraints) scope.check(constraint.expr);
}

void read_bare_space(const YamlMap& map, SweepSpec& sweep) {
  for (const char* key : {"problems", "emulated", "presets", "version", "search", "budget",
                          "hazards", "options", "include", "metrics", "objective", "require"}) {
    if (map.find(key)) {
      throw map.error_at_key(key,
                             "needs a kernel; add `kernel: NAME` (a bare space has only `space` "
                             "and `constraints`)");
    }
  }
  const YamlReader space = map.require("space", "space: {THREADS: [128, 256]}");
  read_space(space, sweep);
  if (sweep.space.empty()) throw space.error("got an empty map, expected at least one parameter");
  check_bare_space(sweep);
}

}  // namespace

std::optional<Prior> find_prior(std::string_view name) {
  if (name == "none") return Prior::kNone;
  if (name == "emulator") return Prior::kEmulator;
  return std::nullopt;
}

SweepSpec parse_sweep(std::string_view text, const std::filesystem::path& file,
                      OtherVersions others) {
  const YamlDocument document = parse_yaml(text, file.string(), kSweepKind);
  const YamlMap map = YamlReader(document).map(
      {"kernel", "problems", "emulated", "space", "presets", "version", "constraints", "search",
       "budget", "hazards", "options", "include", "metrics", "objective", "require"});
  SweepSpec sweep;
  sweep.file = file.empty() ? file : std::filesystem::absolute(file).lexically_normal();
  sweep.text = std::string(text);
  if (const auto section = map.find("constraints")) sweep.constraints = read_constraints(*section);
  const auto kernel = map.find("kernel");
  if (!kernel) {
    read_bare_space(map, sweep);
    return sweep;
  }
  sweep.kernel = kernel->identifier();
  sweep.kernel_where = kernel->where();
  sweep.problems = read_problems(map.require("problems", "problems: [{rows: 1024}]"));
  if (const auto section = map.find("emulated")) sweep.emulated = read_problems(*section);
  if (const auto section = map.find("space")) read_space(*section, sweep);
  if (const auto section = map.find("presets")) sweep.presets = read_presets(*section);
  if (const auto section = map.find("version")) read_versions(*section, others, sweep);
  if (const auto section = map.find("search")) read_search(*section, sweep);
  if (const auto section = map.find("budget")) sweep.budget = read_budget(*section);
  if (const auto section = map.find("hazards")) sweep.hazards = read_hazards(*section);
  sweep.goal = read_goal(map);
  sweep.added = read_added(map, sweep.file.parent_path(), !sweep.file.empty());
  return sweep;
}

SweepSpec read_sweep(const std::filesystem::path& file) {
  return parse_sweep(read_yaml_text(file, kSweepKind), file, OtherVersions::kKeep);
}

}  // namespace warpwright
