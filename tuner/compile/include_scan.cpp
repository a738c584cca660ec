#include "compile/include_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "compile/standard_headers.h"

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

// The name at `text`, right after the directive; `text` then begins with it.
std::optional<IncludeName> read_name(std::string_view& text) {
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

// How an include is written, as SourceFile::includes has it.
std::string written(const IncludeName& include) {
  const std::string name = include.form == IncludeName::Form::kQuoted ? '"' + include.name + '"'
                                                                      : '<' + include.name + '>';
  return include.next ? "next " + name : name;
}

class Collector {
 public:
  explicit Collector(const CompileJob& job)
      : job_(job), texts_(job.texts != nullptr ? job.texts : std::make_shared<SourceBundle>()) {
    folders_.push_back(job.source.parent_path());
    folders_.insert(folders_.end(), job.include_folders.begin(), job.include_folders.end());
    // Folders that the caller passed by hand.
    for (fs::path& folder : job.extra_folders()) folders_.push_back(std::move(folder));
  }

  std::vector<SourceFile> collect() {
    add_file(job_.source.string(), job_.source, texts_->require(job_.source));
    for (const std::string& option : job_.extra_options) {
      if (const auto name = pre_included(option)) add({IncludeName::Form::kQuoted, *name}, 0);
    }
    // Files are appended while we walk: breadth first, without recursion.
    for (std::size_t i = 0; i < files_.size(); ++i) {
      if (!files_[i].found) continue;
      for (const IncludeName& include : scan_includes(files_[i].content)) add(include, i);
    }
    return std::move(files_);
  }

 private:
  // `from` is the including file.
  void add(const IncludeName& include, std::size_t from) {
    using Form = IncludeName::Form;
    if (include.form == Form::kComputed) {
      files_[from].computes = true;
      return add_computed(include.name, from);
    }
    const fs::path beside = files_[from].path.parent_path();
    std::optional<fs::path> found;
    auto folder = folders_.begin();
    if (include.next) {
      // What comes after the folder in which the including file was found.
      const auto own = std::find(folders_.begin(), folders_.end(), beside);
      if (own != folders_.end()) folder = own + 1;
    } else if (include.form == Form::kQuoted) {
      found = add_if_present(include.name, beside);
    }
    for (; !found && folder != folders_.end(); ++folder)
      found = add_if_present(include.name, *folder);
    if (found) {
      files_[from].includes.emplace(written(include), found->string());
    } else if (missing_.insert(include.name).second) {
      files_.push_back({include.name, {}, standard_header(include.name), false, {}, false});
    }
  }

  void add_computed(const std::string& macro, std::size_t from) {
    for (const auto& [name, value] : job_.defines) {
      if (name != macro) continue;
      std::string_view text = value;
      const auto target = read_name(text);
      if (target && target->form != IncludeName::Form::kComputed) return add(*target, from);
    }
    // The macro may come from anywhere: take everything that it could mean.
    for (const fs::path& folder : folders_) {
      for (const std::string& name : texts_->names_in(folder.empty() ? "." : folder))
        static_cast<void>(add_if_present(name, folder));
    }
  }

  // The path under which the file is part of the job.
  std::optional<fs::path> add_if_present(const std::string& name, const fs::path& folder) {
    fs::path path = folder / name;
    if (const auto seen = seen_.find(path.lexically_normal()); seen != seen_.end())
      return seen->second;
    const std::string* content = texts_->find(path);
    if (content == nullptr) return std::nullopt;
    add_file(name, path, *content);
    return path;
  }

  void add_file(const std::string& name, const fs::path& path, std::string content) {
    seen_.emplace(path.lexically_normal(), path);
    files_.push_back({name, path, std::move(content), true, {}, false});
  }

  const CompileJob& job_;
  const std::shared_ptr<SourceBundle> texts_;
  std::vector<fs::path> folders_;
  std::vector<SourceFile> files_;
  std::map<fs::path, fs::path> seen_;  // normalised path to the name used
  std::set<std::string> missing_;
};

// An include where it stands.
struct PlacedInclude {
  IncludeName include;
  std::size_t begin = 0, end = 0;  // of the name with its marks
  std::size_t next = 0;            // where "_next" stands, before the name
  bool directive = true;           // false: text that looks like one
};

// True for a directive: a # in the middle of a line is text.
bool begins_line(std::string_view text, std::size_t at) {
  const std::size_t last = text.substr(0, at).find_last_not_of(" \t");
  if (last == std::string_view::npos || text[last] == '\n') return true;
  return last > 0 && text.substr(last - 1, 2) == "*/";
}

std::vector<PlacedInclude> place_includes(std::string_view text) {
  std::vector<PlacedInclude> result;
  const auto add = [&](std::string_view rest, std::size_t next, bool directive) {
    std::optional<IncludeName> name = read_name(rest);
    if (!name) return;
    const auto begin = static_cast<std::size_t>(rest.data() - text.data());
    const std::size_t marks = name->form == IncludeName::Form::kComputed ? 0 : 2;
    name->next = next != 0;
    const std::size_t end = begin + name->name.size() + marks;
    result.push_back({*std::move(name), begin, end, next, directive});
  };
  constexpr std::string_view kInclude = "include";
  constexpr std::string_view kNext = "_next";
  constexpr std::string_view kHasInclude = "__has_include";
  for (std::size_t at = text.find_first_of("#_"); at != std::string_view::npos;
       at = text.find_first_of("#_", at + 1)) {
    std::string_view rest = text.substr(at);
    if (rest[0] == '#') {
      rest = skip_blanks(rest.substr(1));
      if (!rest.starts_with(kInclude)) continue;
      rest.remove_prefix(kInclude.size());
      std::size_t next = 0;
      if (rest.starts_with(kNext)) {
        next = static_cast<std::size_t>(rest.data() - text.data());
        rest.remove_prefix(kNext.size());
      }
      if (rest.empty() || is_word(rest[0])) continue;
      add(rest, next, begins_line(text, at));
    } else if (rest.starts_with(kHasInclude)) {
      rest = skip_blanks(rest.substr(kHasInclude.size()));
      if (rest.starts_with('(')) add(rest.substr(1), 0, true);
    }
  }
  return result;
}

}  // namespace

