#include "compile/program_text.h"

#include <algorithm>

#include "compile/include_scan.h"
#include "compile/macro_check.h"
#include "core/error.h"

namespace warpwright {

ProgramText::ProgramText(const CompileJob& job, const std::vector<SourceFile>& files) {
  WARPWRIGHT_CHECK(!files.empty() && files.front().found, "the source is the first of its files");
  const SourceFile& source = files.front();
  source_ = with_paths(source) + macro_checks(job);
  const bool computes =
      std::any_of(files.begin(), files.end(), [](const SourceFile& file) { return file.computes; });
  // The source is also a header here, because a header may include it.
  for (const SourceFile& file : files) {
    if (!file.found) {
      // The compiler finds toolkit headers by itself.
      if (!file.content.empty()) add_header(file.name, file.content);
      continue;
    }
    std::string name = compiler_name(file.path);
    if (name != file.path.string()) renamed_.emplace_back(name, file.path.string());
    add_header(std::move(name), with_paths(file));
  }
  if (computes) {
    for (const SourceFile& file : files)
      if (file.found) add_header(file.name, "#include \"" + compiler_name(file.path) + "\"\n");
  }

  const bool unforeseen = std::any_of(files.begin(), files.end(),
                                      [](const SourceFile& file) { return file.unforeseen; });
  options_ = unforeseen ? job.options() : job.options_without_folders();
  for (std::string& option : options_) {
    const std::optional<std::string> name = pre_included(option);
    if (!name) continue;
    const auto found = source.includes.find('"' + *name + '"');
    std::string given = "warpwright/pre-include/" + *name;
    if (found != source.includes.end()) {
      given = compiler_name(found->second);
    } else if (const auto refused = source.refused.find('"' + *name + '"');
               refused != source.refused.end()) {
      add_header(given, "#error " + refused->second + "\n");
    } else {
      // Resolved in the toolkit, and not in the working folder.
      add_header(given, "#include <" + *name + ">\n");
    }
    option = option.substr(0, option.find('=') + 1) + given;
  }

  for (const std::string& name : names_) raw_names_.push_back(name.c_str());
  for (const std::string& text : texts_) raw_texts_.push_back(text.c_str());
}

std::string ProgramText::with_real_paths(std::string text) const {
  for (const auto& [name, path] : renamed_) {
    for (std::size_t at = text.find(name); at != std::string::npos;
         at = text.find(name, at + path.size()))
      text.replace(at, name.size(), path);
  }
  return text;
}

// The first header with a name counts.
void ProgramText::add_header(std::string name, std::string text) {
  if (std::find(names_.begin(), names_.end(), name) != names_.end()) return;
  names_.push_back(std::move(name));
  texts_.push_back(std::move(text));
}

}  // namespace warpwright
