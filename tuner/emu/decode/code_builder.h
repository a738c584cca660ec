// Builds the instructions of one function, with virtual registers and a record of where each is
// used. A value is a register, or a constant with kConstantBit set. Entries of an instruction's
// extra list are appended to the last instruction. append_to() assigns rows to registers and moves
// the code into the program.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "emu/decode/constant_pool.h"
#include "emu/decode/statement_reader.h"
#include "emu/lanes/lane_table.h"
#include "emu/program/program.h"
#include "emu/program/register_allocation.h"
#include "emu/ptx/ptx_ast.h"

namespace warpwright::emu {

class CodeBuilder {
 public:
  // The destination of the next operand of an instruction.
  enum Field : std::uint8_t { kDst, kDst2, kSrc0, kSrc1, kSrc2, kSrc3, kGuard, kExtra };

  // Instructions belong to the statement that `at` reads, which must outlive this.
  CodeBuilder(const StatementReader& at, std::vector<RegisterDeclaration> registers)
      : at_(at), registers_(std::move(registers)) {}

  // Appends an instruction under the current guard; the reference is valid until the next call.
  // Refuses the statement if there is no handler.
  Inst& emit(Handler run, InstClass klass);
  // Appends an operation of the lane table.
  void lane_op(std::string_view name, std::uint32_t dst,
               std::initializer_list<std::uint32_t> sources);
  [[nodiscard]] Inst& last() { return code_.back(); }
  [[nodiscard]] std::size_t size() const { return code_.size(); }

  // --- registers and constants
  [[nodiscard]] std::uint32_t add_register(int bits);
  [[nodiscard]] std::uint32_t temporary(Shape shape);
  [[nodiscard]] int register_bits(std::uint32_t reg) const { return registers_[reg].bits; }
  [[nodiscard]] std::uint32_t constant_value(std::uint64_t bits, Shape shape, std::string symbol);

  // --- operands of the last instruction
  void use(Field field, std::uint32_t reg, bool defines);
  void source_value(Field field, std::uint32_t value);
  void begin_extra();
  void extra_value(std::uint32_t value);
  void extra_optional(std::uint32_t value);  // kNoRegister: there is none
  void extra_result(std::uint32_t reg);
  // A register that the last entry of the list has as a result is read, too.
  void extra_result_is_read(std::uint32_t reg);
  void extra_raw(std::uint32_t word) { extra_.push_back(word); }
  [[nodiscard]] std::size_t extra_size() const { return extra_.size(); }
  // The instruction loads from global memory.
  void mark_global_load();
  // All instructions since the last call access one of the program's sets of shared objects.
  void mark_accessed(std::uint32_t object_set) { accessed_sets_.resize(code_.size(), object_set); }

  // --- the end: places of branches, counted from the function's first instruction
  void set_target(std::size_t inst, std::uint32_t target) { code_[inst].immediate = target; }
  void set_extra(std::size_t entry, std::uint32_t target) { extra_[entry] = target; }

  // Appends the code to the program and fills in the part of `function` that follows from it.
  // `first_register` is the number of the function's first register in the program; it is raised to
  // that of the next function.
  void append_to(Program& program, Function& function, std::uint32_t& first_register);

 private:
  [[nodiscard]] Successors successors() const;
  void place_registers(const Allocation32& allocation);
  void move_targets(std::uint32_t first_pc, std::uint32_t first_extra);
  void record_uses(Program& program, std::uint32_t first_register);

  const StatementReader& at_;
  std::vector<RegisterDeclaration> registers_;
  ConstantPool constants_;
  std::vector<Inst> code_;
  std::vector<SourceLine> lines_;  // by instruction, as the next two
  std::vector<std::string> opcodes_;
  std::vector<std::uint32_t> accessed_sets_;
  std::vector<std::uint32_t> extra_;
  std::vector<RegisterUse> uses_;
  std::vector<std::uint32_t> global_loads_;  // instructions
};

}  // namespace warpwright::emu
