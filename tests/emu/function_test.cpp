// Calls, recursion, local arrays, module variables, printf and assert.
#include "emu_harness.h"

namespace warpwright::emu {
namespace {

Harness functions(const std::string& entry) {
  Harness harness = Harness::fixture("functions.ptx");
  harness.launch.entry = entry;
  return harness;
}

TEST(Functions, DivergedCallersGetTheirOwnResults) {
  Harness harness = functions("calls");
  const auto out = harness.zeros<float>(32);
  harness.run_clean(out, 3);
  const auto got = harness.download(out);
  for (int t = 0; t < 32; ++t) {
    const float expected =
        t % 2 == 0 ? static_cast<float>(t * 3 + 1) : static_cast<float>(-t * 3 + 1) * 2;
    EXPECT_EQ(got[static_cast<std::size_t>(t)], expected) << t;
  }
}

TEST(Functions, LanesRecurseToDifferentDepths) {
  Harness harness = functions("recursion");
  const auto out = harness.zeros<int>(32);
  harness.run_clean(out);
  const int fibonacci[12] = {1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144};
  for (std::size_t t = 0; t < 32; ++t) EXPECT_EQ(harness.download(out)[t], fibonacci[t % 12]) << t;
}

TEST(Functions, StructsTravelByValue) {
  struct Record {
    int id;
    float weight;
    double values[3];
  };
  Harness harness = functions("structs");
  const auto out = harness.zeros<double>(32);
  harness.run_clean(Record{10, 0.25f, {1, 2, 3}}, out);
  const double initial[3] = {1.5, 2.5, 3.5};
  for (std::size_t t = 0; t < 32; ++t) {
    EXPECT_EQ(harness.download(out)[t],
              20 + 0.25 + 2.0 * static_cast<double>(t % 3 + 1) + initial[t % 3])
        << t;
  }
}

TEST(Functions, LocalArraysAreEachLanesOwn) {
  Harness harness = functions("local_array");
  const auto out = harness.zeros<int>(64);
  harness.launch.block = {64, 1, 1};
  const Counters counters = harness.run_clean(out, 5);
  for (int t = 0; t < 64; ++t) {
    int expected = 0;
    for (int i = 0; i < 5; ++i) {
      const int k = (t * 7 + i) % 32;
      expected += t + k * k;
    }
    EXPECT_EQ(harness.download(out)[static_cast<std::size_t>(t)], expected) << t;
  }
  EXPECT_GT(counters.local_requests, 0u);
}

TEST(Functions, ModuleVariablesKeepTheirValuesBetweenLaunches) {
  Harness harness = functions("tables");
  const auto out = harness.zeros<float>(32);
  for (int launch = 0; launch < 3; ++launch) {
    harness.run_clean(out);
    const auto got = harness.download(out);
    for (std::size_t t = 0; t < 32; ++t) {
      EXPECT_EQ(got[t], static_cast<float>(1 << (t % 8)) + static_cast<float>(5 + launch))
          << launch << " " << t;
    }
  }
}

TEST(Functions, ModuleVariablesAreEachMemorysOwn) {
  Harness first = functions("tables");
  const auto out = first.zeros<float>(32);
  first.run_clean(out);
  first.memory = std::make_unique<GlobalMemory>();
  const auto again = first.zeros<float>(32);
  first.run_clean(again);
  EXPECT_EQ(first.download(again)[0], 1.0f + 5.0f);
}

TEST(Functions, SwitchesTakeEveryBranch) {
  Harness harness = functions("switches");
  const auto out = harness.zeros<int>(64);
  harness.launch.block = {64, 1, 1};
  harness.run_clean(out);
  const auto got = harness.download(out);
  for (int t = 0; t < 64; ++t) {
    const int cases[9] = {t + 100, t * 3, t - 50, t ^ 0x55, t << 2, -t, t * t, t | 1024, 0};
    EXPECT_EQ(got[static_cast<std::size_t>(t)], cases[t % 9]) << t;
  }
}

TEST(Functions, PrintfComesInBlockOrder) {
  Harness harness = functions("prints");
  harness.launch.grid = {3, 1, 1};
  const LaunchReport report = harness.run(5);
  ASSERT_FALSE(report.fault.has_value());
  std::string expected;
  for (int b = 0; b < 3; ++b) {
    for (int t = 0; t < 2; ++t) {
      expected += "block " + std::to_string(b) + " thread " + std::to_string(t) +
                  ":  2.50 text 1099511627776 x 100%\n";
    }
  }
  EXPECT_EQ(report.printf_output, expected);
}

TEST(Functions, AssertIsATrapWithItsText) {
  Harness harness = functions("asserts");
  EXPECT_FALSE(harness.run(3).fault.has_value());
  const LaunchReport report = harness.run(12);
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_EQ(report.fault->kind, FindingKind::kTrap);
  EXPECT_EQ(report.fault->here->where.file, "functions.cu");
  const std::string& told = report.fault->message;
  EXPECT_EQ(told.substr(0, told.find(" (")),
            "assertion `n < 10 && \"n is too large\"` failed in void asserts(int)");
  EXPECT_NE(told.find("functions.cu:76) at functions.cu:76, thread (0,0,0) of block (0,0,0)"),
            std::string::npos)
      << told;
}

TEST(Functions, UnboundedRecursionIsAFault) {
  Harness harness(ptx_header() + R"(
    .func deeper() { call.uni deeper; ret; }
    .visible .entry op() { call.uni deeper; ret; })");
  const LaunchReport report = harness.run();
  ASSERT_TRUE(report.fault.has_value());
  EXPECT_EQ(report.fault->kind, FindingKind::kTrap);
  EXPECT_EQ(report.fault->message.substr(0, 42), "calls nested deeper than 512 in 'deeper' a");
}

// Returns the output of printf for a buffer of arguments that begins with 42.
std::string printed(const std::string& pattern) {
  std::string bytes;
  for (const char c : pattern) bytes += std::to_string(int{c}) + ",";
  Harness harness(ptx_header() +
                  ".extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);\n"
                  ".global .align 1 .b8 text[" +
                  std::to_string(pattern.size() + 1) + "] = {" + bytes +
                  "0};\n"
                  ".visible .entry k() {\n"
                  ".local .align 8 .b8 depot[8]; .reg .b64 %d<9>; .reg .b32 %r<9>;\n"
                  "mov.u64 %d1, depot; cvta.local.u64 %d2, %d1;\n"
                  "mov.u64 %d5, 42; st.u64 [%d2], %d5;\n"
                  "mov.u64 %d3, text; cvta.global.u64 %d4, %d3;\n"
                  "{ .param .b64 a; st.param.b64 [a+0], %d4;\n"
                  ".param .b64 b; st.param.b64 [b+0], %d2; .param .b32 r;\n"
                  "call.uni (r), vprintf, (a, b); ld.param.b32 %r1, [r+0]; }\n"
                  "ret; }\n");
  harness.launch.block = {1, 1, 1};
  const LaunchReport report = harness.run();
  return report.fault ? report.fault->message : report.printf_output;
}

TEST(Functions, PrintfTakesNoConversionThatCudaLacks) {
  EXPECT_EQ(printed("%d"), "42");
  EXPECT_EQ(printed("%-4d|"), "42  |");
  EXPECT_EQ(printed("%hd %%"), "42 %");
  EXPECT_EQ(printed("%lld"), "42");
  EXPECT_EQ(printed("5% number %d"), "5% number 42");
  EXPECT_EQ(printed("%n%d"), "%n42");
  EXPECT_EQ(printed("%Lf"), "0.000000");
  EXPECT_EQ(printed("100%"), "100%");
}

}  // namespace
}  // namespace warpwright::emu
