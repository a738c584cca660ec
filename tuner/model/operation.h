// What a decode step consists of: one entry per kind of operation, as one GPU does it. All amounts
// are of one execution on the busiest GPU: bytes, floating-point operations (a multiplication and
// an addition are two), parameters. Expectations (of distinct experts) make them real numbers.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "core/expr/value.h"
#include "model/network.h"

namespace warpwright {

// Where in the stack it runs; a pipeline stage has the first or the last only if it is that stage.
enum class Place { kFirst, kLayer, kLayerButFirst, kLast, kBetweenStages };

// The kernel and problem of a database that is this very operation.
struct KernelProblem {
  std::string kernel;
  std::map<std::string, Value> sizes;  // all that the contract has
  // The size that bytes grow linearly with while all others stay: between two tuned values of it a
  // time may be interpolated. "" where there is none.
  std::string along = {};
  // Sizes that change neither bytes nor work: a problem with other values of them is this one, too.
  std::set<std::string> idle = {};
};

struct Operation {
  std::string name;
  Place place = Place::kLayer;
  double parameters = 0;    // that it keeps on this GPU
  double weight_bytes = 0;  // read; of a table of embeddings only the rows that are asked for
  double activation_read = 0, activation_write = 0;
  double cache_read = 0, cache_write = 0;
  double flops = 0;
  std::string arithmetic;            // the ceiling that bounds the flops
  std::optional<Exchange> exchange;  // an exchange between GPUs, and nothing else
  std::optional<KernelProblem> kernel;
  // The same under the name that older databases know it by, for when they hold nothing of
  // `kernel`.
  std::optional<KernelProblem> former_kernel;
  std::string covers;          // another operation of this step that `kernel` does as well
  std::string without_kernel;  // why there is no kernel, where one might be expected

  [[nodiscard]] double read_bytes() const { return weight_bytes + activation_read + cache_read; }
  [[nodiscard]] double write_bytes() const { return activation_write + cache_write; }
  [[nodiscard]] double bytes() const { return read_bytes() + write_bytes(); }
};

}  // namespace warpwright
