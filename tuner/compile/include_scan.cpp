#include "compile/include_scan.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <set>
#include <utility>

#include "compile/standard_headers.h"
#include "core/cpp_scan.h"
#include "core/error.h"
#include "core/file_bounds.h"
#include "core/terminal_text.h"
#include "core/words.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

// The key in SourceFile::refused for a __has_include in the body of a macro.
constexpr const char* kAskingMacro = "define __has_include";
// A header name that no toolkit has.
constexpr const char* kNoHeader = "<no/such/header>";
// Limits on the computed includes of a job, and on the definitions that are followed for each.
constexpr std::size_t kMaxComputed = 200;
constexpr std::size_t kMaxMeanings = 100;
// Limit on the total size of the headers that an #include of an unexplained macro may mean.
constexpr std::uint64_t kMaxUnforeseen = std::uint64_t{64} << 20;

// Parses the name at `text`, directly behind the directive. A name ends on the line that it begins
// on: behind it the directive's text has further lines only in a raw string.
std::optional<IncludeName> read_name(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
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

// True for a name that could lead out of the folder it is looked up in, whichever that is.
bool leads_out(const std::string& name) {
  const fs::path path(name);
  return path.is_absolute() || std::find(path.begin(), path.end(), "..") != path.end();
}

// Formats an include as it is written, which is its key in SourceFile::includes.
std::string written(const IncludeName& include) {
  using Form = IncludeName::Form;
  const std::string name = include.form == Form::kQuoted   ? '"' + include.name + '"'
                           : include.form == Form::kAngled ? '<' + include.name + '>'
                                                           : include.name;
  return include.next ? "next " + name : name;
}

bool is_any_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// An include and its place in a directive.
struct PlacedInclude {
  enum class Where {
    kDirective,  // a directive such as #include
    kCondition,  // __has_include(...) in an #if, or with a name in a macro's body
    kMacro,      // __has_include in a macro's body, applied to the macro's argument
  };
  Where where = Where::kDirective;
  IncludeName include;      // unset for kMacro
  std::string_view name;    // with delimiters, in the directive's text; for kMacro the whole call
  std::string_view suffix;  // "_next"
};

// Returns the end of the brackets that open at `open`, or the end of the text if they do not close.
std::size_t brackets_end(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')' && --depth == 0) return i + 1;
  }
  return text.size();
}

void place_questions(const CppDirective& directive, std::vector<PlacedInclude>& result) {
  constexpr std::string_view kHas = "__has_";
  const std::string_view text = directive.text;
  const bool defines = directive.word() == "define";
  for (std::size_t at = text.find(kHas); at != std::string_view::npos; at = text.find(kHas, at)) {
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string_view word = text.substr(at, end - at);
    const bool asks = is_any_of(word, {"__has_include", "__has_include_next", "__has_embed"}) &&
                      (at == 0 || !is_word(text[at - 1]));
    const std::size_t open = std::min(text.find_first_not_of(" \t", end), text.size());
    const bool called = open < text.size() && text[open] == '(';
    PlacedInclude one;
    one.where = PlacedInclude::Where::kCondition;
    std::optional<IncludeName> name;
    if (asks && called) name = read_name(text.substr(open + 1));
    if (name && !(defines && name->form == IncludeName::Form::kComputed)) {
      const std::size_t begin = text.find_first_not_of(" \t", open + 1);
      const std::size_t marks = name->form == IncludeName::Form::kComputed ? 0 : 2;
      name->next = word.ends_with("_next");
      one.name = text.substr(begin, name->name.size() + marks);
      one.include = *std::move(name);
      end = begin + one.name.size();
      result.push_back(std::move(one));
    } else if (asks && defines) {
      one.where = PlacedInclude::Where::kMacro;
      end = called ? brackets_end(text, open) : end;
      one.name = text.substr(at, end - at);
      result.push_back(std::move(one));
    }
    at = end;
  }
}

