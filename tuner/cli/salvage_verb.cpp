// Implements `warpwright salvage`: copies the readable part of a damaged database into a new one.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/outputs.h"
#include "cli/print.h"
#include "cli/verb.h"
#include "store/salvage.h"

namespace warpwright {
namespace {

constexpr const char* kSalvageExample =
    "Example:\n"
    "  warpwright salvage results/warpwright.db -o results/warpwright-recovered.db\n"
    "The damaged file is not changed.\n";

struct SalvageArguments {
  std::string damaged;
  std::string fresh;
};

int run(const SalvageArguments& arguments, const GlobalOptions& global) {
  Outputs outputs;
  outputs.reads(std::filesystem::path(arguments.damaged));
  outputs.require_no_input(arguments.fresh);
  const Salvaged saved = salvage_database(arguments.damaged, arguments.fresh);
  if (global.json) {
    nlohmann::json losses = nlohmann::json::array();
    std::uint64_t broken_rows = 0;
    for (const SalvageLoss& loss : saved.losses) {
      if (loss.kind == SalvageLoss::Kind::kRow) broken_rows += loss.rows;
      losses.push_back({{"table", loss.table},
                        {"column", loss.column},
                        {"rows", loss.rows},
                        {"says", loss.text()}});
    }
    print_json(nlohmann::json{{"trials", saved.trials},
                              {"samples", saved.samples},
                              {"broken_rows", broken_rows},
                              {"losses", std::move(losses)}});
  } else {
    print("{} trials saved in {}, {} of them with raw samples\n", saved.trials, arguments.fresh,
          saved.samples);
    for (const SalvageLoss& loss : saved.losses) print("{}\n", loss.text());
  }
  return 0;
}

}  // namespace

void add_salvage_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb = app.add_subcommand("salvage", "Save what can be read of a damaged database");
  auto arguments = std::make_shared<SalvageArguments>();
  verb->add_option("database", arguments->damaged, "The damaged database")
      ->type_name("FILE")
      ->required();
  verb->add_option("-o,--output", arguments->fresh, "The new database; it must not exist")
      ->type_name("FILE")
      ->required();
  add_common_options(*verb, context);
  verb->footer(kSalvageExample);
  verb->callback([arguments, context] {
    GlobalOptions& global = context.global;
    context.action = [arguments, &global] { return run(*arguments, global); };
  });
}

}  // namespace warpwright
