#include "fuzz/json_mutator.h"

#include <limits>
#include <vector>

namespace warpwright::fuzz {
namespace {

using Json = nlohmann::json;

Json nested(std::size_t depth, bool objects) {
  Json json = 1;
  for (std::size_t i = 0; i < depth; ++i)
    json = objects ? Json{{"a", std::move(json)}} : Json::array({std::move(json)});
  return json;
}

Json random_json(Random& random) {
  static const std::vector<Json> kValues = {nullptr,
                                            true,
                                            false,
                                            0,
                                            -1,
                                            1,
                                            1.5,
                                            1e308,
                                            -1e308,
                                            5e-324,
                                            std::numeric_limits<std::int64_t>::min(),
                                            std::numeric_limits<std::int64_t>::max(),
                                            std::numeric_limits<std::uint64_t>::max(),
                                            2147483647,
                                            "",
                                            "text",
                                            "1e999",
                                            std::string("\0", 1),
                                            "\xc3\xa9",
                                            "%s{}\"\n",
                                            std::string(5000, 'x'),
                                            Json::array(),
                                            Json::object(),
                                            Json::array({1, "a", nullptr}),
                                            Json{{"name", 1}, {"value", Json::array()}}};
  if (random.one_in(40)) return nested(random.below(400), random.one_in(2));
  return random.of(kValues);
}

std::vector<Json*> nodes_of(Json& root) {
  std::vector<Json*> nodes = {&root};
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i]->is_structured())
      for (Json& child : *nodes[i]) nodes.push_back(&child);
  return nodes;
}

void edit_object(Json& object, Random& random) {
  auto member = object.begin();
  std::advance(member, static_cast<std::ptrdiff_t>(random.below(object.size())));
  const std::string name = member.key();
  const Json value = member.value();
  switch (random.below(3)) {
    case 0:
      object.erase(name);
      break;
    case 1:
      object.erase(name);
      object[name + "x"] = value;
      break;
    default: {
      auto other = object.begin();
      std::advance(other, static_cast<std::ptrdiff_t>(random.below(object.size())));
      std::swap(object[name], other.value());
      break;
    }
  }
}

void edit(Json& root, Random& random) {
  const std::vector<Json*> nodes = nodes_of(root);
  Json& node = *nodes[random.below(nodes.size())];
  if (node.is_object() && !node.empty() && random.one_in(2)) return edit_object(node, random);
  if (node.is_array() && !node.empty() && random.one_in(2)) {
    const Json item = node[random.below(node.size())];
    if (random.one_in(2)) {
      node.erase(random.below(node.size()));
    } else {
      node.push_back(item);
    }
    return;
  }
  node = random_json(random);
}

}  // namespace

std::string mutate_json(const Json& json, Random& random) {
  Json mutated = json;
  const std::size_t edits = 1 + random.below(3);
  for (std::size_t i = 0; i < edits; ++i) edit(mutated, random);
  return mutated.dump();
}

}  // namespace warpwright::fuzz
