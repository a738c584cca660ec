#include "compile/include_scan.h"

#include <gmock/gmock.h>

#include "compile/fixtures.h"
#include "core/error.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using Form = IncludeName::Form;

std::vector<std::string> names(std::string_view text) {
  std::vector<std::string> result;
  for (const IncludeName& include : scan_includes(text)) {
    constexpr std::string_view kLead = "\"<?";
    result.push_back(kLead[static_cast<std::size_t>(include.form)] + include.name);
  }
  return result;
}

std::vector<std::string> collected(const CompileJob& job) {
  std::vector<std::string> result;
  for (const SourceFile& file : collect_sources(job)) {
    result.push_back((file.found ? "" : "missing ") + file.path.filename().string() +
                     (file.found ? "" : file.name));
  }
  return result;
}

TEST(ScanIncludes, FindsBothForms) {
  EXPECT_THAT(names("#include \"a.h\"\n#include <b/c.h>\n"), ElementsAre("\"a.h", "<b/c.h"));
}

TEST(ScanIncludes, ToleratesBlanksCommentsAndSplicedLines) {
  EXPECT_THAT(names("  #\tinclude\t\"a.h\"\n"
                    "/* x */ # /* y */ include /* z */ <b.h> // end\n"
                    "#include \\\n \"c.h\"\r\n"
                    "#\\\r\ninclude\"d.h\"\n"
                    "#include_next <e.h>"),
              ElementsAre("\"a.h", "<b.h", "\"c.h", "\"d.h", "<e.h"));
}

TEST(ScanIncludes, TakesCommentedAndConditionalOnesToo) {
  EXPECT_THAT(names("#if 0\n#include \"a.h\"\n#endif\n// #include \"b.h\"\n"),
              ElementsAre("\"a.h", "\"b.h"));
}

TEST(ScanIncludes, HasIncludeDecidesAsWell) {
  EXPECT_THAT(names("#if __has_include(\"a.h\") && __has_include ( <b.h> )\n#endif\n"),
              ElementsAre("\"a.h", "<b.h"));
}

TEST(ScanIncludes, MacrosAreComputed) {
  EXPECT_THAT(names("#include HEADER\n"), ElementsAre("?HEADER"));
}

TEST(ScanIncludes, NamesEachOnce) {
  EXPECT_THAT(names("#include \"a.h\"\n#include \"a.h\"\n"), ElementsAre("\"a.h"));
}

TEST(ScanIncludes, OtherTextIsNone) {
  EXPECT_THAT(names("#included \"a.h\"\n#define include \"b.h\"\n#include \"open.h\n#include\n#"),
              IsEmpty());
  EXPECT_THAT(names("/* never closed # include"), IsEmpty());
  EXPECT_THAT(names("# /* never closed"), IsEmpty());
}

TEST(CollectSources, WalksIncludesOfIncludes) {
  SourceFolder folder;
  folder.write("common/a.h", "#include \"deep/b.h\"\n");
  folder.write("common/deep/b.h", "#include \"c.h\"\n#include \"../a.h\"\n");
  folder.write("common/deep/c.h", "#include <cuda_fp16.h>\n");
  CompileJob job = job_for(folder.write("k/k.cu", "#include \"a.h\"\n"));
  job.include_folders = {folder.path() / "common"};
  EXPECT_THAT(collected(job), ElementsAre("k.cu", "a.h", "b.h", "c.h", "missing cuda_fp16.h"));
}

TEST(CollectSources, QuotedNamesAreSoughtBesideTheIncludingFileFirst) {
  SourceFolder folder;
  folder.write("k/x.h", "own");
  folder.write("lib/x.h", "lib");
  folder.write("lib/quoted.h", "#include \"x.h\"\n");
  folder.write("lib/angled.h", "#include <x.h>\n");
  CompileJob job = job_for(folder.write("k/k.cu", "#include <quoted.h>\n"));
  job.include_folders = {folder.path() / "lib"};
  EXPECT_EQ(collect_sources(job).at(2).content, "lib");
  job.source = folder.write("k/k.cu", "#include <angled.h>\n");
  EXPECT_EQ(collect_sources(job).at(2).content, "own");
}

TEST(CollectSources, ADefineExplainsAComputedInclude) {
  SourceFolder folder;
  folder.write("a.h", "");
  folder.write("b.h", "");
  CompileJob job = job_for(folder.write("k.cu", "#include HEADER\n"));
  job.defines = {{"HEADER", "\"b.h\""}};
  EXPECT_THAT(collected(job), ElementsAre("k.cu", "b.h"));
}

