// Calls through registers: function pointers in tables, prototypes and lists of targets, and their
// faults.
#include "emu_harness.h"

namespace warpwright::emu {
namespace {

// Functions of one number, and a kernel of one warp: lane l has its number in %r0 and l % 4 in %r1;
// `code` computes a function's address in %d2 and a result in %r2, which is stored.
std::string calls(const std::string& code, const std::string& before = "") {
  const auto function = [](const std::string& name, const std::string& body) {
    return ".func (.param .b32 out) " + name + "(.param .b32 in) {\n.reg .b32 %r<9>;\n" +
           "ld.param.u32 %r0, [in];\n" + body + "st.param.b32 [out], %r0;\nret;\n}\n";
  };
  return ptx_header() +
         ".extern .func (.param .b32 out) elsewhere(.param .b32 in);\n"
         ".func (.param .b32 out) other_name(.param .b32 in);\n" +
         function("twice", "add.u32 %r0, %r0, %r0;\n") +
         function("square", "mul.lo.u32 %r0, %r0, %r0;\n") +
         function("next", "add.u32 %r0, %r0, 1;\n") +
         ".func (.param .b64 out) wide(.param .b64 in) { ret; }\n"
         ".alias other_name, next;\n"
         ".global .align 8 .u64 table[4] = {twice, square, next, twice};\n" +
         before +
         ".visible .entry k(.param .u64 p) {\n"
         ".reg .b32 %r<9>; .reg .b64 %d<9>; .reg .pred %p;\n"
         "ld.param.u64 %d0, [p]; mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 3;\n"
         "mul.wide.u32 %d1, %r0, 4; add.u64 %d0, %d0, %d1;\n" +
         code + "st.global.u32 [%d0], %r2;\nret;\n}\n";
}

// Calls the function at %d2 with %r0, with the result in %r2.
std::string call_through_d2(const std::string& shape) {
  return "{ .param .b32 in1; .param .b32 out1; st.param.b32 [in1], %r0;\n" + shape +
         "call (out1), %d2, (in1), shape;\nld.param.b32 %r2, [out1]; }\n";
}
const std::string kPrototype = "shape: .callprototype (.param .b32 _) _ (.param .b32 _);\n";
const std::string kFromTable =
    "mov.u64 %d2, table; mul.wide.u32 %d3, %r1, 8; add.u64 %d2, %d2, %d3;\n"
    "ld.global.u64 %d2, [%d2];\n";

std::vector<std::uint32_t> results_of_call(const std::string& ptx) {
  Harness harness(ptx);
  const auto out = harness.zeros<std::uint32_t>(32);
  harness.options.check = true;
  const LaunchReport report = harness.run(out);
  EXPECT_FALSE(report.fault.has_value()) << report.fault->message;
  EXPECT_TRUE(report.hazards.empty()) << report.hazards[0].message;
  return harness.download(out);
}

std::uint32_t of_table(std::uint32_t lane) {
  const std::uint32_t results[4] = {2 * lane, lane * lane, lane + 1, 2 * lane};
  return results[lane % 4];
}

TEST(IndirectCalls, LanesCallTheFunctionsOfTheirOwnPointers) {
  const auto got = results_of_call(calls(kFromTable + call_through_d2(kPrototype)));
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(got[lane], of_table(lane)) << lane;
}

TEST(IndirectCalls, LanesAreTogetherAgainBehindTheCall) {
  const auto got =
      results_of_call(calls(kFromTable + call_through_d2(kPrototype) + "activemask.b32 %r2;\n"));
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(got[lane], 0xffffffffu) << lane;
}

TEST(IndirectCalls, LanesWhoseGuardIsOffCallNothing) {
  const auto got = results_of_call(
      calls(kFromTable +
            "mov.u32 %r2, 7; setp.lt.u32 %p, %r1, 2;\n"
            "{ .param .b32 in1; .param .b32 out1; st.param.b32 [in1], %r0;\n" +
            kPrototype + "@%p call (out1), %d2, (in1), shape;\n@%p ld.param.b32 %r2, [out1]; }\n"));
  for (std::uint32_t lane = 0; lane < 32; ++lane)
    EXPECT_EQ(got[lane], lane % 4 < 2 ? of_table(lane) : 7) << lane;
}

TEST(IndirectCalls, TargetsMayBeAList) {
  const auto got = results_of_call(
      calls(kFromTable + call_through_d2("shape: .calltargets twice, square, next;\n")));
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(got[lane], of_table(lane)) << lane;
}

TEST(IndirectCalls, AddressesAreTakenAndComparedLikeNumbers) {
  const auto got =
      results_of_call(calls("mov.u64 %d2, twice; mov.u64 %d3, other_name; mov.u64 %d4, next;\n"
                            "setp.eq.u64 %p, %d3, %d4; @%p mov.u64 %d2, square;\n" +
                            call_through_d2(kPrototype)));
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(got[lane], lane * lane) << lane;
}

TEST(IndirectCalls, AliasesAreCalledByName) {
  const auto got =
      results_of_call(calls("{ .param .b32 in1; .param .b32 out1; st.param.b32 [in1], %r0;\n"
                            "call.uni (out1), other_name, (in1);\nld.param.b32 %r2, [out1]; }\n"));
  for (std::uint32_t lane = 0; lane < 32; ++lane) EXPECT_EQ(got[lane], lane + 1) << lane;
}

std::string fault_of_call(const std::string& ptx) {
  Harness harness(ptx);
  const auto out = harness.zeros<std::uint32_t>(32);
  const LaunchReport report = harness.run(out);
  if (!report.fault) return "none";
  EXPECT_EQ(report.fault->kind, FindingKind::kTrap);
  return report.fault->message;
}

TEST(IndirectCalls, PointersToNoFunctionAreFaults) {
  const std::string at = " at `call` (no line information), thread (5,0,0) of block (0,0,0)";
  // Lane 5 has a different pointer than the other lanes.
  const auto fifth = [](const std::string& pointer) {
    return fault_of_call(calls("mov.u64 %d2, twice; setp.eq.u32 %p, %r0, 5; @%p mov.u64 %d2, " +
                               pointer + ";\n" + call_through_d2(kPrototype)));
  };
  const std::string set =
      "; set function pointers on the device, and objects with virtual functions up there, too";
  EXPECT_EQ(fifth("0"), "a call through a null function pointer" + at + set);
  EXPECT_EQ(fifth("table"), fifth("table"));
  EXPECT_EQ(fifth("4660"), "a call of address 0x1234, where no function is," + at + set);
  EXPECT_EQ(fifth("k"),
            "a call of the kernel 'k' through a pointer" + at + "; call a __device__ function");
  EXPECT_EQ(fifth("elsewhere"), "a call of 'elsewhere' through a pointer" + at +
                                    ", which the module declares and does not define; define it");
  EXPECT_EQ(fifth("wide"),
            "'wide', which takes and returns (8) -> (8) bytes, is called as (4) -> "
            "(4)" +
                at + "; call it through a pointer of its own type");
}

TEST(IndirectCalls, AFunctionOutsideTheListIsAFault) {
  EXPECT_EQ(
      fault_of_call(calls(kFromTable + call_through_d2("shape: .calltargets twice, square;\n"))),
      "'next' is called at `call` (no line information), thread (2,0,0) of block (0,0,0), "
      "where .calltargets does not name it; add it to the list");
}

// A virtual destructor adds a function that calls free(); it runs only if it is called through a
// pointer.
TEST(IndirectCalls, FunctionsThatTheEmulatorLacksCountOnceTheyAreCalled) {
  const std::string deletes =
      ".extern .func free(.param .b64 p);\n"
      ".func (.param .b32 out) deletes(.param .b32 in) {\n"
      ".param .b64 q; call.uni free, (q); ret; }\n"
      ".global .align 8 .u64 more[1] = {deletes};\n";
  const std::string last = calls("mov.u64 %d2, next;\n" + call_through_d2(kPrototype), deletes);
  EXPECT_EQ(results_of_call(last)[31], 32u);
  EXPECT_EQ(
      fault_of_call(calls("ld.global.u64 %d2, [more];\n" + call_through_d2(kPrototype), deletes)),
      "a call of 'free' at `call.uni` (no line information), thread (0,0,0) of block (0,0,0),"
      " a function that the emulator lacks; keep kernels that run here from it");
  const std::string by_name =
      "{ .param .b32 in1; .param .b32 out1; call.uni (out1), deletes, (in1); }\n";
  EXPECT_THROW((void)Module::parse(calls(by_name, deletes), "test.ptx"), UnsupportedPtx);
}

TEST(IndirectCalls, CallsWithoutAShapeAreUnsupported) {
  for (const std::string shape : {"", "shape: .calltargets nothing;\n"}) {
    try {
      (void)Module::parse(calls(kFromTable + call_through_d2(shape)), "test.ptx");
      ADD_FAILURE() << shape;
    } catch (const UnsupportedPtx& unsupported) {
      EXPECT_EQ(std::string(unsupported.what()).substr(0, 28), "emulator lacks `call` at tes");
    }
  }
}

std::vector<Finding> hazards_of_call(const std::string& ptx) {
  Harness harness(ptx);
  const auto out = harness.zeros<std::uint32_t>(32);
  harness.options.check = true;
  const LaunchReport report = harness.run(out);
  return report.hazards;
}

TEST(IndirectCalls, AnUndefinedPointerIsFound) {
  const auto hazards = hazards_of_call(
      calls("setp.lt.u32 %p, %r0, 32; @%p mov.u64 %d2, twice;\n" + call_through_d2(kPrototype)));
  ASSERT_EQ(hazards.size(), 0u);  // written on every path that reads it
  const auto found = hazards_of_call(
      calls("setp.lt.u32 %p, %r0, 3; @%p mov.u64 %d2, twice;\n" + call_through_d2(kPrototype)));
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].kind, FindingKind::kUninitialisedRegister);
  EXPECT_EQ(found[0].message, "`call` uses a value that was never computed");
  EXPECT_EQ(found[0].here->thread[0], 3u);
}

// A function's variables are undefined when its lanes enter it; those of the other lanes are not
// affected.
TEST(IndirectCalls, UndefinedRegistersAreTheCalleesOwn) {
  const std::string forgets =
      ".global .align 4 .u32 word;\n"
      ".func (.param .b32 out) forgets(.param .b32 in) {\n"
      ".reg .b32 %r<9>; .reg .pred %p; ld.param.u32 %r0, [in];\n"
      "setp.gt.u32 %p, %r0, 20; @%p mov.u32 %r1, 3; st.param.b32 [out], %r0;\n"
      "@%p st.global.u32 [word], 1; st.global.u32 [word], %r1; ret; }\n";
  const std::string choose =
      "mov.u64 %d2, twice; setp.eq.u32 %p, %r1, 2; @%p mov.u64 %d2, forgets;\n";
  const auto found = hazards_of_call(calls(choose + call_through_d2(kPrototype), forgets));
  std::vector<std::uint32_t> threads;
  for (const Finding& hazard : found)
    if (hazard.kind == FindingKind::kUninitialisedRegister)
      threads.push_back(hazard.here->thread[0]);
  EXPECT_EQ(threads, std::vector<std::uint32_t>{2});
}

}  // namespace
}  // namespace warpwright::emu
