// Kendall's tau-b: the similarity of two orders of the same items, 1 for the same order, -1 for the
// reverse, near 0 for unrelated ones. Only the order counts, so infinities are allowed and units do
// not matter; NaN, or lists of different lengths, are broken invariants. O(n log n).
// Source: M. G. Kendall, The Treatment of Ties in Ranking Problems, Biometrika 33 (1945); W. R.
// Knight, A Computer Method for Calculating Kendall's Tau with Ungrouped Data, JASA 61 (1966).
#pragma once

#include <span>

namespace warpwright {

// (concordant - discordant pairs) / sqrt((pairs not tied in x) (pairs not tied in y)). NaN if that
// is 0/0: fewer than two items, or all equal in either list.
[[nodiscard]] double kendall_tau_b(std::span<const double> x, std::span<const double> y);

}  // namespace warpwright
