#include "emu/decode/statement_reader.h"

#include <fmt/format.h>

#include <algorithm>

#include "emu/emulator.h"

namespace warpwright::emu {
namespace {

void split(std::string_view opcode, std::vector<std::string_view>& parts) {
  parts.clear();
  for (std::size_t start = 0; start <= opcode.size();) {
    const std::size_t dot = std::min(opcode.find('.', start), opcode.size());
    parts.push_back(opcode.substr(start, dot - start));
    start = dot + 1;
  }
}

bool any_selector(const std::vector<Operand>& operands) {
  return std::any_of(operands.begin(), operands.end(), [](const Operand& operand) {
    return !operand.selector.empty() || any_selector(operand.list);
  });
}

}  // namespace

void StatementReader::read(const Statement& statement) {
  statement_ = &statement;
  split(statement.opcode, parts_);
}

bool StatementReader::has_part(std::string_view part) const {
  return std::find(parts_.begin(), parts_.end(), part) != parts_.end();
}

const Operand& StatementReader::operand(std::size_t i) const {
  if (i >= statement_->operands.size()) unsupported();
  return statement_->operands[i];
}

bool StatementReader::has_selector() const { return any_selector(statement_->operands); }

void StatementReader::unsupported() const { unsupported(fmt::format("`{}`", statement_->opcode)); }

void StatementReader::unsupported(const std::string& what) const {
  const SourceLine line = statement_->source;
  const auto& files = module_.files;
  const std::string place =
      line.line != 0 && static_cast<std::size_t>(line.file) < files.size()
          ? fmt::format("{}:{}", files[static_cast<std::size_t>(line.file)], line.line)
          : fmt::format("{}:{} (PTX)", module_.name, statement_->ptx_line);
  throw UnsupportedPtx(fmt::format("emulator lacks {} at {}", what, place));
}

}  // namespace warpwright::emu