// The results are views into the directive.
std::vector<PlacedInclude> place_includes(const CppDirective& directive) {
  std::vector<PlacedInclude> result;
  const std::string_view word = directive.word();
  if (is_any_of(word, {"if", "elif", "define"})) {
    place_questions(directive, result);
  } else if (is_any_of(word, {"include", "include_next", "import", "embed"})) {
    const std::string_view rest = directive.rest();
    std::optional<IncludeName> name = read_name(rest);
    if (!name) return result;
    PlacedInclude one;
    const std::size_t marks = name->form == IncludeName::Form::kComputed ? 0 : 2;
    one.name = rest.substr(0, name->name.size() + marks);
    name->next = word.ends_with("_next");
    if (name->next) one.suffix = word.substr(word.size() - std::string_view("_next").size());
    one.include = *std::move(name);
    result.push_back(std::move(one));
  }
  return result;
}

bool asks_in_a_macro(const std::vector<CppDirective>& directives) {
  return std::any_of(directives.begin(), directives.end(), [](const CppDirective& directive) {
    const std::vector<PlacedInclude> all = place_includes(directive);
    return std::any_of(all.begin(), all.end(), [](const PlacedInclude& one) {
      return one.where == PlacedInclude::Where::kMacro;
    });
  });
}

// Makes a name suitable for the text of an #error.
std::string error_words(const std::string& name) {
  std::string words = shown_name(name);
  std::replace_if(
      words.begin(), words.end(), [](char c) { return c == '\'' || c == '"' || c == '\\'; }, '?');
  return words;
}

std::vector<IncludeName> includes_of(const std::vector<CppDirective>& directives) {
  std::vector<IncludeName> result;
  std::set<std::string> seen;
  for (const CppDirective& directive : directives)
    for (PlacedInclude& one : place_includes(directive))
      if (one.where != PlacedInclude::Where::kMacro && seen.insert(written(one.include)).second)
        result.push_back(std::move(one.include));
  return result;
}

// True if the options ask for a language in which trigraphs count: C++14 or older.
bool has_trigraphs(const CompileJob& job) {
  const std::vector<std::string>& options = job.extra_options;
  for (std::size_t i = 0; i < options.size(); ++i) {
    std::string_view language = options[i];
    if (language == "-std" || language == "--std") {
      if (++i == options.size()) break;
      language = options[i];
    } else if (const std::size_t at = language.find("std="); at != std::string_view::npos) {
      language.remove_prefix(at + std::string_view("std=").size());
    }
    if (is_any_of(language, {"c++03", "c++11", "c++14"})) return true;
  }
  return false;
}

