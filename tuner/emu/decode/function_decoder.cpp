#include "emu/decode/function_decoder.h"

#include <utility>

#include "core/words.h"
#include "emu/exec/exec.h"

namespace warpwright::emu {

FunctionDecoder::FunctionDecoder(ModuleDecoder& module, const ParsedFunction& function,
                                 std::uint32_t index)
    : module_(module),
      function_(function),
      index_(index),
      frame_(function, module.signatures[index], module.shared_bytes),
      labels_(function),
      at_(*module.module),
      out_(at_, function.registers),
      operands_(module, function, frame_, at_, out_),
      async_(at_, out_, operands_),
      memory_(at_, out_, operands_),
      control_(at_, out_, operands_, labels_),
      call_(at_, out_, operands_, frame_, labels_, function, index, module),
      warp_(at_, out_, operands_),
      tensor_(at_, out_, operands_),
      video_(at_, out_, operands_),
      texture_(at_, out_, operands_),
      lane_(at_, out_, operands_) {}

void FunctionDecoder::decode() {
  const auto accessed = find_accessed_variables(*module_.module, function_);
  for (std::size_t i = 0; i < function_.statements.size(); ++i) {
    const Statement& statement = function_.statements[i];
    if (statement.kind == Statement::Kind::kLabel) {
      labels_.define(statement, out_);
    } else if (statement.kind == Statement::Kind::kInstruction) {
      at_.read(statement);
      if (at_.has_selector() && !VideoDecoder::is_video(at_.part(0))) at_.unsupported();
      if (statement.left_out) {
        control_.leave_out();
      } else {
        decode_statement();
      }
      out_.mark_accessed(object_set(accessed[i]));
    }
  }
  // Reaching the end of a function returns from it.
  static const Statement kEnd = [] {
    Statement end;
    end.opcode = "ret";
    return end;
  }();
  at_.read(kEnd);
  out_.emit(&exec_ret, InstClass::kControl);
  finish();
}

// Returns the number of a shared variable in the program.
std::uint32_t FunctionDecoder::object(const SharedVariable& which) {
  Program& program = *module_.program;
  const Variable& var = which.module_scope ? module_.module->variables[which.index]
                                           : function_.variables[which.index];
  const std::size_t offset =
      which.module_scope ? module_.shared_offsets[which.index] : frame_.offset(which.index);
  const auto [known, fresh] = module_.objects.try_emplace(
      {var.name, offset}, static_cast<std::uint32_t>(program.shared_objects.size()));
  if (fresh) {
    const bool own = !which.module_scope && function_.is_entry;
    program.shared_objects.push_back(
        {var.name, offset, var.size, var.external, own ? static_cast<int>(index_) : -1});
  }
  return known->second;
}

// Variables whose addresses the code does not use directly have names, too.
void FunctionDecoder::add_objects() {
  for (std::uint32_t i = 0; i < function_.variables.size(); ++i)
    if (function_.variables[i].space == Space::kShared) object({false, i});
  const std::vector<Variable>& others = module_.module->variables;
  for (std::uint32_t i = 0; i < others.size(); ++i)
    if (others[i].space == Space::kShared) object({true, i});
}

// Returns the number of a set of shared variables in the program.
std::uint32_t FunctionDecoder::object_set(const std::vector<SharedVariable>& variables) {
  if (variables.empty()) return 0;
  Program& program = *module_.program;
  std::vector<std::uint32_t> set;
  for (const SharedVariable& which : variables) set.push_back(object(which));
  const auto [known, fresh] =
      module_.object_sets.try_emplace(set, static_cast<std::uint32_t>(program.object_sets.size()));
  if (fresh) program.object_sets.push_back(std::move(set));
  return known->second;
}

// Opcodes that begin alike, such as st and st.async, belong to the first family that knows them.
void FunctionDecoder::decode_statement() {
  if (async_.decode() || memory_.decode() || control_.decode() || call_.decode() ||
      warp_.decode() || tensor_.decode() || video_.decode() || texture_.decode() || lane_.decode())
    return;
  at_.unsupported();
}

void FunctionDecoder::finish() {
  add_objects();
  labels_.resolve(out_, module_.module->name);
  Function& function = module_.program->functions[index_];
  out_.append_to(*module_.program, function, module_.first_register);
  function.is_entry = function_.is_entry;
  function.local_bytes = frame_.local_bytes();
  function.param_bytes = frame_.param_bytes();
  function.static_shared_bytes = frame_.shared_bytes();
}

}  // namespace warpwright::emu
