#include "emu/decode/decoder.h"

#include <algorithm>
#include <set>

#include "emu/decode/function_decoder.h"

namespace warpwright::emu {
namespace {

void lay_out(const ParsedFunction& function, const std::vector<std::uint32_t>& variables,
             std::size_t& end, std::vector<std::size_t>& offsets, std::vector<std::size_t>& sizes) {
  for (const std::uint32_t index : variables) {
    const Variable& variable = function.variables[index];
    end = align_up(end, std::max<std::size_t>(variable.alignment, 1));
    offsets.push_back(end);
    sizes.push_back(variable.size);
    end += variable.size;
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
    ModuleDecoder::Signature signature;
    std::size_t end = 0;
    lay_out(function, function.parameters, end, signature.parameters, signature.parameter_sizes);
    lay_out(function, function.returns, end, signature.returns, signature.return_sizes);
    module.signatures.push_back(std::move(signature));
  }
  program.functions.resize(parsed.functions.size());
  program.object_sets.emplace_back();
  // Device functions first: their shared variables join the module's before any entry places its
  // own after them.
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
       {FunctionDecoder::memory_opcodes(), FunctionDecoder::control_opcodes(),
        FunctionDecoder::warp_opcodes(), FunctionDecoder::async_opcodes(),
        FunctionDecoder::tensor_opcodes(), FunctionDecoder::move_opcodes(), lane_table().names()}) {
    for (const std::string& name : list) names.insert(name.substr(0, name.find('.')));
  }
  return {names.begin(), names.end()};
}

}  // namespace warpwright::emu
