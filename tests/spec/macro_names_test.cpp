// Tests names that would change more than the kernel if they became macros of its source.
#include <gtest/gtest.h>

#include "spec/compiler_inputs.h"
#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

std::string with_parameter(const std::string& name) {
  return kernel_message(edited_kernel("  ORDER: {default: row,", "  " + name + ": {default: row,"));
}

std::string macro_refusal(const std::string& name, const std::string& harm,
                          const std::string& other) {
  return "kernel.yaml:21:3: parameters." + name + ": '" + name +
         "' cannot be a parameter: the source is compiled with -D" + name + "=..., which " + harm +
         "; rename it, for example to " + other;
}

TEST(MacroNames, AParameterIsNoWordOfWhatTheSourceIsWrittenIn) {
  EXPECT_EQ(with_parameter("value"),
            macro_refusal("value", "would change the headers of CUDA and C++", "VALUE"));
  EXPECT_EQ(with_parameter("std"),
            macro_refusal("std", "would change the headers of CUDA and C++", "STD"));
  EXPECT_EQ(with_parameter("int"), macro_refusal("int", "would change C++ itself", "INT"));
  EXPECT_EQ(with_parameter("threadIdx"),
            macro_refusal("threadIdx", "would change what CUDA calls so", "THREADIDX"));
  EXPECT_EQ(with_parameter("x"), macro_refusal("x", "would change what CUDA calls so", "X"));
  EXPECT_EQ(with_parameter("__tile"),
            macro_refusal("__tile",
                          "may change the compiler's own headers, which such names are reserved "
                          "for",
                          "TILE"));
}

TEST(MacroNames, NorIsTheMacroOfASize) {
  EXPECT_EQ(kernel_message(edited_kernel("macro: TOP_K", "macro: size")),
            "kernel.yaml:7:50: problem.K.macro: 'size' cannot be a macro: the source is compiled "
            "with -Dsize=..., which would change the headers of CUDA and C++; rename it, for "
            "example to SIZE");
}

TEST(MacroNames, SizesWithoutAMacroMayHaveThem) {
  const std::string text =
      edited_kernel("  scale: {default: 1.0", "  value: {default: 1}\n  scale: {default: 1.0");
  EXPECT_EQ(kernel_message(text), "");
}

// A database may hold contracts that were stored before this check existed.
TEST(MacroNames, StoredContractsAreReadAllTheSame) {
  const std::string text = edited_kernel("macro: TOP_K", "macro: value");
  EXPECT_EQ(message_of([&] { (void)parse_stored_kernel(text, kernel_folder() / "kernel.yaml"); }),
            "");
}

TEST(MacroNames, CapitalsAndNamesOfKernelsAreHarmless) {
  for (const char* name : {"VALUE", "STD", "THREADS", "n", "rows", "block_size_x", "K", "T", "tile",
                           "values", "_a", "a_b", "Size"}) {
    EXPECT_EQ(harmful_macro(name), std::nullopt) << name;
  }
}

TEST(MacroNames, WhatIsProposedIsHarmless) {
  for (const char* name : {"value", "std", "__tile", "_X", "a__b", "while", "w", "__"}) {
    ASSERT_TRUE(harmful_macro(name)) << name;
    EXPECT_FALSE(harmful_macro(harmless_name(name))) << harmless_name(name);
    EXPECT_FALSE(harmless_name(name).empty());
  }
}

}  // namespace
}  // namespace warpwright
