// Headers of every kernel of this project, written from its contract: no compiler warns about them,
// what they choose for an architecture compiles for it, and they list the parameters that the
// compiled entries have.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <thread>

#include "compile/nvrtc.h"
#include "core/source_bundle.h"
#include "exchange/header/selection_writers.h"
#include "exchange/shared_header.h"
#include "records/configuration.h"
#include "spec/kernel_spec.h"
#include "support/host_compiler.h"
#include "support/model_of_contract.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;
using testing::CommandResult;
using testing::HostCompiler;

const fs::path kKernels = fs::path(WARPWRIGHT_SOURCE_DIR) / "kernels";

std::vector<KernelSpec> kernels_with_headers() {
  std::vector<KernelSpec> kernels;
  for (const auto& [name, file] : find_kernels({kKernels})) kernels.push_back(read_kernel(file));
  return kernels;
}

// The harness' own kernels take their limits from elsewhere or have no cases.
bool has_header(const KernelSpec& kernel) { return !kernel.cases.empty(); }

class ShippedHeaders : public ::testing::Test {
 protected:
  void SetUp() override {
    write_shared_header(host_);
    for (const KernelSpec& kernel : kernels_with_headers()) {
      if (!has_header(kernel)) continue;
      kernels_.push_back(kernel);
      host_.write(kernel.name + ".h",
                  selection_header(testing::model_of_contract(kernel), {"warpwright 0.1.0"}));
    }
  }

  HostCompiler host_;
  std::vector<KernelSpec> kernels_;
};

// All of them in one program, too.
TEST_F(ShippedHeaders, AreFreeOfWarningsForEveryCompilerAsC99AndCpp17) {
  EXPECT_GT(kernels_.size(), 18U);
  std::string all;
  for (const KernelSpec& kernel : kernels_) all += "#include \"" + kernel.name + ".h\"\n";
  host_.write("all.c", all + "int main(void) { return 0; }\n");
  host_.write("all.cpp", all + "int main() { return 0; }\n");
  for (const char* compiler :
       {"cc -std=c99", "c++ -std=c++17", "clang -std=c99", "clang++ -std=c++17"}) {
    const std::string command(compiler);
    if (host_.run("command -v " + command.substr(0, command.find(' '))).exit_code != 0) continue;
    const bool c = command.ends_with("c99");
    const CommandResult result =
        host_.run(command + HostCompiler::kWarnings + "-fsyntax-only " + (c ? "all.c" : "all.cpp"));
    EXPECT_EQ(result.output, "") << command;
    EXPECT_EQ(result.exit_code, 0) << command;
  }
}

// Every launch that is chosen for the cases of the contracts, on every architecture: one line each,
// "kernel|arch|source|options|entry type type ...".
std::string questions(const std::vector<KernelSpec>& kernels) {
  std::string text = R"(#include <cstdio>
#include <initializer_list>
#include "warpwright_select.h"
static void show(const ww_argument& argument) {
  if (argument.kind == WW_TENSOR) std::printf(" 64");
  if (argument.kind == WW_TENSOR_MAP) std::printf(" map");
  if (argument.kind == WW_SCALAR) std::printf(" %d", 8 * ww_dtype_bytes(argument.dtype));
}
struct Asked { const char* arch; long long shared, sms; };
static const Asked kAsked[] = {
  {"sm_80", 166912, 108}, {"sm_86", 101376, 84}, {"sm_89", 101376, 142}, {"sm_90a", 232448, 132},
  {"sm_100a", 232448, 148}, {"sm_120a", 101376, 170}, {"sm_80", 0, 0}, {"sm_86", 0, 0}, {"sm_89", 0, 0},
  {"sm_90a", 0, 0}, {"sm_100a", 0, 0}, {"sm_120a", 0, 0}};
)";
  for (const KernelSpec& kernel : kernels) {
    const std::string p = "ww_" + kernel.name + "_";
    text += fmt::format(R"(#include "{0}.h"
static void ask_{0}(const char* name, const Asked& asked, {1}problem problem) {{
  ww_device device{{name, asked.arch}};
  device.limits.max_shared = asked.shared;
  device.limits.sm_count = asked.sms;
  const ww_selection chosen = {1}select(device, problem);
  if (chosen.configuration < 0) {{
    std::printf("{0}|%s|nothing\n", asked.arch);
    return;
  }}
  const {1}configuration& configuration = {1}configurations[chosen.configuration];
  for (int i = 0; i < configuration.launch_count; ++i) {{
    const ww_launch_plan plan = {1}launch(chosen, problem, i);
    std::printf("{0}|%s|%s|", asked.arch, configuration.source);
    const {1}options options = {1}compile_options(chosen, problem);
    for (int o = 0; o < options.count; ++o) std::printf("%s ", options.option[o]);
    std::printf("|%s", plan.ok ? plan.entry : "fault");
    for (int a = 0; a < plan.argument_count; ++a) show(plan.arguments[a]);
    std::printf("\n");
  }}
}}
)",
                        kernel.name, p);
  }
  text +=
      "int main() {\n  for (const Asked& asked : kAsked) {\n    for (const char* name : "
      "{\"NVIDIA H200\", \"another\"}) {\n";
  for (const KernelSpec& kernel : kernels)
    text += fmt::format("      ask_{0}(name, asked, ww_{0}_boards[0].problem);\n", kernel.name);
  return text + "    }\n  }\n}\n";
}

struct Chosen {
  std::string kernel, arch, source, options, entry;  // entry with its parameters
};

