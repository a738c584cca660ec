// PTX text: directives, scopes, initialisers, entries, and errors of parsing and decoding.
#include "core/error.h"
#include "emu/decode/decoder.h"
#include "emu/ptx/ptx_cursor.h"
#include "emu/ptx/ptx_parser.h"
#include "emu/ptx/source_places.h"
#include "emu_harness.h"

namespace warpwright::emu {
namespace {

std::string unsupported(const std::string& body) {
  try {
    (void)Module::parse(ptx_header() +
                            ".visible .entry k(.param .u64 p) {\n.reg .b32 %r<9>; .reg .b64 %d<9>; "
                            ".reg .pred %p;\n" +
                            body + "\n}",
                        "k.ptx");
  } catch (const UnsupportedPtx& error) {
    return error.what();
  }
  return "decoded";
}

TEST(Lexer, KeepsDottedOpcodesAndQualifiersWhole) {
  const auto tokens =
      tokenize("ld.global.L1::no_allocate.f32 %f1, [%rd2+-4]; // comment\n$L__BB0_1:", "t");
  std::vector<std::string> texts;
  for (const Token& token : tokens) texts.emplace_back(token.text);
  EXPECT_EQ(texts,
            (std::vector<std::string>{"ld.global.L1::no_allocate.f32", "%f1", ",", "[", "%rd2", "+",
                                      "-", "4", "]", ";", "$L__BB0_1", ":", ""}));
  EXPECT_EQ(tokens[10].line, 2);
}

TEST(Lexer, SplitsDirectivesWrittenTogether) {
  const auto tokens = tokenize("{.reg.b32 f;", "t");
  ASSERT_EQ(tokens.size(), 6u);
  EXPECT_EQ(tokens[1].text, ".reg");
  EXPECT_EQ(tokens[2].text, ".b32");
}

TEST(Parser, DescribesEntries) {
  const auto module = Module::parse(ptx_header() + R"(
    .visible .entry k(.param .u8 a, .param .align 16 .b8 b[24], .param .u64 .ptr .global .align 4 c)
    .maxntid 128, 2, 1
    .minnctapersm 2
    { .shared .align 4 .b8 tile[100]; ret; })",
                                    "k.ptx");
  const Module::Entry* entry = module->find("k");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(module->find("other"), nullptr);
  ASSERT_EQ(entry->parameters.size(), 3u);
  EXPECT_EQ(entry->parameters[1].offset, 16u);
  EXPECT_EQ(entry->parameters[2].offset, 40u);
  EXPECT_EQ(entry->parameters[2].alignment, 8u);
  EXPECT_EQ(entry->parameter_bytes, 48u);
  EXPECT_EQ(entry->max_threads, (std::array<int, 3>{128, 2, 1}));
  EXPECT_EQ(entry->static_shared_bytes, 100u);
}

TEST(Parser, InlineAssemblyScopesHideNamesAndLabels) {
  Harness harness(ptx_header() + R"(
    .visible .entry k(.param .u64 p) {
    .reg .b32 %r<3>; .reg .b64 %d0; .reg .pred %p1;
    ld.param.u64 %d0, [p]; mov.u32 %r0, 0;
    { .reg .b32 x; .reg .pred done; mov.u32 x, 3;
      LOOP: add.u32 %r0, %r0, x; setp.ge.u32 done, %r0, 9; @done bra OUT; bra LOOP; OUT: }
    { .reg .b32 x; .reg .pred done; mov.u32 x, 10;
      LOOP: add.u32 %r0, %r0, x; setp.ge.u32 done, %r0, 35; @done bra OUT; bra LOOP; OUT: }
    st.global.u32 [%d0], %r0; ret; })");
  const auto out = harness.zeros<unsigned>(1);
  harness.run_clean(out);
  EXPECT_EQ(harness.download(out)[0], 39u);
}

TEST(Parser, InitialisersAndSymbolAddresses) {
  Harness harness(ptx_header() + R"(
    .global .align 4 .u32 numbers[2][2] = {{1, 2}, {3, -4}};
    .global .align 4 .f32 real = 0f40490FDB;
    .global .align 8 .u64 where[2] = {generic(numbers)+8, real};
    .visible .entry k(.param .u64 p) {
    .reg .b32 %r<4>; .reg .b64 %d<4>;
    ld.param.u64 %d0, [p];
    ld.global.u64 %d1, [where]; ld.u32 %r0, [%d1]; ld.u32 %r1, [%d1+4];
    ld.global.u64 %d2, [where+8]; ld.global.u32 %r2, [%d2];
    mov.u64 %d3, numbers; ld.global.u32 %r3, [%d3+4];
    st.global.v4.u32 [%d0], {%r0, %r1, %r2, %r3}; ret; })");
  const auto out = harness.zeros<unsigned>(4);
  harness.launch.block = {1, 1, 1};
  harness.run_clean(out);
  EXPECT_EQ(harness.download(out),
            (std::vector<unsigned>{3, static_cast<unsigned>(-4), 0x40490fdb, 2}));
}

TEST(Parser, IndexedBranches) {
  Harness harness(ptx_header() + R"(
    .visible .entry k(.param .u64 p) {
    .reg .b32 %r<4>; .reg .b64 %d<3>;
    ld.param.u64 %d0, [p]; mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 3;
    table: .branchtargets A, B, C, A;
    brx.idx %r1, table;
    A: mov.u32 %r2, 100; bra.uni END;
    B: mov.u32 %r2, 200; bra.uni END;
    C: mov.u32 %r2, 300;
    END: mul.wide.u32 %d1, %r0, 4; add.u64 %d0, %d0, %d1; st.global.u32 [%d0], %r2; ret; })");
  const auto out = harness.zeros<unsigned>(32);
  harness.run_clean(out);
  const unsigned expected[4] = {100, 200, 300, 100};
  for (std::size_t t = 0; t < 32; ++t) EXPECT_EQ(harness.download(out)[t], expected[t % 4]) << t;
}

TEST(Parser, ToolkitHeadersAreNotTheKernelsOwn) {
  EXPECT_TRUE(is_toolkit_header("/usr/local/cuda/include/cuda_fp16.hpp"));
  EXPECT_TRUE(is_toolkit_header("sm_30_intrinsics.hpp"));
  EXPECT_FALSE(is_toolkit_header("kernels/common/reduce.cuh"));
  EXPECT_FALSE(is_toolkit_header("softmax.cu"));
}

TEST(Parser, HeadersWithNamesLikeTheToolkitsAreTheKernelsOwn) {
  for (const char* path : {"cuda_helpers.h", "include/math_utils.h", "device_sort.hpp",
                           "vector_ops.h", "sm_helpers.h", "cuda_fp16.cuh"})
    EXPECT_FALSE(is_toolkit_header(path)) << path;
}

TEST(Parser, CooperativeGroupsAndTheCoreLibrariesAreToolkitHeaders) {
  for (const char* path : {"/usr/local/cuda/include/cooperative_groups/details/reduce.h",
                           "/usr/local/cuda/include/cccl/cuda/__ptx/instructions/mbarrier_wait.h",
                           "/opt/libcudacxx/include/cuda/__barrier/barrier.h",
                           "/opt/cuda/include/cub/block/specializations/block_reduce.cuh",
                           "/opt/cuda/include/thrust/detail/swap.h", "cub/warp/warp_scan.cuh"})
    EXPECT_TRUE(is_toolkit_header(path)) << path;
}

// The output of nvcc -lineinfo for cooperative_groups::reduce, called on line 6 of a function that
// is called on line 8.
TEST(Parser, HeadersInlinedIntoHeadersAreAtTheLineThatCallsTheOutermost) {
  const ParsedModule module = parse_ptx(ptx_header() + R"(
    .file 1 "sum.cu"
    .file 2 "/usr/local/cuda/include/cooperative_groups/details/reduce.h"
    .file 3 "/usr/local/cuda/include/crt/sm_80_rt.hpp"
    .visible .entry k() {
    .reg .b32 %r<2>;
    .loc 1 8 41
    mov.u32 %r0, 1;
    .loc 1 6 3, function_name $L__info_string0, inlined_at 1 8 41
    .loc 2 364 5, function_name $L__info_string1, inlined_at 1 6 3
    .loc 2 269 13, function_name $L__info_string2, inlined_at 2 364 5
    .loc 3 115 3, function_name $L__info_string3, inlined_at 2 269 13
    mov.u32 %r1, 2;
    ret; })",
                                        "k.ptx");
  const SourceLine& inlined = module.functions.at(0).statements.at(1).source;
  EXPECT_EQ(module.files.at(static_cast<std::size_t>(inlined.file)), "sum.cu");
  EXPECT_EQ(inlined.line, 6);
}

