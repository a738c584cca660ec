// A page for each kind of finding: its meaning, why it is wrong, how to fix it, a broken kernel and
// a fixed one. The pages are the files in pages/, embedded into the program; the table of kinds in
// tuner/vet/README.md is generated from them (scripts/dev/vet_kinds).
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
// Accepts "shared race" and "shared-race"; nullopt when there is no page.
[[nodiscard]] std::optional<Explanation> find_explanation(std::string_view kind);
// As find_explanation(), but throws Error (user) that suggests the nearest kind.
[[nodiscard]] Explanation explanation_of(std::string_view kind);

// Returns "shared-race" for "shared race", so that a command line needs no quotes.
[[nodiscard]] std::string kind_word(std::string_view kind);

[[nodiscard]] std::string explanation_text(const Explanation& page, bool colour);
// Lists every kind with its meaning.
[[nodiscard]] std::string explanations_text(bool colour);
[[nodiscard]] nlohmann::json explanation_json(const Explanation& page);

}  // namespace warpwright
