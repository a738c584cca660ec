// Tests `// vet:` comments: their meaning, and the messages about invalid ones.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.h"
#include "vet/comments/read_launch_comments.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;
using ::testing::StartsWith;

std::vector<LaunchComment> read(const std::string& source,
                                const std::map<std::string, Value>& given = {}) {
  return read_launch_comments(source, "a.cu", given);
}

std::string refusal_of(const std::string& source) {
  try {
    static_cast<void>(read(source));
  } catch (const Error& error) {
    return error.message();
  }
  return "read";
}

TEST(LaunchComment, HasAGridABlockSharedMemoryAndArguments) {
  const auto comments =
      read("int a;\n  // vet: blas::scale<<<dim3(4, 2), 64, 128>>>(x[100], 2.5f)\n");
  ASSERT_EQ(comments.size(), 1U);
  const CommentLaunch& launch = comments[0].launches.at(0);
  EXPECT_EQ(launch.entry, "blas::scale");
  EXPECT_THAT(launch.grid, ElementsAre(4, 2, 1));
  EXPECT_THAT(launch.block, ElementsAre(64, 1, 1));
  EXPECT_EQ(launch.shared_bytes, 128);
  EXPECT_FALSE(launch.cluster.has_value());
  ASSERT_EQ(launch.arguments.size(), 2U);
  EXPECT_EQ(launch.arguments[0].name, "x");
  EXPECT_EQ(launch.arguments[1].value, Value(2.5));
  EXPECT_EQ(launch.where, (SourceLocation{"a.cu", 2, 11}));
}

TEST(LaunchComment, HasAStreamOrClustersInTheFourthPlace) {
  EXPECT_FALSE(read("// vet: k<<<4, 64, 0, stream>>>()").at(0).launches.at(0).cluster.has_value());
  EXPECT_THAT(*read("// vet: k<<<4, 64, 0, cluster(2, 2)>>>()").at(0).launches.at(0).cluster,
              ElementsAre(2, 2, 1));
}

TEST(LaunchComment, EvaluatesConstantsAndTakesOthersFromTheCommandLine) {
  const std::string source = "// vet: n = 1000\n// vet: k<<<(n + 255) / 256, 256>>>(x[2 * n])\n";
  EXPECT_EQ(read(source).at(0).launches.at(0).grid[0], 4);
  const auto other = read(source, {{"n", Value(10)}});
  EXPECT_EQ(other.at(0).launches.at(0).grid[0], 1);
  EXPECT_EQ(other.at(0).buffers.at(0).elements(), 20);
}

TEST(LaunchComment, WritesConstantsOutInTemplateArguments) {
  EXPECT_EQ(read("// vet: B = 64; k<float, B, a::B><<<1, B>>>()").at(0).launches.at(0).entry,
            "k<float, 64, a::B>");
}

TEST(LaunchComment, GoesOnWhereABracketIsOpen) {
  const auto comments = read(
      "// Doubles.\n// vet: k<<<1, 32>>>(x[32],\n//     y[32])\n// A word about it.\n// vet: "
      "j<<<1, 32>>>(x)\n");
  ASSERT_EQ(comments.size(), 1U);
  EXPECT_EQ(comments[0].launches.size(), 2U);
  EXPECT_EQ(comments[0].buffers.size(), 2U);
}

TEST(LaunchComment, OfABlockIsForVetAsAWhole) {
  const auto comments = read("/* vet: n = 32\n * float x[n] = iota\n * k<<<1, n>>>(x)\n */\n");
  ASSERT_EQ(comments.size(), 1U);
  EXPECT_EQ(comments[0].buffers.at(0).type, "float");
  EXPECT_EQ(comments[0].buffers.at(0).content.kind, InitialContent::Kind::kIota);
  EXPECT_EQ(comments[0].where, (SourceLocation{"a.cu", 3, 4}));
}

TEST(LaunchComment, HasMemoryOfItsOwn) {
  const auto comments = read("// vet: k<<<1, 1>>>(x[1])\n\n// vet: k<<<1, 1>>>(x[2])\n");
  ASSERT_EQ(comments.size(), 2U);
  EXPECT_EQ(comments[0].buffers.at(0).elements(), 1);
  EXPECT_EQ(comments[1].buffers.at(0).elements(), 2);
}

