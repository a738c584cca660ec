#include "vet/comments/device_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "compile/include_scan.h"
#include "compile/nvrtc.h"
#include "core/cpp_scan.h"
#include "core/error.h"
#include "core/terminal_text.h"
#include "core/words.h"
#include "vet/comments/host_code.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

// Each round removes the code that the previous round's errors pointed at; a missing header ends a
// round early.
constexpr int kMaxRounds = 12;
constexpr int kMaxMissing = 50;

struct ErrorPlace {
  std::string file;
  int line = 0;
  int column = 0;       // 0 when the compiler draws no caret
  std::string message;  // excluded from comparisons
  friend bool operator<(const ErrorPlace& a, const ErrorPlace& b) {
    return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
  }
};

// An error is followed by the source line and a caret line, both indented by two.
int caret_column(std::string_view line) {
  const std::size_t caret = line.find_first_not_of(" \t");
  return caret != std::string_view::npos && line[caret] == '^' && caret >= 2
             ? static_cast<int>(caret) - 1
             : 0;
}

// Parses lines such as `a.cu(12): error: identifier "x" is undefined`.
std::set<ErrorPlace> errors_of(std::string_view log) {
  std::set<ErrorPlace> places;
  const std::vector<std::string_view> lines = split_lines(log);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const std::string_view word : {"): error: ", "): catastrophic error: "}) {
      const std::size_t close = lines[i].find(word);
      if (close == std::string_view::npos) continue;
      const std::size_t open = lines[i].rfind('(', close);
      if (open == std::string_view::npos) continue;
      ErrorPlace place{std::string(lines[i].substr(0, open)), 0, 0,
                       std::string(lines[i].substr(close + word.size()))};
      std::from_chars(lines[i].data() + open + 1, lines[i].data() + close, place.line);
      if (i + 2 < lines.size()) place.column = caret_column(lines[i + 2]);
      places.insert(std::move(place));
    }
  }
  return places;
}

bool toolkit_has(const Toolchain& toolchain, const std::string& header) {
  std::error_code ignored;
  return std::any_of(toolchain.include_folders.begin(), toolchain.include_folders.end(),
                     [&](const fs::path& folder) { return fs::exists(folder / header, ignored); });
}

