// warpwright salvage: what can still be read of a damaged database, in a new one.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

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
  const Salvaged saved = salvage_database(arguments.damaged, arguments.fresh);
  if (global.json) {
    print_json(nlohmann::json{
        {"trials", saved.trials}, {"samples", saved.samples}, {"broken_rows", saved.broken_rows}});
  } else {
    print("{} trials saved in {}, {} of them with raw samples\n", saved.trials, arguments.fresh,
          saved.samples);
    if (saved.broken_rows > 0) {
      print("{} row{} left out for what {} said, first {}\n", saved.broken_rows,
            saved.broken_rows == 1 ? "" : "s", saved.broken_rows == 1 ? "it" : "they",
            saved.first_broken);
    }
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
