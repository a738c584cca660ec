// What a contract demands and says, as code: limits of sizes, constraints of variants, launches,
// tensor maps and -D options. Shared by both written headers.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "analysis/select/selection_model.h"
#include "exchange/header/header_dialect.h"
#include "exchange/header/identifiers.h"
#include "exchange/header/tensor_map_facts.h"

namespace warpwright {

// The expressions that a launch, a tensor map or the constraints of a variant are computed from.
[[nodiscard]] std::vector<const Expr*> launch_expressions(const LaunchSpec& launch);
[[nodiscard]] std::vector<const Expr*> tensor_map_expressions(const TensorMapFact& map);
[[nodiscard]] std::vector<const Expr*> constraint_expressions(const KernelSpec& contract,
                                                              const VariantSpec& variant);

class ContractCode {
 public:
  ContractCode(const KernelSpec& contract, const ContractNames& names,
               const HeaderDialect& dialect);

  // Enumerations of sizes, parameters and variants, with a function that names their values.
  [[nodiscard]] std::string enumerations() const;
  [[nodiscard]] std::string problem_struct() const;
  [[nodiscard]] std::string limits_struct() const;
  // Members only; in C without initialisers.
  [[nodiscard]] std::string parameter_members() const;
  // valid(), same_category(), same_sizes(), place_of(), complete(), and allowed() of every variant.
  [[nodiscard]] std::string rules() const;
  // allowed(), which calls the variant's.
  [[nodiscard]] std::string allowed() const;
  [[nodiscard]] std::string defines() const;
  [[nodiscard]] std::string launches() const;
  // tensor_map() with the structure that it returns; "" when no launch passes a tensor map.
  [[nodiscard]] std::string tensor_maps() const;

  // Operators that the code above needs.
  [[nodiscard]] std::set<ExprOp> operators() const;
  [[nodiscard]] const std::vector<std::string>& limits() const { return limits_; }
  [[nodiscard]] std::size_t axes() const;  // sizes that have a distance
  [[nodiscard]] std::size_t most_defines() const;
  [[nodiscard]] std::size_t longest_define() const;  // with its terminator
  [[nodiscard]] std::size_t most_launches() const;

  // A value as an initialiser of a member.
  [[nodiscard]] std::string size_literal(std::size_t size, const Value& value) const;
  [[nodiscard]] std::string parameter_literal(std::size_t parameter, const Value& value) const;

 private:
  [[nodiscard]] std::string member_type(const Value& sample, const std::string& enumeration) const;
  [[nodiscard]] std::string literal(const Value& value, const std::vector<Value>& values,
                                    const std::string& type,
                                    const std::vector<std::string>& names) const;
  [[nodiscard]] std::string named_values(const std::string& type,
                                         const std::vector<std::string>& names,
                                         const std::vector<std::string>& texts) const;
  [[nodiscard]] std::string valid() const;
  [[nodiscard]] std::string compared(const char* name, bool all) const;
  [[nodiscard]] std::string place_of() const;
  [[nodiscard]] std::string complete() const;
  [[nodiscard]] std::string allowed_variant(std::size_t variant) const;
  [[nodiscard]] std::string launch_variant(std::size_t variant) const;
  [[nodiscard]] std::string tensor_map_struct() const;
  [[nodiscard]] std::string tensor_map_variant(std::size_t variant) const;
  // Comments on scratch that a program has to set before the first launch; "" without any.
  [[nodiscard]] std::string filled_scratch() const;
  // Variables of type Value for `expressions`, and their definitions.
  [[nodiscard]] std::string locals(const std::vector<const Expr*>& expressions,
                                   bool with_configuration, CodeVariables& variables) const;
  [[nodiscard]] std::string size_value(std::size_t size, const std::string& of) const;
  [[nodiscard]] std::string parameter_value(std::size_t parameter) const;
  [[nodiscard]] std::string arguments() const;  // of a function of a configuration and a problem
  [[nodiscard]] std::string code(const Expr& expr, const CodeVariables& variables) const;

  const KernelSpec& contract_;
  const ContractNames& names_;
  const HeaderDialect& dialect_;
  std::vector<std::vector<TensorMapFact>> tensor_maps_;  // of each variant
  std::vector<std::string> limits_;                      // "max_shared"
};

}  // namespace warpwright
