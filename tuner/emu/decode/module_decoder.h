// What the functions of a module share while they are decoded one after the other: the program,
// names, signatures, and the layout of shared memory.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "emu/program/program.h"
#include "emu/ptx/ptx_ast.h"

namespace warpwright::emu {

[[nodiscard]] inline std::size_t align_up(std::size_t value, std::size_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

struct ModuleDecoder {
  const ParsedModule* module = nullptr;
  Program* program = nullptr;
  std::map<std::string, std::uint32_t, std::less<>> function_indices;
  // A shared variable that several functions use has the same address in all of them.
  std::vector<std::size_t> shared_offsets;                               // by module variable
  std::map<std::pair<std::string, std::size_t>, std::uint32_t> objects;  // by symbol and offset
  std::map<std::vector<std::uint32_t>, std::uint32_t> object_sets;
  std::size_t shared_bytes = 0;
  std::vector<Signature> signatures;  // by function
  // Functions that are reachable only through pointers: no kernel calls them by name, directly or
  // indirectly.
  std::vector<bool> only_by_pointer;
  std::uint32_t first_register = 0;  // numbers of the registers of the function being decoded

  // Returns kNoRegister if the module has no function of that name.
  [[nodiscard]] std::uint32_t function_named(std::string_view name) const {
    const auto found = function_indices.find(name);
    return found == function_indices.end() ? kNoRegister : found->second;
  }
};

}  // namespace warpwright::emu
