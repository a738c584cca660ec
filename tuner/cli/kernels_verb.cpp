// Implements `warpwright kernels`: lists the contracts that sweeps can name.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/print.h"
#include "cli/verb.h"
#include "core/error.h"
#include "core/words.h"
#include "spec/kernel_spec.h"
#include "terminal/screen.h"
#include "terminal/table.h"
#include "workers/paths.h"

namespace warpwright {
namespace {

constexpr const char* kKernelsExample =
    "Examples:\n"
    "  warpwright kernels                      every kernel, a line each\n"
    "  warpwright kernels softmax_topk         its problem, parameters and variants\n"
    "  warpwright kernels --kernels ~/mine     with folders of your own\n";

std::string joined_variants(const KernelSpec& kernel) {
  std::vector<std::string> names;
  for (const VariantSpec& variant : kernel.variants) names.push_back(variant.name);
  return join(names);
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

std::string details(const KernelSpec& kernel, const Screen& screen) {
  std::string text =
      fmt::format("{}: {}\n  contract {}\n\n", kernel.name, kernel.summary, kernel.file.string());
  Table problem({{"problem"}, {"default"}, prose_column("meaning")});
  for (const ProblemSizeSpec& size : kernel.problem)
    problem.add_row(
        {size.name, size.default_value ? size.default_value->to_string() : "", size.doc});
  text += problem.render(2, screen) + "\n";
  Table variants(
      {middle_column("variant", 10), prose_column("parameters", 12), prose_column("idea", 16)});
  for (const VariantSpec& variant : kernel.variants)
    variants.add_row({variant.name, join(variant.parameters, " "), variant.doc});
  text += variants.render(2, screen) + "\n";
  Table parameters(
      {middle_column("parameter", 14), middle_column("default", 8), prose_column("meaning")});
  for (const ParameterSpec& parameter : kernel.parameters)
    parameters.add_row({parameter.name, parameter.default_value.to_string(), parameter.doc});
  return text + fmt::format("{}\n  {} contract cases\n", parameters.render(2, screen),
                            kernel.cases.size());
}

int run(const std::string& wanted, const GlobalOptions& global) {
  const Paths paths = find_paths(global.kernel_roots());
  if (!wanted.empty()) {
    const KernelSpec kernel = read_kernel(find_kernel_file(paths, wanted));
    if (global.json) {
      print_json(to_report(kernel));
    } else {
      print_text(global, details(kernel, text_screen()));
    }
    return 0;
  }
  Table table({{"kernel"}, prose_column("variants", 12, 1), prose_column("summary")});
  nlohmann::json json = {{"kernels", nlohmann::json::array()}};
  int code = 0;
  for (const auto& [name, file] : find_kernels(paths.kernel_roots)) {
    try {
      const KernelSpec kernel = read_kernel(file);
      table.add_row({kernel.name, joined_variants(kernel), kernel.summary});
      json["kernels"].push_back(to_report(kernel));
    } catch (const Error& error) {
      // A single invalid contract must not hide the others.
      print_message(global, fmt::format("warpwright: {}\n", error.what()));
      code = error.exit_code();
    }
  }
  if (global.json) {
    print_json(json);
  } else {
    print_text(global, table.render(0, text_screen()));
  }
  return code;
}

}  // namespace

void add_kernels_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb =
      app.add_subcommand("kernels", "Kernels that sweeps can name, and their contracts");
  auto wanted = std::make_shared<std::string>();
  verb->add_option("kernel", *wanted, "Show one kernel's contract")->type_name("KERNEL");
  add_trust_option(*verb);
  add_common_options(*verb, context);
  verb->footer(kKernelsExample);
  verb->callback([wanted, context] {
    GlobalOptions& global = context.global;
    context.action = [wanted, &global] { return run(*wanted, global); };
  });
}

}  // namespace warpwright