TEST(Parser, NamesOfFilesAreUnescaped) {
  const ParsedModule module = parse_ptx(
      ptx_header() + ".file 1 \"/M\\303\\274ller/a\\tb\\\"c.cu\"\n.visible .entry k() { ret; }",
      "k.ptx");
  EXPECT_EQ(module.files.at(1), "/M\xC3\xBCller/a\tb\"c.cu");
}

TEST(Parser, FoldersThatOnlyEndLikeAToolkitsAreTheKernelsOwn) {
  for (const char* path : {"src/my_cub/reduce.cuh", "src/cuda/reduce.cuh", "notthrust/sort.h"})
    EXPECT_FALSE(is_toolkit_header(path)) << path;
}

TEST(Parser, WhatCubInlinesIsAtTheLineThatCallsIt) {
  const ParsedModule module = parse_ptx(ptx_header() + R"(
    .file 1 "sum.cu"
    .file 2 "/opt/cuda/include/cub/block/block_reduce.cuh"
    .visible .entry k() {
    .reg .b32 %r<2>;
    .loc 2 50 3, function_name $L__info_string0, inlined_at 1 7 5
    mov.u32 %r0, 1;
    ret; })",
                                        "k.ptx");
  const Statement& first = module.functions.at(0).statements.at(0);
  EXPECT_EQ(module.files.at(static_cast<std::size_t>(first.source.file)), "sum.cu");
  EXPECT_EQ(first.source.line, 7);
}

