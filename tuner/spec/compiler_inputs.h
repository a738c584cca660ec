// Text in kernel.yaml and sweeps that the compiler receives: names of macros, names of entries,
// options and folders of headers. Their values and presence may depend on sizes and parameters.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/expr/expr.h"
#include "core/source_location.h"

namespace warpwright {

class ExprScope;   // spec/names.h
class YamlReader;  // spec/yaml_reader.h

// Names that become macros of a source: parameters, and sizes with a `macro`. Some words cannot be
// used, because the source and its includes contain them.

// The reason why no macro may have that name ("it would change C++ itself"), or nullopt. Case
// matters: VALUE is harmless, but value is not.
[[nodiscard]] std::optional<std::string> harmful_macro(std::string_view name);

// A similar name that is harmless: VALUE.
[[nodiscard]] std::string harmless_name(std::string_view name);

// The entry of a launch as kernel.yaml names it. A C name ("saxpy") is complete by itself; a C++
// name may have namespaces and template arguments ("blas::axpy<dtype, N / 4>"), in which problem
// sizes, parameters and lets are replaced by their values. All other text is passed to the compiler
// unchanged.
class EntryName {
 public:
  EntryName() = default;
  // A name without replaceable parts.
  explicit EntryName(std::string name) : text_(std::move(name)) {}
  // Throws Error (user) for text that cannot name a function, and for a name that `scope` forbids.
  [[nodiscard]] static EntryName read(const YamlReader& reader, const ExprScope& scope);

  // As written.
  [[nodiscard]] const std::string& text() const { return text_; }
  // Returns true for a C identifier.
  [[nodiscard]] bool is_plain() const;
  // Returns true if the compiler needs an explicit request to instantiate the template.
  [[nodiscard]] bool is_template() const { return !parts_.empty(); }
  // The names of sizes and parameters whose values are part of the entry's name.
  [[nodiscard]] const std::set<std::string>& names() const { return names_; }
  // The name with values substituted: "blas::axpy<float, 256 / 4>". A dtype becomes the C++ type, a
  // boolean becomes true or false, a negative number gets parentheses; other text is unchanged.
  [[nodiscard]] std::string evaluate(const Environment& environment) const;

 private:
  struct Part {
    std::string text;
    std::optional<Expr> value;  // after the text
  };
  void split(const YamlReader& reader, const ExprScope& scope);

  std::string text_;
  std::vector<Part> parts_;  // of a template
  std::set<std::string> names_;
};

// The CUDA C++ type of a dtype: "float" for "f32", "__nv_bfloat16" for "bf16"; nullopt if there is
// none. Source: cuda_fp16.h, cuda_bf16.h and cuda_fp8.h of the CUDA Toolkit.
[[nodiscard]] std::optional<std::string> cpp_type(std::string_view dtype);

// `--maxrregcount={REGISTERS}`, or {option: --use_fast_math, when: FAST}.
class CompileOption {
 public:
  // Throws Error (user) for an option that users may not set.
  [[nodiscard]] static CompileOption read(const YamlReader& reader);

  // As written, with its braces.
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const SourceLocation& where() const { return where_; }
  // The condition under which the option is passed; null if it always is.
  [[nodiscard]] const Expr* when() const { return when_ ? &*when_ : nullptr; }
  // Throws Error (user) for a name that `scope` does not allow.
  void check(const ExprScope& scope) const;
  // The option for these values; nullopt if it is not passed for them.
  [[nodiscard]] std::optional<std::string> evaluate(const Environment& environment) const;

 private:
  struct Part {
    std::string text;
    std::optional<Expr> value;  // after the text
  };

  std::string text_;
  SourceLocation where_;
  std::vector<Part> parts_;
  std::optional<Expr> when_;
};

// Reads a list of options; `reader` may also be a single one.
[[nodiscard]] std::vector<CompileOption> read_compile_options(const YamlReader& reader);
// Reads folders, relative to `folder` unless they are absolute; each must exist.
[[nodiscard]] std::vector<std::filesystem::path> read_include_folders(
    const YamlReader& reader, const std::filesystem::path& folder, bool must_exist);

}  // namespace warpwright
