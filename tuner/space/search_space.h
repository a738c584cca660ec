// The set of valid configurations of a sweep for one problem and device, behind one interface that
// hides its representation. Indices 0..count()-1 follow the canonical order: variants as listed,
// then parameters as listed, then values as listed. A parameter that a variant does not use does
// not exist in that variant and does not multiply its count.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/expr/expr.h"
#include "records/configuration.h"
#include "spec/kernel_spec.h"
#include "spec/sweep_spec.h"

namespace warpwright {

class SearchSpace {
 public:
  virtual ~SearchSpace() = default;

  // The exact number of valid configurations, and the size of the unconstrained product (as a real,
  // because it may exceed 2^63).
  [[nodiscard]] virtual std::uint64_t count() const = 0;
  [[nodiscard]] virtual double cartesian_size() const = 0;

  // Throws Error (internal) unless index < count().
  [[nodiscard]] virtual Configuration at(std::uint64_t index) const = 0;
  // Returns nullopt if the configuration is not in the space.
  [[nodiscard]] virtual std::optional<std::uint64_t> index_of(
      const Configuration& configuration) const = 0;
  // A configuration as its variant, counted from 0 in the order of variants(), and the position of
  // the value on each of the variant's axes, counted from 0.
  struct Place {
    std::size_t group = 0;
    std::vector<std::uint32_t> levels;
    friend bool operator==(const Place&, const Place&) = default;
  };
  // Throws Error (internal) unless index < count().
  [[nodiscard]] virtual Place place_at(std::uint64_t index) const = 0;
  // Returns nullopt if the configuration is not in the space; groups and axes must exist.
  [[nodiscard]] virtual std::optional<std::uint64_t> index_of(const Place& place) const = 0;
  struct Choice {
    std::uint32_t level = 0;
    std::uint64_t ways = 0;  // number of configurations that continue with it
  };
  // The levels that the next axis may take after a place that lacks its last ones, ascending; empty
  // if there are none. Groups and axes must exist.
  [[nodiscard]] virtual std::vector<Choice> choices(const Place& beginning) const = 0;
  // The valid configurations that differ in one parameter (same variant), in canonical order.
  [[nodiscard]] virtual std::vector<std::uint64_t> neighbours(std::uint64_t index) const = 0;
  // Calls `visit` in canonical order until it returns false.
  virtual void for_each(const std::function<bool(const Configuration&)>& visit) const = 0;
  // The same with places, many times faster; the place changes once `visit` returns.
  virtual void for_each_place(const std::function<bool(const Place&)>& visit) const = 0;

  // Draws `n` distinct indices uniformly; returns all of them, in order, if n >= count().
  [[nodiscard]] std::vector<std::uint64_t> sample(std::uint64_t n,
                                                  std::mt19937_64& generator) const;

  struct Axis {
    std::string name;
    std::vector<Value> values;
  };
  // The parameters of one variant ("" in a bare space), in order.
  [[nodiscard]] virtual std::vector<Axis> axes(const std::string& variant) const = 0;
  [[nodiscard]] virtual std::vector<std::string> variants() const = 0;
};

// The inputs of a space, already checked against the kernel; `groups` has one entry per variant.
struct SpaceDefinition {
  struct Group {
    std::string variant;
    std::vector<SearchSpace::Axis> axes;
    std::vector<ConstraintSpec> constraints;
    // If not empty, only these assignments (presets) are considered; each names every axis.
    std::vector<std::map<std::string, Value>> rows;
  };
  std::vector<Group> groups;
  Environment constants;  // problem sizes and device limits that constraints may use
};

// Joins kernel, sweep, problem (completed) and device limits ("device.max_shared") into a
// definition. With `kernel` null the sweep is a bare space: parameters and constraints only. Throws
// Error (user).
[[nodiscard]] SpaceDefinition define_space(const SweepSpec& sweep, const KernelSpec* kernel,
                                           const Problem& problem,
                                           const std::map<std::string, Value>& device_limits);

// Solves the definition. Throws Error (user) if a constraint fails to evaluate (a division by zero
// names the configuration) or, with `allow_empty` false, if no configuration is valid; the message
// names the constraint that removed the last ones.
[[nodiscard]] std::unique_ptr<SearchSpace> solve_space(const SpaceDefinition& definition,
                                                       bool allow_empty = false);

// Uniform in [0, n). Precondition: n > 0.
[[nodiscard]] std::uint64_t uniform_below(std::uint64_t n, std::mt19937_64& generator);

// Draws 0 .. n-1 in a random order, each once, without storing a permutation: a Fisher-Yates
// shuffle that stores only the positions it has touched. Memory grows with the number of draws, not
// with n. The same seed gives the same order on every platform, which the distributions of <random>
// do not guarantee.
class LazyShuffle {
 public:
  explicit LazyShuffle(std::uint64_t n) : n_(n) {}
  // Returns nullopt once all were drawn.
  [[nodiscard]] std::optional<std::uint64_t> next(std::mt19937_64& generator);

 private:
  std::uint64_t n_;
  std::uint64_t drawn_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> moved_;
};

}  // namespace warpwright