// True for host headers: those of C, of C++ and of the system. nvcc finds them; device code that
// needs one does not compile without it.
bool is_of_the_host(const std::string& header) {
  static const std::set<std::string, std::less<>> kStandard = {"algorithm",
                                                               "any",
                                                               "array",
                                                               "assert.h",
                                                               "atomic",
                                                               "barrier",
                                                               "bit",
                                                               "bitset",
                                                               "cassert",
                                                               "cctype",
                                                               "cerrno",
                                                               "cfenv",
                                                               "cfloat",
                                                               "charconv",
                                                               "chrono",
                                                               "cinttypes",
                                                               "climits",
                                                               "clocale",
                                                               "cmath",
                                                               "codecvt",
                                                               "compare",
                                                               "complex",
                                                               "complex.h",
                                                               "concepts",
                                                               "condition_variable",
                                                               "coroutine",
                                                               "csetjmp",
                                                               "csignal",
                                                               "cstdarg",
                                                               "cstddef",
                                                               "cstdint",
                                                               "cstdio",
                                                               "cstdlib",
                                                               "cstring",
                                                               "ctime",
                                                               "ctype.h",
                                                               "cuchar",
                                                               "cwchar",
                                                               "cwctype",
                                                               "deque",
                                                               "dirent.h",
                                                               "dlfcn.h",
                                                               "errno.h",
                                                               "exception",
                                                               "execution",
                                                               "expected",
                                                               "fcntl.h",
                                                               "fenv.h",
                                                               "filesystem",
                                                               "float.h",
                                                               "format",
                                                               "forward_list",
                                                               "fstream",
                                                               "functional",
                                                               "future",
                                                               "getopt.h",
                                                               "initializer_list",
                                                               "inttypes.h",
                                                               "iomanip",
                                                               "ios",
                                                               "iosfwd",
                                                               "iostream",
                                                               "istream",
                                                               "iterator",
                                                               "latch",
                                                               "limits",
                                                               "limits.h",
                                                               "list",
                                                               "locale",
                                                               "locale.h",
                                                               "malloc.h",
                                                               "map",
                                                               "math.h",
                                                               "memory",
                                                               "memory_resource",
                                                               "mutex",
                                                               "new",
                                                               "numbers",
                                                               "numeric",
                                                               "optional",
                                                               "ostream",
                                                               "print",
                                                               "pthread.h",
                                                               "queue",
                                                               "random",
                                                               "ranges",
                                                               "ratio",
                                                               "regex",
                                                               "sched.h",
                                                               "scoped_allocator",
                                                               "semaphore",
                                                               "set",
                                                               "setjmp.h",
                                                               "shared_mutex",
                                                               "signal.h",
                                                               "source_location",
                                                               "span",
                                                               "sstream",
                                                               "stack",
                                                               "stdalign.h",
                                                               "stdarg.h",
                                                               "stdatomic.h",
                                                               "stdbool.h",
                                                               "stddef.h",
                                                               "stdexcept",
                                                               "stdint.h",
                                                               "stdio.h",
                                                               "stdlib.h",
                                                               "stop_token",
                                                               "streambuf",
                                                               "string",
                                                               "string.h",
                                                               "string_view",
                                                               "strings.h",
                                                               "strstream",
                                                               "syncstream",
                                                               "sys/mman.h",
                                                               "sys/stat.h",
                                                               "sys/time.h",
                                                               "sys/types.h",
                                                               "system_error",
                                                               "tgmath.h",
                                                               "thread",
                                                               "time.h",
                                                               "tuple",
                                                               "type_traits",
                                                               "typeindex",
                                                               "typeinfo",
                                                               "uchar.h",
                                                               "unistd.h",
                                                               "unordered_map",
                                                               "unordered_set",
                                                               "utility",
                                                               "valarray",
                                                               "variant",
                                                               "vector",
                                                               "version",
                                                               "wchar.h",
                                                               "wctype.h",
                                                               "windows.h"};
  if (kStandard.count(header) > 0) return true;
  const fs::path name(header);
  if (name.is_absolute() || std::find(name.begin(), name.end(), "..") != name.end()) return false;
  std::error_code ignored;
  return fs::exists("/usr/include" / name, ignored) ||
         fs::exists("/usr/local/include" / name, ignored);
}

class Preparation {
 public:
  explicit Preparation(const CompileJob& job) {
    const std::vector<SourceFile> files = collect_sources(job);
    std::vector<std::string_view> texts;
    for (const SourceFile& file : files)
      if (file.found) texts.push_back(file.content);
    const std::set<std::string> words = device_words(texts);
    for (const SourceFile& file : files) {
      if (!file.found) continue;
      const std::string name = compiler_name(file.path);
      const auto added = code_.emplace(name, HostCode(file.content, words));
      if (added.second) files_.push_back({name, file});
    }
    find_fragments();
    for (const File& file : files_)
      if (fragments_.count(file.name) == 0) code_.at(file.name).remove_launching();
    const Toolchain toolchain = require_toolchain();
    for (const SourceFile& file : files)
      if (!file.found && file.content.empty() && !toolkit_has(toolchain, file.name) &&
          is_of_the_host(file.name))
        leave_out(file.name, headers_);
    number();
  }

  [[nodiscard]] SourceTexts texts() const {
    SourceTexts texts;
    for (const File& file : files_)
      texts[fs::absolute(file.source.path).lexically_normal().string()] =
          code_.at(file.name).marked_text();
    return texts;
  }

  // Returns false when none of the code that the errors point at could be removed.
  bool remove(const std::set<ErrorPlace>& errors) {
    bool removed = false;
    for (const ErrorPlace& error : errors) {
      if (code_.count(error.file) > 0) {
        removed = remove_own(error) || removed;
      } else if (error.file.find('/') != std::string::npos) {
        removed = leave_out_toolkit(error.file) || removed;
      }
    }
    number();
    return removed;
  }

