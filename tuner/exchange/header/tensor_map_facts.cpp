#include "exchange/header/tensor_map_facts.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/shared_names.h"

namespace warpwright {
namespace {

std::string in_brackets(const Expr& expr) { return "(" + expr.to_string() + ")"; }

int data_type_of(const std::string& dtype) {
  const std::optional<int> type = tensor_map_data_type(dtype);
  WARPWRIGHT_CHECK(type.has_value(), "dtypes of contracts are known");
  return *type;
}

// A dtype that is a choice of the problem decides among the values that it lists.
Expr data_type_expr(const KernelSpec& kernel, const std::string& dtype) {
  const ProblemSizeSpec* choice = kernel.find_size(dtype);
  if (choice == nullptr) return Expr::literal(data_type_of(dtype));
  std::string text;
  for (std::size_t i = 0; i + 1 < choice->values.size(); ++i) {
    const std::string& value = choice->values[i].as_string();
    text += fmt::format("{} == '{}' ? {} : ", dtype, value, data_type_of(value));
  }
  return Expr::parse(text + std::to_string(data_type_of(choice->values.back().as_string())));
}

// The enumerators of swizzles and promotions count doublings from `first` on; 0 means none. The
// contract's rules exclude any other value, which has no enumerator.
Expr code_of(const Expr& bytes, int first) {
  const std::string value = in_brackets(bytes);
  return Expr::parse(fmt::format("{} == 0 ? 0 : {} == {} ? 1 : {} == {} ? 2 : {} == {} ? 3 : -1",
                                 value, value, first, value, 2 * first, value, 4 * first));
}

}  // namespace

TensorMapFact tensor_map_fact(const KernelSpec& kernel, const ArgumentSpec& argument) {
  const TensorMapSpec& map = *argument.map;
  const std::string width = fmt::format("sizeof({})", argument.dtype);
  TensorMapFact fact;
  fact.argument = argument.name;
  fact.tensor = map.tensor;
  fact.data_type = data_type_expr(kernel, argument.dtype);
  fact.offset_bytes = Expr::parse(fmt::format("{} * {}", in_brackets(map.offset), width));
  // Goes from the innermost axis outwards, which is CUDA's order; a contiguous stride is the extent
  // of the axes inside it.
  std::string contiguous = width;
  for (std::size_t i = argument.shape.size(); i-- > 0;) {
    const std::size_t dimension = argument.shape.size() - 1 - i;
    if (dimension > 0) {
      fact.stride_bytes.push_back(Expr::parse(
          map.strides.empty() ? contiguous
                              : fmt::format("{} * {}", in_brackets(map.strides[i]), width)));
    }
    fact.sizes.push_back(argument.shape[i]);
    fact.box.push_back(map.box[i]);
    fact.element_strides.push_back(map.element_strides.empty() ? Expr::literal(1)
                                                               : map.element_strides[i]);
    contiguous = fmt::format("{} * {}", in_brackets(argument.shape[i]), contiguous);
  }
  fact.swizzle = code_of(map.swizzle, 32);
  fact.l2_promotion = code_of(map.l2_promotion, 64);
  fact.fill = Expr::literal(map.fill_nan ? 1 : 0);
  return fact;
}

}  // namespace warpwright