// Trigraphs could hide a directive from the scan, and sources of today have none.
void refuse_trigraphs(const fs::path& file, std::string_view content) {
  for (std::size_t at = content.find("??"); at != std::string_view::npos;
       at = content.find("??", at + 1)) {
    constexpr std::string_view kThird = "=/'()!<>-";
    if (at + 2 == content.size() || kThird.find(content[at + 2]) == std::string_view::npos)
      continue;
    const std::string_view before = content.substr(0, at);
    throw user_error(fmt::format(
        "{}:{}: '{}' is a trigraph in the C++14 or older that the options ask for: write the "
        "character itself, or compile with --std=c++17 or later",
        shown_name(file.string()), 1 + std::count(before.begin(), before.end(), '\n'),
        content.substr(at, 3)));
  }
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
    // Files are appended during the walk, which is breadth first and needs no recursion.
    do {
      for (; walked_ < files_.size(); ++walked_) {
        if (!files_[walked_].found) continue;
        const std::vector<CppDirective> directives = find_directives(files_[walked_].content);
        note_macros(directives);
        if (!all_files_are_trusted() && asks_in_a_macro(directives))
          files_[walked_].refused[kAskingMacro];
        for (const IncludeName& include : includes_of(directives)) add(include, walked_);
      }
      // The macros may be defined in a file that is found later.
      for (const auto& [macro, from] : computed_) add_computed(macro, from);
    } while (walked_ < files_.size());
    return std::move(files_);
  }

 private:
  // `from` is the including file.
  void add(const IncludeName& include, std::size_t from) {
    using Form = IncludeName::Form;
    if (include.form == Form::kComputed) {
      files_[from].computes = true;
      const std::pair<std::string, std::size_t> one(include.name, from);
      if (std::find(computed_.begin(), computed_.end(), one) != computed_.end()) return;
      if (computed_.size() == kMaxComputed) {
        throw user_error(fmt::format("{}: more than {} includes of macros; write their names",
                                     shown_name(files_[from].path.string()), kMaxComputed));
      }
      computed_.push_back(one);
      return;
    }
    const fs::path beside = files_[from].path.parent_path();
    std::optional<fs::path> found;
    auto folder = folders_.begin();
    if (include.next) {
      // #include_next starts after the folder in which the including file was found.
      const auto own = std::find(folders_.begin(), folders_.end(), beside);
      if (own != folders_.end()) folder = own + 1;
    } else if (include.form == Form::kQuoted) {
      found = add_if_present(include.name, beside);
    }
    for (; !found && folder != folders_.end(); ++folder)
      found = add_if_present(include.name, *folder);
    if (found) {
      files_[from].includes.emplace(written(include), found->string());
      return;
    }
    if (leads_out(include.name)) files_[from].refused[written(include)] = why_not(include.name);
    if (missing_.insert(include.name).second)
      files_.push_back({include.name, {}, standard_header(include.name), false, {}, false});
  }

  // Records the texts that macros may stand for, from the job and from every file. An empty text
  // means that only a preprocessor could determine it.
  void note_macros(const std::vector<CppDirective>& directives) {
    for (const CppDirective& directive : directives) {
      if (directive.word() != "define") continue;
      std::string_view body = directive.rest();
      std::size_t length = 0;
      while (length < body.size() && is_word(body[length])) ++length;
      const std::string name(body.substr(0, length));
      body.remove_prefix(length);
      const bool takes_arguments = body.starts_with('(');
      macros_[name].insert(takes_arguments ? "" : std::string(body));
    }
  }

  [[nodiscard]] std::set<std::string> meanings(const std::string& macro) const {
    std::set<std::string> all;
    for (const auto& [name, value] : job_.defines)
      if (name == macro) all.insert(value);
    for (const std::string& option : job_.extra_options) {
      if (const std::string lead = "-D" + macro + "="; option.starts_with(lead))
        all.insert(option.substr(lead.size()));
    }
    if (const auto found = macros_.find(macro); found != macros_.end())
      all.insert(found->second.begin(), found->second.end());
    return all;
  }

  // Returns the names that a computed include may stand for; nullopt if only a preprocessor could
  // determine them.
  [[nodiscard]] std::optional<std::vector<IncludeName>> names_of(const std::string& macro) const {
    std::vector<IncludeName> names;
    std::vector<std::string> left = {macro};
    std::set<std::string> seen = {macro};
    while (!left.empty()) {
      const std::set<std::string> bodies = meanings(left.back());
      left.pop_back();
      if (bodies.empty() || bodies.size() + names.size() + seen.size() > kMaxMeanings)
        return std::nullopt;
      for (const std::string& body : bodies) {
        std::optional<IncludeName> name = read_name(body);
        if (!name) return std::nullopt;
        if (name->form != IncludeName::Form::kComputed) {
          names.push_back(*std::move(name));
        } else if (body.find(name->name) + name->name.size() != body.size()) {
          return std::nullopt;  // more than one word
        } else if (seen.insert(name->name).second) {
          left.push_back(name->name);
        }
      }
    }
    return names;
  }

  void add_computed(const std::string& macro, std::size_t from) {
    const std::optional<std::vector<IncludeName>> names = names_of(macro);
    if (!names && all_files_are_trusted()) {
      files_[from].unforeseen = true;
      return add_folders();
    }
    if (!names) {
      files_[from].refused[macro] = fmt::format(
          "{}the name that {} stands for is not known before the source is compiled: write it, or "
          "give -D {}=NAME or --trust-includes",
          kRefusalMark, error_words(macro), error_words(macro));
      return;
    }
    for (const IncludeName& name : *names) {
      add(name, from);
      const auto refused = files_[from].refused.find(written(name));
      if (refused != files_[from].refused.end()) files_[from].refused[macro] = refused->second;
    }
  }

  // The macro may mean any header in the folders.
  void add_folders() {
    if (std::exchange(added_folders_, true)) return;
    std::uint64_t bytes = 0;
    for (const fs::path& folder : folders_) {
      for (const std::string& name : texts_->names_in(folder.empty() ? "." : folder)) {
        if (!has_source_name(name)) continue;
        std::error_code ignored;
        const std::uint64_t size = fs::file_size(folder / name, ignored);
        bytes += ignored ? 0 : size;
        if (bytes > kMaxUnforeseen) {
          throw user_error(fmt::format(
              "{}: an #include of a macro may stand for any header of {}, which hold more than {} "
              "MiB; write the name, or give it with -D",
              shown_name(job_.source.string()), shown_name(folder.string()), kMaxUnforeseen >> 20));
        }
        static_cast<void>(add_if_present(name, folder));
      }
    }
  }

  [[nodiscard]] std::string why_not(const std::string& name) const {
    if (all_files_are_trusted())
      return fmt::format("{}'{}' is not there, or not a file", kRefusalMark, error_words(name));
    return fmt::format(
        "{}'{}' is not read, for it lies outside of the folder of the kernel and those of "
        "--include: name its folder there, or give --trust-includes",
        kRefusalMark, error_words(name));
  }

  // Returns the path under which the file is part of the job, if it exists.
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
    if (has_trigraphs_) refuse_trigraphs(path, content);
    seen_.emplace(path.lexically_normal(), path);
    files_.push_back({name, path, std::move(content), true, {}, false});
  }

  const CompileJob& job_;
  const std::shared_ptr<SourceBundle> texts_;
  const bool has_trigraphs_ = has_trigraphs(job_);
  std::vector<fs::path> folders_;
  std::vector<SourceFile> files_;
  std::map<fs::path, fs::path> seen_;  // normalised path to the name used
  std::set<std::string> missing_;
  std::map<std::string, std::set<std::string>> macros_;        // all definitions of each
  std::vector<std::pair<std::string, std::size_t>> computed_;  // macros with the including file
  std::size_t walked_ = 0;
  bool added_folders_ = false;
};

