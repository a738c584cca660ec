// The entry of a launch as kernel.yaml names it. A C name ("saxpy") is the whole of it; a C++ name
// may have namespaces and template arguments ("blas::axpy<dtype, N / 4>"), among which problem
// sizes, parameters and lets stand for their values. Everything else is text for the compiler.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/expr/expr.h"

namespace warpwright {

class ExprScope;   // spec/names.h
class YamlReader;  // spec/yaml_reader.h

class EntryName {
 public:
  EntryName() = default;
  // A name without anything to replace.
  explicit EntryName(std::string name) : text_(std::move(name)) {}
  // Throws Error (user) on text that cannot name a function, and on a name that `scope` forbids.
  [[nodiscard]] static EntryName read(const YamlReader& reader, const ExprScope& scope);

  // As written.
  [[nodiscard]] const std::string& text() const { return text_; }
  // True for a C identifier.
  [[nodiscard]] bool is_plain() const;
  // True when the compiler has to be told which function to make of a template.
  [[nodiscard]] bool is_template() const { return !parts_.empty(); }
  // Names of sizes and parameters whose values are part of it.
  [[nodiscard]] const std::set<std::string>& names() const { return names_; }
  // With values in the place of names: "blas::axpy<float, 256 / 4>". A dtype becomes the C++ type,
  // a boolean true or false, a negative number gets parentheses; other text stays as it is.
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

// What CUDA C++ calls a dtype: "float" for "f32", "__nv_bfloat16" for "bf16"; nullopt for what is
// none. Source: cuda_fp16.h, cuda_bf16.h and cuda_fp8.h of the CUDA Toolkit.
[[nodiscard]] std::optional<std::string> cpp_type(std::string_view dtype);

}  // namespace warpwright
