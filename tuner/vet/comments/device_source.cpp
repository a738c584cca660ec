#include "vet/comments/device_source.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <set>
#include <tuple>

#include "check/line_growth.h"
#include "compile/include_scan.h"
#include "compile/nvrtc.h"
#include "vet/comments/host_code.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

// Each round removes what the one before it was about.
constexpr int kMaxRounds = 12;

struct ErrorPlace {
  std::string file;
  int line = 0;
  int column = 0;  // 0 when the compiler draws no caret
  friend bool operator<(const ErrorPlace& a, const ErrorPlace& b) {
    return std::tie(a.file, a.line, a.column) < std::tie(b.file, b.line, b.column);
  }
};

// Below an error stand the source's line and a caret, both moved by two.
int caret_column(std::string_view line) {
  const std::size_t caret = line.find_first_not_of(" \t");
  return caret != std::string_view::npos && line[caret] == '^' && caret >= 2
             ? static_cast<int>(caret) - 1
             : 0;
}

// Of lines such as `a.cu(12): error: identifier "x" is undefined`.
std::set<ErrorPlace> errors_of(std::string_view log) {
  std::set<ErrorPlace> places;
  const std::vector<std::string_view> lines = split_lines(log);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    for (const std::string_view word : {"): error", "): catastrophic error"}) {
      const std::size_t close = lines[i].find(word);
      if (close == std::string_view::npos) continue;
      const std::size_t open = lines[i].rfind('(', close);
      if (open == std::string_view::npos) continue;
      ErrorPlace place{std::string(lines[i].substr(0, open)), 0, 0};
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

class Preparation {
 public:
  Preparation(const CompileJob& job, std::vector<std::string>& without) : without_(without) {
    const std::vector<SourceFile> files = collect_sources(job);
    std::vector<std::string_view> texts;
    for (const SourceFile& file : files)
      if (file.found) texts.push_back(file.content);
    const std::set<std::string> words = device_words(texts);
    for (const SourceFile& file : files) {
      if (!file.found) continue;
      // The first is the source.
      if (source_.empty()) source_ = compiler_name(file.path);
      const std::string name = compiler_name(file.path);
      paths_.emplace(name, file.path);
      code_.emplace(name, HostCode(file.content, words)).first->second.remove_launching();
    }
    const Toolchain toolchain = require_toolchain();
    for (const SourceFile& file : files)
      if (!file.found && file.content.empty() && !toolkit_has(toolchain, file.name))
        leave_out(file.name);
  }

  [[nodiscard]] SourceTexts texts() const {
    SourceTexts texts;
    for (const auto& [name, code] : code_)
      texts[fs::absolute(paths_.at(name)).lexically_normal().string()] = code.text();
    return texts;
  }

  // False when nothing of what the errors are about could go.
  bool remove(const std::set<ErrorPlace>& errors) {
    bool removed = false;
    for (const ErrorPlace& error : errors) {
      const auto own = code_.find(error.file);
      if (own != code_.end()) {
        removed = own->second.remove_at(error.line, error.column) || removed;
      } else if (error.file.find('/') != std::string::npos) {
        removed = leave_out_toolkit(error.file) || removed;
      }
    }
    return removed;
  }

 private:
  bool leave_out(const std::string& header) {
    bool removed = false;
    for (auto& [name, code] : code_) removed = code.remove_include(header) || removed;
    if (removed) without_.push_back(header);
    return removed;
  }

  // A header of the toolkit that is for the host: itself, one of its family (<cublasLt.h> where
  // cublas_api.h fails), or Thrust, which fails in others' headers.
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
        if (is_it && leave_out(include.name)) return true;
      }
    }
    return false;
  }

  std::vector<std::string>& without_;
  std::string source_;
  std::map<std::string, fs::path> paths_;  // by the compiler's name
  std::map<std::string, HostCode> code_;
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
  Preparation preparation(job, result.without);
  const std::string source = fs::absolute(job.source).lexically_normal().string();
  for (int round = 0;; ++round) {
    result.texts = preparation.texts();
    auto texts = std::make_shared<SourceBundle>();
    for (const auto& [path, text] : result.texts)
      texts->add(path, path == source ? text + behind : text);
    job.texts = std::move(texts);
    result.compiled = compile(job);
    if (result.compiled.ok || round == kMaxRounds) return result;
    if (!preparation.remove(errors_of(result.compiled.log))) return result;
  }
}

}  // namespace warpwright
