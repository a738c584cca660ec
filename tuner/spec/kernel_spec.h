// A kernel's contract: kernels/<name>/kernel.yaml read into values and checked. The contract holds
// everything that makes results wrong if violated; free choices are in a sweep (spec/sweep_spec.h).
// Every error is `file:line:col: what, got, expected`. tuner/spec/README.md documents the format
// with an example of every key.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/expr/expr.h"
#include "core/expr/value.h"
#include "core/shared_names.h"
#include "core/source_bundle.h"
#include "core/source_location.h"
#include "spec/compiler_inputs.h"

namespace warpwright {

// A named size of the problem ("rows", "V") or a named choice ("dtype", "mode").
struct ProblemSizeSpec {
  std::string name;
  std::string doc;
  std::optional<Value> default_value;
  std::vector<Value> values;  // when not empty, the only values allowed
  std::optional<double> min;  // for numbers; integers with neither `min` nor `values` must be >= 1
  std::optional<double> max;
  std::string macro;  // when not empty, passed to the compiler as -D<macro>=<value>
  SourceLocation where;
};

enum class ArgumentRole {
  kIn,         // filled, uploaded, must not change
  kOut,        // poisoned before the launch, validated after it
  kInOut,      // filled and validated; restored before every launch
  kScratch,    // workspace: poisoned or, with a fill, filled once; guarded, never validated
  kValue,      // a scalar passed by value
  kTensorMap,  // a descriptor of another argument's array, encoded by the device
};

enum class Match {
  kClose,   // isfinite(out) && |out - ref| <= abs + rel*|ref| + rms*RMS(row of ref) + accumulate
  kExact,   // equal values; those of the reference are not rounded to the output's type
  kRanked,  // indices of a top-k: equal, or a tie of the reference's score (see
            // kernels/common/reference.h)
};

// How a tensor map (CUtensorMap) views the array of another argument. Axes are outermost first, as
// everywhere in contracts; CUDA counts them from the innermost, and devices reverse them. All
// expressions may use the problem, parameters and device limits.
struct TensorMapSpec {
  std::string tensor;                 // an argument that is an array
  std::vector<Expr> strides;          // elements, one per axis; empty when contiguous
  Expr offset;                        // elements before the view's first, 0 by default
  std::vector<Expr> box;              // elements per axis that one copy moves
  std::vector<Expr> element_strides;  // one per axis; empty when all are 1
  Expr swizzle;                       // span in bytes: 0 (none), 32, 64 or 128
  Expr l2_promotion;                  // bytes: 0 (none), 64, 128 or 256
  bool fill_nan = false;              // elements outside the shape read as NaN, else as 0
};

// Allows for the rounding of sums of products (trial/compare/validate.h).
struct AccumulateSpec {
  Expr terms;      // number of products summed; may use the problem and the parameters
  std::string in;  // the dtype of the accumulator; "": derived from the output's
};

struct ArgumentSpec {
  std::string name;
  std::string doc;
  ArgumentRole role = ArgumentRole::kIn;
  // A dtype literal ("f32") or the name of a problem choice whose value is one ("dtype").
  std::string dtype;
  // Elements per axis, at most 8; empty for kValue. Only kOut, kScratch and kTensorMap may use
  // parameters. For a kTensorMap, the shape of its view: 1 to 5 axes.
  std::vector<Expr> shape;
  // "normal(0, 1)", see trial/numbers/fill.h, or spec/kernel_fills.h. Required for kIn and kInOut;
  // optional for kScratch: its content before the first launch, and each launch must leave it ready
  // for the next.
  std::string fill;
  SourceLocation fill_where;
  // For an input that the source declares as a variable (`__constant__ float filter[9]`) instead of
  // a parameter: the variable's C++ name. Written before every launch that has the argument.
  std::string symbol;
  Match match = Match::kClose;
  Expr tolerance_abs;  // may use the problem and the parameters
  Expr tolerance_rel;
  Expr tolerance_rms;  // of the row: a unit's elements along the last axis
  std::optional<AccumulateSpec> tolerance_accumulate;
  std::optional<Expr> mismatches;  // kExact and kRanked: the share of elements that may differ
  // Conditions over the sizes: on problems that satisfy one, this remark of a contract check is not
  // a fault of the contract (trial/validation/contract_check.h). For kIn, kOut and kInOut.
  std::map<RemarkCode, Expr> accepts;
  Expr value;                        // kValue only
  std::optional<TensorMapSpec> map;  // kTensorMap only
  SourceLocation where;
};

struct ParameterSpec {
  std::string name;
  // How sources see it: the macro of this name; "" for none. If absent, it is the parameter's name,
  // unless an entry of the variant has it among its template arguments (source_macro()).
  std::optional<std::string> macro;
  std::string doc;
  Value default_value;
  std::vector<Value> values;  // if not empty, the only valid values
  std::optional<double> min;
  std::optional<double> max;
  SourceLocation where;
};

// A named expression for use by other expressions of the contract. It is already expanded in them
// (core/expr/expr_lets.h) and is kept for messages.
struct LetSpec {
  std::string name;
  Expr expr;  // already expanded
  SourceLocation where;
};

struct ConstraintSpec {
  Expr expr;
  std::string because;  // why, for messages; may be empty
};

struct LaunchSpec {
  EntryName entry;
  std::vector<Expr> grid;              // 1 to 3
  std::vector<Expr> block;             // 1 to 3
  Expr shared_bytes;                   // dynamic shared memory, 0 by default
  std::vector<Expr> cluster;           // empty or 1 to 3
  std::vector<std::string> arguments;  // in the order of the entry; by default all of the kernel's
  SourceLocation where;
};

struct VariantSpec {
  std::string name;
  std::string doc;
  std::filesystem::path source;         // absolute
  std::vector<std::string> parameters;  // names in KernelSpec::parameters
  std::vector<LetSpec> lets;            // its own, in order
  std::vector<ConstraintSpec> constraints;
  std::vector<CompileOption> options;  // its own, after the contract's
  std::vector<LaunchSpec> launches;    // one or more, in stream order
  SourceLocation where;
};

// A named point of the space, of a contract or of a sweep (spec/versions.h). In `values`, "variant"
// stands for the variant.
struct Preset {
  std::string name;
  std::map<std::string, Value> values;
  SourceLocation where;
  std::map<std::string, SourceLocation> value_where;
};

// A small adversarial problem that every configuration must pass before it is timed.
struct CaseSpec {
  std::string name;
  std::map<std::string, Value> problem;  // sizes; missing ones take the default, or are an error
  std::map<std::string, std::string> fills;  // argument -> fill that replaces the contract's
  std::string doc;
  SourceLocation where;
};

struct ReferenceSpec {
  std::filesystem::path source;  // absolute; C++ against kernels/common/reference.h
  Expr units;  // number of independent units; the leading axes of every output multiply to it
  // Parameters that it receives although neither shapes nor units use them.
  std::vector<std::string> parameters;
};

struct WorkSpec {
  Expr bytes;  // compulsory: every input read once, every output written once
  Expr flops;
  std::string flops_convention;  // "full", "causal", "executed"; shown with the figure
  // The part of `bytes` that is written; if absent, the size of the outputs.
  std::optional<Expr> written;
  std::string arithmetic;  // the ceiling that bounds the flops (core/shared_names.h); "" for none
  // Units of work in a launch sequence, such as time steps, for configurations that differ in that.
  // Times, bytes and flops of a trial are then those of one unit.
  std::optional<Expr> per;
};

struct KernelSpec {
  std::string name;
  std::string summary;
  std::filesystem::path folder;  // absolute
  std::filesystem::path file;    // absolute path of kernel.yaml
  std::vector<ProblemSizeSpec> problem;
  std::vector<ArgumentSpec> arguments;
  std::vector<ParameterSpec> parameters;
  std::vector<LetSpec> lets;                           // for every variant
  std::vector<ConstraintSpec> constraints;             // for every variant
  std::vector<CompileOption> options;                  // for every variant
  std::vector<std::filesystem::path> include_folders;  // absolute; searched after the kernel's own
  std::vector<VariantSpec> variants;
  // Each is one configuration: its variant and a value for every parameter of it.
  std::vector<Preset> presets;
  // The lines of `presets` in the contract's text, counted from 1: the first, and the one after the
  // last. Equal without the section.
  int presets_begin = 0, presets_end = 0;
  ReferenceSpec reference;
  WorkSpec work;
  // Parameters that affect what is computed, not only how: those of the outputs' shapes, the units,
  // `work.per` and `reference.parameters`. The reference receives them as sizes.
  std::vector<std::string> shaping;
  std::vector<CaseSpec> cases;
  std::string baseline;       // the variant that others are compared with; "" for none
  bool deterministic = true;  // five runs must be bitwise equal
  bool strict = false;        // reject untested problems instead of adding remarks
  bool stored = false;        // read from a database: its source files need not be there
  bool launch_only = false;   // of read_launch_contract(): no reference, no work
  // The content of its files when they were read; used to hash, compile, store and show sources.
  // Shared by copies. Null if no code has read them, as for a contract from a database.
  std::shared_ptr<SourceBundle> texts;

