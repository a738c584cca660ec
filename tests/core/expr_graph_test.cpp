#include "core/expr/expr_graph.h"

#include <gtest/gtest.h>

#include <array>

#include "core/error.h"
#include "core/random_expression.h"

namespace warpwright {
namespace {

using testing::RandomExpression;

const std::vector<std::string>& graph_slots() {
  static const std::vector<std::string> names = {"A", "B", "C"};
  return names;
}

BoundExpr bound_to_slots(const std::string& text) {
  return BoundExpr(Expr::parse(text), graph_slots(), Environment());
}

std::optional<ExprGraph::Id> add_text(ExprGraph& graph, const std::string& text) {
  return graph.add(bound_to_slots(text).folded());
}

// Evaluates every node.
std::vector<std::int64_t> values_of(const ExprGraph& graph,
                                    const std::vector<std::int64_t>& slots) {
  std::vector<std::int64_t> values(graph.nodes().size());
  for (std::size_t id = 0; id < values.size(); ++id) {
    const ExprGraph::Node& node = graph.nodes()[id];
    values[id] = node.kind == ExprGraph::Kind::kSlot ? slots[static_cast<std::size_t>(node.value)]
                 : node.kind == ExprGraph::Kind::kConstant
                     ? node.value
                     : ExprGraph::evaluate(node, values.data());
  }
  return values;
}

std::optional<std::int64_t> exact_value(const std::string& text,
                                        const std::vector<std::int64_t>& slots) {
  Environment environment;
  for (std::size_t i = 0; i < slots.size(); ++i) environment.set(graph_slots()[i], slots[i]);
  try {
    return Expr::parse(text).evaluate(environment).as_integer();
  } catch (const Error&) {
    return std::nullopt;
  }
}

TEST(ExprGraph, AgreesWithTheTreeOnRandomExpressionsThatShareOneGraph) {
  RandomExpression random(17);
  int evaluated = 0;
  int lowest = 0;  // the integer that counts as a fault too
  for (int round = 0; round < 300; ++round) {
    ExprGraph graph;
    std::vector<std::string> texts;
    std::vector<ExprGraph::Id> roots;
    for (int i = 0; i < 6; ++i) {
      texts.push_back(random.text(5));
      const std::optional<ExprGraph::Id> root = add_text(graph, texts.back());
      ASSERT_TRUE(root) << texts.back();
      roots.push_back(*root);
    }
    for (int j = 0; j < 5; ++j) {
      const std::vector<std::int64_t> slots = {random.between(-5, 70), random.between(-5, 70),
                                               random.between(0, 3)};
      const std::vector<std::int64_t> values = values_of(graph, slots);
      for (std::size_t i = 0; i < texts.size(); ++i) {
        const std::optional<std::int64_t> expected = exact_value(texts[i], slots);
        evaluated += expected ? 1 : 0;
        if (expected && values[roots[i]] == ExprGraph::kFault) {
          ++lowest;
        } else {
          ASSERT_EQ(values[roots[i]], expected.value_or(ExprGraph::kFault)) << texts[i];
        }
      }
    }
  }
  EXPECT_GT(evaluated, 3000);
  EXPECT_LT(lowest, 20);
}

TEST(ExprGraph, EqualSubexpressionsAreOneNodeWhateverTheOrderOfOperands) {
  ExprGraph graph;
  ASSERT_TRUE(add_text(graph, "A * B <= 64"));
  const std::size_t before = graph.nodes().size();
  ASSERT_TRUE(add_text(graph, "B * A >= 64"));
  EXPECT_EQ(graph.nodes().size(), before + 1);
  EXPECT_EQ(add_text(graph, "A * B <= 64"), add_text(graph, "B * A <= 64"));
  EXPECT_NE(add_text(graph, "A - B"), add_text(graph, "B - A"));
}

TEST(ExprGraph, OperandsComeFirst) {
  ExprGraph graph;
  ASSERT_TRUE(add_text(graph, "max(A, B % 4, 7) < (A ? B : C) << 2"));
  for (std::size_t id = 0; id < graph.nodes().size(); ++id) {
    const ExprGraph::Node& node = graph.nodes()[id];
    const std::array<ExprGraph::Id, 3> operands = {node.a, node.b, node.c};
    for (int i = 0; i < node.operand_count(); ++i) {
      EXPECT_LT(operands[static_cast<std::size_t>(i)], id);
    }
  }
}

TEST(ExprGraph, RefusesWhatIsNotInteger) {
  ExprGraph graph;
  EXPECT_FALSE(add_text(graph, "A * 0.5 <= B"));
  EXPECT_FALSE(add_text(graph, "A == 'row'"));
  EXPECT_FALSE(add_text(graph, "log2(A) < 3"));
  EXPECT_FALSE(add_text(graph, "A + sqrt(B) > 1"));
}

TEST(ExprGraph, WhatShortCircuitsPassesOverAFault) {
  ExprGraph graph;
  const ExprGraph::Id guarded = *add_text(graph, "A == 0 || B % A == 0");
  const ExprGraph::Id bare = *add_text(graph, "B % A == 0");
  const std::vector<std::int64_t> values = values_of(graph, {0, 6, 0});
  EXPECT_EQ(values[guarded], 1);
  EXPECT_EQ(values[bare], ExprGraph::kFault);
}

TEST(ExprGraph, BoundsHoldEveryValueAndPromiseNoFaultInVain) {
  RandomExpression random(19);
  int sound = 0;
  for (int i = 0; i < 3000; ++i) {
    ExprGraph graph;
    const std::string text = random.text(4);
    ASSERT_TRUE(add_text(graph, text));
    std::vector<std::int64_t> low;
    std::vector<std::int64_t> high;
    for (int k = 0; k < 3; ++k) {
      low.push_back(random.between(-6, 40));
      high.push_back(low.back() + random.between(0, 9));
    }
    std::vector<Interval> bounds(graph.nodes().size());
    std::vector<bool> may_fault(graph.nodes().size());
    for (std::size_t id = 0; id < bounds.size(); ++id) {
      const ExprGraph::Node& node = graph.nodes()[id];
      const auto slot = static_cast<std::size_t>(node.value);
      bounds[id] = node.kind == ExprGraph::Kind::kSlot
                       ? Interval{static_cast<double>(low[slot]), static_cast<double>(high[slot])}
                       : ExprGraph::bounds(node, bounds.data());
      const int operands = node.operand_count();
      may_fault[id] = operands > 0 &&
                      (ExprGraph::may_fault(node, bounds.data()) || may_fault[node.a] ||
                       (operands > 1 && may_fault[node.b]) || (operands > 2 && may_fault[node.c]));
      sound += may_fault[id] ? 0 : 1;
    }
    for (int j = 0; j < 8; ++j) {
      std::vector<std::int64_t> slots;
      for (std::size_t k = 0; k < 3; ++k) slots.push_back(random.between(low[k], high[k]));
      const std::vector<std::int64_t> values = values_of(graph, slots);
      for (std::size_t id = 0; id < values.size(); ++id) {
        if (values[id] == ExprGraph::kFault) {
          ASSERT_TRUE(may_fault[id]) << text;
          continue;
        }
        ASSERT_LE(bounds[id].low, static_cast<double>(values[id])) << text;
        ASSERT_GE(bounds[id].high, static_cast<double>(values[id])) << text;
      }
    }
  }
  EXPECT_GT(sound, 3000);
}

}  // namespace
}  // namespace warpwright
