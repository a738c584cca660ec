// Tests which parts of a program are blanked out so that its kernels compile alone.
#include "vet/comments/host_code.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

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
  EXPECT_THAT(code.remove_include("a.h"), ElementsAre(2, 3));
  EXPECT_THAT(code.remove_include("b.h"), IsEmpty());
  EXPECT_EQ(code.text(), "#include <vector>\n                \n              \n");
}

TEST(HostCode, BracesInQuotesAndCommentsAreNone) {
  HostCode code = code_of("void f() { puts(\"}\"); /* } */ g('}'); }\nint b;\n");
  EXPECT_TRUE(code.remove_at(1, 13));
  EXPECT_EQ(code.text(), "void f() {                            }\nint b;\n");
}

TEST(HostCode, ABodyThatGoesLeavesAMarkInThePtxOfItsCallers) {
  HostCode code = code_of("void run() { k<<<1, 1>>>(); }\nint f(int a) { return g(a); }  int b;\n");
  code.remove_launching();
  code.number_from(10);
  EXPECT_TRUE(code.remove_at(2, 22));
  code.number_from(10);
  const std::string marked = code.marked_text();
  EXPECT_EQ(marked,
            "void run() {asm(\"//warpwright left out 10\");                }\n"
            "int f(int a) {asm(\"//warpwright left out 11\");              }  int b;\n");
  EXPECT_THAT(marks_in(marked), ElementsAre(10, 11));
  EXPECT_THAT(marks_in("// warpwright left out 3"), IsEmpty());
  // Columns refer to the marked text, because the compiler counts in it.
  const auto column = static_cast<int>(marked.rfind("int b") - marked.rfind("int f")) + 1;
  EXPECT_TRUE(code.remove_at(2, column));
  EXPECT_EQ(code.text(), "void run() {                }\nint f(int a) {              }        \n");
}

TEST(HostCode, WhatIsLeftOutHasANameAndALine) {
  HostCode code = code_of(
      "namespace a {\ntemplate <class T>\nstatic int A<T>::f(int a) {\n  return g(a);\n}\n"
      "std::vector<int> table = {1};\n}\nint main() {}\n");
  code.remove_launching();
  EXPECT_TRUE(code.remove_at(4));
  EXPECT_TRUE(code.remove_at(6));
  ASSERT_EQ(code.removed().size(), 3u);
  EXPECT_EQ(code.removed()[0].name, "main");
  EXPECT_FALSE(code.removed()[0].is_asked);
  EXPECT_EQ(code.removed()[1].name, "f");
  EXPECT_EQ(code.removed()[1].line, 2);
  EXPECT_TRUE(code.removed()[1].is_body);
  EXPECT_EQ(code.removed()[2].name, "table");
  EXPECT_FALSE(code.removed()[2].is_body);
}

TEST(HostCode, StaticAssertsStay) {
  EXPECT_FALSE(code_of("static_assert(sizeof(int) == 5, \"five\");\n").remove_at(1));
}

TEST(HostCode, AnIncludeWithinADeclarationIsAPartOfIt) {
  const HostCode code = code_of(
      "#include \"a.h\"\nnamespace n {\n#include \"b.h\"\n__global__ void k() {\n#include \"c.h\"\n"
      "}\nstruct S {\n#include \"d.h\"\n};\nint table[] = {\n#include \"e.h\"\n};\n}\n");
  std::vector<int> lines;
  for (const auto& [line, directive] : code.inner_includes()) lines.push_back(line);
  EXPECT_THAT(lines, ElementsAre(5, 8, 11));
}

// Each takes quadratic time in a reader that searches for the end of every bracket, or rereads
// every head.
TEST(HostCode, HostileSourcesAreReadInLinearTime) {
  for (const std::string_view piece :
       {"{", "struct A {", "x = {}, ", "void f() : a{1}, ", "__global__ ", "(", "template<",
        "#define A B\n", "namespace a {", "int f() {"}) {
    std::string text;
    for (int i = 0; i < 50'000; ++i) text += piece;
    HostCode code = code_of(text);
    code.remove_launching();
    static_cast<void>(code.remove_at(1, 1));
    static_cast<void>(code.inner_includes());
    static_cast<void>(kernel_names(text));
    EXPECT_EQ(code.text().size(), text.size());
  }
  std::string chain;
  for (int i = 0; i < 20'000; ++i) chain += fmt::format("#define A{:05} A{:05}\n", i, i + 1);
  EXPECT_EQ(device_words({chain + "#define A20000 __device__\n"}).count("A00000"), 1u);
}

TEST(HostCode, KernelsAreFoundBehindTheirAttributes) {
  EXPECT_THAT(kernel_names("template <int N>\n__global__ void __launch_bounds__(128, 2) a(int n) "
                           "{}\n// __global__ void no() {}\nextern \"C\" __global__ void b ();"),
              ElementsAre("a", "b"));
}

}  // namespace
}  // namespace warpwright
