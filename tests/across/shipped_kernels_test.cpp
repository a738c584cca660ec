// The kernels that ship, contract against source: names agree, every tunable is explained, and the
// defaults of each variant compile for every architecture that its constraints let it run on.
#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>
#include <regex>
#include <set>

#include "compile/fixtures.h"
#include "core/files.h"
#include "device/emulated_device.h"
#include "spec/kernel_spec.h"
#include "trial/launch/jobs.h"
#include "trial/launch/launch_plan.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;
using ::testing::IsSubsetOf;
using ::testing::Not;

const fs::path kShipped = fs::path(WARPWRIGHT_SOURCE_DIR) / "kernels";

std::vector<std::string> shipped_kernels() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(kShipped))
    if (fs::exists(entry.path() / "kernel.yaml")) names.push_back(entry.path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

class ShippedKernel : public ::testing::TestWithParam<std::string> {
 protected:
  const KernelSpec kernel_ = read_kernel(kShipped / GetParam());

  [[nodiscard]] Configuration defaults_of(const VariantSpec& variant) const {
    Configuration configuration;
    configuration.variant = variant.name;
    for (const std::string& name : variant.parameters)
      configuration.values[name] = kernel_.find_parameter(name)->default_value;
    return configuration;
  }
  // Names that a source may be given.
  [[nodiscard]] std::set<std::string> macros_of(const VariantSpec& variant) const {
    std::set<std::string> macros;
    for (const std::string& name : variant.parameters)
      if (const std::string macro = source_macro(kernel_, variant, name); !macro.empty())
        macros.insert(macro);
    for (const ProblemSizeSpec& size : kernel_.problem)
      if (!size.macro.empty()) macros.insert(size.macro);
    return macros;
  }
  // The parameters that launches and arguments depend on; the source need not use these.
  [[nodiscard]] std::set<std::string> asked_for_by_launches(const VariantSpec& variant) const {
    std::set<std::string> names;
    const auto add = [&](const Expr& expression) {
      names.insert(expression.names().begin(), expression.names().end());
    };
    for (const LaunchSpec& launch : variant.launches) {
      for (const auto* extents : {&launch.grid, &launch.block, &launch.cluster})
        for (const Expr& extent : *extents) add(extent);
      add(launch.shared_bytes);
    }
    for (const ArgumentSpec& argument : kernel_.arguments) {
      for (const Expr& extent : argument.shape) add(extent);
      if (argument.role == ArgumentRole::kValue) add(argument.value);
      if (argument.role != ArgumentRole::kTensorMap) continue;
      for (const Expr& extent : argument.map->box) add(extent);
      add(argument.map->swizzle);
      add(argument.map->l2_promotion);
    }
    return names;
  }
};

// A source and the headers of its folder that it includes.
struct MacroNames {
  std::set<std::string> with_defaults;
  std::set<std::string> used;  // words of the code other than the defaults
};

void append_names(const fs::path& file, std::set<fs::path>& seen, MacroNames& names) {
  if (!seen.insert(file).second) return;
  const std::string text = read_file(file);
  static const std::regex kInclude("(?:^|\n)[ \t]*#include[ \t]+\"([^\"]+)\"");
  for (std::sregex_iterator at(text.begin(), text.end(), kInclude), end; at != end; ++at) {
    const fs::path header = file.parent_path() / (*at)[1].str();
    if (fs::exists(header)) append_names(header, seen, names);
  }
  static const std::regex kDefault("#ifndef[ \t]+(\\w+)\n#define[ \t]+\\1[ \t][^\n]*\n#endif");
  for (std::sregex_iterator at(text.begin(), text.end(), kDefault), end; at != end; ++at)
    names.with_defaults.insert((*at)[1].str());
  static const std::regex kComment("//[^\n]*");
  static const std::regex kWord("\\w+");
  const std::string code = std::regex_replace(std::regex_replace(text, kDefault, ""), kComment, "");
  for (std::sregex_iterator at(code.begin(), code.end(), kWord), end; at != end; ++at)
    names.used.insert(at->str());
}

// The names that have defaults and are used.
std::set<std::string> tunable_names(const fs::path& source) {
  std::set<fs::path> seen;
  MacroNames names;
  append_names(source, seen, names);
  std::set<std::string> both;
  std::set_intersection(names.with_defaults.begin(), names.with_defaults.end(), names.used.begin(),
                        names.used.end(), std::inserter(both, both.end()));
  return both;
}

TEST_P(ShippedKernel, ExplainsAndUsesEveryTunable) {
  std::set<std::string> used;
  for (const VariantSpec& variant : kernel_.variants)
    used.insert(variant.parameters.begin(), variant.parameters.end());
  for (const ParameterSpec& parameter : kernel_.parameters) {
    EXPECT_NE(parameter.doc, "") << parameter.name;
    EXPECT_TRUE(used.contains(parameter.name)) << parameter.name << " is in no variant";
  }
  for (const VariantSpec& variant : kernel_.variants) EXPECT_NE(variant.doc, "") << variant.name;
}

TEST_P(ShippedKernel, GivesItsSourcesTheNamesThatTheyHaveDefaultsFor) {
  for (const VariantSpec& variant : kernel_.variants) {
    SCOPED_TRACE(variant.name);
    std::set<std::string> names = tunable_names(variant.source);
    // The contract does not mention the tuner's own macros, such as WARPWRIGHT_SHARED_BYTES.
    std::erase_if(names, [](const std::string& name) { return name.starts_with("WARPWRIGHT_"); });
    EXPECT_THAT(names, IsSubsetOf(macros_of(variant)));
    const std::set<std::string> launches = asked_for_by_launches(variant);
    for (const std::string& parameter : variant.parameters) {
      const std::string macro = source_macro(kernel_, variant, parameter);
      EXPECT_TRUE(macro.empty() || names.contains(macro) || launches.contains(parameter))
          << parameter << " has no default in the source and no part in a launch";
    }
  }
}

TEST_P(ShippedKernel, CompilesItsDefaultsForEveryArchitectureThatItClaims) {
  SKIP_WITHOUT_NVRTC();
  for (const VariantSpec& variant : kernel_.variants) {
    const Configuration configuration = defaults_of(variant);
    std::set<std::string> compiled;
    for (const DeviceInfo& device : list_emulated_devices()) {
      // A GPU of compute capability 9.0 is given code for sm_90a; sm_90 alone is of the emulator.
      if (device.arch == "sm_90" || compiled.contains(device.arch)) continue;
      for (const CaseSpec& test : kernel_.cases) {
        const Problem problem = complete_problem(kernel_, test.problem, test.where);
        if (broken_constraint(kernel_, configuration, problem, device)) continue;
        const CompileResult result = nvrtc().compile(
            make_compile_job(kernel_, configuration, problem, device, {kShipped / "common"}));
        EXPECT_TRUE(result.ok) << variant.name << " for " << device.arch << ": " << result.failure;
        compiled.insert(device.arch);
        break;
      }
    }
    EXPECT_THAT(compiled, Not(::testing::IsEmpty())) << variant.name << " runs nowhere";
  }
}

INSTANTIATE_TEST_SUITE_P(Kernels, ShippedKernel, ::testing::ValuesIn(shipped_kernels()),
                         [](const auto& name) { return name.param; });

}  // namespace
}  // namespace warpwright
