#include "bench/graph/graph_spec.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/words.h"
#include "spec/yaml_document.h"
#include "spec/yaml_reader.h"

namespace warpwright {
namespace {

constexpr std::string_view kGraphKind = "a graph";
constexpr std::size_t kMaxSteps = 1000;
constexpr std::size_t kMaxChoices = 64;

using Sizes = std::vector<std::pair<std::string, std::vector<Value>>>;

Sizes read_choices(const YamlReader& reader) {
  Sizes sizes;
  std::size_t choices = 1;
  for (const auto& [key, value] : reader.entries()) {
    std::vector<Value> values;
    for (const YamlReader& item : value.items_or_one()) values.push_back(item.value());
    if (values.empty()) throw value.error("is empty, expected at least one value");
    choices *= values.size();
    if (choices > kMaxChoices) {
      throw value.error(
          fmt::format("makes {} choices of sizes, expected at most {}", choices, kMaxChoices));
    }
    sizes.emplace_back(key.identifier(), std::move(values));
  }
  return sizes;
}

void check_emulated(const YamlReader& reader, const Sizes& sizes) {
  std::vector<std::string> known;
  known.reserve(sizes.size());
  for (const auto& [name, values] : sizes) known.push_back(name);
  for (const auto& [key, value] : reader.entries()) {
    const std::string name = key.identifier();
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw key.error(fmt::format("unknown size '{}'{}", name, suggestion(name, known)));
  }
}

// Parses "qkv.y[0 : heads*d]" into its parts; expressions point into the text.
GraphInput read_input(const YamlReader& key, const YamlReader& value) {
  GraphInput input;
  input.argument = key.identifier();
  input.where = value.where();
  const std::string text = value.nonempty_text();
  const auto malformed = [&] {
    return value.error(fmt::format(
        "got '{}', expected STEP.OUTPUT or STEP.OUTPUT[FIRST:END], as in norm.y", text));
  };
  const std::size_t dot = text.find('.');
  const std::size_t bracket = text.find('[');
  if (dot == std::string::npos || dot == 0 || bracket < dot) throw malformed();
  input.step = text.substr(0, dot);
  input.output = text.substr(dot + 1, bracket == std::string::npos ? bracket : bracket - dot - 1);
  if (input.output.empty()) throw malformed();
  if (bracket == std::string::npos) return input;
  const std::size_t colon = text.find(':', bracket);
  if (colon == std::string::npos || text.back() != ']' || colon == bracket + 1 ||
      colon + 2 >= text.size())
    throw malformed();
  input.from = value.expression_in(bracket + 1, colon - bracket - 1);
  input.to = value.expression_in(colon + 1, text.size() - colon - 2);
  return input;
}

GraphStep read_step(const YamlReader& reader) {
  const YamlMap map = reader.map(
      {"name", "kernel", "when", "because", "problem", "configuration", "fills", "inputs"});
  GraphStep step;
  step.where = reader.where();
  step.name = map.require("name", "name: qkv").identifier();
  const YamlReader kernel = map.require("kernel", "kernel: gemv");
  step.kernel = kernel.nonempty_text();
  step.kernel_where = kernel.where();
  if (const auto when = map.find("when")) step.when = when->expression();
  if (const auto because = map.find("because")) {
    if (!step.when) throw because->error("says why a step is left out; add `when: CONDITION`");
    step.because = because->nonempty_text();
  }
  const YamlReader problem = map.require("problem", "problem: {rows: batch, d: 4096}");
  step.problem_where = problem.where();
  for (const auto& [key, value] : problem.entries())
    step.problem.push_back({key.identifier(), value.expression(), value.where()});
  if (const auto configuration = map.find("configuration"))
    step.configuration = configuration->nonempty_text();
  if (const auto fills = map.find("fills")) {
    step.fills_where = fills->where();
    for (const auto& [key, value] : fills->entries()) step.fills[key.identifier()] = value.fill();
  }
  if (const auto inputs = map.find("inputs")) {
    for (const auto& [key, value] : inputs->entries()) {
      step.inputs.push_back(read_input(key, value));
      if (step.fills.contains(step.inputs.back().argument)) {
        throw value.error(fmt::format("'{}' has a fill as well; it is either filled or connected",
                                      step.inputs.back().argument));
      }
    }
  }
  return step;
}

}  // namespace

GraphSpec parse_graph(std::string_view text, const std::filesystem::path& file) {
  const YamlDocument document = parse_yaml(text, file.string(), kGraphKind);
  const YamlMap map =
      YamlReader(document).map({"graph", "summary", "model", "sizes", "emulated", "steps"});
  GraphSpec graph;
  graph.file = file;
  graph.name = map.require("graph", "graph: layer").nonempty_text();
  if (const auto summary = map.find("summary")) graph.summary = summary->text();
  if (const auto model = map.find("model")) graph.model = model->nonempty_text();
  if (const auto sizes = map.find("sizes")) graph.sizes = read_choices(*sizes);
  if (const auto emulated = map.find("emulated")) {
    check_emulated(*emulated, graph.sizes);
    graph.emulated = read_choices(*emulated);
  }
  const YamlReader steps = map.require("steps", "steps: [{name: norm, kernel: ..., problem: ...}]");
  for (const YamlReader& item : steps.items(kMaxSteps)) {
    GraphStep step = read_step(item);
    if (std::any_of(graph.steps.begin(), graph.steps.end(),
                    [&](const GraphStep& other) { return other.name == step.name; }))
      throw item.error(fmt::format("two steps are called '{}'", step.name));
    graph.steps.push_back(std::move(step));
  }
  if (graph.steps.empty()) throw steps.error("is empty, expected at least one step");
  return graph;
}

GraphSpec read_graph(const std::filesystem::path& file) {
  return parse_graph(read_yaml_text(file, kGraphKind), file);
}

std::vector<Problem> graph_sizes(const GraphSpec& graph, bool emulated) {
  std::vector<Problem> all = {{}};
  for (const auto& [name, given] : graph.sizes) {
    const std::vector<Value>* values = &given;
    for (const auto& [replaced, others] : graph.emulated)
      if (emulated && replaced == name) values = &others;
    std::vector<Problem> more;
    for (const Problem& one : all) {
      for (const Value& value : *values) {
        more.push_back(one);
        more.back()[name] = value;
      }
    }
    all = std::move(more);
  }
  return all;
}

}  // namespace warpwright