// True for a text with more comment openings than an author would write, each of which may cause a
// compiler warning.
bool opens_many_comments(std::string_view text) {
  constexpr int kMany = 1000;
  int count = 0;
  for (std::size_t at = text.find("/*"); at != std::string_view::npos && count < kMany;
       at = text.find("/*", at + 2))
    ++count;
  return count == kMany;
}

// Collects edits of a text, in order of position, that keep the number of lines.
class Edits {
 public:
  explicit Edits(std::string_view text) : text_(text) {}
  // `line_end` replaces each line end within the old text.
  void replace(std::size_t begin, std::size_t end, const std::string& by,
               std::string_view line_end) {
    result_.append(text_, done_, begin - done_).append(by);
    for (std::size_t i = begin; i < end; ++i)
      if (text_[i] == '\n') result_ += line_end;
    done_ = end;
  }
  [[nodiscard]] std::string finish() { return std::move(result_.append(text_.substr(done_))); }

 private:
  std::string_view text_;
  std::string result_;
  std::size_t done_ = 0;
};

// Returns the position of a part of a directive in the source.
std::pair<std::size_t, std::size_t> range_of(const CppDirective& directive, std::string_view part) {
  const auto first = static_cast<std::size_t>(part.data() - directive.text.data());
  return {directive.from[first], directive.from[first + part.size() - 1] + 1};
}

}  // namespace

