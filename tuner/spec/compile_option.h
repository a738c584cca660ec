// What kernel.yaml and sweeps hand to the compiler beside macros: options, whose values and
// presence may depend on sizes and parameters, and folders of headers.
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
  // Throws Error (user) on an option that is not the contract's to give, and on a name that `scope`
  // does not allow.
  [[nodiscard]] static CompileOption read(const YamlReader& reader, const ExprScope& scope);

  // As written, with its braces.
  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const SourcePosition& where() const { return where_; }
  // Every expression in it; for checks against other scopes.
  [[nodiscard]] std::vector<const Expr*> expressions() const;
  // The option for these values; nullopt when it is not given for them.
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

// A list of options; `reader` may be a single one.
[[nodiscard]] std::vector<CompileOption> read_compile_options(const YamlReader& reader,
                                                              const ExprScope& scope);
// Folders, relative to `folder` unless they are absolute; each must exist.
[[nodiscard]] std::vector<std::filesystem::path> read_include_folders(
    const YamlReader& reader, const std::filesystem::path& folder, bool must_exist);

}  // namespace warpwright