TEST(LaunchComment, WithoutLaunchesHoldsForThoseBelow) {
  const auto comments = read("// vet: n = 8; y[n] = 0\n\n// vet: k<<<1, n>>>(x[n], y)\n");
  ASSERT_EQ(comments.size(), 1U);
  EXPECT_EQ(comments[0].buffers.size(), 2U);
  EXPECT_EQ(comments[0].constants.at("n"), Value(8));
}

TEST(LaunchComment, InAQuotedTextIsNone) {
  EXPECT_TRUE(read("const char* a = \"// vet: k<<<1, 1>>>()\";\n").empty());
  EXPECT_TRUE(read("const char* a = R\"(\n// vet: k<<<1, 1>>>()\n)\";\n").empty());
}

TEST(LaunchComment, KnowsWhatMemoryHolds) {
  const auto buffers =
      read("// vet: k<<<1, 1>>>(a[4], b[4] = 1.5, c[4] = random(-2, 2), d[2][3] = unset)")
          .at(0)
          .buffers;
  using Kind = InitialContent::Kind;
  EXPECT_EQ(buffers.at(0).content.kind, Kind::kRandom);
  EXPECT_EQ(buffers.at(1).content.low, Value(1.5));
  EXPECT_EQ(buffers.at(2).content.high, Value(2));
  EXPECT_EQ(buffers.at(3).content.kind, Kind::kUnset);
  EXPECT_EQ(buffers.at(3).elements(), 6);
}

TEST(LaunchCommentMessage, NamesWhatIsMissingInAConfiguration) {
  EXPECT_EQ(refusal_of("// vet: k<<<1>>>()"),
            "a.cu:1:13: <<<1>>> has 1 value, expected <<<grid, block>>>, then the bytes of dynamic "
            "shared memory and a stream or cluster(x, y, z) if needed");
  EXPECT_EQ(refusal_of("// vet: k<<<1, 32>>(x)"),
            "a.cu:1:10: '<<<' has no '>>>'; write k<<<grid, block>>>(...)");
  EXPECT_EQ(refusal_of("// vet: k<<<0, 32>>>()"),
            "a.cu:1:13: the grid is 0, expected a whole number of at least 1");
  EXPECT_EQ(refusal_of("// vet: n = 0\n// vet: k<<<1, (32, n)>>>()"),
            "a.cu:2:21: block.y is 0 (n), expected a whole number of at least 1");
  EXPECT_EQ(
      refusal_of("// vet: k<<<1, 32, 0, 2>>>()"),
      "a.cu:1:23: the fourth value is a stream, got '2'; write cluster(2) for clusters of two "
      "blocks");
}

TEST(LaunchCommentMessage, NamesWhatNothingIsSaidAbout) {
  EXPECT_EQ(
      refusal_of("// vet: count = 3\n// vet: k<<<1, 32>>>(cuont)"),
      "a.cu:2:22: nothing is said about 'cuont'; did you mean 'count'?; write cuont[1024] for "
      "memory, or cuont = 1024 above it for a number");
}

TEST(LaunchCommentMessage, NamesBracketsThatStayOpen) {
  EXPECT_EQ(refusal_of("// vet: k<<<1, 32>>>(x[3]\n"), "a.cu:1:21: '(' has no ')' in this comment");
  EXPECT_EQ(refusal_of("// vet: k<<<1, 32>>>(x[3]) y"),
            "a.cu:1:28: expected the end of the launch, got 'y'; put ';' or a new `// vet:` line "
            "between statements");
}

TEST(LaunchCommentMessage, NamesWhatContradicts) {
  EXPECT_EQ(refusal_of("// vet: n = 3; n = 4"),
            "a.cu:1:16: 'n' is 3 since line 1; remove one, or choose another name");
  EXPECT_EQ(refusal_of("// vet: k<<<1, 32>>>(x[32], x[33])"),
            "a.cu:1:29: 'x' has 32 elements since line 1, got 33; write 'x' alone for the same "
            "memory, or choose another name");
  EXPECT_EQ(
      refusal_of("// vet: k<<<1, 32>>>(x[32], x[32] = 0)"),
      "a.cu:1:29: what 'x' holds is said where it comes first, in line 1; write 'x' alone for "
      "the same memory");
  EXPECT_EQ(refusal_of("// vet: z[3]; k<<<1, 32>>>(x[32])"),
            "a.cu:1:9: 'z' is given to no launch of this comment; pass it to one, or remove it");
}

