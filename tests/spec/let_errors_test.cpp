// Tests invalid lets: each case is one edit of the fixture contract, with its complete message.
#include <gtest/gtest.h>

#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

struct BadLet {
  const char* name;
  std::string_view let;         // the section, above `constraints`
  std::string_view constraint;  // the contract's first
  std::string_view message;
};

void PrintTo(const BadLet& bad, std::ostream* out) { *out << bad.name; }

class LetErrors : public ::testing::TestWithParam<BadLet> {};

TEST_P(LetErrors, SaysPlaceCauseAndFix) {
  const std::string text = edited_kernel("constraints:\n  - THREADS % 32 == 0\n",
                                         std::string(GetParam().let) + "constraints:\n  - " +
                                             std::string(GetParam().constraint) + "\n");
  EXPECT_EQ(kernel_message(text), GetParam().message);
}

const BadLet kBadLets[] = {
    {"NeedsItself", "let:\n  a: 2*a\n", "a > 1",
     "kernel.yaml:23:8: 'a' is the let itself; write out what it stands for"},
    {"NeedOneAnother", "let:\n  a: b + 1\n  b: a - 1\n", "a > 1",
     "kernel.yaml:23:6: 'b' is a let that needs 'a' in turn (line 24); write one of them without "
     "the other"},
    {"NeedOneAnotherThroughAThird", "let:\n  a: b + 1\n  b: c - 1\n  c: 2*a\n", "a > 1",
     "kernel.yaml:23:6: 'b' is a let that needs 'a' in turn (line 24); write one of them without "
     "the other"},
    {"StandsFurtherDown", "let:\n  a: 4*(b + 1)\n  b: THREADS\n", "a > 1",
     "kernel.yaml:23:9: 'b' is a let further down, on line 24; move it above 'a'"},
    {"UnknownName", "let:\n  a: THREDS + 1\n", "a > 1",
     "kernel.yaml:23:6: unknown parameter 'THREDS' in \"THREDS + 1\"; did you mean 'THREADS'?\n"
     "  THREDS + 1\n  ^"},
    {"UnknownLet", "let:\n  lanes: THREADS/32\n", "lnes > 1 && lanes > 1",
     "kernel.yaml:25:5: unknown parameter 'lnes' in \"lnes > 1 && lanes > 1\"; did you mean "
     "'lanes'?\n  lnes > 1 && lanes > 1\n  ^"},
    {"UnknownDeviceLimit", "let:\n  a: device.max_thread\n", "a > 1",
     "kernel.yaml:23:6: unknown parameter 'device.max_thread' in \"device.max_thread\"; did you "
     "mean 'device.max_threads'?\n  device.max_thread\n  ^"},
    {"HasTheNameOfASize", "let:\n  V: 2\n", "THREADS > 1",
     "kernel.yaml:23:3: let.V: 'V' is already a problem size, on line 6; rename one"},
    {"HasTheNameOfAParameter", "let:\n  THREADS: 2\n", "THREADS > 1",
     "kernel.yaml:23:3: let.THREADS: 'THREADS' is already a parameter, on line 19; rename one"},
    {"HasTheNameOfAFunction", "let:\n  min: 2\n", "THREADS > 1",
     "kernel.yaml:23:3: let.min: 'min' cannot be a name: it is a built-in function; rename "
     "it"},
    {"HasTheNameOfTheDevice", "let:\n  device: 2\n", "THREADS > 1",
     "kernel.yaml:23:3: let.device: 'device' cannot be a name: it holds the device's limits; "
     "rename it"},
    {"HasTheNameOfALimit", "let:\n  device.max_shared: 2\n", "THREADS > 1",
     "kernel.yaml:23:3: let.device.max_shared: got the string 'device.max_shared', expected a name "
     "of letters, digits and '_' that does not start with a digit"},
    {"IsUsedByNothing", "let:\n  a: THREADS\n  b: 2*a\n", "THREADS > 1",
     "kernel.yaml:24:3: let 'b' is used by no expression; use it, or remove it"},
    {"IsGivenTwice", "let:\n  a: THREADS\n  a: 2\n", "a > 1",
     "kernel.yaml:24:3: duplicate key 'a', first given on line 23; keep one"},
    {"IsEmpty", "let:\n  a:\n", "a > 1",
     "kernel.yaml:23:3: let.a: got nothing, expected a number or an expression"},
    {"IsAList", "let:\n  a: [1, 2]\n", "a > 1",
     "kernel.yaml:23:6: let.a: got a list, expected a number or an expression"},
    {"IsNoExpression", "let:\n  a: 2 +\n", "a > 1",
     "kernel.yaml:23:9: expected a value, got the end in \"2 +\"\n  2 +\n     ^"},
    {"SectionIsEmpty", "let: {}\n", "THREADS > 1",
     "kernel.yaml:22:6: let: got an empty map, expected at least one let; remove it"},
    {"SectionIsNothing", "let:\n", "THREADS > 1",
     "kernel.yaml:22:1: let: got nothing, expected a map"},
    {"SectionIsAList", "let: [a, b]\n", "THREADS > 1",
     "kernel.yaml:22:6: let: got a list, expected a map"},
    {"IsAnAnchor", "let:\n  a: &x 2\n  b: *x\n", "a > b",
     "kernel.yaml:23:6: anchors (&x) are not supported; write the value out where it is used"},
};