TEST(Parser, ALineInAHelperKnowsItsCalls) {
  const ParsedModule module = parse_ptx(ptx_header() + R"(
    .file 1 "sum.cu"
    .file 2 "/opt/cuda/include/cub/block/block_reduce.cuh"
    .visible .entry k() {
    .reg .b32 %r<3>;
    .loc 1 20 3
    mov.u32 %r0, 1;
    .loc 1 11 3, function_name $L__info_string0, inlined_at 1 20 3
    .loc 2 50 3, function_name $L__info_string1, inlined_at 1 11 3
    .loc 1 6 3, function_name $L__info_string2, inlined_at 2 50 3
    mov.u32 %r1, 2;
    .loc 2 50 3, function_name $L__info_string1, inlined_at 1 11 3
    mov.u32 %r2, 2;
    ret; })",
                                        "k.ptx");
  const auto lines = [&](std::size_t statement) {
    std::vector<int> all;
    const SourceLine* at = &module.functions.at(0).statements.at(statement).source;
    for (all.push_back(at->line); at->caller >= 0; all.push_back(at->line))
      at = &module.callers.at(static_cast<std::size_t>(at->caller));
    return all;
  };
  EXPECT_THAT(lines(0), ::testing::ElementsAre(20));
  // Functions that the toolkit calls get the line at which the kernel calls the toolkit.
  EXPECT_THAT(lines(1), ::testing::ElementsAre(6, 11, 20));
  EXPECT_THAT(lines(2), ::testing::ElementsAre(11, 20));
}