TEST(LaunchCommentMessage, NamesWhatIsNoStatement) {
  EXPECT_EQ(refusal_of("// vet: hello"),
            "a.cu:1:9: expected a launch, memory or a constant, got 'hello'; write kernel<<<grid, "
            "block>>>(x[n], n), float x[1024] or n = 1024");
  EXPECT_EQ(refusal_of("// vet: x[3] = itoa"),
            "a.cu:1:16: expected what the memory holds, got 'itoa'; did you mean 'iota'?; or a "
            "number");
  EXPECT_EQ(refusal_of("// vet: 3<<<1, 32>>>()"),
            "a.cu:1:9: expected a kernel's name before '<<<', got '3'; such as saxpy or "
            "reduce<float, 128>");
  EXPECT_EQ(refusal_of("// vet: min = 3"),
            "a.cu:1:9: 'min' cannot be a name: it is a built-in function; choose another");
}

TEST(LaunchCommentMessage, NamesALimitBeforeTheWork) {
  std::string constants = "/* vet:\n", statements = "/* vet: float x[4]\n";
  for (int i = 0; i < 20'000; ++i) constants += fmt::format("n{} = {}\n", i, i);
  for (int i = 0; i < 5'000; ++i) statements += "k<<<1, 1>>>(x)\n";
  EXPECT_EQ(
      refusal_of(constants + "k<<<1, 1>>>() */"),
      "a.cu:1002:1: this is the constant or memory after 1000 others, the most of a file; use "
      "fewer");
  EXPECT_EQ(
      refusal_of(statements + "*/"),
      "a.cu:2001:1: this is the statement after 2000 others, the most that the launch comments "
      "of a file may hold; divide the file");
  const std::string open(200'000, '(');
  EXPECT_EQ(refusal_of("// vet: k<<<1, 1>>>" + open), "a.cu:1:20: '(' has no ')' in this comment");
}

TEST(LaunchCommentMessage, QuotesNoMoreThanTheStartOfAName) {
  const std::string name(5000, 'x');
  const std::string shown = std::string(200, 'x') + "...";
  EXPECT_EQ(refusal_of("// vet: " + name),
            "a.cu:1:9: expected a launch, memory or a constant, got '" + shown +
                "'; write kernel<<<grid, block>>>(x[n], n), float x[1024] or n = 1024");
  EXPECT_EQ(refusal_of("// vet: " + name + " = 3"),
            "a.cu:1:9: expected a name, got '" + shown + "'");
  EXPECT_THAT(refusal_of("// vet: k<<<1, 1>>>(" + name + ")"),
              StartsWith("a.cu:1:21: unknown name '" + shown + "' in \"xxx"));
  for (const std::string& comment :
       {"x[3] = " + name, "3" + name + "<<<1, 1>>>()", "k<<<1, 1, 0, 3" + name + ">>>()",
        "k<<<" + name + ">>>()", "k<<<1, 1>>>" + name, "k<<<1, 1>>>() " + name, "x[3] " + name,
        "n = " + name + " + 1", "x[" + name + "]", "x[3] = random(1, 2, " + name + ")"})
    EXPECT_LT(refusal_of("// vet: " + comment).size(), 1000u) << comment.substr(0, 20);
}

TEST(LaunchCommentMessage, ShowsControlCharactersAsEscapes) {
  EXPECT_EQ(refusal_of(std::string("// vet: a\0\x1b(2J\x07", 15)),
            "a.cu:1:9: expected a launch, memory or a constant, got 'a\\x00\\x1b(2J\\x07'; write "
            "kernel<<<grid, block>>>(x[n], n), float x[1024] or n = 1024");
}

TEST(LaunchComment, NumbersMayHaveSuffixes) {
  EXPECT_EQ(without_suffixes("2.5f + 10ull * 0x1fu - a1f + .5F"),
            "2.5  + 10    * 0x1f  - a1f + .5 ");
}

}  // namespace
}  // namespace warpwright
