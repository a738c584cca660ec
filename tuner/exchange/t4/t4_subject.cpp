#include "exchange/t4/t4_subject.h"

#include <fmt/format.h>

#include <initializer_list>
#include <utility>

#include "core/error.h"
#include "core/hash.h"
#include "core/terminal_text.h"
#include "core/words.h"
#include "exchange/t4/t4_values.h"
#include "store/row_rules.h"

namespace warpwright {
namespace {

using Json = nlohmann::json;

// "convolution-A100.json.gz" -> {"convolution", "A100"}; the first dash separates the two, because
// names of kernels contain none.
std::pair<std::string, std::string> names_in(std::string file_name) {
  for (const std::string_view ending : {".gz", ".json"})
    if (file_name.ends_with(ending)) file_name.resize(file_name.size() - ending.size());
  const std::size_t dash = file_name.find('-');
  if (dash == std::string::npos) return {"", ""};
  return {file_name.substr(0, dash), file_name.substr(dash + 1)};
}

std::string first_of(std::initializer_list<std::string> texts) {
  for (const std::string& text : texts)
    if (!text.empty()) return text;
  return "";
}

void read_problem(const std::string& given, T4Subject& subject) {
  Problem sizes;
  for (const std::string& word : assignment_words(given)) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos || equals == 0 || equals + 1 == word.size()) {
      throw user_error(
          fmt::format("--problem \"{}\": expected NAME=VALUE ..., got '{}'; for example "
                      "--problem \"image=4096 filter=15\"",
                      given, word));
    }
    sizes[word.substr(0, equals)] = read_value(word.substr(equals + 1));
    subject.problem_text += (subject.problem_text.empty() ? "" : " ") + word;
  }
  subject.problem = std::move(sizes);
}

// Reads sizes as a database holds them: a single value each.
Problem read_sizes(const Json& sizes, const std::string& file_name) {
  for (const auto& [name, size] : sizes.items()) {
    if (size.is_primitive() && !size.is_null()) continue;
    throw user_error(fmt::format("{}: metadata.warpwright.problem.{}: expected one value, got {}",
                                 file_name, name, size.dump()));
  }
  return sizes.get<Problem>();
}

}  // namespace

nlohmann::json our_metadata(const T4File& file) {
  const auto ours = file.metadata.find("warpwright");
  return ours != file.metadata.end() && ours->is_object() ? *ours : Json::object();
}

std::string text_in(const nlohmann::json& object, const char* member) {
  const auto found = object.find(member);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

T4Subject subject_of(const T4File& file, const T4ImportOptions& options) {
  const auto [kernel, device] = names_in(options.file_name);
  const Json ours = our_metadata(file);
  const bool is_ours = !ours.empty();
  T4Subject subject;
  subject.kernel =
      first_of({options.kernel, is_ours ? text_in(file.metadata, "kernel") : "", kernel});
  subject.device =
      first_of({options.device, is_ours ? text_in(file.metadata, "device") : "", device});
  for (const auto& [what, name] :
       {std::pair("kernel", &subject.kernel), std::pair("device", &subject.device)}) {
    if (!name->empty()) continue;
    throw user_error(
        fmt::format("{}: the file does not say which {} its results are of; add "
                    "--{} NAME, or name the file KERNEL-DEVICE.json",
                    options.file_name, what, what));
  }
  const auto modelled = ours.find("modelled");
  subject.modelled = modelled != ours.end() && modelled->is_boolean() && modelled->get<bool>();
  if (!options.problem.empty()) {
    read_problem(options.problem, subject);
  } else {
    const auto sizes = ours.find("problem");
    const bool known = sizes != ours.end() && sizes->is_object();
    subject.problem_text = first_of({known ? text_in(file.metadata, "problem") : "", "published"});
    const Problem problem = known ? read_sizes(*sizes, options.file_name) : Problem{};
    subject.problem = problem;
    if (known && !names_values(subject.problem_text, "", problem)) {
      throw user_error(fmt::format(
          "{}: metadata.problem is '{}', expected the names and values of "
          "metadata.warpwright.problem, {}",
          options.file_name, shown_name(subject.problem_text), shown_name(sizes->dump())));
    }
  }
  Sha256 hash;
  hash.field("imported").field(subject.device);
  if (subject.modelled) hash.field("modelled");
  subject.fingerprint = hash.hex();
  return subject;
}

}  // namespace warpwright
