// Counts the bytes that a variant of a kernel moves and the operations that it executes on one
// problem, from its launches on the emulator and from the formulas of the contract's `accounting`,
// and computes how long they take at the ceilings of a GPU.
//
// Traffic is counted as if every launch moved each byte once and left nothing in the caches for the
// next: what `reads`, `writes` and `scratch` hold. `requested` counts every request of a warp,
// those that a cache answers included.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/board/roofline.h"
#include "bench/profile.h"
#include "core/expr/expr.h"
#include "spec/accounting.h"
#include "spec/gpu_file.h"

namespace warpwright {

// Bytes, and operations, of one sequence of launches. An amount that is not known is absent.
struct Amounts {
  std::optional<double> reads, writes, scratch, special, flops, tensor;
  std::optional<double> requested;  // counted only
  // Operations by the ceiling that bounds them: "fma_f32", "tensor_bf16"; kSpecialCeiling.
  std::map<std::string, double> by_ceiling;

  // Nullopt unless reads and writes are known.
  [[nodiscard]] std::optional<double> traffic() const;
  // Operations per byte of traffic; nullopt unless all are known, and without traffic.
  [[nodiscard]] std::optional<double> intensity() const;
};

struct AmountField {
  const char* name;
  std::optional<double> Amounts::*member;
};
// In the order of kAccountingKeys.
inline constexpr std::array kAmountFields = {
    AmountField{"reads", &Amounts::reads},     AmountField{"writes", &Amounts::writes},
    AmountField{"scratch", &Amounts::scratch}, AmountField{"special", &Amounts::special},
    AmountField{"flops", &Amounts::flops},     AmountField{"tensor", &Amounts::tensor},
};

// `profile` must have been observed (ProfileOptions::observe).
[[nodiscard]] Amounts counted_amounts(const Profile& profile);

// The amounts of the formulas. `arithmetic` is the contract's ceiling: that of tensor operations
// if it is one of tensor cores. Throws Error (user) at a formula that has no finite value of at
// least 0.
[[nodiscard]] Amounts formula_amounts(const VariantAccounting& formulas,
                                      const Environment& environment,
                                      const std::string& arithmetic);

// (counted - formula) / counted; 0 if both are 0, nullopt if one of them is absent or only the
// count is 0.
[[nodiscard]] std::optional<double> relative_difference(const std::optional<double>& counted,
                                                        const std::optional<double>& formula);

// How long amounts take at the ceilings of a GPU, if memory and all units work at the same time.
struct CeilingTime {
  struct Term {
    std::string name;  // "memory", or the name of the ceiling
    double us = 0;
  };
  std::vector<Term> terms;           // longest first; those of no work are left out
  std::vector<std::string> missing;  // ceilings that the GPU's file lacks: the time is too short
  [[nodiscard]] double us() const { return terms.empty() ? 0 : terms.front().us; }
  [[nodiscard]] std::string bound() const { return terms.empty() ? "" : terms.front().name; }
};
// Nullopt unless the traffic is known.
[[nodiscard]] std::optional<CeilingTime> ceiling_time(const Amounts& amounts, const GpuFile& gpu);

}  // namespace warpwright
