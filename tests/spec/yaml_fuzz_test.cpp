// Mutates valid texts: reading must always terminate with a value or with an Error (user).
#include <gtest/gtest.h>

#include <random>

#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

constexpr int kMutations = 3000;

// Fragments with a meaning in YAML, numbers or expressions.
constexpr std::string_view kPieces[] = {
    "[",     "]",    "{",    "}",  ":",        ": ",      ",",
    "-",     "- ",   "? ",   "\"", "'",        "#",       " #",
    "&a ",   "*a",   "!t ",  "|",  ">",        "\n",      "  ",
    "\t",    "---",  "...",  "%",  "@",        "`",       "<<: ",
    "~",     "null", "true", "0x", "1e9",      "-1",      "99999999999999999999",
    "..",    "(",    ")",    "* ", "/0",       "sizeof(", "device.",
    "range", "pow2", "\r\n", "\\", "\xC3\xA9", "\xFF",    std::string_view("\0", 1),
    "\x04"};

class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string mutate(std::string text) {
    const int edits = 1 + static_cast<int>(below(4));
    for (int i = 0; i < edits && !text.empty(); ++i) edit(text);
    return text;
  }

 private:
  std::size_t below(std::size_t limit) {
    return std::uniform_int_distribution<std::size_t>(0, limit - 1)(random_);
  }

  void edit(std::string& text) {
    const std::size_t at = below(text.size());
    const std::size_t length = 1 + below(std::min<std::size_t>(text.size() - at, 12));
    switch (below(5)) {
      case 0:
        text.erase(at, length);
        break;
      case 1:
        text.insert(at, kPieces[below(std::size(kPieces))]);
        break;
      case 2:
        text.replace(at, length, kPieces[below(std::size(kPieces))]);
        break;
      case 3:
        text.insert(below(text.size()), text.substr(at, 4 * length));
        break;
      default:
        text[at] = static_cast<char>(below(256));
        break;
    }
  }

  std::mt19937 random_;
};

template <typename Function>
void read_mutations(const std::string& text, unsigned seed, Function&& read) {
  Mutator mutator(seed);
  int refused = 0;
  for (int i = 0; i < kMutations; ++i) {
    const std::string mutated = mutator.mutate(text);
    try {
      read(mutated);
    } catch (const Error& error) {
      ++refused;
      ASSERT_EQ(error.fault(), Fault::kUser) << error.what() << "\n" << mutated;
      ASSERT_NE(std::string_view(error.what()).find(".yaml:"), std::string_view::npos)
          << error.what();
    } catch (const std::exception& error) {
      FAIL() << "not an Error: " << error.what() << "\n" << mutated;
    }
  }
  EXPECT_GT(refused, kMutations / 2);
}

TEST(YamlFuzz, MutatedContractsAreReadOrRefused) {
  read_mutations(read_file(kernel_folder() / "kernel.yaml"), 1, [](const std::string& text) {
    static_cast<void>(parse_kernel(text, kernel_folder() / "kernel.yaml"));
  });
}

// Most of the text consists of lets, so most edits affect them.
TEST(YamlFuzz, MutatedLetsAreReadOrRefused) {
  std::string lets = "let:\n  a: THREADS / 32\n  b: 2*a + K\n";
  for (int i = 0; i < 20; ++i)
    lets += "  c" + std::to_string(i) + ": max(a, b) % " +
            (i == 0 ? "b" : "c" + std::to_string(i - 1)) + "\n";
  const std::string contract =
      replaced(edited_kernel("constraints:\n", lets + "constraints:\n  - a + b + c19 > 0\n"),
               "    source: block_row.cu\n",
               "    source: block_row.cu\n    let: {bytes: 4*a*LOCAL_K, most: max(bytes, c3)}\n");
  read_mutations(replaced(contract, "shared: \"4*THREADS\"", "shared: most"), 3,
                 [](const std::string& text) {
                   static_cast<void>(parse_kernel(text, kernel_folder() / "kernel.yaml"));
                 });
}

TEST(YamlFuzz, MutatedSweepsAreReadOrRefused) {
  const KernelSpec kernel = fixture_kernel();
  read_mutations(
      read_file(fixture_folder() / "sweeps/softmax_topk.yaml"), 2,
      [&](const std::string& text) { check_sweep(parse_sweep(text, "sweep.yaml"), kernel); });
}

}  // namespace
}  // namespace warpwright
