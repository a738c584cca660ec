#include "cli/verb.h"

#include <CLI/CLI.hpp>

#include "core/escape.h"

namespace warpwright {
namespace {

constexpr std::string_view kProgram = "warpwright ";

bool takes(const CLI::App& verb, const char* option) {
  return verb.get_option_no_throw(option) != nullptr;
}

std::vector<std::string> values_of(const CLI::App& verb, const char* name) {
  const CLI::Option* option = verb.get_option_no_throw(name);
  return option == nullptr ? std::vector<std::string>() : option->results();
}

}  // namespace

GivenOptions::GivenOptions(const CLI::App& app) {
  for (const CLI::App* verb : app.get_subcommands([](const CLI::App*) { return true; }))
    verbs_[verb->get_name()] = {takes(*verb, "--db"), takes(*verb, "--kernels")};
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  if (chosen.empty()) return;
  const CLI::App& verb = *chosen.front();
  const std::vector<std::string> databases = values_of(verb, "--db");
  // If an option takes a single value, the last one counts.
  if (!databases.empty() &&
      (databases.size() == 1 || verb.get_option("--db")->get_items_expected_max() == 1))
    database_ = " --db " + shell_word(databases.back());
  for (const std::string& folder : values_of(verb, "--kernels"))
    kernels_ += " --kernels " + shell_word(folder);
}

std::string GivenOptions::for_verb(const std::string& verb) const {
  return missing_in(std::string(kProgram) + verb);
}

std::string GivenOptions::missing_in(std::string_view command) const {
  if (!command.starts_with(kProgram) || command.find("--help") != std::string_view::npos) return "";
  command.remove_prefix(kProgram.size());
  const auto verb = verbs_.find(command.substr(0, command.find(' ')));
  if (verb == verbs_.end()) return "";
  const auto lacks = [&](std::string_view option) {
    return command.find(option) == std::string_view::npos;
  };
  return (verb->second.database && lacks(" --db") ? database_ : "") +
         (verb->second.kernels && lacks(" --kernels") ? kernels_ : "");
}

std::string GivenOptions::complete(std::string_view text) const {
  std::string out;
  while (true) {
    const std::size_t begin = text.find('`');
    const std::size_t end = begin == std::string_view::npos ? begin : text.find('`', begin + 1);
    if (end == std::string_view::npos) return out + std::string(text);
    const std::string_view command = text.substr(begin + 1, end - begin - 1);
    // Text that is not a command may hold an apostrophe, so skip only its first quote.
    const bool known = command.starts_with(kProgram);
    out += text.substr(0, known ? end : begin + 1);
    if (known) out += missing_in(command) + "`";
    text.remove_prefix(known ? end + 1 : begin + 1);
  }
}

}  // namespace warpwright
