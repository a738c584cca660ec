// Tests problems of sweeps that do not fit the contract in tests/fixtures/yaml/softmax_topk.
#include <gtest/gtest.h>

#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

class CheckProblemsErrors : public testing::TestWithParam<BadText> {};

TEST_P(CheckProblemsErrors, SaysPlaceCauseAndFix) {
  EXPECT_EQ(checked_message(GetParam().text), GetParam().message);
}

const BadText kCheckProblemsErrors[] = {
    {"AnotherKernel",
     "kernel: softmax\n"
     "problems: [{rows: 1}]\n",
     "sweep.yaml:1:9: the sweep is of kernel 'softmax', got the contract of 'softmax_topk' "
     "(DIR/kernel.yaml)"},
    {"SizeMissing",
     "kernel: softmax_topk\n"
     "problems: [{rows: 1, V: 10}]\n",
     "sweep.yaml:2:12: the problem does not give 'K' (values kept per row); add `K: ...`"},
    {"SizeUnknown",
     "kernel: softmax_topk\n"
     "problems: [{row: 1, V: 10, K: 1}]\n",
     "sweep.yaml:2:18: unknown problem size 'row' of kernel 'softmax_topk'; did you mean 'rows'?"},
    {"SizeBelowOne",
     "kernel: softmax_topk\n"
     "problems: [{rows: 1, V: 10, K: 1}, {rows: [4, 0], V: 10, K: 1}]\n",
     "sweep.yaml:2:47: problem size 'rows': got 0, expected at least 1"},
    {"SizeAboveMax",
     "kernel: softmax_topk\n"
     "problems: [{rows: 1, V: 10, K: 300}]\n",
     "sweep.yaml:2:32: problem size 'K': got 300, expected at most 256"},
    {"SizeText",
     "kernel: softmax_topk\n"
     "problems: [{rows: many, V: 10, K: 1}]\n",
     "sweep.yaml:2:19: problem size 'rows': got the string 'many', expected an integer"},
    {"SizeReal",
     "kernel: softmax_topk\n"
     "problems: [{rows: 1e3, V: 10, K: 1}]\n",
     "sweep.yaml:2:19: problem size 'rows': got the real 1000.0, expected an integer; write 1000"},
    {"DtypeUnknown",
     "kernel: softmax_topk\n"
     "problems: [{rows: 1, V: 10, K: 1, dtype: [f32, b16]}]\n",
     "sweep.yaml:2:48: problem size 'dtype': got b16, expected one of f32, bf16; did you mean "
     "'bf16'?"},
    {"DtypeNumber",
     "kernel: softmax_topk\n"
     "problems: [{rows: 1, V: 10, K: 1, dtype: 16}]\n",
     "sweep.yaml:2:42: problem size 'dtype': got the integer 16, expected one of f32, bf16"},
    {"RealBelowMin",
     "kernel: softmax_topk\n"
     "problems: [{rows: 1, V: 10, K: 1, scale: -0.5}]\n",
     "sweep.yaml:2:42: problem size 'scale': got -0.5, expected at least 0"},
};

INSTANTIATE_TEST_SUITE_P(Texts, CheckProblemsErrors, testing::ValuesIn(kCheckProblemsErrors),
                         case_name<BadText>);

}  // namespace
}  // namespace warpwright