  // The folders in which the headers of its sources are searched: its own folders, then `others`,
  // for which the caller is responsible: the bundle may read from them.
  [[nodiscard]] std::vector<std::filesystem::path> header_folders(
      const std::vector<std::filesystem::path>& others) const;
  [[nodiscard]] const ProblemSizeSpec* find_size(std::string_view size) const;
  [[nodiscard]] const ArgumentSpec* find_argument(std::string_view argument) const;
  [[nodiscard]] const ParameterSpec* find_parameter(std::string_view parameter) const;
  [[nodiscard]] const VariantSpec* find_variant(std::string_view variant) const;
};

// Reads and checks `file`, or the kernel.yaml of a folder. Throws Error (user). The names in every
// expression, every cross-reference and the existence of the source files are checked here, so that
// later layers need not check them. `added` is a section that is appended to the contract's text
// (spec/added_options.h).
[[nodiscard]] KernelSpec read_kernel(const std::filesystem::path& file,
                                     const std::string& added = "");
// The same for a file, read through a bundle, which becomes the contract's. If the bundle already
// has the contract's text, that text is used.
[[nodiscard]] KernelSpec read_kernel(const std::filesystem::path& file,
                                     std::shared_ptr<SourceBundle> texts,
                                     const std::string& added = "");
// The same for a text that is, or will be, the content of `file`: sources are searched for next to
// it.
[[nodiscard]] KernelSpec parse_kernel(std::string_view text, const std::filesystem::path& file);
// A contract as stored in a database: the existence of its source files is not checked.
[[nodiscard]] KernelSpec parse_stored_kernel(std::string_view text,
                                             const std::filesystem::path& file);

// The minimum needed to launch one source: like kernel.yaml, but without `reference` and `work`, so
// nothing can be validated or ranked. `kernel` (by default the file's name) and tolerances are also
// optional, and so is `variants` if `launches` replaces it, for the .cu file of the same name in
// the same folder. Only useful with the checkers.
[[nodiscard]] KernelSpec read_launch_contract(const std::filesystem::path& file,
                                              const std::string& added = "");
[[nodiscard]] KernelSpec read_launch_contract(const std::filesystem::path& file,
                                              std::shared_ptr<SourceBundle> texts,
                                              const std::string& added = "");

// The contract's text without the lines of `presets`. They name configurations and change none, so
// that they are not part of a trial's identity.
[[nodiscard]] std::string text_without_presets(const KernelSpec& kernel, std::string_view text);

// The macro through which a variant's source sees a parameter; "" if it has none. Parameters among
// the template arguments of an entry have one only if the contract names it, since the source
// declares names of its own there.
[[nodiscard]] std::string source_macro(const KernelSpec& kernel, const VariantSpec& variant,
                                       const std::string& parameter);

// The bundle of a contract, or a new one if it has none.
[[nodiscard]] std::shared_ptr<SourceBundle> texts_of(const KernelSpec& kernel);

// The kernel.yaml of every folder directly below `roots` (or of a root itself), by folder name. The
// first root that contains a name wins, and a root that does not exist counts as empty; errors in
// contracts are reported when they are read.
[[nodiscard]] std::map<std::string, std::filesystem::path> find_kernels(
    const std::vector<std::filesystem::path>& roots);

// Completes `given` with defaults and checks names, types and limits. Throws Error (user) at
// `where`.
[[nodiscard]] std::map<std::string, Value> complete_problem(
    const KernelSpec& kernel, const std::map<std::string, Value>& given,
    const SourceLocation& where);

// "rows=8192 V=50257 K=10 dtype=f32", in the contract's order.
[[nodiscard]] std::string describe_problem(const KernelSpec& kernel,
                                           const std::map<std::string, Value>& problem);

// As complete_problem(), for callers that have the position of each size. Errors about one size
// point to its entry in `places`, or to `where` if it has none.
[[nodiscard]] std::map<std::string, Value> complete_problem_at(
    const KernelSpec& kernel, const std::map<std::string, Value>& given,
    const SourceLocation& where, const std::map<std::string, SourceLocation>& places);

}  // namespace warpwright