  // Removes includes that the compiler could not open, and records them for the report. Returns
  // false when no error is about an include.
  bool remove_missing(const std::set<ErrorPlace>& errors) {
    bool removed = false;
    for (const ErrorPlace& error : errors) {
      const auto own = code_.find(error.file);
      // The message starts with "cannot open" or "could not open", depending on version and place.
      if (own == code_.end() ||
          error.message.find("not open source file \"") == std::string_view::npos)
        continue;
      for (const CppDirective& directive : find_directives(own->second.text())) {
        for (const IncludeName& include : scan_includes(directive.text)) {
          if (error.message.find('"' + include.name + '"') == std::string_view::npos) continue;
          removed = leave_out(include.name, missing_) || removed;
        }
      }
    }
    return removed;
  }

  [[nodiscard]] const std::vector<LeftOut>& missing() const { return missing_; }

  // Bodies and declarations in the order of their marks, then headers.
  [[nodiscard]] std::vector<LeftOut> left_out() const {
    std::vector<LeftOut> all;
    for (const File& file : files_) {
      for (const RemovedCode& one : code_.at(file.name).removed()) {
        using What = LeftOut::What;
        const auto why = why_.find({file.name, one.name, one.line});
        all.push_back({!one.is_body   ? What::kDeclaration
                       : one.is_asked ? What::kBody
                                      : What::kLaunchingBody,
                       one.name,
                       {file.source.path.string(), one.line, 0},
                       why == why_.end() ? "" : why->second});
      }
    }
    all.insert(all.end(), headers_.begin(), headers_.end());
    return all;
  }

 private:
  struct File {
    std::string name;  // as the compiler names it
    SourceFile source;
  };

  // A file that is included within a declaration is part of that declaration, with everything that
  // it includes itself, so it has no declarations that could be removed.
  void find_fragments() {
    std::vector<const File*> left;
    const auto add = [&](const std::string& path) {
      const auto found = std::find_if(files_.begin(), files_.end(), [&](const File& file) {
        return file.source.path.string() == path;
      });
      if (found != files_.end() && fragments_.insert(found->name).second) left.push_back(&*found);
    };
    for (const File& file : files_) {
      for (const auto& [line, directive] : code_.at(file.name).inner_includes()) {
        const std::vector<IncludeName> names = scan_includes(directive);
        for (const auto& [written, path] : file.source.includes) {
          // A macro may expand to any of them.
          const bool is_it = std::any_of(names.begin(), names.end(), [&](const IncludeName& name) {
            return name.form == IncludeName::Form::kComputed ||
                   written.find(name.name) != std::string_view::npos;
          });
          if (!is_it) continue;
          sites_[compiler_name(path)].emplace_back(file.name, line);
          add(path);
        }
      }
    }
    while (!left.empty()) {
      const File& file = *left.back();
      left.pop_back();
      for (const auto& [written, path] : file.source.includes) {
        sites_[compiler_name(path)].emplace_back(file.name, 0);
        add(path);
      }
    }
  }

  // Numbers the marks of all files consecutively.
  void number() {
    std::size_t first = 0;
    for (const File& file : files_) {
      HostCode& code = code_.at(file.name);
      code.number_from(first);
      first += code.removed().size();
    }
  }

  bool remove_own(const ErrorPlace& error) {
    // nvcc refuses failed static assertions too, wherever they occur.
    if (error.message.starts_with("static assertion failed")) return false;
    // A host function's body that includes a fragment is removed as a whole.
    std::vector<std::pair<std::string, int>> places = {{error.file, error.line}};
    std::set<std::string> seen;
    bool removed = false;
    while (!places.empty()) {
      const auto [file, line] = places.back();
      places.pop_back();
      if (fragments_.count(file) > 0) {
        if (seen.insert(file).second)
          places.insert(places.end(), sites_[file].begin(), sites_[file].end());
        continue;
      }
      HostCode& code = code_.at(file);
      const std::size_t before = code.removed().size();
      if (!code.remove_at(line, file == error.file ? error.column : 0)) continue;
      removed = true;
      if (code.removed().size() == before) continue;
      const RemovedCode& last = code.removed().back();
      why_.emplace(std::tuple(file, last.name, last.line), error.message);
    }
    return removed;
  }

