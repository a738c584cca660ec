#include "emu/decode/decoder.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string_view>
#include <unordered_map>

#include "emu/decode/function_decoder.h"
#include "emu/exec/memory.h"

namespace warpwright::emu {
namespace {

// Finds the functions that are reachable only through pointers: no entry calls them by name,
// directly or indirectly.
std::vector<bool> find_only_by_pointer(const ParsedModule& parsed, const ModuleDecoder& module) {
  std::vector<bool> only(parsed.functions.size(), true);
  std::vector<std::uint32_t> reached;
  const auto reach = [&](std::uint32_t function) {
    if (!only[function]) return;
    only[function] = false;
    reached.push_back(function);
  };
  for (std::uint32_t i = 0; i < only.size(); ++i)
    if (parsed.functions[i].is_entry) reach(i);
  while (!reached.empty()) {
    const ParsedFunction& function = parsed.functions[reached.back()];
    reached.pop_back();
    for (const Statement& statement : function.statements) {
      if (statement.kind != Statement::Kind::kInstruction || !statement.opcode.starts_with("call"))
        continue;
      for (const Operand& operand : statement.operands) {
        const auto callee = module.function_indices.find(operand.text);
        if (operand.kind == Operand::Kind::kName && callee != module.function_indices.end())
          reach(callee->second);
      }
    }
  }
  return only;
}

// Fills in the addresses of functions in variables; unlike addresses of variables, they are known
// now.
void place_functions(Program& program, const ModuleDecoder& module) {
  std::unordered_map<std::string_view, std::int64_t> variables;
  for (std::size_t i = 0; i < program.variables.size(); ++i)
    if (program.variables[i].space != Space::kShared)
      variables.try_emplace(program.variables[i].name, static_cast<std::int64_t>(i));
  for (Variable& variable : program.variables) {
    for (Relocation& relocation : variable.relocations)
      if (const auto found = variables.find(relocation.symbol); found != variables.end())
        relocation.variable = found->second;
    std::erase_if(variable.relocations, [&](const Relocation& relocation) {
      const auto function = module.function_indices.find(relocation.symbol);
      if (function == module.function_indices.end()) return false;
      const std::uint64_t address =
          function_address(function->second) + static_cast<std::uint64_t>(relocation.addend);
      std::memcpy(variable.initial.data() + relocation.offset, &address,
                  std::min(sizeof address, variable.initial.size() - relocation.offset));
      return true;
    });
  }
}

}  // namespace

Program decode(const ParsedModule& parsed) {
  Program program;
  program.files = parsed.files;
  program.callers = parsed.callers;
  program.target = parsed.target;
  program.variables = parsed.variables;
  ModuleDecoder module;
  module.module = &parsed;
  module.program = &program;
  for (const Variable& variable : parsed.variables) {
    if (variable.space != Space::kShared || variable.external) {
      module.shared_offsets.push_back(0);
      continue;
    }
    module.shared_offsets.push_back(
        align_up(module.shared_bytes, std::max<std::size_t>(variable.alignment, 1)));
    module.shared_bytes = module.shared_offsets.back() + variable.size;
  }
  for (const ParsedFunction& function : parsed.functions) {
    module.function_indices[function.name] = static_cast<std::uint32_t>(module.signatures.size());
    const auto named = [&function](const std::vector<std::uint32_t>& indices) {
      std::vector<const Variable*> variables;
      for (const std::uint32_t index : indices) variables.push_back(&function.variables[index]);
      return variables;
    };
    module.signatures.push_back(signature_of(named(function.parameters), named(function.returns)));
  }
  for (const auto& [name, own] : parsed.aliases) {
    if (const auto function = module.function_indices.find(own);
        function != module.function_indices.end())
      module.function_indices.insert_or_assign(name, function->second);
  }
  module.only_by_pointer = find_only_by_pointer(parsed, module);
  place_functions(program, module);
  program.functions.resize(parsed.functions.size());
  for (std::size_t i = 0; i < parsed.functions.size(); ++i) {
    program.functions[i].name = parsed.functions[i].name;
    program.functions[i].is_entry = parsed.functions[i].is_entry;
    program.functions[i].signature = module.signatures[i];
  }
  program.object_sets.emplace_back();
  // Device functions come first: their shared variables are placed with those of the module, before
  // any entry places its own after them.
  for (const bool entries : {false, true}) {
    for (std::size_t i = 0; i < parsed.functions.size(); ++i) {
      const ParsedFunction& function = parsed.functions[i];
      if (!function.has_body || function.is_entry != entries) continue;
      FunctionDecoder(module, function, static_cast<std::uint32_t>(i)).decode();
    }
  }
  program.first_use.push_back(static_cast<std::uint32_t>(program.uses.size()));
  return program;
}

std::vector<std::string> opcode_table() {
  std::set<std::string> names;
  for (const auto& list :
       {MemoryDecoder::opcodes(), ControlDecoder::opcodes(), WarpDecoder::opcodes(),
        CallDecoder::opcodes(), AsyncDecoder::opcodes(), TensorDecoder::opcodes(),
        LaneDecoder::opcodes(), VideoDecoder::opcodes(), TextureDecoder::opcodes(),
        lane_table().names()}) {
    for (const std::string& name : list) names.insert(name.substr(0, name.find('.')));
  }
  return {names.begin(), names.end()};
}

}  // namespace warpwright::emu