TEST(Parser, ErrorsNameTheLine) {
  try {
    (void)Module::parse(".version 9.0\n.target sm_90a\n.entry k( { }", "bad.ptx");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.message(), "bad.ptx:3: PTX: unexpected parameter '{'");
  }
  EXPECT_THROW((void)Module::parse(ptx_header() + ".entry k() { bra NOWHERE; }", "bad.ptx"), Error);
}

std::string refused(const std::string& text) {
  try {
    (void)Module::parse(text, "bad.ptx");
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kUser);
    return error.message();
  }
  return "parsed";
}

TEST(Parser, NestingWithoutEndIsRefused) {
  const std::string many(1'000'000, '{');
  EXPECT_EQ(refused(".entry k() { mov.u32 " + many),
            "bad.ptx:1: PTX: an operand is nested too deep");
  EXPECT_EQ(refused(".entry k() { mov.u32 " + std::string(1'000'000, '!')),
            "bad.ptx:1: PTX: an operand is nested too deep");
  EXPECT_EQ(refused(".global .b32 x = " + many),
            "bad.ptx:1: PTX: an initialiser is nested too deep");
  EXPECT_EQ(refused(".entry k() " + many), "bad.ptx:1: PTX: blocks are nested more than 1000 deep");
}

TEST(Parser, SizesBeyondReasonAreRefused) {
  EXPECT_EQ(refused(".entry k() { .reg .b32 %r<99999999999>; }"),
            "bad.ptx:1: PTX: 99999999999 registers '%r' are more than any function has");
  EXPECT_EQ(refused(".entry k() { .reg .b32 a<600000>; .reg .b32 b<600000>; }"),
            "bad.ptx:1: PTX: 600000 registers 'b' are more than any function has");
  EXPECT_EQ(refused(".file 99999999999 \"a.cu\""),
            "bad.ptx:1: PTX: file number 99999999999 is too large");
  EXPECT_EQ(refused(".global .b32 x[4611686018427387904][4];"),
            "bad.ptx:1: PTX: variable 'x' is too large");
  EXPECT_EQ(refused(".global .b32 x[99999999] = {1};"),
            "bad.ptx:1: PTX: variable 'x' is too large to be initialised");
  EXPECT_EQ(refused(".global .align 3 .b32 x;"), "bad.ptx:1: PTX: bad alignment 3");
  EXPECT_EQ(refused(".global .u64 x = x+9223372036854775807+9223372036854775807;"),
            "bad.ptx:1: PTX: expected ';', got '+'");
  EXPECT_EQ(refused(".global .u64 x = generic(x+9223372036854775807)+1;"),
            "bad.ptx:1: PTX: the address of 'x' is too large");
}

TEST(Parser, AddressesThatAVariableHasNoPlaceForAreRefused) {
  EXPECT_EQ(refused(".func f() { ret; } .global .u64 x[1] = {f, f, f};"),
            "bad.ptx:1: PTX: variable 'x' has more initialisers than elements");
  EXPECT_EQ(refused(".global .u32 x; .global .u32 y = x;"),
            "bad.ptx:1: PTX: an address in an element of 4 bytes; it has 8");
}

TEST(Parser, GuardsThatAreNoPredicatesAreRefused) {
  EXPECT_EQ(refused(".entry k() { .reg .b32 %r<2>; @%r1 ret; }"),
            "bad.ptx:1: PTX: guard is not a predicate register");
}