  bool leave_out(const std::string& header, std::vector<LeftOut>& told) {
    bool removed = false;
    for (const File& file : files_) {
      for (const int line : code_.at(file.name).remove_include(header)) {
        if (!removed)
          told.push_back(
              {LeftOut::What::kHeader, header, {file.source.path.string(), line, 0}, ""});
        removed = true;
      }
    }
    return removed;
  }

  // Removes a toolkit header meant for the host: the failing header itself, one of its family
  // (<cublasLt.h> where cublas_api.h fails), or Thrust, which fails inside other headers.
  bool leave_out_toolkit(const std::string& failing) {
    const std::string failing_stem = fs::path(failing).stem().string();
    for (const auto& [name, code] : code_) {
      for (const IncludeName& include : scan_includes(code.text())) {
        const std::string stem = fs::path(include.name).stem().string();
        const auto differs =
            std::mismatch(stem.begin(), stem.end(), failing_stem.begin(), failing_stem.end());
        const bool is_kin = differs.first - stem.begin() >= 5 && !stem.starts_with("cuda");
        const bool is_it =
            failing.ends_with("/" + include.name) || is_kin ||
            (include.name.starts_with("thrust/") && failing.find("/thrust/") != std::string::npos);
        if (is_it && leave_out(include.name, headers_)) return true;
      }
    }
    return false;
  }

  std::vector<File> files_;  // the source first
  std::map<std::string, HostCode> code_;
  std::set<std::string> fragments_;
  // The places that include each fragment: a file and a line, which is 0 inside another fragment.
  std::map<std::string, std::vector<std::pair<std::string, int>>> sites_;
  std::map<std::tuple<std::string, std::string, int>, std::string> why_;
  std::vector<LeftOut> headers_, missing_;
};

}  // namespace

const std::string& unannotated_is_device() {
  static const std::string kOption = "-default-device";
  return kOption;
}

DeviceSource make_device_source(CompileJob job, const std::string& behind,
                                const CompileOne& compile) {
  DeviceSource result;
  job.extra_options.push_back(unannotated_is_device());
  Preparation preparation(job);
  const std::string source = fs::absolute(job.source).lexically_normal().string();
  int rounds = 0, missing = 0;
  for (;;) {
    result.texts = preparation.texts();
    auto texts = std::make_shared<SourceBundle>(SourceTexts());
    for (const auto& [path, text] : result.texts)
      texts->add(path, path == source ? text + behind : text);
    job.texts = std::move(texts);
    result.compiled = compile(job);
    if (result.compiled.ok) break;
    const std::set<ErrorPlace> errors = errors_of(result.compiled.log);
    if (missing < kMaxMissing && preparation.remove_missing(errors)) {
      ++missing;
    } else if (rounds++ == kMaxRounds || !preparation.remove(errors)) {
      break;
    }
  }
  result.left_out = preparation.left_out();
  result.missing = preparation.missing();
  return result;
}

void require_whole(const CompileResult& compiled, const std::vector<LeftOut>& left_out) {
  for (const std::size_t number : marks_in(compiled.ptx)) {
    if (number >= left_out.size()) continue;
    const LeftOut& body = left_out[number];
    const bool launches = body.what == LeftOut::What::kLaunchingBody;
    throw user_error(
        body.where,
        fmt::format("error: device code calls '{}', whose body was left out: {}; write it so that "
                    "NVRTC takes it, or another one under #ifdef __CUDACC_RTC__",
                    shown_name(body.name),
                    launches ? "it is main() or launches kernels" : shown_name(body.why)));
  }
}

}  // namespace warpwright
