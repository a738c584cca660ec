#include "exchange/header/identifiers.h"

#include <gtest/gtest.h>

#include <limits>
#include <regex>

#include "analysis/sample_selection.h"
#include "exchange/header/selection_writers.h"

namespace warpwright {
namespace {

TEST(Identifiers, PlainNamesStay) {
  IdentifierScope scope({});
  EXPECT_EQ(scope.add("rows"), "rows");
  EXPECT_EQ(scope.add("V"), "V");
  EXPECT_EQ(scope.add("tile_k"), "tile_k");
}

TEST(Identifiers, MacrosOfTheKernelAreNeverGivenOut) {
  IdentifierScope scope({"THREADS", "unroll", "K"});
  EXPECT_EQ(scope.add("THREADS"), "threads");
  EXPECT_EQ(scope.add("unroll"), "unroll_");
  EXPECT_EQ(scope.add("K"), "k");
}

TEST(Identifiers, KeywordsReservedNamesAndOwnWordsGetAnUnderscore) {
  IdentifierScope scope({});
  EXPECT_EQ(scope.add("class"), "class_");
  EXPECT_EQ(scope.add("restrict"), "restrict_");
  EXPECT_EQ(scope.add("and"), "and_");
  EXPECT_EQ(scope.add("NULL"), "null");
  EXPECT_EQ(scope.add("problem"), "problem_");
  EXPECT_EQ(scope.add("__global__"), "global");
  EXPECT_EQ(scope.add("_Start"), "Start");
  EXPECT_EQ(scope.add("a__b"), "a_b");
}

TEST(Identifiers, WhatIsNoIdentifierBecomesOne) {
  IdentifierScope scope({});
  EXPECT_EQ(scope.add("row-major"), "row_major");
  EXPECT_EQ(scope.add("2d"), "v2d");
  EXPECT_EQ(scope.add(""), "v_");
  EXPECT_EQ(scope.add("\xc3\xa4"), "v_2");
  EXPECT_EQ(scope.add("*/ \n evil"), "evil");
}

TEST(Identifiers, NamesThatDifferInCaseOnlyAreMadeToDiffer) {
  IdentifierScope scope({});
  EXPECT_EQ(scope.add("K"), "K");
  EXPECT_EQ(scope.add("k"), "k_");
  EXPECT_EQ(scope.add("K"), "k_2");
}

// A size `out` becomes out_, since functions have an `out` of their own; an array `out` keeps its
// name.
TEST(Identifiers, MembersAreUnequalToWhatStandsBesideThem) {
  IdentifierScope scope = IdentifierScope::of_members({}, {"out_", "rows"});
  EXPECT_EQ(scope.add("out"), "out");
  EXPECT_EQ(scope.add("rows"), "rows_");
  EXPECT_EQ(scope.add("Out"), "out_2");
}

TEST(Identifiers, OfAContract) {
  const ContractNames names = name_contract(testing::sample_contract());
  EXPECT_EQ(names.kernel, "row_mix");
  EXPECT_EQ(names.sizes,
            (std::vector<std::string>{"rows", "K", "dtype", "write_z", "eps", "causal"}));
  EXPECT_EQ(names.parameters, (std::vector<std::string>{"threads", "hint", "scale"}));
  EXPECT_EQ(names.size_types[2], "Dtype");
  EXPECT_EQ(names.size_types[3], "") << "numbers need no enumeration";
  EXPECT_EQ(names.parameter_types[1], "Hint");
  EXPECT_EQ(names.macros, (std::set<std::string>{"DTYPE", "EPS", "HINT", "SCALE", "THREADS",
                                                 "TOP_K", "WRITE_Z"}));
}

TEST(Identifiers, ATypeThatTheHeadersHaveIsRenamed) {
  KernelSpec contract = testing::sample_contract();
  contract.problem[2].name = "Board";
  contract.parameters[1].name = "place_of";
  const ContractNames names = name_contract(contract);
  EXPECT_EQ(names.size_types[2], "BoardChoice");
  EXPECT_EQ(names.parameter_types[1], "PlaceOfChoice");
}

// Types, functions and tables share one namespace in C, so every name after the prefix is reserved.
TEST(Identifiers, NoTypeIsCalledAsAnythingOfAHeader) {
  const KernelSpec contract = testing::sample_contract();
  const std::string text = selection_header(testing::sample_selection(), {"warpwright 0.1.0"});
  std::set<std::string> words;
  const std::regex name("ww_row_mix_([a-z0-9_]+)");
  for (std::sregex_iterator it(text.begin(), text.end(), name), end; it != end; ++it)
    words.insert((*it)[1]);
  // Drops the names of variants and of its own two choices.
  std::erase_if(words, [](const std::string& word) {
    return word.ends_with("_wide") || word.ends_with("_warp") || word.starts_with("dtype") ||
           word.starts_with("hint");
  });
  EXPECT_GT(words.size(), 30U);
  for (const std::string& word : words) {
    KernelSpec other = contract;
    other.problem[2].name = word;
    const std::string type = name_contract(other).size_types[2];
    EXPECT_TRUE(type.ends_with("Choice")) << word << " would be " << type;
  }
}

TEST(Identifiers, AMemberThatLooksLikeATypeLeavesTheTypeAnotherName) {
  KernelSpec contract = testing::sample_contract();
  contract.problem[2].name = "Dtype";
  const ContractNames names = name_contract(contract);
  EXPECT_EQ(names.sizes[2], "Dtype");
  EXPECT_EQ(names.size_types[2], "DtypeChoice");
}

TEST(RenameMacros, ChangesIdentifiersAndNothingElse) {
  std::set<std::string> renamed;
  EXPECT_EQ(rename_macros("int a = select(K, \"K \\\" K\", 'K'); // K\n/* K */ K.K_K K2",
                          {"K", "select"}, renamed),
            "int a = select_here(K_here, \"K \\\" K\", 'K'); // K\n/* K */ K_here.K_K K2");
  EXPECT_EQ(renamed, (std::set<std::string>{"K", "select"}));
}

TEST(Literals, ReadBackAsTheirType) {
  EXPECT_EQ(integer_literal(42), "42");
  EXPECT_EQ(integer_literal(2147483648), "2147483648LL");
  EXPECT_EQ(integer_literal(std::numeric_limits<std::int64_t>::min()),
            "(-9223372036854775807LL - 1)");
  EXPECT_EQ(real_literal(2), "2.0");
  EXPECT_EQ(real_literal(1e300), "1e+300");
  EXPECT_EQ(time_literal(410.431995987892), "410.432");
}

}  // namespace
}  // namespace warpwright
