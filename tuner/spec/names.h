// The vocabulary of kernel.yaml: valid names, the data types, the device's limits, and the names
// that an expression may use, lets included.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/expr/expr.h"
#include "core/expr/expr_lets.h"
#include "spec/kernel_spec.h"
#include "spec/yaml_reader.h"

namespace warpwright {

// A C identifier of at most 100 characters.
[[nodiscard]] bool is_identifier(std::string_view text);

// Why `name` cannot name a problem size, a parameter or a let although it is an identifier ("it is
// a built-in function"), or nullopt.
[[nodiscard]] std::optional<std::string> reserved_name(std::string_view name);

// Every dtype that dtype_bytes() accepts, widest first.
[[nodiscard]] std::span<const std::string> dtype_names();
[[nodiscard]] bool is_integer_dtype(std::string_view dtype);

// "device.max_shared" and the others, which every device has.
[[nodiscard]] std::span<const std::string> device_names();

// The names that an expression may use at one place of a contract or a sweep, and messages for
// those that exist but are not usable there.
class ExprScope {
 public:
  // `what` names the kind in messages: "unknown parameter 'THREDS' in ...".
  explicit ExprScope(std::string what) : what_(std::move(what)) {}

  void allow(std::string name) { known_.push_back(std::move(name)); }
  void allow_sizes(const std::vector<ProblemSizeSpec>& sizes);
  void allow_device();
  // For expressions that determine results or how they are judged.
  void forbid_device();
  // Lets are expanded before an expression is checked; this serves to suggest a misspelt one.
  void suggest_lets(const std::vector<LetSpec>& lets);
  // `why` completes "'NAME' ": "is not a parameter of variant 'x'; add it to its `parameters`".
  void forbid(const std::string& name, std::string why) { forbidden_[name] = std::move(why); }

  // Returns true if check() recognises a name: it is allowed, or it exists but is not usable here.
  [[nodiscard]] bool concerns(const std::string& name) const;

  // Throws Error (user) at the name unless every name of `expr` is allowed.
  void check(const Expr& expr) const;

 private:
  std::string what_;
  std::vector<std::string> known_;
  std::map<std::string, std::string, std::less<>> forbidden_;
};

// The `let` sections of kernel.yaml while it is read: named expressions for use in others. A
// section is read in order, and a let may use those above it, so none can refer to itself.
// YamlReader::with_lets() passes them to the readers of other sections, which expand them in their
// expressions, so the layers above never see a let. An unused let is an error.

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
  [[nodiscard]] std::string write_out_fill(std::string_view text, const SourceLocation& where);
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
