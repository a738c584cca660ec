// Reads the statement that is being decoded: its opcode, part by part, and its operands. Reports
// what the emulator lacks, with the statement's place.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "emu/ptx/ptx_ast.h"

namespace warpwright::emu {

class StatementReader {
 public:
  // The module must outlive this.
  explicit StatementReader(const ParsedModule& module) : module_(module) {}

  // Goes on to another statement, which must live as long as it is read.
  void read(const Statement& statement);

  [[nodiscard]] const Statement& current() const { return *statement_; }
  [[nodiscard]] const std::vector<std::string_view>& parts() const { return parts_; }
  // The part of the opcode between dots, counted from 0; "" after the last one.
  [[nodiscard]] std::string_view part(std::size_t i) const {
    return i < parts_.size() ? parts_[i] : std::string_view{};
  }
  [[nodiscard]] bool has_part(std::string_view part) const;
  // Refuses the statement if it has no such operand.
  [[nodiscard]] const Operand& operand(std::size_t i) const;
  // Whether an operand is like %r1.b0, which only video instructions accept.
  [[nodiscard]] bool has_selector() const;

  // Throws UnsupportedPtx.
  [[noreturn]] void unsupported() const;  // the current opcode
  [[noreturn]] void unsupported(const std::string& what) const;

 private:
  const ParsedModule& module_;
  const Statement* statement_ = nullptr;
  std::vector<std::string_view> parts_;
};

}  // namespace warpwright::emu
