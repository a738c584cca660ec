// A contract as the code of a written header: sizes and their limits, constraints of variants,
// launches with their arguments, tensors, tensor maps, compiler options.
#pragma once

#include <string>
#include <vector>

#include "analysis/select/selection_model.h"
#include "exchange/header/header_style.h"
#include "exchange/header/identifiers.h"
#include "exchange/header/tensor_map_facts.h"

namespace warpwright {

class ContractCode {
 public:
  // All three must outlive this object. Throws Error (user) if a header cannot express the
  // contract.
  ContractCode(const KernelSpec& contract, const ContractNames& names, const HeaderStyle& style);

  // Enumerations of sizes, parameters and variants, each with a function that names its values.
  [[nodiscard]] std::string enumerations() const;
  [[nodiscard]] std::string problem_struct() const;
  // The members of a configuration that are parameters.
  [[nodiscard]] std::string parameter_members() const;
  // The functions valid(), same_sizes(), other_choices(), place_of() and allowed(); allowed() is
  // preceded by a function for every variant.
  [[nodiscard]] std::string rules() const;
  [[nodiscard]] std::string options() const;
  [[nodiscard]] std::string launches() const;
  [[nodiscard]] std::string tensors() const;
  [[nodiscard]] std::string tensor_maps() const;

  // Include folders, relative to the folder of kernels, in the order in which they are searched.
  [[nodiscard]] std::vector<std::string> include_folders() const;

  // Writes a value as a member's initialiser.
  [[nodiscard]] std::string size_literal(std::size_t size, const Value& value) const;
  [[nodiscard]] std::string parameter_literal(std::size_t parameter, const Value& value) const;

 private:
  [[nodiscard]] std::string member_type(const Value& sample, const std::string& enumeration) const;
  [[nodiscard]] std::string literal(const Value& value, const std::vector<Value>& values,
                                    const std::string& type,
                                    const std::vector<std::string>& names) const;
  [[nodiscard]] std::string value_of(const std::string& member, const Value& sample,
                                     const std::string& type) const;
  [[nodiscard]] std::string size_value(std::size_t size) const;
  [[nodiscard]] std::string parameter_value(std::size_t parameter) const;
  // The ww_dtype of an argument's elements, as code that may depend on the problem.
  [[nodiscard]] std::string dtype_code(const std::string& dtype) const;
  [[nodiscard]] std::string valid() const;
  [[nodiscard]] std::string same_sizes() const;
  [[nodiscard]] std::string other_choices() const;
  [[nodiscard]] std::string place_of() const;
  [[nodiscard]] std::string allowed_variant(std::size_t variant) const;
  [[nodiscard]] std::string launch_variant(std::size_t variant) const;
  [[nodiscard]] std::string signatures() const;
  [[nodiscard]] std::string tensor_map_variant(std::size_t variant) const;
  // A function that calls the one of the chosen configuration's variant and returns `result` for
  // variants without one.
  [[nodiscard]] std::string by_variant(const std::string& type, const std::string& function,
                                       const std::vector<bool>& has,
                                       const std::string& result) const;
  // Definitions of a ww_value for every name in `expressions`.
  [[nodiscard]] std::string locals(const std::vector<const Expr*>& expressions,
                                   bool with_configuration, CodeVariables& variables) const;
  [[nodiscard]] std::string type_of_problem() const { return style_.name("problem"); }
  [[nodiscard]] std::string parameters_of_internal() const;

  const KernelSpec& contract_;
  const ContractNames& names_;
  const HeaderStyle& style_;
  std::vector<std::vector<TensorMapFact>> tensor_maps_;  // for each variant
  std::vector<const ArgumentSpec*> tensors_;             // arrays, in the contract's order
};

}  // namespace warpwright
