// Sources as strangers write them: includes in every disguise, names that lead elsewhere,
// directives cut by splices and comments. In the text given to the compiler, no include names a
// file that was not read, and lines stay where they are.
#include <gtest/gtest.h>

#include <algorithm>

#include "compile/include_scan.h"
#include "core/cpp_scan.h"
#include "core/file_bounds.h"
#include "core/terminal_text.h"
#include "fuzz/corpus.h"
#include "fuzz/fuzz.h"
#include "fuzz/mutator.h"

namespace warpwright::fuzz {
namespace {

void require_that(bool holds, const char* what) {
  if (!holds) throw PropertyFault{what};
}

// The text that a compiler reads has no name that leads out, but for those of files that were read.
void expect_confined(const std::string& text, const std::vector<SourceFile>& files) {
  for (const IncludeName& include : scan_includes(text)) {
    const std::filesystem::path name(include.name);
    const bool leads_out = std::find(name.begin(), name.end(), "..") != name.end();
    const bool read = std::any_of(files.begin(), files.end(), [&](const SourceFile& file) {
      return file.found && compiler_name(file.path) == include.name;
    });
    require_that(read || !leads_out, "an include leads out");
    require_that(read || !name.is_absolute(), "an include names a file that was not read");
  }
}

void check_scans(const std::string& text) {
  require_that(code_alone(text).size() == text.size(), "code was moved");
  std::size_t last = 0;
  for (const CppDirective& directive : find_directives(text)) {
    require_that(directive.from.size() == directive.text.size() + 1, "a character has no place");
    require_that(directive.from.front() >= last && directive.from.back() <= text.size(),
                 "directives overlap");
    require_that(std::is_sorted(directive.from.begin(), directive.from.end()), "places go back");
    last = directive.from.back();
  }
  const auto lines = std::count(text.begin(), text.end(), '\n') + 1;
  for (const CppComment& comment : find_comments(text))
    require_that(comment.line >= 1 && comment.line <= lines, "a comment beyond the end");

  CompileJob job;
  job.source = "/k/k.cu";
  job.texts =
      std::make_shared<SourceBundle>(SourceTexts{{"/k/k.cu", text}, {"/k/a.h", "int a;\n"}});
  const std::vector<SourceFile> files = collect_sources(job);
  const std::string given = with_paths(files.front());
  require_that(std::count(given.begin(), given.end(), '\n') + 1 == lines, "lines were moved");
  expect_confined(given, files);
  // A bundle in memory reads nothing; so nothing else can have been found. A path to it may lead
  // through folders that are not there: "/k/x/../a.h".
  for (const SourceFile& file : files) {
    const std::filesystem::path path = file.path.lexically_normal();
    require_that(!file.found || path == "/k/k.cu" || path == "/k/a.h", "a file was found");
  }
}

TEST(Fuzz, SourceScans) {
  const std::vector<std::string> texts = {
      "#include \"a.h\"\n#include <b.h>\n#if __has_include(\"../a.h\")\n#endif\n",
      "#include <x R\"(\n>\n#include \"../a.h\"\n)\"\n",
      "#include \"x/../a.h\"\n#if __has_include(\"../../k/a.h\")\n#endif\n",
      "#define P \"a.h\"\n#define Q P\n#include Q\n#include_next </etc/passwd>\n#embed \"/x\"\n",
      "const char* s = R\"x(\n#include \"../secret\"\n)x\"; // #include \"../y\"\n/*\n#include "
      "\"/z\"\n*/\n",
      "%:inc\\\nlude \"../a\\\nb\"\n#/**/include/*\n*/<//etc/it's>\nint a = 1'000; char c = "
      "'\\'';\n",
      "#define H(x) __has_include(x) && 1\n#ifdef __has_include\n#pragma it's \"\n#endif\n"};
  const std::vector<std::string> pieces = {"#include ",
                                           "#",
                                           "%:",
                                           "include",
                                           "_next",
                                           "__has_include(",
                                           "__has_embed(",
                                           "embed",
                                           "\"../../.git/config\"",
                                           "</proc/self/environ>",
                                           "\"a.h\"",
                                           "\"/k/a.h\"",
                                           "<..>",
                                           "\"..\"",
                                           "//",
                                           "/*",
                                           "*/",
                                           "\\\n",
                                           "\\\r\n",
                                           "\n",
                                           "\r\n",
                                           "R\"(",
                                           "u8R\"x(",
                                           ")\"",
                                           ")x\"",
                                           "\"",
                                           "'",
                                           "\\",
                                           "\f",
                                           "#define P ",
                                           "#define P(x) #x\n",
                                           "P",
                                           "(",
                                           ")",
                                           "#if ",
                                           "#if 0\n",
                                           "#endif\n",
                                           "1'0",
                                           "0x'a",
                                           "?"
                                           "?/\n",
                                           "\xEF\xBB\xBF",
                                           "\x01",
                                           "M\xC3\xBC"};
  const Mutator mutator(texts, pieces, "()<>\"\"");
  FuzzTarget target;
  target.name = "source_scan";
  target.inputs = 6000;
  target.make = [&](Random& random) { return mutator.make(random); };
  target.check = check_scans;
  // No text is refused: a directive that cannot be read is the compiler's to complain of.
  target.least_taken = target.inputs;
  target.least_refused = 0;
  run_fuzz(target);
}

void check_name(const std::string& name) {
  const std::string shown = shown_name(name);
  // An escape of a character is at most eight bytes long.
  require_that(shown.size() <= 8 * 200 + 3, "a long name is shown as a whole");
  for (const char c : shown)
    require_that(static_cast<unsigned char>(c) >= ' ' && c != '\x7f',
                 "a control character is shown");
  static_cast<void>(without_escapes(name));
  require_that(path_of_compiler_name(compiler_name(name)) == std::filesystem::path(name) ||
                   name.find('%') != std::string::npos,
               "a path has another name than its own");
  FileBounds bounds;
  bounds.allow("/no/such/folder", FolderUse::kOwn);
  if (name.find('\0') == std::string::npos && bounds.holds("/no/such/folder/" + name)) {
    const std::filesystem::path held =
        std::filesystem::path("/no/such/folder/" + name).lexically_normal();
    require_that(held.string().starts_with("/no/such/folder"), "a name leads out");
  }
}

TEST(Fuzz, Names) {
  const std::vector<std::string> texts = {
      "kernels/M\xC3\xBCller/a b.cu", "../../.git/config", "a%22b.cu",
      "x\\tab\\303\\274.cu",          "\x1b[2J\r\n\t\x7f", "/proc/self/environ"};
  const std::vector<std::string> pieces = {"..",           "/",        "//", ".",   "%5C",   "%",
                                           "\\",           "\"",       "\n", "\\0", "\\777", "\xff",
                                           "\xE2\x80\xAE", "\xC2\x9B", " ",  "~"};
  const Mutator mutator(texts, pieces, "()[]{}");
  FuzzTarget target;
  target.name = "name";
  target.inputs = 4000;
  target.make = [&](Random& random) {
    std::string name = mutator.make(random);
    if (random.one_in(50)) name.append(5000, 'x');
    return name;
  };
  target.check = check_name;
  target.least_taken = target.inputs;
  target.least_refused = 0;
  run_fuzz(target);
}

}  // namespace
}  // namespace warpwright::fuzz
