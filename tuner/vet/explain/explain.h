// A page for each kind of finding: what it is, why it is wrong, what helps, a broken kernel and a
// mended one. The pages are the files in pages/, embedded into the program; tuner/vet/README.md's
// table of kinds is made of them (scripts/dev/vet_kinds).
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

struct Explanation {
  std::string kind;     // "shared race"
  std::string meaning;  // one paragraph
  std::string why, helps;
  std::string broken, mended;  // .cu files with launch comments
};

// Every kind that has a page, sorted.
[[nodiscard]] std::vector<std::string> explained_kinds();
// Of "shared race" or "shared-race". nullopt when there is no page.
[[nodiscard]] std::optional<Explanation> find_explanation(std::string_view kind);
// The same, or Error (user) that suggests the nearest.
[[nodiscard]] Explanation explanation_of(std::string_view kind);

// "shared-race": as an argument needs no quotes.
[[nodiscard]] std::string kind_word(std::string_view kind);

[[nodiscard]] std::string explanation_text(const Explanation& page, bool colour);
// Every kind with what it means.
[[nodiscard]] std::string explanations_text(bool colour);
[[nodiscard]] nlohmann::json explanation_json(const Explanation& page);

}  // namespace warpwright
