// warpwright kernels: the contracts that sweeps can name.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/verb.h"
#include "core/error.h"
#include "output/table.h"
#include "run/paths.h"
#include "spec/kernel_spec.h"

namespace warpwright {
namespace {

constexpr const char* kExample =
    "Examples:\n"
    "  warpwright kernels                      every kernel, a line each\n"
    "  warpwright kernels softmax_topk         its problem, parameters and variants\n"
    "  warpwright kernels --kernels ~/mine     with folders of your own\n";

std::string joined_variants(const KernelSpec& kernel) {
  std::string text;
  for (const VariantSpec& variant : kernel.variants)
    text += (text.empty() ? "" : ", ") + variant.name;
  return text;
}

nlohmann::json to_report(const KernelSpec& kernel) {
  nlohmann::json json = {
      {"kernel", kernel.name}, {"summary", kernel.summary}, {"file", kernel.file.string()}};
  for (const ProblemSizeSpec& size : kernel.problem)
    json["problem"].push_back({{"name", size.name}, {"doc", size.doc}});
  for (const ParameterSpec& parameter : kernel.parameters) {
    json["parameters"].push_back(
        {{"name", parameter.name}, {"doc", parameter.doc}, {"default", parameter.default_value}});
  }
  for (const VariantSpec& variant : kernel.variants) {
    json["variants"].push_back(
        {{"name", variant.name}, {"doc", variant.doc}, {"parameters", variant.parameters}});
  }
  json["cases"] = kernel.cases.size();
  return json;
}

void print_details(const KernelSpec& kernel) {
  fmt::print("{}: {}\n  contract {}\n\n", kernel.name, kernel.summary, kernel.file.string());
  Table problem({{"problem"}, {"default"}, {"meaning"}});
  for (const ProblemSizeSpec& size : kernel.problem)
    problem.add_row(
        {size.name, size.default_value ? size.default_value->to_string() : "", size.doc});
  fmt::print("{}\n", problem.render(2));
  Table variants({{"variant"}, {"parameters"}, {"idea"}});
  for (const VariantSpec& variant : kernel.variants)
    variants.add_row(
        {variant.name, fmt::format("{}", fmt::join(variant.parameters, " ")), variant.doc});
  fmt::print("{}\n", variants.render(2));
  Table parameters({{"parameter"}, {"default"}, {"meaning"}});
  for (const ParameterSpec& parameter : kernel.parameters)
    parameters.add_row({parameter.name, parameter.default_value.to_string(), parameter.doc});
  fmt::print("{}\n  {} contract cases\n", parameters.render(2), kernel.cases.size());
}

int run(const std::string& wanted, const GlobalOptions& global) {
  const Paths paths = find_paths(global.kernel_roots());
  if (!wanted.empty()) {
    const KernelSpec kernel = read_kernel(find_kernel_file(paths, wanted));
    global.json ? fmt::print("{}\n", to_report(kernel).dump(2)) : print_details(kernel);
    return 0;
  }
  Table table({{"kernel"}, {"variants"}, {"summary"}});
  nlohmann::json json = {{"kernels", nlohmann::json::array()}};
  int code = 0;
  for (const auto& [name, file] : find_kernels(paths.kernel_roots)) {
    try {
      const KernelSpec kernel = read_kernel(file);
      table.add_row({kernel.name, joined_variants(kernel), kernel.summary});
      json["kernels"].push_back(to_report(kernel));
    } catch (const Error& error) {
      // One bad contract must not hide the others.
      fmt::print(stderr, "warpwright: {}\n", error.what());
      code = error.exit_code();
    }
  }
  global.json ? fmt::print("{}\n", json.dump(2)) : fmt::print("{}", table.render());
  return code;
}

}  // namespace

void add_kernels_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb =
      app.add_subcommand("kernels", "Kernels that sweeps can name, and their contracts");
  auto wanted = std::make_shared<std::string>();
  verb->add_option("kernel", *wanted, "Show one kernel's contract")->type_name("KERNEL");
  add_common_options(*verb, context);
  verb->footer(kExample);
  verb->callback([wanted, context] {
    GlobalOptions& global = context.global;
    context.action = [wanted, &global] { return run(*wanted, global); };
  });
}

}  // namespace warpwright
