// Faults of kernels: the kind, the place and the whole message.
#include <thread>

#include "emu_harness.h"

namespace warpwright::emu {
namespace {

Harness faults(const std::string& entry) {
  Harness harness = Harness::fixture("faults.ptx");
  harness.launch.entry = entry;
  return harness;
}

void expect_fault(const LaunchReport& report, FindingKind kind, int line,
                  const std::string& message) {
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_EQ(report.fault->kind, kind);
  EXPECT_EQ(report.fault->here->where.file, "faults.cu");
  EXPECT_EQ(report.fault->here->where.line, line);
  EXPECT_EQ(report.fault->message, message);
}

TEST(Fault, StorePastTheEnd) {
  Harness harness = faults("store_past_end");
  const auto out = harness.zeros<float>(100, "out");
  harness.launch.block = {64, 1, 1};
  harness.launch.grid = {2, 1, 1};
  const LaunchReport report = harness.run(out, 100);
  expect_fault(report, FindingKind::kOutOfBounds, 4,
               "store of 4 bytes 0 bytes past the end of buffer 'out' (400 bytes) at faults.cu:4, "
               "thread (36,0,0) of "
               "block (1,0,0); check the index against the size of the buffer");
  EXPECT_EQ(report.fault->here->block, (std::array<std::uint32_t, 3>{1, 0, 0}));
  EXPECT_EQ(report.fault->here->thread, (std::array<std::uint32_t, 3>{36, 0, 0}));
}

TEST(Fault, LoadBeforeTheStart) {
  Harness harness = faults("load_before_start");
  const auto in = harness.zeros<int>(100, "in");
  const auto out = harness.zeros<int>(100, "out");
  expect_fault(harness.run(in, out), FindingKind::kOutOfBounds, 8,
               "load of 4 bytes 8 bytes before the start of buffer 'in' (400 bytes) at "
               "faults.cu:8, thread (0,0,0) of "
               "block (0,0,0); check the index against the size of the buffer");
}

TEST(Fault, MisalignedVector) {
  Harness harness = faults("misaligned_vector");
  const auto in = harness.zeros<float>(200, "in");
  const auto out = harness.zeros<float>(32, "out");
  expect_fault(harness.run(in, out), FindingKind::kMisaligned, 12,
               "load of 16 bytes at offset 4 of buffer 'in' is not aligned to 16 bytes at "
               "faults.cu:12, thread (0,0,0) "
               "of block (0,0,0); access fewer bytes at a time or align the address");
}

TEST(Fault, VectorThatRunsOverTheEnd) {
  Harness harness = faults("vector_over_end");
  const auto in = harness.zeros<float>(42, "in");
  const auto out = harness.zeros<float>(32, "out");
  expect_fault(harness.run(in, out), FindingKind::kOutOfBounds, 17,
               "load of 16 bytes at offset 160 runs 8 bytes past the end of buffer 'in' (168 "
               "bytes) at faults.cu:17, "
               "thread (10,0,0) of block (0,0,0); check the index against the size of the buffer");
}

TEST(Fault, SharedPastItsEnd) {
  Harness harness = faults("shared_past_end");
  const auto out = harness.zeros<int>(32, "out");
  harness.launch.dynamic_shared_bytes = 128;
  EXPECT_FALSE(harness.run(out, 0).fault.has_value());
  expect_fault(harness.run(out, 1), FindingKind::kOutOfBounds, 23,
               "store of 4 bytes at shared address 128 at faults.cu:23, thread (31,0,0) of block "
               "(0,0,0), but the block "
               "has 128 bytes of shared memory (0 static and 128 dynamic); check the index or "
               "launch with more dynamic "
               "shared memory");
}

TEST(Fault, NullPointer) {
  Harness harness = faults("null_pointer");
  expect_fault(harness.run(std::uint64_t{0}), FindingKind::kOutOfBounds, 29,
               "store of 4 bytes at address 0x0, which is not a device buffer, at faults.cu:29, "
               "thread (0,0,0) of block "
               "(0,0,0); pass a device pointer");
}

TEST(Fault, ReleasedBuffer) {
  Harness harness = faults("null_pointer");
  const auto out = harness.zeros<int>(32, "scratch");
  harness.memory->release(out.address);
  expect_fault(harness.run(out), FindingKind::kOutOfBounds, 29,
               "store of 4 bytes at offset 0 of buffer 'scratch', which was released, at "
               "faults.cu:29, thread (0,0,0) of "
               "block (0,0,0); keep the buffer alive until the launch is done");
}

TEST(Fault, Trap) {
  Harness harness = faults("traps");
  EXPECT_FALSE(harness.run(40).fault.has_value());
  expect_fault(harness.run(3), FindingKind::kTrap, 33,
               "trap executed at faults.cu:33, thread (3,0,0) of block (0,0,0); the kernel itself "
               "asked to stop");
}

TEST(Fault, FirstBlockIsReportedForAnyNumberOfThreads) {
  for (const int threads : {1, 2, 5}) {
    Harness harness = faults("fault_in_each_block");
    const auto out = harness.zeros<int>(4, "out");
    harness.launch.grid = {200, 1, 1};
    harness.options.threads = threads;
    const LaunchReport report = harness.run(out, 100);
    ASSERT_TRUE(report.fault.has_value());
    EXPECT_EQ(report.fault->here->block[0], 3u) << threads;
    EXPECT_EQ(report.counters.blocks, 1u);
  }
}

TEST(Limit, Instructions) {
  Harness harness = faults("endless");
  const auto flag = harness.zeros<int>(1, "flag");
  harness.options.instruction_limit = 10000;
  const LaunchReport report = harness.run(flag);
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_EQ(report.fault->kind, FindingKind::kDoesNotEnd);
  EXPECT_EQ(report.fault->here->where.line, 37);
  EXPECT_EQ(report.fault->message,
            "more than 10000 warp instructions; the first unfinished warp was at faults.cu:37, "
            "thread (0,0,0) of block "
            "(0,0,0); look for a loop that does not end, or raise the limit");
}

TEST(Limit, Time) {
  Harness harness = faults("endless");
  const auto flag = harness.zeros<int>(1, "flag");
  harness.options.time_limit = std::chrono::milliseconds(50);
  const auto start = std::chrono::steady_clock::now();
  const LaunchReport report = harness.run(flag);
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_EQ(report.fault->kind, FindingKind::kDoesNotEnd);
  EXPECT_EQ(report.fault->here->where.line, 37);
  EXPECT_TRUE(report.fault->message.starts_with("more than 50 ms; ")) << report.fault->message;
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
}

TEST(Limit, Cancel) {
  Harness harness = faults("endless");
  const auto flag = harness.zeros<int>(1, "flag");
  std::atomic<bool> cancel{false};
  harness.options.cancel = &cancel;
  std::jthread canceller([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(30));
    cancel = true;
  });
  const LaunchReport report = harness.run(flag);
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_EQ(report.fault->kind, FindingKind::kCancelled);
}

TEST(InvalidLaunch, LocalMemoryThatNoThreadMayHave) {
  Harness harness(ptx_header() + R"(
    .visible .entry large() {
    .local .align 4 .b8 array[524292]; .reg .b32 %r<2>;
    st.local.u32 [array], %r0; ret; })");
  const LaunchReport report = harness.run();
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_EQ(report.fault->kind, FindingKind::kInvalidLaunch);
  EXPECT_EQ(report.fault->message,
            "'large' has 524292 bytes of local memory a thread, a device allows 524288; make its "
            "arrays smaller, or put them in shared or global memory");
}

// A later launch does not see the values that a faulting launch left in the module's variables.
TEST(Fault, TheNextLaunchFindsTheModulesInitialValues) {
  Harness harness(ptx_header() + R"(
    .global .align 4 .u32 ticket = 5;
    .visible .entry count(.param .u64 p, .param .u32 fails) {
    .reg .b32 %r<4>; .reg .b64 %d<2>; .reg .pred %p<2>;
    ld.param.u64 %d0, [p]; ld.param.u32 %r0, [fails];
    atom.global.add.u32 %r1, [ticket], 1; st.global.u32 [%d0], %r1;
    setp.ne.u32 %p0, %r0, 0; @%p0 trap; ret; })");
  harness.launch.block = {1, 1, 1};
  const auto out = harness.zeros<unsigned>(1);
  harness.run_clean(out, 0u);
  harness.run_clean(out, 0u);
  EXPECT_EQ(harness.download(out)[0], 6u);  // a launch continues from a successful one
  EXPECT_TRUE(harness.run(out, 1u).fault.has_value());
  harness.run_clean(out, 0u);
  EXPECT_EQ(harness.download(out)[0], 5u);
}

TEST(InvalidLaunch, SaysWhatAndTheLimit) {
  Harness harness = faults("traps");
  harness.launch.block = {1024, 2, 1};
  EXPECT_EQ(harness.run(40).fault->message,
            "a block of 2048 threads exceeds the 1024 that sm_90a allows");
  harness.launch.block = {32, 1, 1};
  harness.launch.dynamic_shared_bytes = 300000;
  EXPECT_EQ(harness.run(40).fault->message,
            "300000 bytes of shared memory (0 static and 300000 dynamic) exceed the 232448 that "
            "sm_90a allows");
  harness.launch.dynamic_shared_bytes = 0;
  EXPECT_EQ(harness.run(40.0).fault->message, "'traps' takes 4 bytes of parameters, got 8");
  harness.launch.entry = "none";
  EXPECT_EQ(harness.run(40).fault->message, "the module has no entry 'none'");
}

}  // namespace
}  // namespace warpwright::emu
