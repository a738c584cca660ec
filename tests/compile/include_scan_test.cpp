#include "compile/include_scan.h"

#include <gmock/gmock.h>

#include "compile/fixtures.h"
#include "core/error.h"
#include "core/file_bounds.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using Form = IncludeName::Form;

std::vector<std::string> names(std::string_view text) {
  std::vector<std::string> result;
  for (const IncludeName& include : scan_includes(text)) {
    constexpr std::string_view kLead = "\"<?";
    result.push_back(kLead[static_cast<std::size_t>(include.form)] + include.name);
  }
  return result;
}

struct Trusting {
  Trusting() { trust_all_files(true); }
  ~Trusting() { trust_all_files(false); }
};

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

TEST(ScanIncludes, TakesConditionalOnesTooButNoCommentsAndQuotes) {
  EXPECT_THAT(names("#if 0\n#include \"a.h\"\n#endif\n// #include \"b.h\"\n/*\n#include "
                    "\"c.h\"\n*/\nauto s = R\"(\n#include \"d.h\"\n)\";\n"),
              ElementsAre("\"a.h"));
}

TEST(ScanIncludes, HasIncludeDecidesAsWell) {
  EXPECT_THAT(names("#if __has_include(\"a.h\") && __has_include ( <b.h> )\n#endif\n"),
              ElementsAre("\"a.h", "<b.h"));
}

TEST(ScanIncludes, MacrosAreComputed) {
  EXPECT_THAT(names("#include HEADER\n"), ElementsAre("?HEADER"));
}

