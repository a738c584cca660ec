#include "emu/ptx/ptx_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdlib>

#include "core/error.h"

namespace warpwright::emu {

std::size_t ptx_type_bytes(std::string_view type) {
  if (type == "pred") return 1;
  const std::size_t digits = type.find_first_of("0123456789");
  if (digits == std::string_view::npos) return 0;
  std::size_t bits = 0;
  std::from_chars(type.data() + digits, type.data() + type.size(), bits);
  const bool exists = bits == 8 || bits == 16 || bits == 32 || bits == 64 || bits == 128;
  return exists ? bits / 8 * (type.ends_with("x2") ? 2 : 1) : 0;
}

std::optional<Space> ptx_space(std::string_view word) {
  if (word == ".global") return Space::kGlobal;
  if (word == ".const") return Space::kConst;
  if (word == ".shared") return Space::kShared;
  if (word == ".local") return Space::kLocal;
  if (word == ".param") return Space::kParam;
  return std::nullopt;
}

const Token& PtxCursor::peek(std::size_t ahead) const {
  return tokens_[std::min(at_ + ahead, tokens_.size() - 1)];
}

const Token& PtxCursor::next() { return tokens_[at_ < tokens_.size() - 1 ? at_++ : at_]; }

bool PtxCursor::is(std::string_view text) const {
  return peek().text == text && peek().kind != Token::Kind::kString;
}

bool PtxCursor::accept(std::string_view text) {
  if (!is(text)) return false;
  next();
  return true;
}

void PtxCursor::expect(std::string_view text) {
  if (!accept(text)) fail(fmt::format("expected '{}', got '{}'", text, peek().text));
}

void PtxCursor::skip_statement() {
  while (!at_end() && !accept(";")) next();
}

void PtxCursor::skip_parentheses() {
  expect("(");
  while (!at_end() && !accept(")")) next();
}

void PtxCursor::fail(const std::string& what) const {
  throw user_error(SourcePosition{std::string(name_), peek().line, 0}, "PTX: " + what);
}

std::uint64_t PtxCursor::integer_value(std::string_view text) const {
  while (text.ends_with('U') || text.ends_with('u')) text.remove_suffix(1);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  } else if (text.starts_with("0b") || text.starts_with("0B")) {
    base = 2;
    text.remove_prefix(2);
  } else if (text.size() > 1 && text[0] == '0') {
    base = 8;
  }
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size())
    fail(fmt::format("bad number '{}'", text));
  return value;
}

std::int64_t PtxCursor::signed_integer() {
  accept("+");
  const bool negative = accept("-");  // also the second sign of [%rd41+-4]
  const std::uint64_t value = integer();
  return static_cast<std::int64_t>(negative ? ~value + 1 : value);
}

// 12, -3 (the sign is the caller's), 0x1F, 0f3F800000, 0d3FF0000000000000, 1.5
Operand PtxCursor::number() {
  const std::string_view text = next().text;
  Operand operand;
  operand.kind = Operand::Kind::kImmediate;
  const char tag = text.size() > 2 && text[0] == '0' ? text[1] : '\0';
  if (tag == 'f' || tag == 'F' || tag == 'd' || tag == 'D') {
    std::from_chars(text.data() + 2, text.data() + text.size(), operand.bits, 16);
    operand.is_single = tag == 'f' || tag == 'F';
    operand.is_float = !operand.is_single;
  } else if (tag != 'x' && tag != 'X' && text.find_first_of(".eE") != std::string_view::npos) {
    operand.is_float = true;
    operand.bits = std::bit_cast<std::uint64_t>(std::strtod(std::string(text).c_str(), nullptr));
  } else {
    operand.bits = integer_value(text);
  }
  return operand;
}

}  // namespace warpwright::emu
