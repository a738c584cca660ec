// A graph: configs/graphs/<name>.yaml read into values. It names kernels, their problems and which
// argument of a step is which output of an earlier one. configs/graphs/README.md documents every
// key. Every error is `file:line:col: what, got, expected`. The kernels are not read here.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/expr/expr.h"
#include "core/expr/value.h"
#include "core/source_location.h"
#include "records/configuration.h"

namespace warpwright {

// "norm.y" or "qkv.y[0 : heads*d]": an output, or part of its last axis.
struct GraphInput {
  std::string argument;
  std::string step, output;
  std::optional<Expr> from, to;  // both or neither
  SourceLocation where;
};

// A size of a problem: an expression over the graph's sizes, or a word.
struct GraphSize {
  std::string name;
  Expr value;
  SourceLocation where;
};

struct GraphStep {
  std::string name;
  std::string kernel;
  SourceLocation where, kernel_where, problem_where;
  std::optional<Expr> when;  // over the graph's sizes; if false, the step is left out
  std::string because;       // the reason why it is left out
  std::vector<GraphSize> problem;
  std::string configuration;  // "variant=tma STAGES=4"; "" for the best known one
  std::map<std::string, std::string> fills;
  SourceLocation fills_where;
  std::vector<GraphInput> inputs;
};

struct GraphSpec {
  std::filesystem::path file;
  std::string name, summary;
  std::string model;  // the model of configs/models that contains it; "" for none
  // Values of each size, in order; lists multiply. On a device without a clock, `emulated` replaces
  // the sizes that it names.
  std::vector<std::pair<std::string, std::vector<Value>>> sizes, emulated;
  std::vector<GraphStep> steps;  // one or more, with different names
};

// Throws Error (user).
[[nodiscard]] GraphSpec read_graph(const std::filesystem::path& file);
[[nodiscard]] GraphSpec parse_graph(std::string_view text, const std::filesystem::path& file);

// Every choice of sizes, the last size changing fastest.
[[nodiscard]] std::vector<Problem> graph_sizes(const GraphSpec& graph, bool emulated);

}  // namespace warpwright
