#include "emu/decode/function_frame.h"

#include <algorithm>

namespace warpwright::emu {

Signature signature_of(const std::vector<const Variable*>& parameters,
                       const std::vector<const Variable*>& returns) {
  Signature signature;
  std::size_t end = 0;
  const auto lay_out = [&end](const std::vector<const Variable*>& variables,
                              std::vector<std::size_t>& offsets, std::vector<std::size_t>& sizes) {
    for (const Variable* variable : variables) {
      end = align_up(end, std::max<std::size_t>(variable->alignment, 1));
      offsets.push_back(end);
      sizes.push_back(variable->size);
      end += variable->size;
    }
  };
  lay_out(parameters, signature.parameters, signature.parameter_sizes);
  lay_out(returns, signature.returns, signature.return_sizes);
  return signature;
}

FunctionFrame::FunctionFrame(const ParsedFunction& function, const Signature& signature,
                             std::size_t& module_shared_bytes)
    : offsets_(function.variables.size(), 0),
      is_launch_parameter_(function.variables.size(), false) {
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    offsets_[function.parameters[i]] = signature.parameters[i];
    is_launch_parameter_[function.parameters[i]] = function.is_entry;
    if (!function.is_entry)
      param_bytes_ = std::max(param_bytes_, signature.parameters[i] + signature.parameter_sizes[i]);
  }
  for (std::size_t i = 0; i < function.returns.size(); ++i) {
    offsets_[function.returns[i]] = signature.returns[i];
    param_bytes_ = std::max(param_bytes_, signature.returns[i] + signature.return_sizes[i]);
  }
  std::vector<bool> of_signature(function.variables.size(), false);
  for (const auto* indices : {&function.parameters, &function.returns})
    for (const std::uint32_t index : *indices) of_signature[index] = true;
  shared_bytes_ = module_shared_bytes;
  for (std::size_t v = 0; v < function.variables.size(); ++v) {
    const Variable& variable = function.variables[v];
    const auto place = [&](std::size_t& end) {
      offsets_[v] = align_up(end, std::max<std::size_t>(variable.alignment, 1));
      end = offsets_[v] + variable.size;
    };
    if (variable.space == Space::kLocal) {
      place(local_bytes_);
    } else if (variable.space == Space::kParam && !of_signature[v]) {
      place(param_bytes_);
    } else if (variable.space == Space::kShared) {
      // Functions that are not entries had their shared variables placed with the module's.
      place(function.is_entry ? shared_bytes_ : module_shared_bytes);
    }
  }
  param_bytes_ = align_up(param_bytes_, 16);
}

}  // namespace warpwright::emu