TEST(Parser, AccessesBeyondAParameterAreRefused) {
  const std::string callee = ".func f(.param .b64 a) { ret; } ";
  const auto call = [&](const std::string& stores) {
    return refused(callee + ".entry k() { .reg .b32 %r<2>; { .param .b64 p; " + stores +
                   " call.uni f, (p); } }");
  };
  EXPECT_EQ(call("st.param.b32 [p+4], %r1;"), "parsed");
  EXPECT_EQ(call("st.param.b32 [p+100000000], %r1;"),
            "bad.ptx:1: PTX: `st.param.b32` takes 4 bytes at offset 100000000 of 'p', which has 8");
  EXPECT_EQ(call("st.param.b32 [p+-4], %r1;"),
            "bad.ptx:1: PTX: `st.param.b32` takes 4 bytes at offset -4 of 'p', which has 8");
  EXPECT_EQ(call("st.param.b32 [p+9223372036854775807], %r1;"),
            "bad.ptx:1: PTX: `st.param.b32` takes 4 bytes at offset 9223372036854775807 of 'p', "
            "which has 8");
  EXPECT_EQ(call("st.param.v2.b32 [p+4], {%r1, %r1};"),
            "bad.ptx:1: PTX: `st.param.v2.b32` takes 8 bytes at offset 4 of 'p', which has 8");
}

TEST(Parser, ArgumentsSmallerThanTheirParametersAreRefused) {
  EXPECT_EQ(
      refused(".func f(.param .b64 a) { ret; } .entry k() { { .param .b32 p; call.uni f, (p); "
              "} }"),
      "bad.ptx:1: PTX: `call.uni` takes 8 bytes at offset 0 of 'p', which has 4");
}

TEST(Parser, TypesThatDoNotExistAreRefused) {
  EXPECT_EQ(refused(".entry k() { .reg .b2147483640 %r; }"),
            "bad.ptx:1: PTX: unknown register type '.b2147483640'");
  EXPECT_EQ(refused(".entry k() { .reg"), "bad.ptx:1: PTX: expected ';', got ''");
}

TEST(Unsupported, NamesTheOpcodeAndThePlace) {
  EXPECT_EQ(unsupported("add.u32 %r0, %r1, %r2;"), "decoded");
  EXPECT_EQ(unsupported("frobnicate.u32 %r0, %r1;"),
            "emulator lacks `frobnicate.u32` at k.ptx:6 (PTX)");
  EXPECT_EQ(unsupported("ld.shared.f31 %r0, [%r1];"),
            "emulator lacks `ld.shared.f31` at k.ptx:6 (PTX)");
  EXPECT_EQ(unsupported(".loc 1 12 3\nadd.weird.u32 %r0, %r1, %r2;\n}\n.file 1 "
                        "\"softmax.cu\"\n.entry l() { ret;"),
            "emulator lacks `add.weird.u32` at softmax.cu:12");
  EXPECT_EQ(unsupported("tcgen05.wait::ld.sync.aligned;"),
            "emulator lacks `tcgen05.wait::ld.sync.aligned` at k.ptx:6 (PTX)");
  EXPECT_EQ(unsupported("ld.global.q.u32 %r0, [%d0];"),
            "emulator lacks `ld.global.q.u32` at k.ptx:6 (PTX)");
  EXPECT_EQ(unsupported("call.uni nobody;"),
            "emulator lacks the function 'nobody', which `call.uni` wants, at k.ptx:6 (PTX)");
}

TEST(Unsupported, OperandsThatNoInstructionHas) {
  for (const std::string body :
       {"redux.sync.add.s32 %r0, %r1, 1, 1, 1, 1, 1;", "call.uni vprintf;",
        "call.uni __assertfail, (p);", "cp.async.ca.shared.global [%r0], [%d1], 300;",
        "cvta.to.global.u64 %d9, %d1;", "cvta.to.shared.u64 %r0, %d1;", "cvta.global.u64 %p, %d1;",
        "createpolicy.fractional.L2::evict_last.b64 %d9, 1.0;", "cvt.s64.s32 %d9, %r1;",
        "mov.u32 %r9, %tid.x;"}) {
    const std::string opcode = body.substr(0, body.find(' '));
    EXPECT_EQ(unsupported(body), "emulator lacks `" + opcode + "` at k.ptx:6 (PTX)");
  }
}

}  // namespace
}  // namespace warpwright::emu
