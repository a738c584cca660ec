// The sections of kernel.yaml, one reader each. read_kernel calls them in an order in which each
// finds in `kernel` what its checks need: sizes, parameters, lets, arguments, constraints,
// variants, then the rest. Sections after the lets get readers that expand them. Each throws Error
// (user).
#pragma once

#include <string>
#include <vector>

#include "spec/kernel_spec.h"
#include "spec/names.h"
#include "spec/yaml_reader.h"

namespace warpwright {

[[nodiscard]] std::vector<ProblemSizeSpec> read_sizes(const YamlReader& section,
                                                      const KernelSpec& kernel);
// `section` may be missing: a kernel without parameters has one configuration per variant.
[[nodiscard]] std::vector<ParameterSpec> read_parameters(const YamlReader& section,
                                                         const KernelSpec& kernel);
[[nodiscard]] std::vector<ArgumentSpec> read_arguments(const YamlReader& section,
                                                       const KernelSpec& kernel);
// Variants may use `lets` and may have lets of their own.
[[nodiscard]] std::vector<VariantSpec> read_variants(const YamlReader& section,
                                                     const KernelSpec& kernel, Lets& lets);
// The single variant of a launch contract: `source` with all of the kernel's parameters.
[[nodiscard]] VariantSpec read_only_variant(const YamlReader& launches, const KernelSpec& kernel,
                                            const std::filesystem::path& source);
[[nodiscard]] std::vector<CaseSpec> read_cases(const YamlReader& section, const KernelSpec& kernel);

// Constraints of a contract or a sweep, each an expression or {expr: ..., because: ...}.
[[nodiscard]] std::vector<ConstraintSpec> read_constraints(const YamlReader& section);

// Named points as they are written, for contracts and sweeps.
[[nodiscard]] std::vector<Preset> read_presets(const YamlReader& section);

// The names usable everywhere in the contract: problem sizes only; parameters are recognised but
// rejected.
[[nodiscard]] ExprScope size_scope(const KernelSpec& kernel, const std::string& what);

// Sizes and all parameters; for expressions that may differ between variants (scratch, values,
// tensor maps, tolerances). The check that the variants using the argument have the parameters is
// made with the variants.
[[nodiscard]] ExprScope parameter_scope(const KernelSpec& kernel);

// The same for expressions that define the results and how they are judged, which are equal on
// every device.
[[nodiscard]] ExprScope result_scope(const KernelSpec& kernel);

// The names that entries and options of one variant may use. Parameters of other variants get a
// specific message.
[[nodiscard]] ExprScope compiled_scope(const KernelSpec& kernel, const VariantSpec& variant);

// For a dtype literal or a choice of the problem, every dtype that it can stand for; empty if it is
// neither.
[[nodiscard]] std::vector<std::string> dtypes_of(const std::string& name, const KernelSpec& kernel);

// Reads how an output is judged: `match`, `tolerance` and `mismatches`.
void read_validation(const YamlMap& map, const KernelSpec& kernel, ArgumentSpec& argument);
// Reads `accepts` of an input or an output.
void read_acceptance(const YamlMap& map, const KernelSpec& kernel, ArgumentSpec& argument);

// Reads a tensor map except its name, its doc and the values derived from its tensor.
[[nodiscard]] TensorMapSpec read_tensor_map(const YamlMap& map, const KernelSpec& kernel,
                                            std::vector<Expr>& shape);
// Copies the values that the contract leaves to the tensor (shape, dtype), once all arguments are
// read, and checks the map against the tensor.
void resolve_tensor_map(const YamlMap& map, const KernelSpec& kernel,
                        const std::vector<ArgumentSpec>& arguments, ArgumentSpec& argument);

// Resolves `text` relative to the contract's folder; throws unless it is a regular file or the
// contract is a stored one. `whose` names what needs the file.
[[nodiscard]] std::filesystem::path existing_source(const YamlReader& text,
                                                    const KernelSpec& kernel,
                                                    const std::string& whose);
// The same for a file that the fill at `at` names.
void existing_input(const YamlReader& at, const std::string& name, const KernelSpec& kernel);

}  // namespace warpwright
