// The formulas of a contract's `accounting`: how much each variant reads, writes and calculates, by
// the problem's sizes and the variant's parameters. They serve to explain a kernel, and nothing
// that is measured or decided depends on them. They are therefore not part of KernelSpec, are read
// a second time by the verb that shows them, and do not count for a trial's identity.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/expr/expr.h"
#include "spec/kernel_spec.h"
#include "spec/yaml_document.h"
#include "spec/yaml_reader.h"

namespace warpwright {

// Of one launch sequence of a variant, in bytes or operations. A formula that is not given is
// absent.
struct VariantAccounting {
  std::string variant;
  std::optional<Expr> reads;    // bytes that launches read, each byte once a launch
  std::optional<Expr> writes;   // and those that they write
  std::optional<Expr> scratch;  // the part of both that is in scratch
  std::optional<Expr> special;  // results of the special-function units
  std::optional<Expr> flops;    // of the ordinary pipes; an fma is two
  std::optional<Expr> tensor;   // operations of the tensor cores
};

// The keys of a variant, in the order of tables.
struct AccountingKey {
  const char* name;
  std::optional<Expr> VariantAccounting::*member;
};
inline constexpr std::array kAccountingKeys = {
    AccountingKey{"reads", &VariantAccounting::reads},
    AccountingKey{"writes", &VariantAccounting::writes},
    AccountingKey{"scratch", &VariantAccounting::scratch},
    AccountingKey{"special", &VariantAccounting::special},
    AccountingKey{"flops", &VariantAccounting::flops},
    AccountingKey{"tensor", &VariantAccounting::tensor},
};

// Checks the section of a contract whose other sections have been read; `text` is that of the
// document. Throws Error (user): on unknown variants, keys and names, and unless the section has
// lines of its own that begin in the first column.
void check_accounting(const YamlDocument& document, std::string_view text,
                      const YamlReader& section, const KernelSpec& kernel);

// The formulas of a contract that was read from a file, in its order; none without the section.
[[nodiscard]] std::vector<VariantAccounting> read_accounting(const KernelSpec& kernel);

// A contract's text without the lines of `accounting`.
[[nodiscard]] std::string text_without_accounting(std::string_view text);

}  // namespace warpwright
