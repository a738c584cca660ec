// Tests where the variables of kernels and of other functions are placed.
#include "emu/decode/function_frame.h"

#include <gtest/gtest.h>

namespace warpwright::emu {
namespace {

Variable variable(Space space, std::size_t size, std::size_t alignment) {
  Variable made;
  made.space = space;
  made.size = size;
  made.alignment = alignment;
  return made;
}

TEST(FunctionFrame, SharedVariablesOfAKernelFollowTheModules) {
  ParsedFunction kernel;
  kernel.is_entry = true;
  kernel.variables = {variable(Space::kShared, 4, 4), variable(Space::kShared, 16, 16)};
  std::size_t of_module = 8;
  const FunctionFrame frame(kernel, {}, of_module);
  EXPECT_EQ(frame.offset(0), 8u);
  EXPECT_EQ(frame.offset(1), 16u);
  EXPECT_EQ(frame.shared_bytes(), 32u);
  EXPECT_EQ(of_module, 8u);
}

TEST(FunctionFrame, SharedVariablesOfOtherFunctionsAreTheModules) {
  ParsedFunction function;
  function.variables = {variable(Space::kShared, 4, 4)};
  std::size_t of_module = 8;
  const FunctionFrame frame(function, {}, of_module);
  EXPECT_EQ(frame.offset(0), 8u);
  EXPECT_EQ(of_module, 12u);
}

TEST(FunctionFrame, TheParameterAreaHoldsParametersThenReturnsThenThoseOfCalls) {
  ParsedFunction function;
  function.variables = {variable(Space::kParam, 4, 4), variable(Space::kParam, 8, 8),
                        variable(Space::kParam, 4, 4)};
  function.parameters = {0};
  function.returns = {1};
  const Signature signature = signature_of({&function.variables[0]}, {&function.variables[1]});
  std::size_t of_module = 0;
  const FunctionFrame frame(function, signature, of_module);
  EXPECT_EQ(frame.offset(0), 0u);
  EXPECT_EQ(frame.offset(1), 8u);
  EXPECT_EQ(frame.offset(2), 16u);
  EXPECT_EQ(frame.param_bytes(), 32u);
  EXPECT_FALSE(frame.is_launch_parameter(0));
}

TEST(FunctionFrame, OnlyParametersOfAKernelAreLaunchParameters) {
  ParsedFunction kernel;
  kernel.is_entry = true;
  kernel.variables = {variable(Space::kParam, 4, 4), variable(Space::kLocal, 12, 4)};
  kernel.parameters = {0};
  std::size_t of_module = 0;
  const FunctionFrame frame(kernel, signature_of({&kernel.variables[0]}, {}), of_module);
  EXPECT_TRUE(frame.is_launch_parameter(0));
  EXPECT_FALSE(frame.is_launch_parameter(1));
  EXPECT_EQ(frame.local_bytes(), 12u);
}

}  // namespace
}  // namespace warpwright::emu
