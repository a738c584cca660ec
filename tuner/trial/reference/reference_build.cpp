// Building references from outside the tree, once per content.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>

#include "compile/include_scan.h"
#include "core/error.h"
#include "core/escape.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/process/run_command.h"
#include "trial/reference/reference.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

// Changes when the options below do.
constexpr std::string_view kBuildVersion = "reference-build-1";
constexpr int kShownLines = 10;

std::vector<std::string> compile_options(const fs::path& include_folder) {
  // Both `#include "reference.h"` and `#include "common/reference.h"` find the ABI.
  return {"-O2",
          "-std=c++17",
          "-shared",
          "-fPIC",
          "-I" + include_folder.string(),
          "-I" + include_folder.parent_path().string()};
}

fs::path find_compiler(const fs::path& source) {
  std::vector<std::string> candidates{"c++", "g++", "clang++"};
  if (const char* chosen = std::getenv("CXX"); chosen != nullptr && *chosen != '\0')
    candidates = {chosen};
  for (const std::string& candidate : candidates) {
    if (const auto found = find_program(candidate)) return *found;
  }
  throw environment_error(
      fmt::format("no C++ compiler to build the reference {}: looked for {}; install one (apt "
                  "install g++) or set CXX",
                  source.string(), fmt::join(candidates, ", ")));
}

// The source, then what it includes; what is not found is the system's.
std::vector<SourceFile> reference_files(const fs::path& source, const fs::path& include_folder,
                                        const std::shared_ptr<SourceBundle>& texts) {
  CompileJob job;
  job.source = source;
  job.include_folders = {include_folder, include_folder.parent_path()};
  job.texts = texts;
  std::vector<SourceFile> files = collect_sources(job);
  std::erase_if(files, [](const SourceFile& file) { return !file.found; });
  return files;
}

// Where a file of that path lies below `root`.
fs::path below(const fs::path& root, const fs::path& path) {
  return root / fs::absolute(path).relative_path();
}

// The files as they were read, below `root` as they lie on the disk. Each says where it is from:
// messages and __FILE__ name that.
void lay_out(const std::vector<SourceFile>& files, const fs::path& root) {
  for (const SourceFile& file : files) {
    const fs::path copy = below(root, file.path);
    make_folder(copy.parent_path());
    std::ofstream out(copy, std::ios::binary);
    out << "#line 1 " << c_literal(file.path.string()) << '\n' << file.content;
    out.close();
    if (!out) throw environment_error(fmt::format("cannot write {}", copy.string()));
  }
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::string first_lines(const std::string& text, int count) {
  std::string shown;
  std::istringstream lines(text);
  std::string line;
  for (int i = 0; i < count && std::getline(lines, line); ++i) shown += "\n  " + line;
  if (std::getline(lines, line)) shown += "\n  ...";
  return shown;
}

}  // namespace

fs::path build_reference(const fs::path& source, const fs::path& include_folder,
                         const fs::path& cache_folder, const std::shared_ptr<SourceBundle>& texts) {
  const std::shared_ptr<SourceBundle> read =
      texts != nullptr ? texts : std::make_shared<SourceBundle>();
  const fs::path compiler = find_compiler(source);
  if (read->find(source) == nullptr) throw user_error(source.string() + ": no such reference");
  const std::vector<SourceFile> files = reference_files(source, include_folder, read);
  Sha256 hash;
  hash.field(kBuildVersion).field(compiler.string());
  for (const std::string& option : compile_options(include_folder)) hash.field(option);
  for (const SourceFile& file : files)
    hash.field(file.path.filename().string()).field(file.content);

  const fs::path object = cache_folder / (hash.hex() + ".so");
  if (fs::exists(object)) return object;
  make_folder(cache_folder);

  const TemporaryFolder copies("warpwright-reference-source");
  lay_out(files, copies.path());
  // Compiled beside its final place and renamed: two processes that build at once both publish a
  // whole object.
  const fs::path partial = fmt::format("{}.{}", object.string(), ::getpid());
  std::vector<std::string> command{compiler.string()};
  const std::vector<std::string> options = compile_options(below(copies.path(), include_folder));
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"-o", partial.string(), below(copies.path(), source).string()});
  CommandResult result = run_command(command);
  if (result.exit_code != 0) {
    std::error_code ignored;
    fs::remove(partial, ignored);
    replace_all(result.output, copies.path().string(), "");
    throw user_error(fmt::format("{}: the reference does not compile ({}, exit code {}):{}",
                                 source.string(), compiler.string(), result.exit_code,
                                 first_lines(result.output, kShownLines)));
  }
  std::error_code failed;
  fs::rename(partial, object, failed);
  if (failed) {
    throw environment_error(fmt::format("cannot write {}: {}", object.string(), failed.message()));
  }
  return object;
}

SourceTexts contract_texts(const KernelSpec& kernel, const fs::path& include_folder) {
  if (kernel.texts == nullptr) return {};
  // Building the reference elsewhere must find what it includes.
  if (!kernel.launch_only)
    static_cast<void>(reference_files(kernel.reference.source, include_folder, kernel.texts));
  return kernel.texts->texts();
}

}  // namespace warpwright
