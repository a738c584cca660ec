#include "compile/include_scan.h"

#include <algorithm>
#include <optional>
#include <set>

#include "core/files.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

bool is_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Steps over blanks, comments and spliced lines.
std::string_view skip_blanks(std::string_view text) {
  for (;;) {
    if (text.starts_with(' ') || text.starts_with('\t')) {
      text.remove_prefix(1);
    } else if (text.starts_with("\\\n")) {
      text.remove_prefix(2);
    } else if (text.starts_with("\\\r\n")) {
      text.remove_prefix(3);
    } else if (text.starts_with("/*")) {
      const std::size_t end = text.find("*/", 2);
      if (end == std::string_view::npos) return {};
      text.remove_prefix(end + 2);
    } else {
      return text;
    }
  }
}

// What stands at `text`, right after the directive's name.
std::optional<IncludeName> read_name(std::string_view text) {
  text = skip_blanks(text);
  if (text.empty()) return std::nullopt;
  using Form = IncludeName::Form;
  if (text[0] == '"' || text[0] == '<') {
    const std::size_t end = text.find_first_of(text[0] == '"' ? "\"\n" : ">\n", 1);
    if (end == std::string_view::npos || text[end] == '\n') return std::nullopt;
    return IncludeName{text[0] == '"' ? Form::kQuoted : Form::kAngled,
                       std::string(text.substr(1, end - 1))};
  }
  std::size_t length = 0;
  while (length < text.size() && is_word(text[length])) ++length;
  if (length == 0) return std::nullopt;
  return IncludeName{Form::kComputed, std::string(text.substr(0, length))};
}

class Collector {
 public:
  explicit Collector(const CompileJob& job) : job_(job) {
    folders_.push_back(job.source.parent_path());
    folders_.insert(folders_.end(), job.include_folders.begin(), job.include_folders.end());
    // Folders that the caller passed by hand.
    for (std::size_t i = 0; i < job.extra_options.size(); ++i) add_option_folder(i);
  }

  std::vector<SourceFile> collect() {
    add_file(job_.source.string(), job_.source, read_file(job_.source));
    for (const std::string& option : job_.extra_options) {
      for (const std::string_view lead : {"--pre-include=", "-include="}) {
        if (!option.starts_with(lead)) continue;
        add({IncludeName::Form::kQuoted, option.substr(lead.size())}, job_.source.parent_path());
      }
    }
    // Files are appended while we walk: breadth first, without recursion.
    for (std::size_t i = 0; i < files_.size(); ++i) {
      const fs::path folder = files_[i].path.parent_path();
      for (const IncludeName& include : scan_includes(files_[i].content)) add(include, folder);
    }
    return std::move(files_);
  }

 private:
  void add_option_folder(std::size_t i) {
    const std::string& option = job_.extra_options[i];
    for (const std::string_view lead : {"--include-path=", "-I"}) {
      if (!option.starts_with(lead)) continue;
      if (option.size() > lead.size()) {
        folders_.emplace_back(option.substr(lead.size()));
      } else if (i + 1 < job_.extra_options.size()) {
        folders_.emplace_back(job_.extra_options[i + 1]);
      }
    }
  }

  void add(const IncludeName& include, const fs::path& including_folder) {
    using Form = IncludeName::Form;
    if (include.form == Form::kComputed) return add_computed(include.name, including_folder);
    if (include.form == Form::kQuoted && add_if_present(include.name, including_folder)) return;
    for (const fs::path& folder : folders_) {
      if (add_if_present(include.name, folder)) return;
    }
    if (missing_.insert(include.name).second) files_.push_back({include.name, {}, {}, false});
  }

  void add_computed(const std::string& macro, const fs::path& including_folder) {
    for (const auto& [name, value] : job_.defines) {
      if (name != macro) continue;
      const auto target = read_name(value);
      if (target && target->form != IncludeName::Form::kComputed) {
        return add(*target, including_folder);
      }
    }
    // The macro may come from anywhere: take all that it could mean.
    for (const fs::path& folder : folders_) {
      std::vector<std::string> names;
      std::error_code ignored;
      for (fs::directory_iterator it(folder.empty() ? "." : folder, ignored), end;
           !ignored && it != end; it.increment(ignored)) {
        if (it->is_regular_file(ignored)) names.push_back(it->path().filename().string());
      }
      std::sort(names.begin(), names.end());
      for (const std::string& name : names) add_if_present(name, folder);
    }
  }

  bool add_if_present(const std::string& name, const fs::path& folder) {
    const fs::path path = folder / name;
    if (seen_.contains(path.lexically_normal())) return true;
    std::error_code ignored;
    if (!fs::is_regular_file(path, ignored)) return false;
    auto content = read_file_if_present(path);
    if (!content) return false;
    add_file(name, path, *std::move(content));
    return true;
  }

  void add_file(const std::string& name, const fs::path& path, std::string content) {
    seen_.insert(path.lexically_normal());
    files_.push_back({name, path, std::move(content), true});
  }

  const CompileJob& job_;
  std::vector<fs::path> folders_;
  std::vector<SourceFile> files_;
  std::set<fs::path> seen_;
  std::set<std::string> missing_;
};

}  // namespace

std::vector<IncludeName> scan_includes(std::string_view text) {
  std::vector<IncludeName> result;
  const auto add = [&result](std::optional<IncludeName> name) {
    if (name && std::find(result.begin(), result.end(), *name) == result.end()) {
      result.push_back(*std::move(name));
    }
  };
  constexpr std::string_view kInclude = "include";
  constexpr std::string_view kHasInclude = "__has_include";
  for (std::size_t at = text.find_first_of("#_"); at != std::string_view::npos;
       at = text.find_first_of("#_", at + 1)) {
    std::string_view rest = text.substr(at);
    if (rest[0] == '#') {
      rest = skip_blanks(rest.substr(1));
      if (!rest.starts_with(kInclude)) continue;
      rest.remove_prefix(kInclude.size());
      if (rest.starts_with("_next")) rest.remove_prefix(5);
      if (rest.empty() || is_word(rest[0])) continue;
      add(read_name(rest));
    } else if (rest.starts_with(kHasInclude)) {
      rest = skip_blanks(rest.substr(kHasInclude.size()));
      if (rest.starts_with('(')) add(read_name(rest.substr(1)));
    }
  }
  return result;
}

std::vector<SourceFile> collect_sources(const CompileJob& job) { return Collector(job).collect(); }

}  // namespace warpwright
