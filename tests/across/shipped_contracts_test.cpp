// Our own contracts pass strictly: on the emulated problems of every sweep no result passes without
// being computed, and every input matters, except where the contract says otherwise.
#include <gmock/gmock.h>

#include <optional>

#include "core/files.h"
#include "spec/sweep_spec.h"
#include "support/fake_device.h"
#include "trial/launch/launch_plan.h"
#include "trial/validation/contract_check.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;
using ::testing::IsEmpty;

const fs::path kSource = WARPWRIGHT_SOURCE_DIR;

// Sweeps of kernels that ship; other files of the folder are not sweeps.
std::vector<fs::path> shipped_sweeps() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(kSource / "configs")) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string text = read_file(entry.path());
    if (text.find("\nspace:") != std::string::npos) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Configuration first_configuration(const KernelSpec& kernel) {
  Configuration configuration;
  configuration.variant = kernel.variants.front().name;
  for (const std::string& name : kernel.variants.front().parameters)
    configuration.values[name] = kernel.find_parameter(name)->default_value;
  return configuration;
}

class ShippedContracts : public ::testing::TestWithParam<fs::path> {};

TEST_P(ShippedContracts, LeaveNothingUntested) {
  const SweepSpec sweep = read_sweep(GetParam());
  const KernelSpec kernel = read_kernel(kSource / "kernels" / sweep.kernel);
  testing::FakeDevice device;
  TrialOptions options;
  const Reference reference(fs::path(WARPWRIGHT_BINARY_DIR) / "references" / (kernel.name + ".so"),
                            kernel.reference.source);
  const ReferenceStore store{fs::path()};
  const Configuration configuration = first_configuration(kernel);
  ContractChecks checks(kernel);
  const std::vector<ProblemChoice>& problems =
      sweep.emulated.empty() ? sweep.problems : sweep.emulated;
  EXPECT_FALSE(problems.empty());
  for (const ProblemChoice& choice : problems) {
    const Problem problem = complete_problem(kernel, choice.sizes, choice.where);
    ProblemRequest request;
    request.problem = shaped_problem(kernel, configuration, problem);
    request.title = describe_problem(kernel, problem);
    ProblemInputs inputs(kernel, device, options, reference, store, request);
    const Environment environment =
        trial_environment(kernel, configuration, problem, device.info());
    EXPECT_THAT(describe(checks.remarks(environment, inputs)), IsEmpty()) << request.title;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Sweeps, ShippedContracts, ::testing::ValuesIn(shipped_sweeps()), [](const auto& file) {
      std::string name =
          file.param.lexically_relative(kSource / "configs").replace_extension().string();
      for (char& c : name)
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
      return name;
    });

}  // namespace
}  // namespace warpwright