std::vector<Chosen> parse(const std::string& output) {
  std::set<std::string> lines;
  std::istringstream in(output);
  for (std::string line; std::getline(in, line);) lines.insert(line);
  std::vector<Chosen> all;
  for (const std::string& line : lines) {
    std::vector<std::string> words(1);
    for (const char c : line) {
      if (c == '|') {
        words.emplace_back();
      } else {
        words.back() += c;
      }
    }
    words.resize(5);
    all.push_back({words[0], words[1], words[2], words[3], words[4]});
  }
  return all;
}

// "entry 64 64 32 map", as PTX declares the parameters.
std::string declared(const std::string& ptx, const std::string& entry) {
  const std::size_t at = ptx.find(".entry " + entry + "(");
  if (at == std::string::npos) return entry + " is missing";
  const std::string list = ptx.substr(at, ptx.find(')', at) - at);
  std::string text = entry;
  const std::regex parameter(R"(\.param\s+(\.align\s+\d+\s+)?\.([a-z])(\d+)[^\[\n,]*(\[(\d+)\])?)");
  for (std::sregex_iterator it(list.begin(), list.end(), parameter), end; it != end; ++it)
    text += (*it)[5].matched ? ((*it)[5] == "128" ? " map" : " array") : " " + (*it)[3].str();
  return text;
}

class Compilations {
 public:
  explicit Compilations(const std::vector<Chosen>& chosen) {
    for (const Chosen& one : chosen) {
      if (one.source != "nothing") jobs_[one.kernel + one.arch + one.source + one.options] = one;
    }
    std::vector<std::pair<std::string, Chosen>> jobs(jobs_.begin(), jobs_.end());
    for (const auto& [key, one] : jobs) results_[key];
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 2; ++t) {
      threads.emplace_back([this, &jobs, t] {
        const Nvrtc nvrtc(require_toolchain());
        for (std::size_t i = t; i < jobs.size(); i += 2)
          results_.at(jobs[i].first) = compile(nvrtc, jobs[i].second);
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  [[nodiscard]] const CompileResult& of(const Chosen& one) const {
    return results_.at(one.kernel + one.arch + one.source + one.options);
  }

 private:
  static CompileResult compile(const Nvrtc& nvrtc, const Chosen& one) {
    const KernelSpec kernel = read_kernel(kKernels / one.kernel);
    CompileJob job;
    job.source = kKernels / one.kernel / one.source;
    job.include_folders = kernel.header_folders({kKernels / "common"});
    job.arch = one.arch;
    std::istringstream words(one.options);
    for (std::string word; words >> word;) job.extra_options.push_back(word);
    return nvrtc.compile(job);
  }

  std::map<std::string, Chosen> jobs_;
  std::map<std::string, CompileResult> results_;
};

TEST_F(ShippedHeaders, WhatTheyChooseCompilesForEveryArchitectureWithTheParametersThatTheyList) {
  if (!locate_toolchain()) GTEST_SKIP() << "no NVRTC here: run scripts/dev/fetch_cuda";
  host_.write("ask.cpp", questions(kernels_));
  const CommandResult answers = host_.run(std::string("c++ -std=c++17") + HostCompiler::kWarnings +
                                          "ask.cpp -o ask && ./ask");
  ASSERT_EQ(answers.exit_code, 0) << answers.output;
  const std::vector<Chosen> chosen = parse(answers.output);
  const Compilations compiled(chosen);
  std::set<std::string> archs;
  std::set<std::string> nothing;
  for (const Chosen& one : chosen) {
    if (one.source == "nothing") {
      nothing.insert(one.kernel + " " + one.arch);
      continue;
    }
    const CompileResult& result = compiled.of(one);
    ASSERT_TRUE(result.ok) << one.kernel << " " << one.arch << " " << one.source << " "
                           << one.options << "\n"
                           << result.failure;
    EXPECT_EQ(declared(result.ptx, one.entry.substr(0, one.entry.find(' '))), one.entry)
        << one.kernel << " " << one.arch;
    archs.insert(one.arch);
  }
  EXPECT_EQ(archs.size(), 6U);
  // Tensor cores take fp8 from compute capability 8.9 on; the other defaults want more shared
  // memory than these have.
  EXPECT_EQ(nothing, (std::set<std::string>{"attention_fp8 sm_80", "attention_fp8 sm_86",
                                            "attention_prefill sm_120a", "attention_prefill sm_86",
                                            "attention_prefill sm_89", "sdpa_irope sm_120a",
                                            "sdpa_irope sm_86", "sdpa_irope sm_89"}));
}

// A program that has an entry's parameters may launch every variant's.
TEST(KernelContracts, AnEntryHasOneSignatureInAllVariants) {
  for (const KernelSpec& kernel : kernels_with_headers()) {
    std::map<std::string, std::string> signatures;
    for (const VariantSpec& variant : kernel.variants) {
      for (const LaunchSpec& launch : variant.launches) {
        std::string signature;
        for (const std::string& name : launch.arguments) {
          const ArgumentSpec& argument = *kernel.find_argument(name);
          const bool scalar = argument.role == ArgumentRole::kValue;
          signature += argument.map ? "map " : argument.dtype + (scalar ? " " : "* ");
        }
        const auto [known, fresh] = signatures.try_emplace(launch.entry.text(), signature);
        EXPECT_EQ(known->second, signature) << kernel.name << ": give `" << launch.entry.text()
                                            << "` of " << variant.name << " another name";
      }
    }
  }
}

}  // namespace
}  // namespace warpwright
