#include "vet/explain/explain.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "core/words.h"
#include "terminal/style.h"
#include "vet/explain/pages.h"

namespace warpwright {
namespace {

constexpr std::string_view kPageEnding = ".md";

std::string_view embedded(const std::string& name) {
  for (const EmbeddedFile& file : explain_files())
    if (file.name == name) return file.text;
  return "";
}

std::string_view without_ends(std::string_view text) {
  while (text.starts_with('\n')) text.remove_prefix(1);
  while (text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

// Returns the text below a heading, up to the next heading.
std::string below(std::string_view page, std::string_view heading) {
  const std::size_t at = page.find(heading);
  WARPWRIGHT_CHECK(at != std::string_view::npos, "every page has every heading");
  page.remove_prefix(at + heading.size());
  return std::string(without_ends(page.substr(0, page.find("\n## "))));
}

void add_section(std::string& text, std::string_view title, std::string_view content, bool colour) {
  text += fmt::format("\n{}\n\n{}\n", styled(std::string(title), Style::kBold, colour), content);
}

std::string indented(std::string_view code) {
  std::string text;
  while (!code.empty()) {
    const std::string_view line = code.substr(0, code.find('\n'));
    text += line.empty() ? "\n" : fmt::format("    {}\n", line);
    code.remove_prefix(std::min(code.size(), line.size() + 1));
  }
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace

std::string kind_word(std::string_view kind) {
  std::string word(kind);
  std::replace(word.begin(), word.end(), ' ', '-');
  return word;
}

std::vector<std::string> explained_kinds() {
  std::vector<std::string> kinds;
  for (const EmbeddedFile& file : explain_files()) {
    if (!file.name.ends_with(kPageEnding)) continue;
    const std::string_view title = file.text.substr(0, file.text.find('\n'));
    kinds.emplace_back(title.substr(std::string_view("# ").size()));
  }
  std::sort(kinds.begin(), kinds.end());
  return kinds;
}

std::optional<Explanation> find_explanation(std::string_view kind) {
  const std::string word = kind_word(kind);
  const std::string_view page = embedded(word + std::string(kPageEnding));
  if (page.empty()) return std::nullopt;
  Explanation found;
  found.kind = page.substr(2, page.find('\n') - 2);
  found.meaning = below(page, "\n");
  found.why = below(page, "## Why it is wrong\n");
  found.helps = below(page, "## Remedy\n");
  found.broken = embedded(word + ".broken.cu");
  found.mended = embedded(word + ".mended.cu");
  return found;
}

Explanation explanation_of(std::string_view kind) {
  if (std::optional<Explanation> found = find_explanation(kind)) return *std::move(found);
  throw user_error(fmt::format("--explain {}: there is no such kind of finding{}", kind,
                               suggestion(kind, explained_kinds())));
}

std::string explanation_text(const Explanation& page, bool colour) {
  std::string text = styled(page.kind, Style::kBold, colour) + "\n\n" + page.meaning + "\n";
  add_section(text, "Why it is wrong", page.why, colour);
  add_section(text, "Remedy", page.helps, colour);
  add_section(text, "Broken", indented(page.broken), colour);
  add_section(text, "Fixed", indented(page.mended), colour);
  return text;
}

std::string explanations_text(bool colour) {
  std::string text;
  for (const std::string& kind : explained_kinds()) {
    const Explanation page = explanation_of(kind);
    text += fmt::format("{}\n    {}\n", styled(kind, Style::kBold, colour), page.meaning);
  }
  return text +
         "\n`warpwright vet --explain KIND` has a page on each, with a broken and a fixed "
         "kernel\n";
}

nlohmann::json explanation_json(const Explanation& page) {
  return {{"kind", page.kind},   {"meaning", page.meaning}, {"why", page.why},
          {"helps", page.helps}, {"broken", page.broken},   {"mended", page.mended}};
}

}  // namespace warpwright
