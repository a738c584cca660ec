// A graph: configs/graphs/<name>.yaml read into values. It names kernels, their problems and which
// argument of a step is which output of an earlier one. configs/graphs/README.md documents every
// key. Every error is `file:line:col: what, got, expected`. Nothing of the kernels is known here.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/expr/expr.h"
#include "core/expr/value.h"
#include "records/problem.h"

namespace warpwright {

// "norm.y" or "qkv.y[0 : heads*d]": an output, or part of its last axis.
struct GraphInput {
  std::string argument;
  std::string step, output;
  std::optional<Expr> from, to;  // both or neither
  SourcePosition where;
};

// Of a problem: an expression over the graph's sizes, or a word.
struct GraphSize {
  std::string name;
  Expr value;
  SourcePosition where;
};

struct GraphStep {
  std::string name;
  std::string kernel;
  SourcePosition where, kernel_where, problem_where;
  std::optional<Expr> when;  // over the graph's sizes; left out where it does not hold
  std::string because;       // why it is left out then
  std::vector<GraphSize> problem;
  std::string configuration;  // "variant=tma STAGES=4"; "" for the best that is known
  std::map<std::string, std::string> fills;
  SourcePosition fills_where;
  std::vector<GraphInput> inputs;
};

struct GraphSpec {
  std::filesystem::path file;
  std::string name, summary;
  std::string model;  // of configs/models that this is a part of; "" for none
  // Values of each size, in order; lists multiply. `emulated` replaces those that it names on a
  // device without a clock.
  std::vector<std::pair<std::string, std::vector<Value>>> sizes, emulated;
  std::vector<GraphStep> steps;  // one or more, names that differ
};

// Throws Error (user).
[[nodiscard]] GraphSpec read_graph(const std::filesystem::path& file);
[[nodiscard]] GraphSpec parse_graph(std::string_view text, const std::filesystem::path& file);

// Every choice of sizes, the last size changing fastest.
[[nodiscard]] std::vector<Problem> graph_sizes(const GraphSpec& graph, bool emulated);

}  // namespace warpwright
