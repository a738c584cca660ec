// The data that a program needs to choose a configuration of one kernel without a tuner: the
// contract with its sizes, constraints and launches, a portfolio of configurations, and how each
// did on the tuned problems. exchange/header assembles it and writes it as C++, C and JSON; the
// written select() must agree with select_configuration(). Invariants: sizes, parameters and
// variants are in the contract's order; every configuration has a value for every parameter (the
// contract's default where its variant lacks it); each board's winner is in the portfolio. Times
// are in microseconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/expr/value.h"
#include "metrics/trial_metrics.h"
#include "spec/kernel_spec.h"

namespace warpwright {

// A sample value of the size's type: its default, else a listed value, else 0.
[[nodiscard]] Value sample_of(const ProblemSizeSpec& size);
// Sizes with listed values, booleans and texts only ever match exactly; the others have a distance.
[[nodiscard]] bool is_categorical(const ProblemSizeSpec& size);
// The constraints that must hold for a variant: the contract's, then its own.
[[nodiscard]] std::vector<const ConstraintSpec*> constraints_of(const KernelSpec& kernel,
                                                                const VariantSpec& variant);
// The tensor maps that the variant's launches pass, in the contract's order.
[[nodiscard]] std::vector<const ArgumentSpec*> tensor_maps_of(const KernelSpec& kernel,
                                                              const VariantSpec& variant);
// True if some launch of the variant passes the array, or a tensor map of it.
[[nodiscard]] bool passes_array(const KernelSpec& kernel, const VariantSpec& variant,
                                const std::string& array);
// The scratch arrays with an initial content that the variant's launches pass, themselves or
// through a tensor map.
[[nodiscard]] std::vector<const ArgumentSpec*> filled_scratch_of(const KernelSpec& kernel,
                                                                 const VariantSpec& variant);

struct SelectionDevice {
  std::string name;
  std::string arch;
  std::map<std::string, Value> limits;  // "max_shared": as expressions name them after `device.`
};

struct SelectionConfiguration {
  std::size_t variant = 0;    // in KernelSpec::variants
  std::vector<Value> values;  // one per KernelSpec::parameters
  std::string text;           // canonical
  bool is_default = false;    // the contract's defaults of this variant, without results
  ResourceSummary resources;
};

// How one tuned problem's winner was found.
struct SelectionBoard {
  std::size_t device = 0;    // in SelectionModel::devices
  std::vector<Value> sizes;  // one per KernelSpec::problem
  std::string problem_text;
  std::size_t winner = 0;  // in SelectionModel::configurations
  double median_us = 0;
  std::optional<double> ci_low_us, ci_high_us;
  std::vector<std::string> tied;  // texts of configurations that tie with the winner
  std::size_t tried = 0;          // configurations that count
  int rounds = 0;                 // of the final ranking; 0 when there was none
  bool modelled = false;
  std::string protocol;
  std::string driver, nvrtc_version, version, measured_utc, contract_hash;
};

// A file that variants were tuned from. There are several for one path if variants were tuned at
// different times from different contents.
struct SelectionFile {
  std::string path;       // "kernels/gemv/tma.cu"
  std::string sha256;     // of its content, in hexadecimal
  std::string text = {};  // the content, where it is known
  friend auto operator<=>(const SelectionFile&, const SelectionFile&) = default;
};

// Fractions of the best are kept in thousandths.
inline constexpr int kUnknownFraction = -1;

struct SelectionModel {
  KernelSpec contract;
  std::vector<SelectionDevice> devices;
  std::vector<SelectionBoard> boards;
  // The portfolio, then the defaults of every variant, best variant first.
  std::vector<SelectionConfiguration> configurations;
  // [configuration][board]: best time / its time; an upper bound if it was stopped early or failed;
  // kUnknownFraction if it was not tried. Defaults have no row.
  std::vector<std::vector<int>> fractions;
  // [default][board]: the fraction that the best configuration of its variant reached, in
  // thousandths.
  std::vector<std::vector<int>> merits;
  std::vector<SelectionFile> files;  // in order; no file appears twice with the same content
  // The number of boards that get a configuration within 10 % of their best when they are left out,
  // and the number that could be tested.
  std::size_t left_out_good = 0, left_out = 0;

  [[nodiscard]] std::size_t candidates() const { return fractions.size(); }
};

}  // namespace warpwright
