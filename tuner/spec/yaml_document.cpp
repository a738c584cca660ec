#include "spec/yaml_document.h"

#include <fmt/format.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <array>
#include <sstream>

#include "core/files.h"
#include "spec/yaml_text.h"
#include "spec/yaml_tree_builder.h"

namespace warpwright {
namespace {

// The messages of yaml-cpp state what its scanner missed; these state what the author wrote.
std::string rephrase(const std::string& message, const YamlTreeBuilder& builder) {
  struct Phrase {
    std::string_view theirs;
    std::string_view ours;
  };
  static constexpr std::array<Phrase, 11> kPhrases = {{
      {"illegal map value",
       "a ':' stands where no key can; quote text that holds ': ', and indent keys alike"},
      {"end of map not found",
       "this does not continue the map above; indent keys alike, each as 'key: value'"},
      {"end of sequence not found",
       "this does not continue the list above; start each item with '- '"},
      {"illegal flow end", "a closing bracket has no opening one; remove it"},
      {"illegal block entry",
       "a '- ' item stands where no list can; indent the list under its key"},
      {"illegal EOF in scalar", "a quote is not closed before the end of the file; close it"},
      {"unknown token", "text cannot start with this character; quote the text"},
      {"illegal document indicator in scalar",
       "a quote is not closed before the end of the document; close it"},
      {"the referenced anchor is not defined", kNoYamlAliases},
      {"alias not found after *", "text cannot start with '*'; quote the text"},
      {"anchor not found after &", "text cannot start with '&'; quote the text"},
  }};
  for (const Phrase& phrase : kPhrases) {
    if (message == phrase.theirs) return std::string(phrase.ours);
  }
  if (message == "end of map flow not found" || message == "end of sequence flow not found") {
    return builder.open_bracket() + " is not closed; add what is missing, a bracket or a comma";
  }
  return fmt::format("not valid YAML: {}", message);
}

}  // namespace

// Columns come from yaml-cpp's marks, which count bytes from 0.
YamlDocument parse_yaml(std::string_view text, std::string file, std::string_view kind) {
  check_yaml_text(text, file, kind);
  // A byte-order mark would shift the columns of the first line.
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  YamlTreeBuilder builder(text, file);
  bool any = false;
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    any = parser.HandleNextDocument(builder);
    // The builder throws if there is a second document.
    if (any) parser.HandleNextDocument(builder);
  } catch (const YAML::Exception& error) {
    if (error.mark.is_null()) throw user_error({file, 0, 0}, rephrase(error.msg, builder));
    throw user_error(builder.place(error.mark), rephrase(error.msg, builder));
  }
  builder.require_colons();
  YamlDocument document{std::move(file), builder.take_root()};
  const YamlNode::Kind root = document.root.kind;
  if (!any || root == YamlNode::Kind::kNull) {
    throw user_error({document.file, 0, 0}, fmt::format("is empty, expected {}", kind));
  }
  if (root != YamlNode::Kind::kMap) {
    throw user_error(document.place(document.root),
                     fmt::format("got {} at the top level, expected the 'key: value' lines of {}",
                                 root == YamlNode::Kind::kList ? "a list" : "text", kind));
  }
  return document;
}

std::string read_yaml_text(const std::filesystem::path& file, std::string_view kind) {
  std::error_code failed;
  const auto bytes = std::filesystem::file_size(file, failed);
  // If the size cannot be determined (missing, a folder), read_file reports the error.
  if (!failed) check_yaml_size(bytes, file.string(), kind);
  return read_file(file);
}

}  // namespace warpwright
