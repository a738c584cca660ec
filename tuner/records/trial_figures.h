// The plain figures of a trial, each declared once: as a member of TrialFigures and as a row of
// kTrialFigures. The database's columns, their rules and the view v_trial, CSV, JSON and T4 files,
// `repro` and the messages of measuring processes are made from that table. A new figure also needs
// a migration (store/schema.cpp), the code that sets it, and its line in exchange/README.md,
// which a test holds against the table.
#pragma once

#include <array>
#include <cmath>
#include <compare>
#include <optional>
#include <string_view>
#include <type_traits>
#include <variant>

#include "records/times.h"

namespace warpwright {

struct TrialFigures {
  std::optional<double> median_us, ci_low_us, ci_high_us;
  std::optional<double> raw_median_us;  // absent when no floor was subtracted
  std::optional<double> floor_us;
  std::optional<double> at_least_us;
  double work_bytes = 0, work_flops = 0;     // 0 when the contract gives none
  std::optional<double> work_bytes_written;  // part of work_bytes; absent when it is not known
  int sm_clock_mhz = 0;
  double compile_seconds = 0, validate_seconds = 0, measure_seconds = 0;

  friend auto operator<=>(const TrialFigures&, const TrialFigures&) = default;
};

struct TrialFigure {
  enum class Group {
    kTime,  // finite and above 0, except for the floor; written to T4 files
    kWork,  // counted from the contract; written to T4 files
    kCost,  // what the trial took on the machine that tried it
  };
  using Optional = std::optional<double> TrialFigures::*;
  using Real = double TrialFigures::*;
  using Integer = int TrialFigures::*;

  const char* name;  // of the member, the column and the key
  std::variant<Optional, Real, Integer> member;
  Group group;
  bool above_zero;     // values that are not are unusable; else those below 0 are
  bool zero_is_empty;  // in CSV and JSON, where 0 means that the figure is not known
  int schema;          // the first version of the database that has the column
  const char* meaning;
};

// Columns of a version stand in the order of their migrations. New figures go to the end.
inline constexpr std::array kTrialFigures = {
    TrialFigure{"median_us", &TrialFigures::median_us, TrialFigure::Group::kTime, true, false, 1,
                "µs, the time less `floor_us`; a finalist's is that of the final ranking"},
    TrialFigure{"ci_low_us", &TrialFigures::ci_low_us, TrialFigure::Group::kTime, true, false, 1,
                "µs, the lower end of the 95 % interval of `median_us`"},
    TrialFigure{"ci_high_us", &TrialFigures::ci_high_us, TrialFigure::Group::kTime, true, false, 1,
                "µs, the upper end of the 95 % interval of `median_us`"},
    TrialFigure{"raw_median_us", &TrialFigures::raw_median_us, TrialFigure::Group::kTime, true,
                false, 3, "µs, the trial's median before `floor_us` was subtracted"},
    TrialFigure{"floor_us", &TrialFigures::floor_us, TrialFigure::Group::kTime, false, false, 2,
                "µs, the time of an empty kernel under the same protocol"},
    TrialFigure{"at_least_us", &TrialFigures::at_least_us, TrialFigure::Group::kTime, true, false,
                3, "µs, a lower bound of the time of a pruned trial"},
    TrialFigure{"work_bytes", &TrialFigures::work_bytes, TrialFigure::Group::kWork, false, true, 1,
                "bytes that the contract counts as read and written"},
    TrialFigure{"work_flops", &TrialFigures::work_flops, TrialFigure::Group::kWork, false, true, 1,
                "floating-point operations that the contract counts"},
    TrialFigure{"work_bytes_written", &TrialFigures::work_bytes_written, TrialFigure::Group::kWork,
                false, false, 4, "the part of `work_bytes` that is written"},
    TrialFigure{"sm_clock_mhz", &TrialFigures::sm_clock_mhz, TrialFigure::Group::kCost, false, true,
                1, "MHz, the SM clock while the trial was timed"},
    TrialFigure{"compile_seconds", &TrialFigures::compile_seconds, TrialFigure::Group::kCost, false,
                false, 1, "s, the time that compiling took"},
    TrialFigure{"validate_seconds", &TrialFigures::validate_seconds, TrialFigure::Group::kCost,
                false, false, 1, "s, the time that cases, inputs, launches and comparisons took"},
    TrialFigure{"measure_seconds", &TrialFigures::measure_seconds, TrialFigure::Group::kCost, false,
                false, 1, "s, the time that timing took"},
};

// nullptr where no figure has the name.
[[nodiscard]] constexpr const TrialFigure* find_trial_figure(std::string_view name) {
  for (const TrialFigure& figure : kTrialFigures)
    if (name == figure.name) return &figure;
  return nullptr;
}

[[nodiscard]] inline std::optional<double> value_of(const TrialFigures& figures,
                                                    const TrialFigure& figure) {
  return std::visit(
      [&](auto member) -> std::optional<double> {
        if constexpr (std::is_same_v<decltype(member), TrialFigure::Integer>)
          return static_cast<double>(figures.*member);
        else
          return figures.*member;
      },
      figure.member);
}

// null for an absent value.
template <class Json>
[[nodiscard]] Json figure_json(const TrialFigures& figures, const TrialFigure& figure) {
  const std::optional<double> value = value_of(figures, figure);
  if (!value) return nullptr;
  if (std::holds_alternative<TrialFigure::Integer>(figure.member)) return static_cast<int>(*value);
  return *value;
}

// An absent value makes a figure that is always there 0.
inline void set_value(TrialFigures& figures, const TrialFigure& figure,
                      std::optional<double> value) {
  if (const auto* optional = std::get_if<TrialFigure::Optional>(&figure.member))
    figures.** optional = value;
  else if (const auto* real = std::get_if<TrialFigure::Real>(&figure.member))
    figures.** real = value.value_or(0);
  else
    figures.*std::get<TrialFigure::Integer>(figure.member) = static_cast<int>(value.value_or(0));
}

[[nodiscard]] inline bool is_usable(const TrialFigure& figure, double value) {
  return figure.above_zero ? is_time(value) : std::isfinite(value) && value >= 0;
}

}  // namespace warpwright