std::vector<IncludeName> scan_includes(std::string_view text) {
  return includes_of(find_directives(text));
}

std::optional<std::string> pre_included(const std::string& option) {
  for (const std::string_view lead : {"--pre-include=", "-include="})
    if (option.starts_with(lead)) return option.substr(lead.size());
  return std::nullopt;
}

std::vector<SourceFile> collect_sources(const CompileJob& job) {
  return job.files.empty() ? Collector(job).collect() : job.files;
}

namespace {

// Characters that no #include can contain, and how they are written instead.
constexpr std::string_view kUnwritable = "\"\\\n\r";

std::string written_byte(char c) { return fmt::format("%{:02X}", static_cast<unsigned char>(c)); }

}  // namespace

std::string compiler_name(const fs::path& path) {
  std::string name;
  for (const char c : path.string())
    name += kUnwritable.find(c) == std::string_view::npos ? std::string(1, c) : written_byte(c);
  return name;
}

fs::path path_of_compiler_name(const std::string& name) {
  std::string path;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const auto unwritable = std::find_if(kUnwritable.begin(), kUnwritable.end(), [&](char c) {
      return name.compare(i, 3, written_byte(c)) == 0;
    });
    path += unwritable == kUnwritable.end() ? name[i] : *unwritable;
    if (unwritable != kUnwritable.end()) i += 2;
  }
  return path;
}

std::string with_refusals(const SourceFile& file) {
  Edits edits(file.content);
  for (const CppDirective& directive : find_directives(file.content)) {
    for (const PlacedInclude& one : place_includes(directive)) {
      if (one.where != PlacedInclude::Where::kDirective ||
          one.include.form == IncludeName::Form::kComputed)
        continue;
      const auto refused = file.refused.find(written(one.include));
      if (refused != file.refused.end())
        edits.replace(directive.from.front(), directive.from.back(), "#error " + refused->second,
                      "\n");
    }
  }
  return edits.finish();
}

std::string with_paths(const SourceFile& file) {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  std::string_view text = file.content;
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  std::string plain;
  if (opens_many_comments(text)) text = plain = without_nested_comments(text);
  Edits edits(text);
  const auto refusal_of = [&](const std::string& key) -> const std::string* {
    const auto refused = file.refused.find(key);
    return refused == file.refused.end() ? nullptr : &refused->second;
  };
  for (const CppDirective& directive : find_directives(text)) {
    for (const PlacedInclude& one : place_includes(directive)) {
      using Where = PlacedInclude::Where;
      const auto [begin, end] = range_of(directive, one.name);
      if (one.where == Where::kMacro) {
        if (refusal_of(kAskingMacro) != nullptr)
          edits.replace(begin, end, one.name.ends_with(')') ? "0" : "has_no_include", "\\\n");
        continue;
      }
      const bool computed = one.include.form == IncludeName::Form::kComputed;
      const std::string* refusal = refusal_of(written(one.include));
      if (refusal != nullptr && one.where == Where::kDirective) {
        edits.replace(directive.from.front(), directive.from.back(), "#error " + *refusal, "\n");
        continue;
      }
      std::string name = '<' + one.include.name + '>';
      if (refusal != nullptr) {
        name = kNoHeader;
      } else if (computed) {
        continue;
      } else if (const auto found = file.includes.find(written(one.include));
                 found != file.includes.end()) {
        name = '"' + compiler_name(found->second) + '"';
      } else if (one.include.name.find('>') != std::string::npos) {
        // Between angle brackets the name would end here and mean another file.
        name = kNoHeader;
      }
      if (!one.suffix.empty()) {
        // Insert a blank for each removed character, so that the rest stays in its column.
        const auto [from, to] = range_of(directive, one.suffix);
        edits.replace(from, to, std::string(to - from, ' '), "\\\n");
      }
      edits.replace(begin, end, name, "\\\n");
    }
  }
  return edits.finish();
}

}  // namespace warpwright
