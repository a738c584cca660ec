// Any bytes as text in generated files: a compiler, a shell, CMake and the YAML reader read back
// the very bytes, of many strings at once. An input is a batch of them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/escape.h"
#include "core/files.h"
#include "core/utf8.h"
#include "fuzz/corpus.h"
#include "fuzz/fuzz.h"
#include "spec/yaml_document.h"
#include "support/host_compiler.h"

namespace warpwright::fuzz {
namespace {

using testing::HostCompiler;

constexpr int kBatch = 400;

// Texts with a special meaning in one of the languages.
constexpr std::array<std::string_view, 64> kPieces = {
    "*/",    "/*",    "//",      "\\\n",     "\\",      "?\?/",        "?\?=",   ")ww_text\"",
    "R\"(",  ")\"",   "#line 1", "#include", "%s%n",    "%",           "${a}",   "$ENV{PATH}",
    "$(id)", "`id`",  ";",       "[[",       "]]",      "]=]",         "[=[",    "@a@",
    "'",     "\"",    "$",       "#",        ": ",      "- ",          "{a: b}", "&a",
    "*a",    "!!tag", "---",     "...",      "null",    "~",           "\t",     "\n",
    "\r\n",  "\r",    "\x1b[2J", "\x7f",     "\u0085",  "\u2028",      "\u202e", "\ufeff",
    "\xff",  "\xc3",  "ä",       "日",       "\\u0041", "\\x41",       "\\101",  "?",
    "|",     "<b>",   "&amp;",   "]]>",      "0",       "\n#define x", "\n}\n{", " "};

std::string random_text(Random& random) {
  std::string text;
  for (std::size_t i = random.below(8); i > 0; --i) {
    if (random.one_in(3)) {
      text += static_cast<char>(1 + random.below(255));
    } else {
      text += random.of(kPieces);
    }
  }
  return text;
}

// Strings of a batch are parted by NUL, which neither a shell's word nor CMake can hold.
std::string make_batch(Random& random) {
  std::string batch;
  for (int i = 0; i < kBatch; ++i) batch += random_text(random) + '\0';
  return batch;
}

std::vector<std::string> texts_of(const std::string& batch) {
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < batch.size();) {
    const std::size_t end = std::min(batch.find('\0', at), batch.size());
    texts.push_back(batch.substr(at, end - at));
    at = end + 1;
  }
  return texts;
}

void expect_equal(const std::string& read, const std::string& batch, const std::string& by) {
  if (read == batch) return;
  const std::vector<std::string> expected = texts_of(batch);
  const std::vector<std::string> got = texts_of(read);
  std::size_t at = 0;
  while (at < std::min(got.size(), expected.size()) && got[at] == expected[at]) ++at;
  throw PropertyFault{fmt::format("{} reads text {} as {}, expected {}", by, at,
                                  at < got.size() ? c_literal(got[at]) : "nothing",
                                  at < expected.size() ? c_literal(expected[at]) : "nothing")};
}

std::string run(const HostCompiler& host, const std::string& command) {
  const testing::CommandResult result = host.run(command);
  if (result.exit_code != 0) throw PropertyFault{command + " says: " + result.output};
  return read_file(host.path() / "read");
}

// Literals of both kinds and comments of both kinds, in one file for C++17 and in one for a
// standard that has trigraphs.
void check_cpp(const HostCompiler& host, const std::string& batch) {
  const std::vector<std::string> texts = texts_of(batch);
  std::string table = "static const struct { const char* text; unsigned long bytes; } all[] = {\n";
  std::string raw = "static const char* const raws[] = {\n";
  for (const std::string& text : texts) {
    const std::string remark = c_comment(text);
    table +=
        fmt::format("/* {} */ {{{}, {}}},  // {}\n", remark, c_literal(text), text.size(), remark);
    raw += cpp_raw_literal(text, "ww_text") + ",\n";
  }
  host.write("all.cpp", "#include <cstdio>\n#include <cstring>\n" + table + "};\n" + raw +
                            "};\nint main() {\n  std::FILE* out = std::fopen(\"read\", \"wb\");\n"
                            "  for (unsigned long i = 0; i < sizeof all / sizeof all[0]; ++i) {\n"
                            "    if (std::strcmp(all[i].text, raws[i]) != 0) return 7;\n"
                            "    std::fwrite(all[i].text, 1, all[i].bytes + 1, out);\n  }\n"
                            "  return std::fclose(out);\n}\n");
  for (const char* standard : {"c++17", "c++14 -Wno-trigraphs"}) {
    expect_equal(run(host, fmt::format("c++ -O0 -std={}{}all.cpp -o all && ./all", standard,
                                       HostCompiler::kWarnings)),
                 batch, "a compiler");
  }
}

void check_shell(const HostCompiler& host, const std::string& batch) {
  std::string script = ": >read\n";
  for (const std::string& text : texts_of(batch))
    script += fmt::format("printf '%s\\0' {} >>read\n", shell_word(text));
  host.write("all.sh", script);
  expect_equal(run(host, "sh all.sh"), batch, "a shell");
}

void check_cmake(const HostCompiler& host, const std::string& batch) {
  // CMake cannot write a NUL: a line of hexadecimal digits ends each.
  std::string script = "function(put text)\n  file(APPEND read \"${text}\")\n";
  script += "  file(APPEND read \"0123456789abcdef\")\nendfunction()\n";
  script += "file(WRITE read \"\")\nset(a wrong)\n";
  std::string expected;
  for (const std::string& text : texts_of(batch)) {
    script += fmt::format("put({})\n", cmake_word(text));
    expected += text + "0123456789abcdef";
  }
  host.write("all.cmake", script);
  expect_equal(run(host, "cmake -P all.cmake"), expected, "CMake");
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const auto character = front_character(text);
    if (!character) return false;
    text.remove_prefix(character->bytes);
  }
  return true;
}

void check_yaml(const std::string& batch) {
  std::string yaml = "list:\n";
  std::string expected;
  for (const std::string& text : texts_of(batch)) {
    if (!is_utf8(text)) continue;
    yaml += fmt::format("  - [{}, {{{}: 1}}]\n", yaml_text(text), yaml_text("x" + text));
    expected += text + '\0';
  }
  std::string read;
  const YamlDocument document = parse_yaml(yaml, "x.yaml", "a list");
  for (const YamlNode& item : document.root.entries.at(0).value.items) {
    read += item.items.at(0).text + '\0';
    if (item.items.at(1).entries.at(0).key.text != "x" + item.items.at(0).text)
      throw PropertyFault{"a key differs: " + item.items.at(0).text};
  }
  expect_equal(read, expected, "YAML");
}

void check_batch(const std::string& batch) {
  const HostCompiler host;
  check_cpp(host, batch);
  check_shell(host, batch);
  check_cmake(host, batch);
  check_yaml(batch);
}

TEST(Fuzz, EscapedText) {
  FuzzTarget target;
  target.name = "escape";
  target.inputs = 1;
  target.make = make_batch;
  target.check = check_batch;
  target.least_refused = 0;
  run_fuzz(target);
}

}  // namespace
}  // namespace warpwright::fuzz
