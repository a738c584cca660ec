// The `let` sections of kernel.yaml while it is read: named expressions for use in others. A
// section is read in order, and a let may use those above it, so none can refer to itself.
// YamlReader::with_lets() passes them to the readers of other sections, which expand them in their
// expressions, so the layers above never see a let. An unused let is an error.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/expr/expr_lets.h"
#include "spec/kernel_spec.h"
#include "spec/names.h"
#include "spec/yaml_reader.h"

namespace warpwright {

// The limit on the operands and operators of all uses of a contract's lets together: more than any
// contract has, and little memory.
inline constexpr std::size_t kMaxWrittenOutInAll = 200000;

class Lets {
 public:
  Lets() = default;
  // A variant's lets may use the contract's, but not hide one. `outer` must outlive this.
  explicit Lets(Lets& outer) : outer_(&outer), lets_(&outer.lets_) {}
  Lets(const Lets&) = delete;
  Lets& operator=(const Lets&) = delete;

  // `scope` defines which other names they may use. Throws Error (user).
  [[nodiscard]] std::vector<LetSpec> read(const YamlReader& section, const KernelSpec& kernel,
                                          const ExprScope& scope);
  // Expands lets. Throws Error (user) at the expression if the result is too large.
  [[nodiscard]] Expr write_out(const Expr& expr);
  // Expands lets in the arguments of a fill located at `where`.
  [[nodiscard]] std::string write_out_fill(std::string_view text, const SourcePosition& where);
  // Throws Error (user) at the first unused let.
  void require_used() const;

 private:
  void check_name(const YamlReader& key, const KernelSpec& kernel) const;
  void mark_used(const std::string& name);

  Lets* outer_ = nullptr;
  ExprLets lets_;
  std::vector<LetSpec> own_;
  std::set<std::string> used_;
  std::size_t written_out_ = 0;  // number of nodes; counted in the outermost
};

}  // namespace warpwright
