#include "compile/compiler_log.h"

#include <gmock/gmock.h>

namespace warpwright {
namespace {

using ::testing::IsEmpty;
using ::testing::SizeIs;

TEST(ParseResources, ReadsTheFormOfCuda13) {
  const auto resources = parse_resources(R"(ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'second' for 'sm_90a'
ptxas info    : Function properties for second
ptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers
ptxas info    : Compile time = 1.649 ms
ptxas info    : Compiling entry function '_Z1kILi90EEvPfi' for 'sm_90a'
ptxas info    : Function properties for _Z1kILi90EEvPfi
ptxas         .     496 bytes stack frame, 884 bytes spill stores, 960 bytes spill loads
ptxas info    : Used 32 registers, used 1 barriers, 496 bytes cumulative stack size, 512 bytes smem
)");
  ASSERT_THAT(resources, SizeIs(2));
  EXPECT_EQ(resources[0].entry, "second");
  EXPECT_EQ(resources[0].registers, 8);
  EXPECT_EQ(resources[1].entry, "_Z1kILi90EEvPfi");
  EXPECT_EQ(resources[1].registers, 32);
  EXPECT_EQ(resources[1].stack, 496);
  EXPECT_EQ(resources[1].spill_stores, 884);
  EXPECT_EQ(resources[1].spill_loads, 960);
  EXPECT_EQ(resources[1].static_shared, 512);
}

TEST(ParseResources, ReadsTheFormOfCuda12) {
  const auto resources = parse_resources(R"(ptxas info    : 400 bytes gmem, 24 bytes cmem[3]
ptxas info    : Compiling entry function 'k' for 'sm_90a'
ptxas info    : Function properties for k
    16 bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
ptxas info    : Used 40 registers, 1024 bytes smem, 376 bytes cmem[0], 8 bytes cmem[2]
)");
  ASSERT_THAT(resources, SizeIs(1));
  EXPECT_EQ(resources[0].registers, 40);
  EXPECT_EQ(resources[0].static_shared, 1024);
  EXPECT_EQ(resources[0].constant, 384);
  EXPECT_EQ(resources[0].stack, 16);
  EXPECT_EQ(resources[0].spill_stores, 8);
  EXPECT_EQ(resources[0].spill_loads, 4);
}

TEST(ParseResources, PropertiesOfDeviceFunctionsAreNotTheEntrys) {
  const auto resources =
      parse_resources(R"(ptxas info    : Compiling entry function 'k' for 'sm_90a'
ptxas info    : Function properties for k
ptxas         .     8 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 12 registers, used 0 barriers, 72 bytes cumulative stack size
ptxas info    : Function properties for helper
ptxas         .     64 bytes stack frame, 32 bytes spill stores, 32 bytes spill loads
)");
  ASSERT_THAT(resources, SizeIs(1));
  EXPECT_EQ(resources[0].stack, 72) << "the callee's frame counts, through the cumulative size";
  EXPECT_EQ(resources[0].spill_stores, 0);
}

TEST(ParseResources, NothingComesOfOtherText) {
  EXPECT_THAT(parse_resources(""), IsEmpty());
  EXPECT_THAT(parse_resources("k.cu(3): warning: Used 3 registers\nptxas info : nonsense"),
              IsEmpty());
}

TEST(FirstError, ARefusedIncludeIsToldInOurWords) {
  EXPECT_EQ(
      first_error("k.cu(3): catastrophic error: #error directive: warpwright: 'x' is not read\n",
                  "k.cu", ""),
      "k.cu:3: error: 'x' is not read");
}

TEST(FirstError, WarningsAreNone) {
  EXPECT_EQ(first_error("k.cu(2): warning #177-D: variable \"error: x\" unused\n", "k.cu", ""),
            std::nullopt);
}

TEST(FirstError, TheOutermostUseInTheSourceCounts) {
  EXPECT_EQ(first_error(R"(i.cuh(1): error: expression must have class type
  return t.nothing;
           ^
          detected during:
            instantiation of "int inner(T) [with T=int]" at line 2
            instantiation of "int outer(T) [with T=int]" at line 3 of k/i.cu
            instantiation of "int most(T) [with T=int]" at line 9 of k/i.cu

i.cuh(1): error: static assertion failed with "four"
          detected during:
            instantiation of "int outer(T) [with T=double]" at line 40 of k/i.cu

2 errors detected in the compilation of "k/i.cu".
)",
                        "k/i.cu", ""),
            "i.cuh:1: error: expression must have class type, from k/i.cu:9 (2 errors in all)");
}

constexpr std::string_view kPtx = R"(.version 9.0
.visible .entry k(
	.param .u64 k_param_0
)
{
	.loc	1 2 0
	ld.param.u64 	%rd1, [k_param_0];
	.loc	2 17 3, function_name $L__info_string0, inlined_at 1 3 5
	foo.bar %f1;
	ret;
}
	.file	1 "/home/me/kernels/k.cu"
	.file	2 "/home/me/kernels/h.cuh"
)";