TEST(ScanIncludes, ANameEndsOnItsLine) {
  EXPECT_THAT(names("#include <x R\"(\n>\n)\"\n#include \"a.h\"\n"), ElementsAre("\"a.h"));
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

TEST(CollectSources, AComputedIncludeStandsForAllThatItsMacroIsDefinedAs) {
  SourceFolder folder;
  folder.write("a.h", "#define H \"c.h\"\n");
  folder.write("b.h", "");
  folder.write("c.h", "");
  folder.write("d.h", "");
  EXPECT_THAT(collected(job_for(folder.write(
                  "k.cu", "#define H I\n#define I \"a.h\"\n#define J \"b.h\"\n#include H\n"))),
              ElementsAre("k.cu", "a.h", "c.h"));
}

TEST(CollectSources, AComputedIncludeThatNothingExplainsIsRefused) {
  SourceFolder folder;
  folder.write("a.h", "");
  folder.write("weights.bin", "");
  for (const std::string define : {"", "#define H TEXT(a.h)\n", "#define H(x) \"a.h\"\n",
                                   "#define H \"a.h\"\n#undef H\n#define H A B\n"}) {
    const CompileJob job = job_for(folder.write("k.cu", define + "#include H\n"));
    const std::vector<SourceFile> files = collect_sources(job);
    EXPECT_EQ(files.size(), 1u);
    EXPECT_EQ(with_paths(files[0]),
              define +
                  "#error warpwright: the name that H stands for is not known before the source is "
                  "compiled: write it, or give -D H=NAME or --trust-includes\n");
  }
}

TEST(CollectSources, ATrustedComputedIncludeStandsForEveryHeaderOfTheFolders) {
  const Trusting trusting;
  SourceFolder folder;
  folder.write("a.h", "");
  folder.write("b.inl", "");
  folder.write("weights.bin", "");
  const CompileJob job = job_for(folder.write("k.cu", "#include TEXT(a.h)\n"));
  EXPECT_THAT(collected(job), ElementsAre("k.cu", "a.h", "b.inl"));
  std::filesystem::resize_file(folder.path() / "b.inl", (64U << 20) + 1);
  try {
    static_cast<void>(collect_sources(job));
    FAIL() << "read more than the limit";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    EXPECT_EQ(error.message(),
              (folder.path() / "k.cu").string() +
                  ": an #include of a macro may stand for any header of " + folder.path().string() +
                  ", which hold more than 64 MiB; write the name, or give it with -D");
  }
}

// Tests sources as NVRTC receives them when only their own folder may be read.
class Confined : public ::testing::Test {
 protected:
  std::string given(const std::string& source) {
    CompileJob job = job_for(folder_.write("k/k.cu", source));
    job.texts = std::make_shared<SourceBundle>();
    job.texts->allow(folder_.path() / "k", FolderUse::kOwn);
    const std::vector<SourceFile> files = collect_sources(job);
    for (const SourceFile& file : files) EXPECT_THAT(file.content, Not(HasSubstr("SECRET")));
    return with_paths(files.front());
  }
  static std::string refusal(const std::string& name) {
    return "#error warpwright: '" + name +
           "' is not read, for it lies outside of the folder of the kernel and those of --include: "
           "name its folder there, or give --trust-includes";
  }
  SourceFolder folder_;
};

TEST_F(Confined, AnIncludeThatLeadsOutIsAnErrorWhetherOrNotItIsThere) {
  folder_.write("secret.txt", "SECRET");
  for (const std::string name : {"../secret.txt", "../gone.txt", "/etc/passwd", "/no/such/file"}) {
    EXPECT_EQ(given("int a;\n#include \"" + name + "\"\nint b;\n"),
              "int a;\n" + refusal(name) + "\nint b;\n");
    EXPECT_EQ(given("#inc\\\nlude <" + name + ">\n"), refusal(name) + "\n\n");
    EXPECT_EQ(given("%:include_next <" + name + "> // x\n"), refusal(name) + " // x\n");
    EXPECT_EQ(given("#define P \"" + name + "\"\n#include P\n"),
              "#define P \"" + name + "\"\n" + refusal(name) + "\n");
    EXPECT_EQ(given("#embed \"" + name + "\"\n"), refusal(name) + "\n");
    EXPECT_EQ(given("#if __has_include(\"" + name + "\")\n#endif\n"),
              "#if __has_include(<no/such/header>)\n#endif\n");
  }
}

TEST_F(Confined, NobodyAsksForFilesThroughMacros) {
  EXPECT_EQ(given("#define P X(/etc/passwd)\n#if __has_include(P)\n#endif\n"),
            "#define P X(/etc/passwd)\n#if __has_include(<no/such/header>)\n#endif\n");
  EXPECT_EQ(given("#define H(x) (__has_include(x) && 1)\n"), "#define H(x) (0 && 1)\n");
  EXPECT_EQ(given("#define H __has_include\n"), "#define H has_no_include\n");
  EXPECT_EQ(given("#ifdef __has_include\n#endif\n"), "#ifdef __has_include\n#endif\n");
}

TEST_F(Confined, WhatIsNoIncludeIsLeftAsItIs) {
  for (const std::string source :
       {"//#include \"../secret.txt\"\n", "/*\n#include \"/etc/passwd\"\n*/\n",
        "const char* s = R\"(\n#include \"/etc/passwd\"\n)\";\n", "#include \"unclosed\n"})
    EXPECT_EQ(given(source), source);
}

TEST_F(Confined, ALinkThatLeadsOutIsRefusedByName) {
  folder_.write("secret.txt", "SECRET");
  folder_.write("k/k.cu", "");
  std::filesystem::create_symlink("../secret.txt", folder_.path() / "k" / "a.h");
  try {
    static_cast<void>(given("#include \"a.h\"\n"));
    FAIL() << "followed a link";
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    EXPECT_EQ(error.message(), (folder_.path() / "k" / "a.h").string() +
                                   " is a symbolic link to ../secret.txt; it may lead below " +
                                   (folder_.path() / "k").string() +
                                   " or a folder that --include names, or give --trust-includes");
  }
}

TEST_F(Confined, NamesOfRefusedIncludesAreShortAndPlain) {
  EXPECT_EQ(given("#include \"/a'\\\x1b/" + std::string(300, 'x') + "\"\n"),
            refusal("/a???x1b/" + std::string(194, 'x') + "...") + "\n");
}

TEST(CollectSources, TrigraphsOfOldLanguagesAreRefused) {
  CompileJob job;
  job.source = "/k/k.cu";
  job.texts = std::make_shared<SourceBundle>(
      SourceTexts{{"/k/k.cu", "int a;\n?\?=include \"../secret.h\"\n"}});
  EXPECT_THAT(collected(job), ElementsAre("k.cu")) << "C++20 has no trigraphs";
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--std=c++14"}, {"-std=c++11"}, {"-std", "c++03"}}) {
    job.extra_options = options;
    try {
      (void)collect_sources(job);
      FAIL() << options.front();
    } catch (const Error& error) {
      EXPECT_STREQ(
          error.what(),
          "/k/k.cu:2: '?\?=' is a trigraph in the C++14 or older that the options ask for: "
          "write the character itself, or compile with --std=c++17 or later");
    }
  }
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

TEST(WithPaths, ANameDoesNotEndBeforeItsEnd) {
  SourceFile file;
  file.content =
      "#include \"../.git/config>/../../k/a.h\"\n#include \"a>b.h\"\n#if "
      "__has_include(\"/etc/shadow>x\")\n";
  file.includes = {{"\"a>b.h\"", "/k/a>b.h"}};
  EXPECT_EQ(with_paths(file),
            "#include <no/such/header>\n#include \"/k/a>b.h\"\n#if "
            "__has_include(<no/such/header>)\n");
}

TEST(WithRefusals, NothingElseChanges) {
  SourceFile file;
  file.content =
      "\xEF\xBB\xBF#include \"a.h\"\n#include </etc/passwd> // x\n#include M\n#if "
      "__has_include(<a>)\n";
  file.includes = {{"\"a.h\"", "/k/a.h"}};
  file.refused = {{"</etc/passwd>", "no"}, {"M", "no"}};
  EXPECT_EQ(with_refusals(file),
            "\xEF\xBB\xBF#include \"a.h\"\n#error no // x\n#include M\n#if __has_include(<a>)\n");
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
