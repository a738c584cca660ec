#include "fuzz/ptx_corpus.h"

#include <utility>

#include "fuzz/corpus.h"

namespace warpwright::fuzz {
namespace {

// Long modules would be parsed from their beginning for one change somewhere; their words are in
// the short ones.
constexpr std::size_t kMaxPtxBytes = 8000;

}  // namespace

Mutator ptx_mutator(std::vector<std::string> opcodes) {
  std::vector<std::string> pieces = std::move(opcodes);
  for (const char* piece : {"{",
                            "}",
                            "[",
                            "]",
                            "(",
                            ")",
                            "<",
                            ">",
                            ";",
                            ",",
                            ":",
                            "|",
                            "@",
                            "@!",
                            "!",
                            "-",
                            "+",
                            "=",
                            "_",
                            "\"",
                            "//",
                            "/*",
                            ".reg ",
                            ".reg .b32 %r<9>;",
                            ".reg .pred p;",
                            ".reg",
                            ".b8",
                            ".f64",
                            ".b128",
                            ".b2147483647",
                            ".v2",
                            ".v4",
                            ".align 0",
                            ".align 3",
                            ".param ",
                            ".shared ",
                            ".global .align 4 .b8 x[16] = {1, 2};",
                            ".local",
                            ".const",
                            ".extern",
                            ".func f()",
                            ".entry k()",
                            ".file 4294967295 \"a.cu\"",
                            ".loc 4294967295 1 1",
                            ".section a { }",
                            ".branchtargets",
                            ".pragma \"nounroll\";",
                            "%tid.x",
                            "%clock64",
                            "%envreg3",
                            "0f3F800000",
                            "0d3FF0000000000000",
                            "0x",
                            "1e9",
                            "generic("})
    pieces.emplace_back(piece);
  return {read_all(corpus_files("tests/emu", ".ptx", kMaxPtxBytes)), std::move(pieces), "{}()[]!;"};
}

}  // namespace warpwright::fuzz
