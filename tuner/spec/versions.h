// Named versions of a kernel: the presets of its contract, and those of a sweep, which add to the
// contract's or replace those of the same name. A contract's version is one configuration; a
// sweep's leaves to its space what it does not name. Errors name --version and --set.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/expr/value.h"
#include "core/source_location.h"
#include "spec/kernel_spec.h"
#include "spec/sweep_spec.h"

namespace warpwright {

// Checks the presets of a contract and completes each: its variant, and the defaults of parameters
// that it does not name. Throws Error (user) on unknown names, values outside the limits, and a
// preset that does not belong to exactly one variant.
void complete_presets(KernelSpec& kernel);

// The versions that a sweep can select, the contract's first.
[[nodiscard]] std::vector<Preset> known_versions(const KernelSpec& kernel,
                                                 const SweepSpec& sweep = {});
// The sweep's preset of this name, else the contract's, else null. `kernel` may be null.
[[nodiscard]] const Preset* find_version(const SweepSpec& sweep, const KernelSpec* kernel,
                                         std::string_view name);

// Throws Error (user) at `where`, with the variant that the name is closest to.
[[nodiscard]] const VariantSpec& require_variant(const KernelSpec& kernel, const std::string& name,
                                                 const SourceLocation& where);

// True if the preset is a point of the variant: it has all of the parameters, and is the variant
// that the preset names if it names one.
[[nodiscard]] bool has_all_of(const VariantSpec& variant, const Preset& preset);

// The names that one word of a list stands for, in order: "2" is V2, "0..4" is V0 to V4, "H0..H2"
// is H0 to H2, and anything else is a name. A range ends after the first name that is not among
// `known`, however long it is; without `known` it has at most 1000 names.
struct ExpandedVersions {
  std::vector<std::string> names;
  std::string fault;  // of a malformed range; "" otherwise
};
[[nodiscard]] ExpandedVersions expand_versions(std::string_view word,
                                               const std::vector<Preset>* known);

// Reads "V0,H0..H4", each name once. Throws Error (user) at `where`.
[[nodiscard]] std::vector<std::string> parse_versions(std::string_view text,
                                                      const std::vector<Preset>& known,
                                                      const KernelSpec& kernel,
                                                      const SourceLocation& where);

// A version of a contract as a configuration, with what --set changes in it.
struct ChosenVersion {
  std::string name;   // "V4"
  std::string title;  // "V4", or "V4 with STAGES=3"
  std::string variant;
  std::map<std::string, Value> values;  // of every parameter of the variant
  std::string change;                   // "V4 with STAGES=3 (V4 has 2)"; "" if it is the version
};

// The versions that `text` names ("V0,H0..H4"). `overrides` are NAME=VALUE; those of sizes change
// nothing. Throws Error (user): on an unknown version or parameter, a value outside the contract's
// limits, a parameter that none of the versions has, a version of another variant than `variant`
// (if that is not empty), and a contract without versions.
[[nodiscard]] std::vector<ChosenVersion> choose_versions(const KernelSpec& kernel,
                                                         const std::string& text,
                                                         const std::vector<std::string>& overrides,
                                                         const std::string& variant = "");

// Applies all of --set and --version to a sweep, in whatever order they are given.
// "version=V0,H0..H4" selects versions instead of the file's, and their variants unless
// "variant=NAME" selects one; other parameters then change those versions. Returns a line for each
// version that became another configuration, as in ChosenVersion. Throws as apply_override() and
// choose_versions().
std::vector<std::string> apply_overrides(SweepSpec& sweep, const KernelSpec& kernel,
                                         const std::vector<std::string>& assignments);

}  // namespace warpwright
