// Chooses a configuration for a problem that may never have been tuned. The written headers do the
// same, and are tested against this.
//
// An exactly tuned problem gets its winner. Others are decided by a vote: each candidate's score is
// its fraction of the best on the tuned problems, averaged with weights that decay with the
// distance of the problems. The distance of two problems is Euclidean in log2(1 + size) of every
// size, and in kWorkScale * log2(1 + bytes) of the contract's compulsory traffic: traffic decides
// between the regimes of a memory-bound kernel, whatever sizes it is made of. A candidate known on
// few or distant problems is drawn towards kPriorFraction. The boards of the device are consulted
// first, then those of its architecture, and then those that differ in sizes with listed values
// (another dtype), each such size counting as kOtherChoice in the distance; last come the
// contract's defaults of the variant that does best near the problem.
//
// A configuration that breaks a constraint or the limits of a launch
// (analysis/select/launch_rules.h) is never chosen. The limits of a device follow from its
// architecture, whatever its name; limits that are not given are those of the tuned device of that
// name and architecture, else the least that any device of the architecture has.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "analysis/select/selection_model.h"

namespace warpwright {

inline constexpr double kWorkScale = 2;    // weight of the traffic in a distance
inline constexpr double kNearby = 2;       // problems closer than this count about alike
inline constexpr double kOtherChoice = 2;  // distance of another listed value
inline constexpr double kPriorFraction = 0.5;
inline constexpr double kPriorWeight = 0.2;  // against a total of 1 for all problems
// Scores this close count as equal, and the earlier candidate is taken.
inline constexpr double kScoreTie = 1e-9;

enum class SelectionMatch {
  kNone,  // the contract does not allow the problem, or no configuration can run it
  kExact,
  kNearestSameDevice,
  kNearestSameArch,
  kNearestOtherChoice,  // with other listed values, of the device or its architecture
  kDefault,             // nothing tuned compares: the contract's defaults
};

struct SelectionDecision {
  SelectionMatch match = SelectionMatch::kNone;
  std::optional<std::size_t> configuration;
  std::optional<std::size_t> board;  // the nearest one that was consulted
  double distance = 0;
  double score = 0;  // expected fraction of the best
};

// log2(1 + |x|) with the sign of x, so that 0 and negative sizes are placed as well.
[[nodiscard]] double size_scale(double value);
// True for architectures that are the same for choosing: "sm_90" and "sm_90a".
[[nodiscard]] bool same_arch(const std::string& a, const std::string& b);
// Checks the contract's types and limits of every size.
[[nodiscard]] bool valid_problem(const KernelSpec& contract, const std::vector<Value>& sizes);
// True if all sizes that must match exactly are equal.
[[nodiscard]] bool same_category(const KernelSpec& contract, const std::vector<Value>& a,
                                 const std::vector<Value>& b);

// All limits that expressions may name, for a device that may provide only some of them.
[[nodiscard]] std::map<std::string, Value> limits_of(const SelectionModel& model,
                                                     const SelectionDevice& device);

// The rules of configurations (selection_rules), prepared for queries about many problems.
class AllowedConfigurations {
 public:
  AllowedConfigurations(const KernelSpec& contract, const std::map<std::string, Value>& limits,
                        const std::vector<SelectionConfiguration>& configurations);
  ~AllowedConfigurations();
  AllowedConfigurations(AllowedConfigurations&&) noexcept;
  // A configuration is not allowed if a rule cannot be evaluated.
  [[nodiscard]] bool allowed(std::size_t configuration, const std::vector<Value>& sizes) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Weights of `boards` for a problem; they sum to 1. Empty without boards.
struct BoardWeights {
  std::vector<std::size_t> boards;
  std::vector<double> weights;
  std::size_t nearest = 0;  // in boards
  double distance = 0;      // of the nearest
};
[[nodiscard]] BoardWeights weigh_boards(const KernelSpec& contract,
                                        const std::vector<SelectionBoard>& boards,
                                        const std::vector<std::size_t>& among,
                                        const std::vector<Value>& sizes);

// Returns nullopt if none of the boards has a value for the candidate. `fractions` is its row.
[[nodiscard]] std::optional<double> vote(const BoardWeights& weights,
                                         const std::vector<int>& fractions);

// `sizes` has one value per size, of its type. `device` is as the driver names it; it may leave
// limits out.
[[nodiscard]] SelectionDecision select_configuration(const SelectionModel& model,
                                                     const SelectionDevice& device,
                                                     const std::vector<Value>& sizes);

}  // namespace warpwright
