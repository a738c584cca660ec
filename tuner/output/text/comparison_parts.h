// The sections of comparison_text(), each "" if it has no content, ending in a newline otherwise;
// and the words that it shares with other texts about several contenders or problems.
#pragma once

#include <string>
#include <vector>

#include "output/text/comparison_text.h"

namespace warpwright {

[[nodiscard]] std::string comparison_contenders(const Comparison& comparison, const Screen& screen);
// Everything but times that is not the same, once for all problems.
[[nodiscard]] std::string comparison_differences(const Comparison& comparison,
                                                 const Screen& screen);
// One line for each pair of contenders, and once for each pair why some problems have no ratio.
[[nodiscard]] std::string comparison_summary(const Comparison& comparison, const Screen& screen);
// One table per kernel: problems down, contenders across. Only problems that are compared.
[[nodiscard]] std::string comparison_times(const Comparison& comparison,
                                           const ComparisonTextOptions& options);
// How far each contender's best configurations and the most portable ones get on the others, over
// all problems.
[[nodiscard]] std::string comparison_transfers(const Comparison& comparison,
                                               const ComparisonTextOptions& options);
// The details of single problems, one block each.
[[nodiscard]] std::string comparison_details(const Comparison& comparison,
                                             const ComparisonTextOptions& options);
[[nodiscard]] std::string comparison_portfolios(const Comparison& comparison,
                                                const ComparisonTextOptions& options);
[[nodiscard]] std::string comparison_ceilings(const Comparison& comparison,
                                              const ComparisonTextOptions& options);
// Lists the problems that a contender has no trials of.
[[nodiscard]] std::string comparison_gaps(const Comparison& comparison,
                                          const ComparisonTextOptions& options);

// True if at least two contenders tried the problem, or the only one did.
[[nodiscard]] bool is_compared(const Comparison& comparison, const ProblemComparison& problem);

// "1.03x", more digits below 0.1, fewer above 10; "–" for none.
[[nodiscard]] std::string ratio_text(const std::optional<double>& ratio);
// "+", "-", "=", "?" or "".
[[nodiscard]] std::string verdict_mark(Verdict verdict);
// Explains the marks that occur, on a line of its own.
[[nodiscard]] std::string mark_legend(const std::vector<Verdict>& seen);
// The kinds of a contender's times in these problems: "measured", "measured/imported".
[[nodiscard]] std::string kinds_of(const Comparison& comparison, std::size_t contender,
                                   const std::string& kernel = "");
// "A, B and C".
[[nodiscard]] std::string letters(const std::vector<std::size_t>& contenders);

// Names the problems of a table without the sizes that all of them share.
struct ProblemNames {
  std::string shared;              // "d=128 dtype=bf16"; empty for a single problem
  std::vector<std::string> names;  // "rows=8", one per problem; the whole text if all are equal
};

[[nodiscard]] ProblemNames problem_names(const std::vector<std::string>& problem_texts);

}  // namespace warpwright
