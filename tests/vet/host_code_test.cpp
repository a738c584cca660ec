// What is blanked out of a program so that its kernels compile alone.
#include "vet/comments/host_code.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpwright {
namespace {

using ::testing::ElementsAre;

HostCode code_of(const std::string& text) { return {text, device_words({text})}; }

TEST(HostCode, ABodyGoesBeforeItsFunction) {
  HostCode code = code_of("int f(int a) {\n  return g(a);\n}\n");
  EXPECT_TRUE(code.remove_at(2));
  EXPECT_EQ(code.text(), "int f(int a) {\n              \n}\n");
  EXPECT_TRUE(code.remove_at(1));
  EXPECT_EQ(code.text(), "              \n              \n \n");
  EXPECT_FALSE(code.remove_at(1));
}

TEST(HostCode, CodeForTheDeviceStays) {
  for (const std::string text : {"__global__ void k() {\n  g();\n}\n",
                                 "#define HD __host__ __device__\nHD void k() { g(); }\n",
                                 "__device__ int table[2] = {\n1, 2};\n"})
    EXPECT_FALSE(code_of(text).remove_at(2)) << text;
}

TEST(HostCode, AClassKeepsWhatKernelsNeed) {
  HostCode code = code_of(
      "struct A {\n  __device__ int f() { return 1; }\n  void g() { host(); }\n  std::string "
      "s;\n};\n");
  EXPECT_TRUE(code.remove_at(3, 14));
  EXPECT_TRUE(code.remove_at(4));
  EXPECT_EQ(code.text(),
            "struct A {\n  __device__ int f() { return 1; }\n  void g() {         }\n"
            "                \n};\n");
  EXPECT_FALSE(code.remove_at(1));
}

TEST(HostCode, AColumnTellsNeighboursApart) {
  HostCode code = code_of("int a; std::string b; int c;\n");
  EXPECT_TRUE(code.remove_at(1, 13));
  EXPECT_EQ(code.text(), "int a;                int c;\n");
}

TEST(HostCode, WhatLaunchesGoesUnasked) {
  HostCode code = code_of(
      "void run() { k<<<1, 1>>>(); }\nint main() { run(); }\nvoid f() { g(); }\n"
      "__global__ void k() { j<<<1, 1>>>(); }\n");
  code.remove_launching();
  EXPECT_EQ(code.text(),
            "void run() {                }\nint main() {        }\nvoid f() { g(); }\n"
            "__global__ void k() { j<<<1, 1>>>(); }\n");
}

TEST(HostCode, IncludesGoByName) {
  HostCode code = code_of("#include <vector>\n#  include \"a.h\"\n#include <a.h>\n");
  EXPECT_TRUE(code.remove_include("a.h"));
  EXPECT_FALSE(code.remove_include("b.h"));
  EXPECT_EQ(code.text(), "#include <vector>\n                \n              \n");
}

TEST(HostCode, BracesInQuotesAndCommentsAreNone) {
  HostCode code = code_of("void f() { puts(\"}\"); /* } */ g('}'); }\nint b;\n");
  EXPECT_TRUE(code.remove_at(1, 13));
  EXPECT_EQ(code.text(), "void f() {                            }\nint b;\n");
}

TEST(HostCode, KernelsAreFoundBehindTheirAttributes) {
  EXPECT_THAT(kernel_names("template <int N>\n__global__ void __launch_bounds__(128, 2) a(int n) "
                           "{}\n// __global__ void no() {}\nextern \"C\" __global__ void b ();"),
              ElementsAre("a", "b"));
}

}  // namespace
}  // namespace warpwright
