// The texts that header_values.cpp puts together, one per language; `$` stands for the prefix of
// C's names. A text uses only those before it.
#pragma once

#include <string_view>

namespace warpwright {

struct ValueTexts {
  std::string_view type;
  std::string_view add;
  std::string_view subtract;
  std::string_view negate;
  std::string_view magnitude;
  std::string_view multiply;
  std::string_view divide;
  std::string_view remainder;
  std::string_view ceil_div;
  std::string_view align_up;
  std::string_view shift_left;
  std::string_view shift_right;
  std::string_view bit_and;
  std::string_view bit_or;
  std::string_view bit_xor;
  std::string_view invert;
  std::string_view is_pow2;
  std::string_view less;
  std::string_view greater;
  std::string_view logical_not;
  std::string_view less_equal;
  std::string_view greater_equal;
  std::string_view equal;
  std::string_view not_equal;
  std::string_view logical_and;
  std::string_view logical_or;
  std::string_view choose;
  std::string_view smaller;
  std::string_view larger;
  std::string_view log2;
  std::string_view root;
  std::string_view bytes_table;
  std::string_view scales;
};

[[nodiscard]] const ValueTexts& cpp_value_texts();
[[nodiscard]] const ValueTexts& c_value_texts();

}  // namespace warpwright
