// The sections of kernel.yaml, one reader each; read_kernel calls them in an order in which each
// finds in `kernel` what its own checks need: sizes, parameters, lets, arguments, constraints,
// variants, then the rest. Sections after the lets get readers that know them. Each throws Error
// (user).
#pragma once

#include <string>
#include <vector>

#include "spec/kernel_spec.h"
#include "spec/lets.h"
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
// Those of a variant may use `lets` and have lets of their own.
[[nodiscard]] std::vector<VariantSpec> read_variants(const YamlReader& section,
                                                     const KernelSpec& kernel, Lets& lets);
// The only variant of a launch contract: `source` with all of the kernel's parameters.
[[nodiscard]] VariantSpec read_only_variant(const YamlReader& launches, const KernelSpec& kernel,
                                            const std::filesystem::path& source);
[[nodiscard]] std::vector<CaseSpec> read_cases(const YamlReader& section, const KernelSpec& kernel);

// Constraints of a contract or a sweep, each an expression or {expr: ..., because: ...}.
[[nodiscard]] std::vector<ConstraintSpec> read_constraints(const YamlReader& section);

// The names usable everywhere in the contract: problem sizes only; parameters are recognised, but
// refused.
[[nodiscard]] ExprScope size_scope(const KernelSpec& kernel, const std::string& what);

// Sizes and every parameter; for what the arguments of one variant need not share (scratch, values,
// tensor maps, tolerances). Whether the variants that use the argument have the parameters is
// checked with the variants.
[[nodiscard]] ExprScope parameter_scope(const KernelSpec& kernel);

// The same for what is computed and how it is judged, which is alike on every device.
[[nodiscard]] ExprScope result_scope(const KernelSpec& kernel);

// What entries and options of one variant may use. Parameters of other variants get a message of
// their own.
[[nodiscard]] ExprScope compiled_scope(const KernelSpec& kernel, const VariantSpec& variant);

// A dtype literal or a choice of the problem: every dtype that it can stand for; empty when it is
// neither.
[[nodiscard]] std::vector<std::string> dtypes_of(const std::string& name, const KernelSpec& kernel);

// How an output is judged: `match`, `tolerance` and `mismatches`.
void read_validation(const YamlMap& map, const KernelSpec& kernel, ArgumentSpec& argument);
// Reads `accepts` of an input or an output.
void read_acceptance(const YamlMap& map, const KernelSpec& kernel, ArgumentSpec& argument);

// Everything a tensor map says except its name, its doc and what follows from its tensor.
[[nodiscard]] TensorMapSpec read_tensor_map(const YamlMap& map, const KernelSpec& kernel,
                                            std::vector<Expr>& shape);
// Takes over what the contract leaves to the tensor (shape, dtype), once all arguments are read,
// and checks the map against it.
void resolve_tensor_map(const YamlMap& map, const KernelSpec& kernel,
                        const std::vector<ArgumentSpec>& arguments, ArgumentSpec& argument);

// `text` relative to the contract's folder; throws unless it is a regular file or the contract is a
// stored one. `whose` says what needs it.
[[nodiscard]] std::filesystem::path existing_source(const YamlReader& text,
                                                    const KernelSpec& kernel,
                                                    const std::string& whose);
// The same of a file that the fill `at` names.
void existing_input(const YamlReader& at, const std::string& name, const KernelSpec& kernel);

}  // namespace warpwright
