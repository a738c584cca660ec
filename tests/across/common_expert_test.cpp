// kernels/common: expert_select.cuh against a sort.
#include "header_harness.h"

namespace warpwright::emu {
namespace {

constexpr float kInfinite = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

struct Shape {
  int experts, k, lanes, slots;
  [[nodiscard]] std::size_t tokens() const { return static_cast<std::size_t>(2 * 32 / slots); }
};

class ExpertSelectHeader : public HeaderTest, public testing::WithParamInterface<Shape> {
 protected:
  void SetUp() override {
    HeaderTest::SetUp();
    if (IsSkipped()) return;
    const Shape& shape = GetParam();
    compile("expert_select.cu", {{"EXPERTS", std::to_string(shape.experts)},
                                 {"K", std::to_string(shape.k)},
                                 {"LANES", std::to_string(shape.lanes)},
                                 {"SLOTS", std::to_string(shape.slots)}});
    schedules_ = 5;
  }

  template <class Score>
  void chooses(const std::string& what, Score score) {
    SCOPED_TRACE(what);
    const auto experts = static_cast<std::size_t>(GetParam().experts);
    const auto k = static_cast<std::size_t>(GetParam().k);
    std::vector<float> scores;
    std::vector<int> expected;
    for (std::size_t token = 0; token < GetParam().tokens(); ++token) {
      std::vector<int> order;
      for (std::size_t e = 0; e < experts; ++e) {
        scores.push_back(score(token, e));
        order.push_back(static_cast<int>(e));
      }
      const float* const row = &scores[token * experts];
      const auto rank = [&](int e) { return std::isnan(row[e]) ? -kInfinite : row[e]; };
      std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return rank(a) > rank(b); });
      expected.insert(expected.end(), order.begin(),
                      order.begin() + static_cast<std::ptrdiff_t>(k));
    }
    const auto in = harness_->upload(scores);
    for (const char* entry : {"choose_right", "choose_counting"}) {
      SCOPED_TRACE(entry);
      const auto out = harness_->zeros<int>(expected.size());
      shape(entry, 32);
      works([&] { EXPECT_EQ(harness_->download(out), expected); }, in, out);
    }
  }

  float random() { return static_cast<float>(random_() % 100000) / 1000 - 50; }
};

TEST_P(ExpertSelectHeader, ChoosesTheBestInOrder) {
  chooses("different", [&](std::size_t, std::size_t) { return random(); });
  chooses("few values",
          [&](std::size_t, std::size_t) { return static_cast<float>(random_() % 3); });
  chooses("all equal", [](std::size_t, std::size_t) { return -1.5f; });
  chooses("ascending", [](std::size_t, std::size_t e) { return static_cast<float>(e); });
  chooses("descending", [](std::size_t, std::size_t e) { return -static_cast<float>(e); });
  chooses("zeros of both signs",
          [&](std::size_t, std::size_t) { return random_() % 2 == 0 ? 0.0f : -0.0f; });
}

TEST_P(ExpertSelectHeader, NanCountsAsMinusInfinity) {
  chooses("few numbers", [&](std::size_t, std::size_t e) {
    const auto kind = random_() % 8;
    return kind < 4 ? kNan : kind < 7 ? -kInfinite : static_cast<float>(e);
  });
  chooses("a row of either next to others", [&](std::size_t token, std::size_t) {
    return token == 0 ? kNan : token == 1 ? -kInfinite : random();
  });
}

TEST_P(ExpertSelectHeader, ListsThatAreReadTooEarlyAreFound) {
  const auto in = harness_->upload(
      std::vector<float>(GetParam().tokens() * static_cast<std::size_t>(GetParam().experts), 1.0f));
  const auto out =
      harness_->zeros<int>(GetParam().tokens() * static_cast<std::size_t>(GetParam().k));
  shape("choose_no_sync", 32);
  fails({"shared race"}, in, out);
}

INSTANTIATE_TEST_SUITE_P(Shapes, ExpertSelectHeader,
                         testing::Values(Shape{256, 6, 32, 16}, Shape{256, 8, 16, 8},
                                         Shape{384, 8, 32, 32}, Shape{161, 1, 32, 8},
                                         Shape{64, 6, 8, 8}, Shape{10, 10, 16, 16},
                                         Shape{1024, 16, 32, 32}),
                         [](const auto& info) {
                           const Shape& s = info.param;
                           return std::to_string(s.experts) + "_k" + std::to_string(s.k) +
                                  "_lanes" + std::to_string(s.lanes) + "_slots" +
                                  std::to_string(s.slots);
                         });

}  // namespace
}  // namespace warpwright::emu