TEST(CollectSources, AComputedIncludeThatNothingExplainsStandsForEveryFile) {
  SourceFolder folder;
  folder.write("a.h", "");
  folder.write("b.h", "");
  EXPECT_THAT(collected(job_for(folder.write("k.cu", "#define H \"a.h\"\n#include H\n"))),
              ElementsAre("k.cu", "a.h", "b.h"));
}

TEST(CollectSources, FollowsFoldersAndFilesInTheOptions) {
  SourceFolder folder;
  folder.write("one/a.h", "");
  folder.write("two/b.h", "");
  folder.write("pre.h", "");
  CompileJob job = job_for(folder.write("k.cu", "#include <a.h>\n#include <b.h>\n"));
  job.extra_options = {"-I" + (folder.path() / "one").string(), "-I",
                       (folder.path() / "two").string(), "--pre-include=pre.h"};
  EXPECT_THAT(collected(job), ElementsAre("k.cu", "pre.h", "a.h", "b.h"));
}

TEST(CollectSources, AreThoseThatTheBundleRead) {
  SourceFolder folder;
  folder.write("a.h", "old");
  CompileJob job = job_for(folder.write("k.cu", "#include \"a.h\"\n#include \"b.h\"\n"));
  job.texts = std::make_shared<SourceBundle>();
  const std::vector<SourceFile> before = collect_sources(job);
  folder.write("k.cu", "");
  folder.write("a.h", "new");
  folder.write("b.h", "");
  EXPECT_EQ(collect_sources(job), before);
  EXPECT_EQ(before.at(1).content, "old");
}

TEST(CollectSources, AJobThatCarriesItsFilesNeedsNone) {
  SourceFolder folder;
  CompileJob job = job_for(folder.path() / "gone.cu");
  job.files = {{"gone.cu", folder.path() / "gone.cu", "text", true, {}, false}};
  EXPECT_EQ(collect_sources(job), job.files);
}

TEST(WithPaths, NamesPathsOfWhatWasFoundAndTheToolkitForTheRest) {
  SourceFile file;
  file.content =
      "#include \"a.h\"  // #include \"a.h\"\n"
      "  /* x */ #include <b.h>\n"
      "const char* text = R\"(#include \"a.h\")\";\n"
      "#if __has_include(\"gone.h\") || __has_include(<b.h>)\n"
      "#include_next <a.h>\n"
      "#include MACRO\n"
      "#include <cuda_fp16.h>\n";
  file.includes = {{"\"a.h\"", "/k/a.h"}, {"<b.h>", "/lib/b.h"}, {"next <a.h>", "/lib/a.h"}};
  EXPECT_EQ(with_paths(file),
            "#include \"/k/a.h\"  // #include \"a.h\"\n"
            "  /* x */ #include \"/lib/b.h\"\n"
            "const char* text = R\"(#include \"a.h\")\";\n"
            "#if __has_include(<gone.h>) || __has_include(\"/lib/b.h\")\n"
            "#include      \"/lib/a.h\"\n"
            "#include MACRO\n"
            "#include <cuda_fp16.h>\n");
}

TEST(WithPaths, AByteOrderMarkGoesAndLinesStay) {
  SourceFile file;
  file.content = "\xEF\xBB\xBF#include \"a.h\"\nint x;\n";
  file.includes = {{"\"a.h\"", "/k/a.h"}};
  EXPECT_EQ(with_paths(file), "#include \"/k/a.h\"\nint x;\n");
  file.content = "int x;\xEF\xBB\xBF\n";
  EXPECT_EQ(with_paths(file), file.content) << "elsewhere it is the author's";
}

TEST(WithPaths, APathThatNoIncludeCanHoldHasAnotherName) {
  SourceFile file;
  file.content = "#include \"a.h\"\n";
  file.includes = {{"\"a.h\"", "/50%/\"k\"\n\\/a.h"}};
  EXPECT_EQ(with_paths(file), "#include \"/50%/%22k%22%0A%5C/a.h\"\n");
}

TEST(CompilerName, IsThePathWhereThatCanBeWritten) {
  EXPECT_EQ(compiler_name("/50%/it's a > b/a.h"), "/50%/it's a > b/a.h");
}

TEST(CollectSources, AMissingSourceIsAUserError) {
  SourceFolder folder;
  try {
    (void)collect_sources(job_for(folder.path() / "gone.cu"));
    FAIL() << "read a file that does not exist";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kUser);
    EXPECT_THAT(error.message(), HasSubstr("gone.cu"));
  }
}

}  // namespace
}  // namespace warpwright
