// The effect of NVFP4 on probabilities: softmax over many keys has values far below 1, below the
// smallest values of e2m1 (0.5) and ue4m3 (2^-9). A scale of the whole row, which maps its largest
// probability to 448 * 6, preserves them. The numbers are the same on every machine.
#include <algorithm>
#include <cmath>
#include <iostream>
#include <random>

#include "emu/numbers/small_float.h"
#include "emu_harness.h"

namespace warpwright::emu {
namespace {

constexpr std::size_t kBlock = 16;

enum class Scales { kOnes, kBlocks, kBlocksAndRow };

// Scores with standard deviation 1, as sums of twelve uniform numbers, because the distributions of
// <random> differ between standard libraries.
std::vector<double> softmax_row(std::size_t keys) {
  std::mt19937 random(20);
  std::vector<double> row(keys);
  double sum = 0;
  for (double& p : row) {
    double score = -6;
    for (int i = 0; i < 12; ++i) score += static_cast<double>(random()) * 0x1p-32;
    p = std::exp(score);
    sum += p;
  }
  for (double& p : row) p /= sum;
  return row;
}

double code_value(SmallFormat format, double value) {
  return small_values(format)[float_to_small(format, static_cast<float>(value), false)];
}

std::vector<double> through_nvfp4(const std::vector<double>& row, Scales scales) {
  const double largest = *std::max_element(row.begin(), row.end());
  const double whole = scales == Scales::kBlocksAndRow ? largest / (448.0 * 6.0) : 1.0;
  std::vector<double> back;
  for (std::size_t first = 0; first < row.size(); first += kBlock) {
    double top = 0;
    for (std::size_t i = 0; i < kBlock; ++i) top = std::max(top, row[first + i] / whole);
    const double scale = scales == Scales::kOnes ? 1.0 : code_value(SmallFormat::kUe4m3, top / 6.0);
    for (std::size_t i = 0; i < kBlock; ++i) {
      const double element =
          scale == 0 ? 0.0 : code_value(SmallFormat::kE2m1, row[first + i] / whole / scale);
      back.push_back(element * scale * whole);
    }
  }
  return back;
}

struct Figures {
  double vanished = 0;  // share of the probabilities that became 0
  double error = 0;     // sum of |difference|; the probabilities' own sum is 1
};

Figures figures_of(std::size_t keys, Scales scales) {
  const std::vector<double> row = softmax_row(keys);
  const std::vector<double> back = through_nvfp4(row, scales);
  Figures figures;
  for (std::size_t i = 0; i < keys; ++i) {
    figures.vanished += back[i] == 0 ? 1.0 / static_cast<double>(keys) : 0.0;
    figures.error += std::fabs(back[i] - row[i]);
  }
  std::cout << keys << " keys, "
            << (scales == Scales::kOnes     ? "scales of 1: "
                : scales == Scales::kBlocks ? "scales of blocks: "
                                            : "scales of blocks and of the row: ")
            << 100 * figures.vanished << " % vanish, error " << 100 * figures.error << " %\n";
  return figures;
}

TEST(Nvfp4Probabilities, WithScalesOfOneAllOfThemVanish) {
  for (const std::size_t keys : {512u, 2048u, 8192u}) {
    const Figures figures = figures_of(keys, Scales::kOnes);
    EXPECT_EQ(figures.vanished, 1.0);
    EXPECT_NEAR(figures.error, 1.0, 1e-12);
  }
}

void expect_figures(std::size_t keys, Scales scales, double vanished, double error) {
  const Figures figures = figures_of(keys, scales);
  EXPECT_NEAR(figures.vanished, vanished, 1e-3) << keys;
  EXPECT_NEAR(figures.error, error, 1e-3) << keys;
}

TEST(Nvfp4Probabilities, WithScalesOfBlocksAloneTheScalesVanish) {
  expect_figures(512, Scales::kBlocks, 0.6035, 0.4771);
  expect_figures(2048, Scales::kBlocks, 0.9912, 0.9613);
  expect_figures(8192, Scales::kBlocks, 1.0, 1.0);
}

TEST(Nvfp4Probabilities, WithAScaleOfTheRowTheyKeepWhatTheFormatCan) {
  expect_figures(512, Scales::kBlocksAndRow, 0.1250, 0.1181);
  expect_figures(2048, Scales::kBlocksAndRow, 0.1035, 0.1114);
  expect_figures(8192, Scales::kBlocksAndRow, 0.0944, 0.1069);
}

}  // namespace
}  // namespace warpwright::emu
