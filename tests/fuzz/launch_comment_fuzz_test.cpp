// Sources with launch comments: those of the repository, mutated. Comments are read, and host code
// is blanked out wherever a compiler might object: lines and columns stay where they are.
#include <gtest/gtest.h>

#include <algorithm>

#include "fuzz/corpus.h"
#include "fuzz/fuzz.h"
#include "fuzz/mutator.h"
#include "vet/comments/host_code.h"
#include "vet/comments/read_launch_comments.h"

namespace warpwright::fuzz {
namespace {

void expect_that(bool holds, const char* what) {
  if (!holds) throw PropertyFault{what};
}

void check_host_code(const std::string& text, int lines) {
  HostCode code(text, device_words({text}));
  code.remove_launching();
  for (int line = 1; line <= std::min(lines, 200); line += 3) {
    static_cast<void>(code.remove_at(line, line % 2 == 0 ? 0 : line % 17));
    static_cast<void>(code.remove_at(line));
  }
  static_cast<void>(code.remove_include("cub/cub.cuh"));
  static_cast<void>(kernel_names(text));
  expect_that(code.text().size() == text.size(), "text was moved");
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char left = code.text()[i];
    expect_that(left == text[i] || (left == ' ' && text[i] != '\n'), "text was changed");
  }
}

void check_source(const std::string& text) {
  const int lines = 1 + static_cast<int>(std::count(text.begin(), text.end(), '\n'));
  check_host_code(text, lines);
  for (const LaunchComment& comment : read_launch_comments(text, "fuzzed.cu", {{"n", Value(7)}})) {
    expect_that(!comment.launches.empty(), "a comment without launches");
    for (const CommentLaunch& launch : comment.launches) {
      expect_that(launch.where.line >= 1 && launch.where.line <= lines, "a launch beyond the end");
      for (const CommentArgument& argument : launch.arguments) {
        const bool known =
            std::any_of(comment.buffers.begin(), comment.buffers.end(),
                        [&](const CommentBuffer& buffer) { return buffer.name == argument.name; });
        expect_that(known || argument.kind != CommentArgument::Kind::kBuffer, "unknown memory");
      }
    }
    for (const CommentBuffer& buffer : comment.buffers)
      expect_that(buffer.elements() >= 1, "memory without elements");
  }
}

TEST(Fuzz, LaunchComments) {
  std::vector<std::string> texts = read_all(corpus_files("tuner/vet/explain", ".cu", 4000));
  for (std::string& text : read_all(corpus_files("tests/fixtures/commented_kernels", ".cu")))
    texts.push_back(std::move(text));
  const std::vector<std::string> pieces = {"// vet: ",
                                           "/* vet: ",
                                           "*/",
                                           "<<<",
                                           ">>>",
                                           "(",
                                           ")",
                                           "[",
                                           "]",
                                           "{",
                                           "}",
                                           ";",
                                           ",",
                                           "=",
                                           "n = 7",
                                           "x[n]",
                                           "float ",
                                           "= iota",
                                           "random(0, 1)",
                                           "unset",
                                           "dim3(",
                                           "cluster(2",
                                           "nullptr",
                                           "2.5f",
                                           "0",
                                           "-1",
                                           "1 / 0",
                                           "n * n",
                                           "'a'",
                                           "\"",
                                           "R\"(",
                                           "#define X",
                                           "#include <a>",
                                           "template <",
                                           "struct S {",
                                           "namespace {",
                                           "__global__ void k(",
                                           "__device__",
                                           "int main() {",
                                           "\\\n",
                                           "deterministic"};
  const Mutator mutator(texts, pieces, "()[]{}");
  FuzzTarget target;
  target.name = "launch_comment";
  target.inputs = 8000;
  target.make = [&](Random& random) { return mutator.make(random); };
  target.check = check_source;
  target.least_taken = target.least_refused = target.inputs / 50;
  run_fuzz(target);
}

}  // namespace
}  // namespace warpwright::fuzz
