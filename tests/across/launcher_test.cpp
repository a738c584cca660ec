// Launchers of every shipped kernel: what they launch is validated as any trial is.
#include <algorithm>
#include <optional>
#include <random>

#include "across/launcher_harness.h"

namespace warpwright::testing {
namespace {

// Sizes that no case has: those that are not compiled in are drawn at random.
Problem random_problem(const KernelSpec& kernel, std::mt19937& random) {
  const CaseSpec& one = kernel.cases[random() % kernel.cases.size()];
  Problem problem = complete_problem(kernel, one.problem, one.where);
  for (const ProblemSizeSpec& size : kernel.problem) {
    Value& value = problem.at(size.name);
    if (is_categorical(size) || !size.macro.empty() || !value.is_integer()) continue;
    const std::int64_t most = std::max<std::int64_t>(2, 2 * value.as_integer());
    const std::int64_t drawn =
        1 + static_cast<std::int64_t>(random() % static_cast<unsigned>(most));
    if (value.as_integer() > 1 && (!size.max || static_cast<double>(drawn) <= *size.max))
      value = drawn;
  }
  return problem;
}

std::vector<std::string> launchable_kernels() {
  std::vector<std::string> names;
  for (const auto& [name, file] : find_kernels({kSources})) {
    if (!name.starts_with("harness_")) names.push_back(name);
  }
  return names;
}

bool take_the_same_arrays(const KernelSpec& kernel) {
  return std::all_of(kernel.arguments.begin(), kernel.arguments.end(),
                     [&](const ArgumentSpec& argument) {
                       const auto takes = [&](const VariantSpec& variant) {
                         return passes_array(kernel, variant, argument.name);
                       };
                       return argument.role == ArgumentRole::kScratch ||
                              std::all_of(kernel.variants.begin(), kernel.variants.end(), takes) ||
                              std::none_of(kernel.variants.begin(), kernel.variants.end(), takes);
                     });
}

class EveryLauncher : public Launcher, public ::testing::WithParamInterface<std::string> {};

// On the cases, whose variants take turns, and on sizes that none of them has.
TEST_P(EveryLauncher, IsRight) {
  const KernelSpec kernel = shipped(GetParam());
  const std::vector<std::size_t> variants = variants_by_turns(kernel, device_->info());
  BuiltLauncher launcher(kernel, launchable(kernel, variants));
  if (HostCompiler().run("command -v clang++").exit_code == 0) {
    EXPECT_EQ(launcher.warnings_of("clang++"), "");
  }
  for (std::size_t i = 0; i < kernel.cases.size(); ++i) {
    const CaseSpec& one = kernel.cases[i];
    const Outcome outcome = run(kernel, launcher, complete_problem(kernel, one.problem, one.where),
                                kernel.variants[variants[i]].name);
    EXPECT_EQ(outcome.status, Status::kOk) << one.name << ": " << outcome.reason;
  }
  // Whichever variant is chosen for them must find the arrays that it takes.
  std::optional<BuiltLauncher> of_one_variant;
  if (!take_the_same_arrays(kernel)) of_one_variant.emplace(kernel);
  std::mt19937 random(5);
  int right = 0;
  for (int i = 0; i < 1000 && right < 2; ++i) {  // rows of whole blocks are few of all sizes
    const Problem problem = random_problem(kernel, random);
    const Outcome outcome = run(kernel, of_one_variant ? *of_one_variant : launcher, problem);
    if (outcome.status == Status::kViolates) continue;
    EXPECT_EQ(outcome.status, Status::kOk)
        << describe_problem(kernel, problem) << ": " << outcome.reason;
    ++right;
  }
  EXPECT_GT(right, 0);
}

INSTANTIATE_TEST_SUITE_P(Kernels, EveryLauncher, ::testing::ValuesIn(launchable_kernels()),
                         [](const auto& name) { return name.param; });

// A driver launches clusters of more than eight blocks of functions that it has been told so of.
TEST_F(Launcher, LargeClustersAreAllowedBeforeTheyAreLaunched) {
  KernelSpec kernel = shipped("layernorm");
  std::erase_if(kernel.variants,
                [](const VariantSpec& variant) { return variant.name != "cluster_row"; });
  ASSERT_EQ(kernel.variants.size(), 1U);
  kernel.baseline.clear();
  for (ParameterSpec& parameter : kernel.parameters) {
    if (parameter.name == "CLUSTER") parameter.default_value = std::int64_t{16};
    if (parameter.name == "THREADS") parameter.default_value = std::int64_t{64};
  }
  BuiltLauncher launcher(kernel, launchable(kernel));
  int right = 0;
  for (const CaseSpec& one : kernel.cases) {
    const Outcome outcome = run(kernel, launcher, complete_problem(kernel, one.problem, one.where));
    if (outcome.status == Status::kViolates) continue;
    ASSERT_EQ(outcome.status, Status::kOk) << one.name << ": " << outcome.reason;
    if (++right == 2) break;
  }
  EXPECT_GT(right, 0);
  EXPECT_EQ(cuda_stand_in().largest_cluster, 16U);
}

// The tests above can fail.
TEST_F(Launcher, ExchangedArgumentsAreWrong) {
  const KernelSpec kernel = shipped("softmax_topk");
  BuiltLauncher launcher(kernel, R"(ww_put_argument(&out, "logits", WW_TENSOR, 0, )",
                         R"(ww_put_argument(&out, "logits", WW_TENSOR, 1, )");
  const CaseSpec& one = kernel.cases.front();
  EXPECT_NE(run(kernel, launcher, complete_problem(kernel, one.problem, one.where)).status,
            Status::kOk);
}

TEST_F(Launcher, AMissingArgumentIsAnErrorOfTheDriver) {
  const KernelSpec kernel = shipped("softmax_topk");
  BuiltLauncher launcher(kernel, R"(      ww_put_scalar(&out, "V", WW_I32, V);)", "");
  const CaseSpec& one = kernel.cases.front();
  EXPECT_EQ(run(kernel, launcher, complete_problem(kernel, one.problem, one.where)).reason,
            "cuLaunchKernelEx failed: invalid value");
}

// Every name that a database from elsewhere may contain, in every file of an export: the compiler
// accepts it without a warning, and its contents remain text.
TEST_F(Launcher, NamesOfOthersAreText) {
  const std::string evil =
      "*/ \n#error owned\n// \\\n?\?/\n)ww_text\" ;\n__attribute__((constructor)) void owned() { "
      "__builtin_trap(); }\n/* \u202e${x} %s \"";
  KernelSpec kernel = shipped("kv_append");
  kernel.summary += evil;
  for (ProblemSizeSpec& size : kernel.problem) size.doc = evil;
  for (ParameterSpec& parameter : kernel.parameters) parameter.doc = evil;
  for (ArgumentSpec& argument : kernel.arguments) argument.doc = evil;
  for (ConstraintSpec& constraint : kernel.constraints) constraint.because = evil;
  SelectionModel model = launchable(kernel);
  for (SelectionDevice& device : model.devices) device.name += evil;
  for (SelectionConfiguration& one : model.configurations) one.text += evil;
  for (SelectionBoard& board : model.boards) {
    for (std::string* text :
         {&board.problem_text, &board.protocol, &board.driver, &board.nvrtc_version, &board.version,
          &board.measured_utc, &board.contract_hash})
      *text += evil;
    board.tied = {evil, evil};
  }
  model.files.push_back({"kernels/common/" + evil + ".cuh", evil, evil});
  BuiltLauncher(kernel, model);
}

}  // namespace
}  // namespace warpwright::testing
