// Compiler inputs in kernel.yaml and sweeps other than macros: options, whose values and presence
// may depend on sizes and parameters, and folders of headers.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/expr/expr.h"

namespace warpwright {

class ExprScope;   // spec/names.h
class YamlReader;  // spec/yaml_reader.h

// `--maxrregcount={REGISTERS}`, or {option: --use_fast_math, when: FAST}.
class CompileOption {
 public:
  // Throws Error (user) for an option that users may not set.
  [[nodiscard]] static CompileOption read(const YamlReader& reader);

  // As written, with its braces.
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const SourcePosition& where() const { return where_; }
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
  SourcePosition where_;
  std::vector<Part> parts_;
  std::optional<Expr> when_;
};

// Reads a list of options; `reader` may also be a single one.
[[nodiscard]] std::vector<CompileOption> read_compile_options(const YamlReader& reader);
// Reads folders, relative to `folder` unless they are absolute; each must exist.
[[nodiscard]] std::vector<std::filesystem::path> read_include_folders(
    const YamlReader& reader, const std::filesystem::path& folder, bool must_exist);

}  // namespace warpwright
