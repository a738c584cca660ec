// The vocabulary of kernel.yaml: valid names, the data types, the device's limits, and the names
// that an expression may use.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/expr/expr.h"
#include "spec/kernel_spec.h"

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

}  // namespace warpwright
