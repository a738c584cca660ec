#include "emu/ptx/ptx_variable.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace warpwright::emu {
namespace {

// Far above what fits a device; low enough that a typo in inline assembly costs little.
constexpr std::size_t kMaxVariableBytes = std::size_t{1} << 40;
constexpr std::size_t kMaxInitialBytes = std::size_t{1} << 26;
constexpr std::size_t kMaxAlignment = std::size_t{1} << 20;
constexpr int kMaxInitializerDepth = 100;

// Reads qualifiers up to the name; returns the bytes of one element.
std::size_t parse_type(PtxCursor& cursor, Variable& variable) {
  std::size_t element = 0;
  std::size_t count = 1;
  std::size_t alignment = 0;
  bool pointer = false;
  while (cursor.at_word() && cursor.peek().text[0] == '.') {
    const std::string_view word = cursor.next().text;
    if (word == ".align") {
      const std::size_t value = cursor.integer();
      if (!std::has_single_bit(value) || value > kMaxAlignment)
        cursor.fail(fmt::format("bad alignment {}", value));
      if (!pointer) alignment = value;
    } else if (word == ".ptr") {
      pointer = true;  // the .align that follows is that of the pointee
    } else if (word == ".v2" || word == ".v4") {
      count = word == ".v2" ? 2 : 4;
    } else if (word == ".attribute") {
      cursor.skip_parentheses();
    } else if (ptx_space(word)) {
      continue;  // the pointee's
    } else if (const std::size_t bytes = ptx_type_bytes(word.substr(1)); bytes != 0) {
      element = bytes;
    } else {
      cursor.fail(fmt::format("unknown qualifier '{}'", word));
    }
  }
  if (element == 0) cursor.fail("variable without a type");
  variable.alignment = alignment != 0 ? alignment : element * count;
  return element * count;
}

// sym, sym+4, generic(sym)+4
void parse_symbol(PtxCursor& cursor, Variable& variable, std::size_t offset) {
  Relocation relocation;
  relocation.offset = offset;
  std::string_view word = cursor.next().text;
  if (word == "generic" && cursor.accept("(")) {
    word = cursor.next().text;
    if (cursor.is("+") || cursor.is("-")) relocation.addend = cursor.signed_integer();
    cursor.expect(")");
  }
  relocation.symbol = std::string(word);
  if (cursor.is("+") || cursor.is("-")) {
    const std::int64_t more = cursor.signed_integer();
    if (__builtin_add_overflow(relocation.addend, more, &relocation.addend))
      cursor.fail(fmt::format("the address of '{}' is too large", word));
  }
  variable.relocations.push_back(std::move(relocation));
}

void parse_initializer(PtxCursor& cursor, Variable& variable, std::size_t element,
                       std::vector<std::byte>& bytes, int depth) {
  if (depth > kMaxInitializerDepth) cursor.fail("an initialiser is nested too deep");
  if (cursor.accept("{")) {
    while (!cursor.at_end() && !cursor.accept("}")) {
      parse_initializer(cursor, variable, element, bytes, depth + 1);
      cursor.accept(",");
    }
    return;
  }
  const std::size_t offset = bytes.size();
  bytes.resize(offset + element);
  if (cursor.at_word()) {
    if (element != 8)
      cursor.fail(fmt::format("an address in an element of {} bytes; it has 8", element));
    parse_symbol(cursor, variable, offset);
    return;
  }
  const bool negative = cursor.accept("-");
  Operand value = cursor.number();
  if (negative) value.bits = ~value.bits + 1;
  std::memcpy(bytes.data() + offset, &value.bits, std::min<std::size_t>(element, 8));
}

void parse_declarator(PtxCursor& cursor, Variable& variable, std::size_t element) {
  variable.name = std::string(cursor.next().text);
  std::size_t count = 1;
  bool open = false;
  while (cursor.accept("[")) {
    if (cursor.accept("]")) {
      open = true;
      continue;
    }
    if (__builtin_mul_overflow(count, cursor.integer(), &count) ||
        count > kMaxVariableBytes / element)
      cursor.fail(fmt::format("variable '{}' is too large", variable.name));
    cursor.expect("]");
  }
  variable.size = open ? 0 : element * count;
  if (!cursor.accept("=")) return;
  std::vector<std::byte> bytes;
  parse_initializer(cursor, variable, element, bytes, 0);
  if (open) variable.size = bytes.size();
  if (variable.size > kMaxInitialBytes)
    cursor.fail(fmt::format("variable '{}' is too large to be initialised", variable.name));
  // Addresses are written at their own offset, even beyond the end of the variable.
  if (bytes.size() > variable.size)
    cursor.fail(fmt::format("variable '{}' has more initialisers than elements", variable.name));
  bytes.resize(variable.size);
  variable.initial = std::move(bytes);
}

}  // namespace

std::vector<Variable> parse_variables(PtxCursor& cursor, bool external) {
  std::vector<Variable> variables;
  Variable prototype;
  prototype.space = *ptx_space(cursor.next().text);
  prototype.external = external;
  const std::size_t element = parse_type(cursor, prototype);
  do {
    variables.push_back(prototype);
    parse_declarator(cursor, variables.back(), element);
  } while (cursor.accept(","));
  cursor.expect(";");
  return variables;
}

Variable parse_parameter(PtxCursor& cursor) {
  Variable variable;
  if (!ptx_space(cursor.peek().text))
    cursor.fail(fmt::format("unexpected parameter '{}'", cursor.peek().text));
  cursor.next();
  variable.space = Space::kParam;
  const std::size_t element = parse_type(cursor, variable);
  parse_declarator(cursor, variable, element);
  return variable;
}

}  // namespace warpwright::emu
