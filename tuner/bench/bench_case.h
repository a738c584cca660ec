// One configuration on one problem that `warpwright bench` times, and the name it has in Google
// Benchmark: stable between runs and machines, and made of parts that a filter can name,
//   softmax_topk/rows:8192/V:50257/K:10/dtype:f32/threshold/CAPACITY:2048/THREADS:512
// Problem sizes are in the contract's order, parameters in order of name.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "device/device.h"
#include "records/configuration.h"
#include "spec/kernel_spec.h"
#include "spec/versions.h"

namespace warpwright {

struct BenchCase {
  const KernelSpec* kernel = nullptr;  // outlives the case
  Problem problem;                     // completed
  Configuration configuration;
  std::string name;
  std::string origin;   // "best of the database, trial 12", "default", "given"
  std::string refused;  // why the contract excludes it on this problem; empty when it does not
  double bytes = 0;     // of the contract's work, per unit; 0 when it gives none
  double flops = 0;
  double units = 1;  // per launch; times are for one unit
};

// Fills name, refused, bytes, flops and units.
[[nodiscard]] BenchCase make_bench_case(const KernelSpec& kernel, const Problem& problem,
                                        const Configuration& configuration,
                                        const std::string& origin, const DeviceInfo& device);

[[nodiscard]] std::string bench_name(const KernelSpec& kernel, const Problem& problem,
                                     const Configuration& configuration);

// The variant's parameters at their defaults. `variant` must exist.
[[nodiscard]] Configuration default_configuration(const KernelSpec& kernel,
                                                  const VariantSpec& variant);

// "variant=threshold THREADS=256": parameters that are not named keep their defaults. `variant` may
// be omitted if the kernel has only one. Throws Error (user) that names --configuration, for an
// unknown variant or parameter, a value outside the contract's limits, or a name that occurs twice.
[[nodiscard]] Configuration parse_configuration(const KernelSpec& kernel, std::string_view text);

// The same for `variant`, or for the baseline variant (the first if there is none) when that is
// empty, and for parameters that were given by --set, which messages name.
[[nodiscard]] Configuration configure_variant(const KernelSpec& kernel, const std::string& variant,
                                              std::string_view parameters);

// The configurations of --version, with the parameters that --set changes in them; none if `text`
// is empty. Throws Error (user) as choose_versions(), on a size in --set, and on --set alone.
[[nodiscard]] std::vector<ChosenVersion> bench_versions(const KernelSpec& kernel,
                                                        const std::string& text,
                                                        const std::vector<std::string>& overrides);

// parse_configuration() for stored values. Throws Error (user) when the contract has changed so
// that they no longer fit it.
[[nodiscard]] Configuration check_configuration(const KernelSpec& kernel,
                                                const Configuration& stored);

// "rows=8192 V=50257 K=10", completed with defaults. Throws Error (user) that names --problem.
[[nodiscard]] Problem parse_problem(const KernelSpec& kernel, std::string_view text);

}  // namespace warpwright
