// A sweep: configs/<name>.yaml read into values. It chooses problems, values, strategy and budget
// for one kernel. Every error is `file:line:col: what, got, expected`. tuner/spec/README.md
// documents the format.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/expr/expr.h"
#include "core/expr/value.h"
#include "core/source_location.h"
#include "spec/added_options.h"
#include "spec/goal.h"
#include "spec/hazard_policy.h"
#include "spec/kernel_spec.h"

namespace warpwright {

struct ProblemChoice {
  std::map<std::string, Value> sizes;  // as given; complete_problem() adds defaults
  SourceLocation where;
  std::map<std::string, SourceLocation> size_where;  // position of each size's value
};

struct SpaceParameter {
  std::string name;
  std::vector<Value> values;  // in the order given, each once
  SourceLocation where;
  std::vector<SourceLocation> value_where;  // of each value; empty if from a range or --set
};

struct Budget {
  std::optional<std::int64_t> trials;
  std::optional<std::chrono::milliseconds> time;
  // A search ends when a gain of this share of the best time is no longer expected.
  std::optional<double> until = std::nullopt;
};

// Parses "200" (trials), "90s", "10min", "2h", "500ms" (time), "3%" (until) and "200,90s" (both).
// Trials and milliseconds are at least 1, a time is at most a year, a gain is 0.1% to 50%. Throws
// Error (user).
[[nodiscard]] Budget parse_budget(std::string_view text, const SourceLocation& where = {});

// Models whose times a search receives in addition to measured ones.
enum class Prior { kNone, kEmulator };
// "none" or "emulator".
[[nodiscard]] std::optional<Prior> find_prior(std::string_view name);

// The place where a file selects a version, for messages.
struct VersionPlace {
  SourceLocation where;
  std::string path;  // "version[0]"
};

struct SweepSpec {
  std::filesystem::path file;  // absolute; empty for one built in a test
  std::string text;            // as read, stored with the run
  std::string kernel;          // empty if the file is a bare space
  SourceLocation kernel_where;
  std::vector<ProblemChoice> problems;
  std::vector<ProblemChoice> emulated;  // problems on a device without a clock; `problems` if empty
  std::optional<std::vector<std::string>> variants;  // nullopt: all variants of the kernel
  std::vector<SourceLocation> variants_where;        // of each of `variants`
  // If the space does not list a parameter of a variant, it keeps the contract's default.
  std::vector<SpaceParameter> space;
  std::vector<Preset> presets;  // in addition to the contract's, and in place of those of a name
  // Names of presets to run (`version: [0..4]`); empty: the free space.
  std::vector<std::string> versions;
  std::vector<VersionPlace> version_places;  // of each of `versions` that the file selects
  // Each may use the sizes, device limits and the parameters of at least one variant; it applies to
  // the variants that have all of its parameters.
  std::vector<ConstraintSpec> constraints;
  std::string strategy;  // "": chosen by the space and its budget
  std::map<std::string, Value> strategy_options;
  std::optional<bool> warm_start;  // nullopt: if the strategy supports it
  std::optional<Prior> prior;      // nullopt: none
  SourceLocation strategy_where;
  Budget budget;
  std::optional<HazardPolicy> hazards;  // nullopt: depends on the kernel's folder
  AddedOptions added;                   // in addition to the contract's options
  GoalDraft goal;                       // empty: a short time
};

// The treatment of a version that is not among the sweep's own presets: it may be one of the
// contract's, which check_sweep() finds out.
enum class OtherVersions { kRefuse, kKeep };

// Reads `file` and checks everything that does not need the kernel. Throws Error (user).
[[nodiscard]] SweepSpec read_sweep(const std::filesystem::path& file);
[[nodiscard]] SweepSpec parse_sweep(std::string_view text, const std::filesystem::path& file,
                                    OtherVersions others = OtherVersions::kRefuse);

// Checks the sweep against the kernel it names: variants, parameters, values inside the contract's
// limits, problems, presets, names in constraints and in the goal. A preset belongs to the selected
// variants that have all of its parameters; there is at least one. A version is a preset of the
// sweep or of the contract. Throws Error (user).
void check_sweep(const SweepSpec& sweep, const KernelSpec& kernel);

// Applies "--set rows=1024" style overrides: a problem size is set in every problem (those that
// become equal are merged), a parameter of the space is pinned ("THREADS=128"), `variant=NAME`
// selects one variant and `variant=all` every one. Throws Error (user) on an unknown name, a value
// outside the contract's limits, and a parameter that the presets of the file's `version` fix.
void apply_override(SweepSpec& sweep, const KernelSpec& kernel, std::string_view assignment);

// The variants that a sweep selects, for checks that concern one or all of them: all of the
// kernel's variants if the sweep names none. The pointers point into `kernel`. Throws Error (user)
// on an unknown one.
[[nodiscard]] std::vector<const VariantSpec*> selected_variants(const SweepSpec& sweep,
                                                                const KernelSpec& kernel);
[[nodiscard]] bool has_parameter(const VariantSpec& variant, const std::string& parameter);
// "block_row, warp_row".
[[nodiscard]] std::string list_variants(const std::vector<const VariantSpec*>& variants);

}  // namespace warpwright
