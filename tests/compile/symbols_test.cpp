// Tests C++ names and their symbols.
#include <gtest/gtest.h>

#include "compile/ptx_module.h"

namespace warpwright {
namespace {

TEST(Symbols, EntriesAndVariablesAreFoundByTheirCppNames) {
  const SymbolNames names = find_symbols(
      ".const .align 4 .b8 _ZN4blas1fE[28];\n"
      ".weak .entry _Z1kILi3EEvPf(\n\t.param .u64 x\n)\n"
      ".visible .entry _ZN4blas1gEPf(\n)\n"
      ".visible .entry plain(\n)\n"
      ".func _Z6helperv()\n");
  EXPECT_EQ(names, (SymbolNames{{"blas::f", "_ZN4blas1fE"},
                                {"blas::g", "_ZN4blas1gEPf"},
                                {"k<3>", "_Z1kILi3EEvPf"}}));
}

TEST(Symbols, OverloadsKeepTheirParameters) {
  const SymbolNames names = find_symbols(".visible .entry _Z3addPf(\n.visible .entry _Z3addPd(\n");
  EXPECT_EQ(names, (SymbolNames{{"add(float*)", "_Z3addPf"}, {"add(double*)", "_Z3addPd"}}));
}

TEST(Symbols, ParametersAreTakenOff) {
  EXPECT_EQ(without_parameters("void blas::axpy<float, 4>(float*, int (*)(int))"),
            "blas::axpy<float, 4>");
  EXPECT_EQ(without_parameters("plain"), "plain");
  EXPECT_EQ(without_parameters("()"), "()");
  EXPECT_EQ(without_parameters(""), "");
}

}  // namespace
}  // namespace warpwright
