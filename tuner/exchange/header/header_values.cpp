#include "exchange/header/header_values.h"

#include <initializer_list>

#include "exchange/header/header_value_texts.h"

namespace warpwright {
namespace {

struct Part {
  std::initializer_list<ExprOp> needed_by;
  std::string_view ValueTexts::*text;
};

// In an order in which each part comes after what it uses.
constexpr Part kParts[] = {
    {{ExprOp::kAdd}, &ValueTexts::add},
    {{ExprOp::kSubtract, ExprOp::kNegate, ExprOp::kAbs}, &ValueTexts::subtract},
    {{ExprOp::kNegate}, &ValueTexts::negate},
    {{ExprOp::kAbs}, &ValueTexts::magnitude},
    {{ExprOp::kMultiply, ExprOp::kAlignUp}, &ValueTexts::multiply},
    {{ExprOp::kDivide}, &ValueTexts::divide},
    {{ExprOp::kRemainder}, &ValueTexts::remainder},
    {{ExprOp::kCeilDiv, ExprOp::kAlignUp}, &ValueTexts::ceil_div},
    {{ExprOp::kAlignUp}, &ValueTexts::align_up},
    {{ExprOp::kShiftLeft}, &ValueTexts::shift_left},
    {{ExprOp::kShiftRight}, &ValueTexts::shift_right},
    {{ExprOp::kBitAnd}, &ValueTexts::bit_and},
    {{ExprOp::kBitOr}, &ValueTexts::bit_or},
    {{ExprOp::kBitXor}, &ValueTexts::bit_xor},
    {{ExprOp::kInvert}, &ValueTexts::invert},
    {{ExprOp::kIsPow2}, &ValueTexts::is_pow2},
    {{ExprOp::kNot, ExprOp::kNotEqual, ExprOp::kLessEqual, ExprOp::kGreaterEqual},
     &ValueTexts::logical_not},
    {{ExprOp::kLess, ExprOp::kGreater, ExprOp::kLessEqual, ExprOp::kGreaterEqual},
     &ValueTexts::less},
    {{ExprOp::kGreater}, &ValueTexts::greater},
    {{ExprOp::kLessEqual}, &ValueTexts::less_equal},
    {{ExprOp::kGreaterEqual}, &ValueTexts::greater_equal},
    {{ExprOp::kEqual, ExprOp::kNotEqual}, &ValueTexts::equal},
    {{ExprOp::kNotEqual}, &ValueTexts::not_equal},
    {{ExprOp::kAnd}, &ValueTexts::logical_and},
    {{ExprOp::kOr}, &ValueTexts::logical_or},
    {{ExprOp::kNone}, &ValueTexts::choose},
    {{ExprOp::kMin}, &ValueTexts::smaller},
    {{ExprOp::kMax}, &ValueTexts::larger},
    {{ExprOp::kSizeof}, &ValueTexts::bytes_table},
    {{ExprOp::kLog2}, &ValueTexts::log2},
    {{ExprOp::kSqrt}, &ValueTexts::root},
};

const ValueTexts& texts_of(CodeLanguage language) {
  return language == CodeLanguage::kC ? c_value_texts() : cpp_value_texts();
}

}  // namespace

std::string expand_prefix(std::string_view text, const std::string& prefix) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$') {
      result += text[i];
      continue;
    }
    const bool constant = i + 1 < text.size() && text[i + 1] >= 'A' && text[i + 1] <= 'Z';
    for (const char c : prefix)
      result += constant && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return result;
}

std::string header_values(const std::set<ExprOp>& operators, CodeLanguage language,
                          const std::string& prefix) {
  const ValueTexts& texts = texts_of(language);
  std::string text(texts.type);
  for (const Part& part : kParts) {
    for (const ExprOp op : part.needed_by) {
      if (!operators.contains(op)) continue;
      text += texts.*part.text;
      break;
    }
  }
  return language == CodeLanguage::kC ? expand_prefix(text, prefix) : text;
}

std::string header_scales(CodeLanguage language, const std::string& prefix) {
  const std::string_view text = texts_of(language).scales;
  return language == CodeLanguage::kC ? expand_prefix(text, prefix) : std::string(text);
}

}  // namespace warpwright