std::vector<IncludeName> scan_includes(std::string_view text) {
  std::vector<IncludeName> result;
  for (PlacedInclude& one : place_includes(text)) {
    if (std::find(result.begin(), result.end(), one.include) == result.end())
      result.push_back(std::move(one.include));
  }
  return result;
}

std::optional<std::string> pre_included(const std::string& option) {
  for (const std::string_view lead : {"--pre-include=", "-include="})
    if (option.starts_with(lead)) return option.substr(lead.size());
  return std::nullopt;
}

std::vector<SourceFile> collect_sources(const CompileJob& job) {
  return job.files.empty() ? Collector(job).collect() : job.files;
}

std::string compiler_name(const fs::path& path) {
  constexpr std::string_view kUnwritable = "\"\\\n\r";
  std::string name;
  for (const char c : path.string()) {
    if (kUnwritable.find(c) == std::string_view::npos) {
      name += c;
    } else {
      name += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return name;
}

std::string with_paths(const SourceFile& file) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  std::string_view text = file.content;
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::string result;
  std::size_t done = 0;
  for (const PlacedInclude& one : place_includes(text)) {
    using Form = IncludeName::Form;
    if (one.include.form == Form::kComputed || !one.directive) continue;
    std::string name;
    if (const auto found = file.includes.find(written(one.include)); found != file.includes.end()) {
      name = '"' + compiler_name(found->second) + '"';
    } else {
      name = '<' + one.include.name + '>';
    }
    if (one.next != 0) {
      // As many blanks as removed, so that what follows stays in its column.
      result.append(text, done, one.next - done).append(5, ' ');
      done = one.next + 5;
    }
    result.append(text, done, one.begin - done).append(name);
    done = one.end;
  }
  return result.append(text.substr(done));
}

}  // namespace warpwright
