// Everything that a program needs to choose a configuration of one kernel without a tuner: the
// contract's sizes, constraints and launches, a portfolio of configurations, and how each did on
// the tuned problems. header_export/ assembles it, output/ writes it as C++, C and JSON,
// select_configuration() is what the written select() must agree with.
// Invariants: sizes, parameters and variants are in the contract's order; every configuration has a
// value for every parameter (the contract's default where its variant lacks it); each board's
// winner is in the portfolio. Times are in microseconds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "analysis/resource_summary.h"
#include "core/expr.h"
#include "core/value.h"

namespace warpwright {

// Sizes with listed values, booleans and texts only ever match exactly; the others have a distance.
struct SizeFact {
  std::string name;
  std::string doc;
  Value sample;               // of the size's type: its default, else a listed value, else 0
  std::vector<Value> values;  // when not empty, the only ones
  std::optional<Value> default_value;
  std::optional<double> min, max;
  std::string macro;  // when not empty, passed to the compiler as -D<macro>=<value>

  [[nodiscard]] bool categorical() const {
    return !values.empty() || sample.is_bool() || sample.is_string();
  }
};

struct ParameterFact {
  std::string name;
  std::string doc;
  Value default_value;
  std::vector<Value> values;  // when not empty, the only ones
};

struct ConstraintFact {
  Expr expr;
  std::string because;
};

struct LaunchFact {
  std::string entry;
  std::vector<Expr> grid, block, cluster;  // up to 3; the rest is 1
  Expr shared_bytes;                       // dynamic
};

// A tensor map that launches pass, in the terms of cuTensorMapEncodeTiled: dimension 0 is the
// innermost, bytes are bytes, and choices are the values of cuda.h.
struct TensorMapFact {
  std::string argument;
  std::string tensor;  // whose address it is encoded for
  Expr data_type;
  Expr offset_bytes;                              // before the map's first element
  std::vector<Expr> sizes, box, element_strides;  // one per dimension, up to 5
  std::vector<Expr> stride_bytes;                 // of dimension 1 and on
  Expr swizzle, l2_promotion, fill;
};

// Scratch that holds something before the first launch; every launch leaves it ready for the next.
struct FilledScratchFact {
  std::string argument;
  std::string dtype;  // or the size that chooses it
  std::vector<Expr> shape;
  std::string fill;  // "zeros": as contracts say it
};

struct VariantFact {
  std::string name;
  std::string doc;
  std::string source;                       // file name
  std::vector<std::string> parameters;      // those it has
  std::vector<ConstraintFact> constraints;  // the contract's, then its own
  std::vector<LaunchFact> launches;         // in stream order
  std::vector<TensorMapFact> tensor_maps;   // those its launches pass, in the contract's order
  std::vector<FilledScratchFact> filled_scratch;  // likewise, or tensor maps of it
};

struct ContractFacts {
  std::string kernel;
  std::string summary;
  std::vector<SizeFact> sizes;
  std::vector<ParameterFact> parameters;
  std::vector<VariantFact> variants;
  Expr work_bytes;  // of the sizes
};

struct SelectionDevice {
  std::string name;
  std::string arch;
  std::map<std::string, Value> limits;  // "max_shared": as expressions name them after `device.`
};

struct SelectionConfiguration {
  std::size_t variant = 0;    // in ContractFacts::variants
  std::vector<Value> values;  // one per ContractFacts::parameters
  std::string text;           // canonical
  bool is_default = false;    // the contract's defaults of this variant, and nothing is known of it
  ResourceSummary resources;
};

// How one tuned problem's winner was found.
struct SelectionBoard {
  std::size_t device = 0;    // in SelectionModel::devices
  std::vector<Value> sizes;  // one per ContractFacts::sizes
  std::string problem_text;
  std::size_t winner = 0;  // in SelectionModel::configurations
  double median_us = 0;
  std::optional<double> ci_low_us, ci_high_us;
  std::vector<std::string> tied;  // texts of what cannot be told from the winner, without itself
  std::size_t tried = 0;          // configurations that count
  int rounds = 0;                 // of the final ranking; 0 when there was none
  bool modelled = false;
  std::string protocol;
  std::string driver, nvrtc_version, version, measured_utc, contract_hash;
};

// Fractions of the best are kept in thousandths.
inline constexpr int kUnknownFraction = -1;

struct SelectionModel {
  ContractFacts contract;
  std::vector<SelectionDevice> devices;
  std::vector<SelectionBoard> boards;
  // The portfolio, then the defaults of every variant, best variant first.
  std::vector<SelectionConfiguration> configurations;
  // [configuration][board]: best time / its time; where it was stopped early or failed, at most
  // that; kUnknownFraction where it was not tried. Defaults have no row.
  std::vector<std::vector<int>> fractions;
  // Boards that get a configuration within 10 % of their best when they are left out, of how many
  // could be asked for.
  std::size_t left_out_good = 0, left_out = 0;

  [[nodiscard]] std::size_t candidates() const { return fractions.size(); }
};

}  // namespace warpwright
