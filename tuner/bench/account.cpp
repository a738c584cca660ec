#include "bench/account.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/error.h"

namespace warpwright {
namespace {

constexpr const char* kMemoryTerm = "memory";

struct UnitCounter {
  const char* ceiling;
  std::uint64_t emu::Counters::*operations;
};
constexpr std::array kTensorCounters = {
    UnitCounter{"tensor_f16", &emu::Counters::tensor_f16_ops},
    UnitCounter{"tensor_bf16", &emu::Counters::tensor_bf16_ops},
    UnitCounter{"tensor_tf32", &emu::Counters::tensor_tf32_ops},
    UnitCounter{"tensor_f64", &emu::Counters::tensor_f64_ops},
    UnitCounter{"tensor_i8", &emu::Counters::tensor_int8_ops},
    UnitCounter{"tensor_e4m3", &emu::Counters::tensor_fp8_ops},
    UnitCounter{"tensor_e2m1", &emu::Counters::tensor_fp4_ops},
};

struct PipeCounter {
  const char* ceiling;
  std::uint64_t emu::Counters::*add;
  std::uint64_t emu::Counters::*mul;
  std::uint64_t emu::Counters::*fma;
  double values;  // that one lane works on
};
constexpr std::array kPipeCounters = {
    PipeCounter{"fma_f64", &emu::Counters::fp64_add_lanes, &emu::Counters::fp64_mul_lanes,
                &emu::Counters::fp64_fma_lanes, 1},
    PipeCounter{"fma_f32", &emu::Counters::fp32_add_lanes, &emu::Counters::fp32_mul_lanes,
                &emu::Counters::fp32_fma_lanes, 1},
    // The counters have one lane for a pair of halves.
    PipeCounter{"fma_f16", &emu::Counters::fp16_add_lanes, &emu::Counters::fp16_mul_lanes,
                &emu::Counters::fp16_fma_lanes, 2},
};

void note_operations(Amounts& amounts, const char* ceiling, double operations) {
  if (operations > 0) amounts.by_ceiling[ceiling] += operations;
}

bool of_tensor_cores(const std::string& ceiling) {
  return ceiling.starts_with("tensor_") || ceiling.starts_with("mma_") ||
         ceiling.starts_with("wgmma_");
}

Roofs roofs_of(const GpuFile& gpu) {
  Roofs roofs;
  for (const GpuCeiling& ceiling : gpu.ceilings) {
    CeilingRecord record;
    record.name = ceiling.name;
    record.value = ceiling.value;
    record.unit = ceiling.unit();
    roofs.ceilings.emplace(ceiling.name, std::move(record));
  }
  return roofs;
}

}  // namespace

std::optional<double> Amounts::traffic() const {
  if (!reads || !writes) return std::nullopt;
  return *reads + *writes;
}

std::optional<double> Amounts::intensity() const {
  const std::optional<double> bytes = traffic();
  if (!bytes || !(*bytes > 0) || !flops || !tensor) return std::nullopt;
  return (*flops + *tensor) / *bytes;
}

Amounts counted_amounts(const Profile& profile) {
  Amounts amounts;
  double reads = 0, writes = 0, scratch = 0, requested = 0, special = 0, flops = 0, tensor = 0;
  for (const ProfiledLaunch& launch : profile.launches) {
    for (const ArgumentUse& use : launch.arguments) {
      const auto read = static_cast<double>(use.distinct_read);
      const auto written = static_cast<double>(use.distinct_written);
      reads += read;
      writes += written;
      if (use.role == "scratch") scratch += read + written;
      requested += static_cast<double>(use.read + use.written);
    }
    const emu::Counters& counters = launch.counters;
    for (const PipeCounter& pipe : kPipeCounters) {
      const double operations =
          pipe.values *
          static_cast<double>(counters.*pipe.add + counters.*pipe.mul + 2 * (counters.*pipe.fma));
      flops += operations;
      note_operations(amounts, pipe.ceiling, operations);
    }
    for (const UnitCounter& unit : kTensorCounters) {
      const auto operations = static_cast<double>(counters.*unit.operations);
      tensor += operations;
      note_operations(amounts, unit.ceiling, operations);
    }
    special += static_cast<double>(counters.special_lanes);
  }
  note_operations(amounts, kSpecialCeiling, special);
  amounts.reads = reads;
  amounts.writes = writes;
  amounts.scratch = scratch;
  amounts.special = special;
  amounts.flops = flops;
  amounts.tensor = tensor;
  amounts.requested = requested;
  return amounts;
}

Amounts formula_amounts(const VariantAccounting& formulas, const Environment& environment,
                        const std::string& arithmetic) {
  static_assert(kAmountFields.size() == kAccountingKeys.size());
  Amounts amounts;
  for (std::size_t i = 0; i < kAccountingKeys.size(); ++i) {
    const std::optional<Expr>& formula = formulas.*kAccountingKeys[i].member;
    if (!formula) continue;
    const double value = formula->evaluate_real(environment);
    if (!std::isfinite(value) || value < 0)
      throw user_error(formula->where(),
                       fmt::format("accounting.{}.{}: got {}, expected an amount of at least 0",
                                   formulas.variant, kAccountingKeys[i].name, value));
    amounts.*kAmountFields[i].member = value;
  }
  if (amounts.special) note_operations(amounts, kSpecialCeiling, *amounts.special);
  if (amounts.flops) note_operations(amounts, "fma_f32", *amounts.flops);
  if (amounts.tensor)
    note_operations(amounts, of_tensor_cores(arithmetic) ? arithmetic.c_str() : "tensor_bf16",
                    *amounts.tensor);
  return amounts;
}

std::optional<double> relative_difference(const std::optional<double>& counted,
                                          const std::optional<double>& formula) {
  if (!counted || !formula) return std::nullopt;
  if (*counted == *formula) return 0;
  if (*counted == 0) return std::nullopt;
  return (*counted - *formula) / *counted;
}

std::optional<CeilingTime> ceiling_time(const Amounts& amounts, const GpuFile& gpu) {
  const std::optional<double> traffic = amounts.traffic();
  if (!traffic) return std::nullopt;
  const Roofs roofs = roofs_of(gpu);
  CeilingTime time;
  Work work;
  work.bytes = *traffic;
  work.written_bytes = amounts.writes;
  if (const std::optional<Limit> limit = find_limit(work, roofs); limit && limit->memory_us)
    time.terms.push_back({kMemoryTerm, *limit->memory_us});
  for (const auto& [name, operations] : amounts.by_ceiling) {
    if (const CeilingRecord* ceiling = roofs.find(name)) {
      time.terms.push_back({name, us_at(operations, ceiling->value)});
    } else {
      time.missing.push_back(name);
    }
  }
  std::stable_sort(time.terms.begin(), time.terms.end(),
                   [](const auto& a, const auto& b) { return a.us > b.us; });
  return time;
}

}  // namespace warpwright
