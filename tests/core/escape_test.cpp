#include "core/escape.h"

#include <gtest/gtest.h>

namespace warpwright {
namespace {

TEST(Escape, LiteralsOfCHoldAnyBytes) {
  EXPECT_EQ(c_literal("a\"b\\c"), R"("a\"b\\c")");
  EXPECT_EQ(c_literal("line\nbreak"), R"("line\012break")");
  EXPECT_EQ(c_literal("\xc3\xa4"
                      "1"),
            R"("\303\2441")");
  EXPECT_EQ(c_literal("what?"
                      "?/"),
            R"("what\?\?/")");
  EXPECT_EQ(c_literal(std::string_view("\0x", 2)), R"("\000x")");
}

TEST(Escape, NothingEndsAComment) {
  EXPECT_EQ(c_comment("a */ b"), "a * / b");
  EXPECT_EQ(c_comment("a /* b"), "a / * b");
  EXPECT_EQ(c_comment("*\n/"), "* /");
  EXPECT_EQ(c_comment("two\nlines\r"), "two lines");
  EXPECT_EQ(c_comment("continued\\"), "continued");
  EXPECT_EQ(c_comment("continued \\ here\\ \\\t"), "continued  here");
  EXPECT_EQ(c_comment("trigraph ?"
                      "?/"),
            "trigraph ? ?/");
  EXPECT_EQ(c_comment("\u202ereversed\u2066 \xff"), "reversed  \xEF\xBF\xBD");
  EXPECT_EQ(c_comment_json(R"({"device":"*/ /* ??/"})"),
            R"({"device":"*\u002f /\u002a ?\u003f/"})");
}

TEST(Escape, RawLiteralsEndWhereTheyShould) {
  EXPECT_EQ(cpp_raw_literal("a\n", "t"), "R\"t(a\n)t\"");
  EXPECT_EQ(cpp_raw_literal(")t\" )t2\"", "t"), "R\"t3()t\" )t2\")t3\"");
  EXPECT_EQ(cpp_raw_literal("a\r\n", "t"), R"("a\015\012")");
  EXPECT_EQ(cpp_raw_literal("\xff", "t"), R"("\377")");
  EXPECT_EQ(cpp_raw_literal("\\ \n", "t"), R"("\\ \012")");
  EXPECT_EQ(cpp_raw_literal("?\?/ \n", "t"), R"("\?\?/ \012")");
  EXPECT_EQ(cpp_raw_literal("\u202e", "t"), R"("\342\200\256")");
}

TEST(Escape, CMakeExpandsNothing) {
  EXPECT_EQ(cmake_word("softmax_topk_launcher.cpp"), "softmax_topk_launcher.cpp");
  EXPECT_EQ(cmake_word("${a} $ENV{HOME} @b@ \"c\" \\ ;\n"),
            R"("\${a} \$ENV{HOME} \@b\@ \"c\" \\ ;\n")");
  EXPECT_EQ(cmake_word(""), "\"\"");
  EXPECT_EQ(cmake_word("[[a]]"), "\"[[a]]\"");
  EXPECT_EQ(pkg_config_text("costs $5 #1\nLibs: -levil \\"), "costs $$5 \\#1 Libs: -levil ");
}

TEST(Escape, AShellTakesAWordAsItIs) {
  EXPECT_EQ(shell_word("results/x-1.db"), "results/x-1.db");
  EXPECT_EQ(shell_word("my results.db"), "'my results.db'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("$HOME"), "'$HOME'");
  EXPECT_EQ(shell_word("~/x"), "'~/x'");
  EXPECT_EQ(shell_word("a\nb"), "'a\nb'");
  EXPECT_EQ(shell_word(""), "''");
}

TEST(Escape, YamlReadsTextAsText) {
  EXPECT_EQ(yaml_text("a: [b] # \"c\" \\ \n\x1b\u0085"), R"("a: [b] # \"c\" \\ \n\u001b\u0085")");
  EXPECT_EQ(yaml_text("ä\xff"), "\"ä\xEF\xBF\xBD\"");
  EXPECT_EQ(yaml_word("THREADS"), "THREADS");
  for (const char* word : {"true", "No", "NULL", "y", "7", "", "a b", "-a", "a:"})
    EXPECT_EQ(yaml_word(word), yaml_text(word));
}

TEST(Escape, MarkdownShowsWhatItIs) {
  EXPECT_EQ(markdown_text("a|b <img> [x](http://y) @me www.z *_`#~$!"),
            "a\\|b &lt;img&gt; \\[x\\](http&#58;//y) &#64;me www&#46;z \\*\\_\\`\\#\\~\\$\\!");
  EXPECT_EQ(markdown_text("# a\n# b\\"), "\\# a \\# b\\\\");
  EXPECT_EQ(markdown_code("plain"), "`plain`");
  EXPECT_EQ(markdown_code("a`b"), "``a`b``");
  EXPECT_EQ(markdown_code("`a``"), "``` `a`` ```");
  EXPECT_EQ(markdown_block("a\n```\nb", "  "), "  ````\n  a\n  ```\n  b\n  ````\n");
}

TEST(Escape, XmlAndWorkflowCommands) {
  EXPECT_EQ(xml_text("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&apos;");
  EXPECT_EQ(xml_text("a\nb"), "a&#10;b");
  EXPECT_EQ(xml_text("a\nb", true), "a\nb");
  EXPECT_EQ(workflow_text("50 %\n::error::a,b"), "50 %25%0A::error::a,b");
  EXPECT_EQ(workflow_property("a,b:c\r"), "a%2Cb%3Ac%0D");
}

}  // namespace
}  // namespace warpwright
