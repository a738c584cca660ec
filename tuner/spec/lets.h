// The `let` sections of kernel.yaml while it is read: named expressions that others may use. A
// section is read in order, and a let may use those above it, so none can refer to itself.
// YamlReader::with_lets() hands them to the readers of other sections, whose expressions then have
// them written out; the layers above never meet one. Each must be used: an unused one is an error.
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

// How many operands and operators the lets of one contract may add up to over all their uses: more
// than any contract has, and little memory.
inline constexpr std::size_t kMaxWrittenOutInAll = 200000;

class Lets {
 public:
  Lets() = default;
  // A variant's lets: they may use the contract's, but not hide one. `outer` must outlive this.
  explicit Lets(Lets& outer) : outer_(&outer), lets_(&outer.lets_) {}
  Lets(const Lets&) = delete;
  Lets& operator=(const Lets&) = delete;

  // `scope` says which other names they may use. Throws Error (user).
  [[nodiscard]] std::vector<LetSpec> read(const YamlReader& section, const KernelSpec& kernel,
                                          const ExprScope& scope);
  // Throws Error (user) at the expression when the result is too large.
  [[nodiscard]] Expr write_out(const Expr& expr);
  // In the arguments of a fill that stands at `where`.
  [[nodiscard]] std::string write_out_fill(std::string_view text, const SourcePosition& where);
  // Throws Error (user) at the first let that nothing has used.
  void require_used() const;

 private:
  void check_name(const YamlReader& key, const KernelSpec& kernel) const;
  void mark_used(const std::string& name);

  Lets* outer_ = nullptr;
  ExprLets lets_;
  std::vector<LetSpec> own_;
  std::set<std::string> used_;
  std::size_t written_out_ = 0;  // nodes; of the outermost
};

}  // namespace warpwright
