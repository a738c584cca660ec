// Where the variables of a function lie in local, shared and parameter memory. A callee's
// parameters come first in its parameter area, then its returns, then those of the calls it makes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "emu/decode/module_decoder.h"
#include "emu/program/program.h"
#include "emu/ptx/ptx_ast.h"

namespace warpwright::emu {

// Lays out the variables one after the other, parameters first, each at its alignment.
[[nodiscard]] Signature signature_of(const std::vector<const Variable*>& parameters,
                                     const std::vector<const Variable*>& returns);

[[nodiscard]] inline std::vector<const Variable*> addresses_of(
    const std::vector<Variable>& variables) {
  std::vector<const Variable*> addresses;
  for (const Variable& variable : variables) addresses.push_back(&variable);
  return addresses;
}

class FunctionFrame {
 public:
  // Shared variables of a kernel follow those of the module, of which there are
  // `module_shared_bytes`; those of other functions are placed with the module's.
  FunctionFrame(const ParsedFunction& function, const Signature& signature,
                std::size_t& module_shared_bytes);

  // Offset of a variable of the function in its memory.
  [[nodiscard]] std::size_t offset(std::uint32_t variable) const { return offsets_[variable]; }
  // Whether it is a parameter of a kernel, which has an address.
  [[nodiscard]] bool is_launch_parameter(std::uint32_t variable) const {
    return is_launch_parameter_[variable];
  }
  [[nodiscard]] std::size_t local_bytes() const { return local_bytes_; }
  [[nodiscard]] std::size_t param_bytes() const { return param_bytes_; }
  [[nodiscard]] std::size_t shared_bytes() const { return shared_bytes_; }

 private:
  std::vector<std::size_t> offsets_;       // by variable
  std::vector<bool> is_launch_parameter_;  // by variable
  std::size_t local_bytes_ = 0;
  std::size_t param_bytes_ = 0;
  std::size_t shared_bytes_ = 0;
};

}  // namespace warpwright::emu