TEST(FirstError, AnEntryThatDoesNotParseIsNamedOnce) {
  const std::string log =
      R"(__nv_name_map(2): error: namespace "lib" has no member "Estrine"
  #pragma nv_mangled_name lib::transform<float, lib::Estrine<float>, 64>
                                                     ^

__nv_name_map(2): error: type name is not allowed
  #pragma nv_mangled_name lib::transform<float, lib::Estrine<float>, 64>
                                                             ^

__nv_name_map(2): error: Error in parsing name expression for lowered name lookup. Input name expression was: " lib :: transform < float, lib :: Estrine < float >, 64 >"
  #pragma nv_mangled_name lib::transform<float, lib::Estrine<float>, 64>
                          ^

)";
  const std::string said =
      "the entry 'lib::transform<float, lib::Estrine<float>, 64>': error: namespace \"lib\" has no "
      "member \"Estrine\"";
  EXPECT_EQ(first_error(log, "a.cu", ""), said);
  EXPECT_EQ(first_error(log + "__nv_name_map(3): error: identifier \"g\" is undefined\n"
                              "  #pragma nv_mangled_name g<32>\n",
                        "a.cu", ""),
            said + " (2 errors in all)");
}

TEST(FirstError, LinesOfPtxLeadToTheSource) {
  EXPECT_EQ(first_error("ptxas application ptx input, line 7; error   : Bad\n"
                        "ptxas fatal   : Ptx assembly aborted due to errors\n",
                        "kernels/k.cu", kPtx),
            "kernels/k.cu:2: error: Bad (inline PTX)");
  EXPECT_EQ(
      first_error("ptxas application ptx input, line 9; error   : Bad\n", "kernels/k.cu", kPtx),
      "/home/me/kernels/h.cuh:17: error: Bad (inline PTX)");
}

TEST(FirstError, WithoutALineOfPtxTheFileHasToDo) {
  EXPECT_EQ(first_error("ptxas application ptx input, line 5; error   : Bad\n", "k.cu", kPtx),
            "k.cu: error: Bad (inline PTX)");
  EXPECT_EQ(first_error("ptxas application ptx input, line 999999; error   : Bad\n", "k.cu", ""),
            "k.cu: error: Bad (inline PTX)");
  EXPECT_EQ(first_error("ptxas fatal   : Unresolved extern function '_Z3fooi'\n", "k.cu", ""),
            "k.cu: error: Unresolved extern function 'foo(int)'");
}

TEST(BrokenPromise, NamesWhatPtxasDidInstead) {
  EXPECT_EQ(broken_promise("ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async "
                           "instructions are serialized due to x in function '_Z1kv'\n"),
            "wgmma is serialised: ptxas (C7510) Potential Performance Loss: wgmma.mma_async "
            "instructions are serialized due to x in function 'k()'");
  EXPECT_EQ(
      broken_promise("ptxas info    : (C7519) warpgroup.arrive is injected in around line 44\n"
                     "k.cu(3): warning: (C7510) in a string\n"),
      std::nullopt);
}

}  // namespace
}  // namespace warpwright