INSTANTIATE_TEST_SUITE_P(All, LetErrors, ::testing::ValuesIn(kBadLets), case_name<BadLet>);

class LetPlaceErrors : public ::testing::TestWithParam<BadEdit> {
 protected:
  // A let of a parameter that is also used in a valid place.
  static std::string contract() {
    return edited_kernel(
        "constraints:\n  - THREADS % 32 == 0\n",
        "let:\n  lanes: THREADS / 32\n  local: 4*LOCAL_K\n  most: device.max_shared\n"
        "constraints:\n  - lanes > 0 && most > 0\n");
  }
};

TEST_P(LetPlaceErrors, SaysWhoseNameDoesNotHoldThere) {
  EXPECT_EQ(kernel_message(replaced(contract(), GetParam().from, GetParam().to)),
            GetParam().message);
}

const BadEdit kBadPlaces[] = {
    {"ParameterInTheShapeOfAnInput", "shape: [rows, V], fill", "shape: [rows, lanes], fill",
     "kernel.yaml:11:45: 'THREADS' (of the let 'lanes' on line 23) is a parameter, expected "
     "problem "
     "sizes only; what is computed must not depend on the configuration"},
    {"LimitInWork", "flops: \"rows*V*4\"", "flops: \"rows*V + most\"",
     "kernel.yaml:44:67: 'device.max_shared' (of the let 'most' on line 25) is a limit of the "
     "device; what is computed must not depend on the device"},
    {"ParameterOfAnotherVariant", "block: 32, arguments",
     "block: 32, shared: 32 + local, arguments",
     "kernel.yaml:41:62: 'LOCAL_K' (of the let 'local' on line 24) is not a parameter of variant "
     "'warp_row'; add it to the variant's `parameters`"},
    {"OwnNameOfTheContracts", "    source: block_row.cu\n",
     "    source: block_row.cu\n    let: {lanes: 2}\n",
     "kernel.yaml:33:11: variants.block_row.let.lanes: 'lanes' is already a let of the contract, "
     "on "
     "line 23; rename one"},
    {"OwnOfAnotherVariantsParameter", "    source: block_row.cu\n",
     "    source: block_row.cu\n    let: {own: 2*ORDER}\n",
     "kernel.yaml:33:18: 'ORDER' is not a parameter of variant 'block_row'; add it to the "
     "variant's `parameters`"},
    {"OwnUsedByNothing", "    source: block_row.cu\n",
     "    source: block_row.cu\n    let: {own: 2*THREADS}\n",
     "kernel.yaml:33:11: let 'own' is used by no expression; use it, or remove it"},
};

INSTANTIATE_TEST_SUITE_P(All, LetPlaceErrors, ::testing::ValuesIn(kBadPlaces), case_name<BadEdit>);

TEST(LetErrors, SweepsDoNotHaveTheContractsLets) {
  const KernelSpec kernel =
      parse_kernel(edited_kernel("constraints:\n  - THREADS % 32 == 0\n",
                                 "let:\n  lanes: THREADS / 32\nconstraints:\n  - lanes > 0\n"),
                   kernel_folder() / "kernel.yaml");
  EXPECT_EQ(
      message_of([&] {
        check_sweep(parse_sweep("kernel: softmax_topk\nproblems: [{rows: 1, V: 2, K: 1}]\n"
                                "space: {THREADS: [32]}\nconstraints: [\"lanes > 1\"]\n",
                                "sweep.yaml"),
                    kernel);
      }),
      "sweep.yaml:4:16: 'lanes' is a let of the contract, which sweeps do not have; write out "
      "\"THREADS / 32\"");
}

}  // namespace
}  // namespace warpwright
