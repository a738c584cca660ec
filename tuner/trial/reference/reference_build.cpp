// Builds references from outside the tree, once per content.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "compile/include_scan.h"
#include "core/cache_folder.h"
#include "core/error.h"
#include "core/escape.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/notices.h"
#include "core/process/memory_limit.h"
#include "core/process/run_command.h"
#include "core/process/worker_process.h"
#include "trial/reference/reference.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

// Changes when the options below do.
constexpr std::string_view kBuildVersion = "reference-build-2";
constexpr std::string_view kObjectRemedy = "the reference is compiled again";
// Appended to the object, where no loader looks: this text, and the SHA-256 of the object's name
// and content.
constexpr std::string_view kSeal = "\nwarpwright-reference 1 ";
constexpr std::size_t kSealDigits = 64;
constexpr int kShownLines = 10;
constexpr int kMaxTries = 3;
constexpr std::chrono::milliseconds kPauseAfterStop{250};

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

// Returns the source and the files that it includes; files that are not found belong to the system.
std::vector<SourceFile> reference_files(const fs::path& source, const fs::path& include_folder,
                                        const std::shared_ptr<SourceBundle>& texts) {
  CompileJob job;
  job.source = source;
  job.include_folders = {include_folder, include_folder.parent_path()};
  texts->allow(source.parent_path(), FolderUse::kOwn);
  texts->allow(include_folder, FolderUse::kOwn);
  job.texts = texts;
  std::vector<SourceFile> files = collect_sources(job);
  std::erase_if(files, [](const SourceFile& file) { return !file.found; });
  return files;
}

// The location below `root` of the copy of a file.
fs::path below(const fs::path& root, const fs::path& path) {
  return root / fs::absolute(path).relative_path();
}

// Writes the files as they were read below `root`, in the same folders as on the disk. Each begins
// with a #line directive, so that messages and __FILE__ name the original file.
void lay_out(const std::vector<SourceFile>& files, const fs::path& root) {
  for (const SourceFile& file : files) {
    const fs::path copy = below(root, file.path);
    make_folder(copy.parent_path());
    publish_file(copy,
                 fmt::format("#line 1 {}\n{}", c_literal(file.path.string()), with_refusals(file)));
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

std::string sealed_object(const std::string& key, const std::string& object) {
  return fmt::format("{}{}{}", object, kSeal, Sha256().field(key).field(object).hex());
}

bool is_sealed(const std::string& key, std::string_view bytes) {
  if (bytes.size() < kSeal.size() + kSealDigits) return false;
  const std::string_view object = bytes.substr(0, bytes.size() - kSeal.size() - kSealDigits);
  const std::string_view seal = bytes.substr(object.size());
  return seal.starts_with(kSeal) &&
         seal.substr(kSeal.size()) == Sha256().field(key).field(object).hex();
}

// An object that does not read back whole is not loaded: it would judge kernels.
bool is_usable(const fs::path& object) {
  std::optional<std::string> bytes;
  try {
    bytes = read_file_if_present(object);
  } catch (const Error& error) {
    add_notice(fmt::format("{}; {}", error.message(), kObjectRemedy));
  }
  if (!bytes) return false;
  if (!is_sealed(object.stem().string(), *bytes)) {
    drop_damaged_entry(object, kObjectRemedy);
    return false;
  }
  note_cache_use(object);
  return true;
}

// Whether the exit code alone shows that the machine, or possibly a small stack, ended the
// compiler.
bool is_machines(int exit_code) {
  constexpr int kSignalBase = 128;  // of a command that a signal ended
  constexpr int kGccCrash = 4;      // of a compiler that one ended, as g++ reports it
  if (exit_code > kSignalBase) return !is_own_fault(exit_code - kSignalBase) || has_small_stack();
  return exit_code == kGccCrash && has_small_stack();
}

// Whether the folder with the compiler's files has room, and a trivial source compiles there.
bool can_compile(const fs::path& compiler, const fs::path& folder) {
  constexpr std::size_t kRoom = std::size_t{4} << 20;
  const fs::path room = folder / "room";
  const fs::path innocent = folder / "innocent.cpp";
  if (try_publish_file(room, std::string(kRoom, ' '))) return false;
  std::error_code ignored;
  fs::remove(room, ignored);
  if (try_publish_file(innocent, "extern \"C\" int innocent() { return 0; }\n")) return false;
  const std::vector<std::string> command{
      compiler.string(), "-shared", "-fPIC", "-o", (folder / "innocent.so").string(),
      innocent.string()};
  return run_command(command).exit_code == 0;
}

// Returns the bytes of the shared object.
std::string compile(const fs::path& source, const fs::path& include_folder,
                    const fs::path& compiler, const std::vector<SourceFile>& files) {
  const TemporaryFolder copies("warpwright-reference-source");
  lay_out(files, copies.path());
  const fs::path object = copies.path() / "reference.so";
  std::vector<std::string> command{compiler.string()};
  const std::vector<std::string> options = compile_options(below(copies.path(), include_folder));
  command.insert(command.end(), options.begin(), options.end());
  command.insert(command.end(), {"-o", object.string(), below(copies.path(), source).string()});
  // A failure that does not repeat was not caused by the reference.
  int stops = 0;
  CommandResult last;
  for (int tries = 1; tries <= kMaxTries; ++tries) {
    CommandResult result = run_command(command);
    if (result.exit_code == 0) return read_file(object);
    replace_all(result.output, copies.path().string(), "");
    const bool repeats = tries > 1 && result.exit_code == last.exit_code;
    last = std::move(result);
    if (is_machines(last.exit_code) || !can_compile(compiler, copies.path())) {
      ++stops;
      std::this_thread::sleep_for(kPauseAfterStop);
    } else if (repeats) {
      break;
    }
  }
  const std::string said = first_lines(last.output, kShownLines);
  if (stops > 0) {
    throw Error(
        Fault::kEnvironment, {source.string()},
        fmt::format(
            "the machine stopped the compiler of the reference, which says nothing about the "
            "reference ({}, exit code {}); see that there is memory{} and room in {}, then run the "
            "same "
            "command again{}{}",
            compiler.string(), last.exit_code,
            has_small_stack() ? ", a larger stack (`ulimit -s`)" : "",
            copies.path().parent_path().string(), said.empty() ? "" : "; it said:", said));
  }
  throw user_error({source.string()},
                   fmt::format("the reference does not compile ({}, exit code {}):{}",
                               compiler.string(), last.exit_code, said));
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

  const std::string key = hash.hex();
  const fs::path object = cache_folder / (key + ".so");
  if (is_usable(object)) return object;

  const std::string built = compile(source, include_folder, compiler, files);
  if (publish_cache_file(cache_folder, object, sealed_object(key, built))) return object;
  // For this process alone.
  static const TemporaryFolder own("warpwright-reference");
  const fs::path unkept = own.path() / object.filename();
  publish_file(unkept, built);
  return unkept;
}

void verify_references(const fs::path& folder, CacheCheck& check) {
  verify_cache(folder, kObjectRemedy, check, [](const CacheFile& entry, const std::string& bytes) {
    return is_sealed(entry.path.stem().string(), bytes);
  });
}

SourceTexts contract_texts(const KernelSpec& kernel, const fs::path& include_folder) {
  if (kernel.texts == nullptr) return {};
  // Another process that builds the reference must find the included files.
  if (!kernel.launch_only)
    static_cast<void>(reference_files(kernel.reference.source, include_folder, kernel.texts));
  return kernel.texts->texts();
}

}  // namespace warpwright
