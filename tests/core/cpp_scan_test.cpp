// Tests finding comments, quotes and directives as device compilers see them.
#include "core/cpp_scan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> directives(std::string_view source) {
  std::vector<std::string> all;
  for (const CppDirective& one : find_directives(source)) {
    EXPECT_EQ(one.from.size(), one.text.size() + 1);
    EXPECT_TRUE(std::is_sorted(one.from.begin(), one.from.end())) << one.text;
    all.push_back(one.text);
  }
  return all;
}

TEST(CppScan, ADirectiveIsReadThroughSplicesCommentsAndDigraphs) {
  EXPECT_THAT(directives("#inc\\\nlude \"a\"\n"), ElementsAre("#include \"a\""));
  EXPECT_THAT(directives("#inc\\\r\nlude \"a\"\r\n"), ElementsAre("#include \"a\""));
  EXPECT_THAT(directives("%:include \"a\"\n"), ElementsAre("#include \"a\""));
  EXPECT_THAT(directives("\f#\v/**/include/*\n*/\"a\"  // b\n"), ElementsAre("#  include \"a\""));
  EXPECT_THAT(directives("int a; /*\n*/ #include \"a\"\n"), ElementsAre("#include \"a\""))
      << "compilers treat it as a directive";
  EXPECT_THAT(directives("#include <//etc/it's> // \"\n#define B"),
              ElementsAre("#include <//etc/it's>", "#define B"));
  EXPECT_THAT(directives("\xEF\xBB\xBF#include \"a\"\n"), ElementsAre("#include \"a\""))
      << "a byte order mark";
  EXPECT_THAT(directives("#if __has_include(<a//b>) // c\n"),
              ElementsAre("#if __has_include(<a//b>)"));
}

TEST(CppScan, WordsOfADirectiveKnowTheirPlace) {
  const std::vector<CppDirective> found = find_directives("\n  # in\\\nclude  <a.h> // x\n");
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].word(), "include");
  EXPECT_EQ(found[0].rest(), "<a.h>");
  EXPECT_EQ(found[0].place(found[0].rest()), 16u);
}

TEST(CppScan, WhatOnlyLooksLikeADirectiveIsNone) {
  EXPECT_THAT(directives("// #include \"a\"\n/* \n#include \"a\" */ int b;\n"), IsEmpty());
  EXPECT_THAT(directives("// x \\\n#include \"a\"\n"), IsEmpty());
  EXPECT_THAT(directives("const char* s = R\"(\n#include \"a\"\n)\";\n"), IsEmpty());
  EXPECT_THAT(directives("const char* s = u8R\"x(\n#include \"a\"\n)\"\n#b\n)x\";\n"), IsEmpty());
  EXPECT_THAT(directives("const char* s = u\\\n8R\\\n\"x(\n#a\n)x\";\n"), IsEmpty());
  EXPECT_THAT(directives("f(a) # include \"a\"\n"), IsEmpty());
}

TEST(CppScan, WhatOnlyLooksLikeAQuoteHidesNoDirective) {
  for (const std::string_view before :
       {"it's \"\n", "\"/*\n", "int a = 1'000'000; /* ' */\n", "int b = 0x'a;//'\n",
        "s = R\"aaaaaaaaaaaaaaaaaaaaaaaaa(\n", "s = R\"a b(\n", "s = xR\"(\n",
        "#pragma it's /* x\n", "#pragma x \"/*\n", "// x \\ \n", "s = \"open\n", "s = R\"a\n(\n",
        "s = x\\\nR\"(\n", "#define S x\\\r\nR\"(\n", "#include <x R\"(\\\n>\n"})
    EXPECT_EQ(directives(std::string(before) + "#include \"a\"\n").back(), "#include \"a\"")
        << before;
}

TEST(CppScan, CommentsHaveTheirLineAndColumn) {
  const std::vector<CppComment> comments =
      find_comments("int a;  // one\n  /* two\nlines */ // three\n#define A  // none\n");
  ASSERT_EQ(comments.size(), 3u);
  EXPECT_EQ(comments[0].text, " one");
  EXPECT_EQ(comments[0].line, 1);
  EXPECT_EQ(comments[0].column, 11);
  EXPECT_FALSE(comments[0].stands_alone);
  EXPECT_EQ(comments[1].text, " two\nlines ");
  EXPECT_TRUE(comments[1].is_block);
  EXPECT_TRUE(comments[1].stands_alone);
  EXPECT_EQ(comments[2].text, " three");
  EXPECT_EQ(comments[2].line, 3);
  EXPECT_FALSE(comments[2].stands_alone);
}

// Each input is quadratic for a scanner that searches from every position for an end that does not
// exist. A linear scan of it takes no longer than the other tests.
TEST(CppScan, HostileSourcesAreReadOnce) {
  constexpr int kTimes = 200'000;
  for (const std::string_view piece : {"/*", "#include /*", "\"", "R\"(", "#", "// a\n", "\\\n",
                                       "'", "/**/", "#define A \\\n", "R\"x(", "*\\\n"}) {
    std::string source;
    for (int i = 0; i < kTimes; ++i) source += piece;
    EXPECT_EQ(code_alone(source).size(), source.size());
    static_cast<void>(find_comments(source));
    static_cast<void>(find_directives(source));
  }
}

TEST(CppScan, CommentsWithinCommentsAreBlankedOut) {
  EXPECT_EQ(
      without_nested_comments("a /* b /* c /*/ d\n#if x /* /*\n*/\ns = \"/* /*\"; // /* /*\n"),
      "a /* b  * c  */ d\n#if x /*  *\n*/\ns = \"/* /*\"; // /* /*\n");
}

TEST(CppScan, StringsOfPtxAreUnescaped) {
  EXPECT_EQ(without_escapes(R"(/M\303\274ller/a\tb\\c\"d)"), "/M\303\274ller/a\tb\\c\"d");
  EXPECT_EQ(without_escapes(R"(\0\1234\q\)"), std::string("\0S4q\\", 5));
}

}  // namespace
}  // namespace warpwright
