#include "spec/accounting.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/expr/expr_lets.h"
#include "core/words.h"
#include "spec/kernel_sections.h"

namespace warpwright {
namespace {

constexpr std::string_view kAccounting = "accounting";
constexpr std::string_view kFirstWord = "accounting:";

// The contract's lets and the variant's, which are expanded already.
ExprLets lets_of(const KernelSpec& kernel, const VariantSpec& variant) {
  ExprLets lets;
  for (const LetSpec& let : kernel.lets) lets.add(let.name, let.expr);
  for (const LetSpec& let : variant.lets) lets.add(let.name, let.expr);
  return lets;
}

VariantAccounting read_variant(const YamlReader& section, const KernelSpec& kernel,
                               const VariantSpec& variant) {
  const YamlMap map = section.map({"reads", "writes", "scratch", "special", "flops", "tensor"});
  const ExprLets lets = lets_of(kernel, variant);
  ExprScope scope = compiled_scope(kernel, variant);
  scope.suggest_lets(variant.lets);
  scope.allow_device();
  VariantAccounting accounting;
  accounting.variant = variant.name;
  for (const AccountingKey& key : kAccountingKeys) {
    const auto formula = map.find(key.name);
    if (!formula) continue;
    const Expr expr = lets.write_out(formula->expression());
    scope.check(expr);
    accounting.*key.member = expr;
  }
  return accounting;
}

std::vector<VariantAccounting> read_variants_of(const YamlReader& section,
                                                const KernelSpec& kernel) {
  std::vector<VariantAccounting> all;
  for (const auto& [key, formulas] : section.entries()) {
    const std::string name = key.text();
    const VariantSpec* variant = kernel.find_variant(name);
    if (variant == nullptr) {
      std::vector<std::string> known;
      for (const VariantSpec& other : kernel.variants) known.push_back(other.name);
      throw key.error(fmt::format("unknown variant '{}'{}", name, suggestion(name, known)));
    }
    all.push_back(read_variant(formulas, kernel, *variant));
  }
  return all;
}

}  // namespace

void check_accounting(const YamlDocument& document, std::string_view text,
                      const YamlReader& section, const KernelSpec& kernel) {
  const std::vector<YamlEntry>& entries = document.root.entries;
  const auto entry = std::find_if(entries.begin(), entries.end(), [](const YamlEntry& candidate) {
    return candidate.key.text == kAccounting;
  });
  const std::vector<std::string_view> lines = split_lines(text);
  const auto line = static_cast<std::size_t>(entry->key.line);
  const bool alone = (entry + 1 == entries.end() || (entry + 1)->key.line != entry->key.line) &&
                     (entry == entries.begin() || (entry - 1)->key.line != entry->key.line);
  if (!alone || line == 0 || line > lines.size() || !lines[line - 1].starts_with(kFirstWord)) {
    throw section.error(
        "the section does not identify a trial, so its lines must be its own; begin one with "
        "`accounting:` in the first column");
  }
  static_cast<void>(read_variants_of(section, kernel));
}

std::vector<VariantAccounting> read_accounting(const KernelSpec& kernel) {
  const std::shared_ptr<SourceBundle> texts = texts_of(kernel);
  const std::string& text = texts->require(kernel.file);
  const YamlDocument document = parse_yaml(text, kernel.file.string(), "a kernel contract");
  for (const auto& [key, section] : YamlReader(document).entries())
    if (key.text() == kAccounting) return read_variants_of(section, kernel);
  return {};
}

std::string text_without_accounting(std::string_view text) {
  std::string kept;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string_view line = text.substr(at, end - at);
    // The section ends at the next line that begins in the first column.
    if (line.starts_with(kFirstWord)) {
      inside = true;
    } else if (line.front() != ' ' && line.front() != '\n' && line.front() != '\r') {
      inside = false;
    }
    if (!inside) kept += line;
    at = end;
  }
  return kept;
}

}  // namespace warpwright
