#include "compile/nvrtc.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nvrtc.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compile/compile_job.h"
#include "compile/compiler_log.h"
#include "compile/include_scan.h"
#include "compile/macro_check.h"
#include "core/error.h"

namespace warpwright {
namespace {

// The texts that NVRTC is given for a job's files: the source and, under its path, every header
// that was found, all in memory. NVRTC asks for headers by the name in the #include, so the texts
// name paths there (with_paths(), or compiler_name() of paths that no #include can contain). It
// finds the toolkit's own headers in their folders and has no other folders to search. If a macro
// provides the name of an include, the name is unknown beforehand: then each header is also
// available under the name by which it was found, and where that cannot be determined, the job's
// folders stay.
class ProgramText {
 public:
  // `files` is the result of collect_sources(), with the source first.
  ProgramText(const CompileJob& job, const std::vector<SourceFile>& files);
  // Not copyable, because it holds pointers into itself.
  ProgramText(const ProgramText&) = delete;
  ProgramText& operator=(const ProgramText&) = delete;

  [[nodiscard]] const char* source() const { return source_.c_str(); }
  [[nodiscard]] int header_count() const { return static_cast<int>(names_.size()); }
  // Null if there are no headers.
  [[nodiscard]] const char* const* header_names() const { return raw_names_.data(); }
  [[nodiscard]] const char* const* header_texts() const { return raw_texts_.data(); }
  // Replaces the names that the compiler was given for paths by the paths.
  [[nodiscard]] std::string with_real_paths(std::string text) const;
  // The job's options followed by those of the toolkit.
  [[nodiscard]] const std::vector<std::string>& options() const { return options_; }

 private:
  void add_header(std::string name, std::string text);

  std::string source_;
  std::vector<std::string> names_, texts_;
  std::vector<const char*> raw_names_, raw_texts_;
  std::vector<std::string> options_;
  std::vector<std::pair<std::string, std::string>> renamed_;  // compiler_name() and path
};

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

constexpr std::string_view kHowToGetIt =
    "install the CUDA toolkit, run scripts/dev/fetch_cuda to get NVRTC from PyPI, or set "
    "WARPWRIGHT_NVRTC to the "
    "library's path";

struct LibraryCloser {
  void operator()(void* handle) const { ::dlclose(handle); }
};
using Library = std::unique_ptr<void, LibraryCloser>;

Library open_library(const std::filesystem::path& file, int flags) {
  return Library(::dlopen(file.c_str(), flags));
}

std::string loader_error() {
  const char* text = ::dlerror();
  return text != nullptr ? text : "unknown error";
}

template <class Function>
Function* symbol(const Library& library, const char* name, const std::filesystem::path& file) {
  void* address = ::dlsym(library.get(), name);
  if (address == nullptr) {
    throw environment_error(fmt::format("{} has no {}: it is too old or not NVRTC; {}",
                                        file.string(), name, kHowToGetIt));
  }
  return reinterpret_cast<Function*>(address);
}

// Returns the name that launches use for the symbol; requested names take precedence over names
// that were found.
std::string name_of(const SymbolNames& names, const std::vector<std::string>& asked,
                    const std::string& symbol) {
  for (const std::string& name : asked) {
    const auto found = names.find(name);
    if (found != names.end() && found->second == symbol) return name;
  }
  for (const auto& [name, its] : names)
    if (its == symbol) return name;
  return symbol;
}

// Advises on code that only nvcc compiles.
std::string_view about_host_code(std::string_view log) {
  if (log.find("cannot open source file") != std::string_view::npos)
    return "; name the header's folder under `include`, or, where only host code needs it, put it "
           "between #ifndef __CUDACC_RTC__ and #endif: NVRTC compiles device code alone";
  if (log.find("not allowed in JIT mode") != std::string_view::npos)
    return "; NVRTC compiles no host code: put it between #ifndef __CUDACC_RTC__ and #endif; of "
           "CUB "
           "only its headers for blocks and warps can be used (<cub/block/block_reduce.cuh>)";
  return "";
}

}  // namespace

Toolchain require_toolchain() {
  std::vector<std::string> looked_in;
  if (auto toolchain = locate_toolchain(&looked_in)) return *std::move(toolchain);
  throw environment_error(fmt::format("NVRTC (libnvrtc.so) was not found; {}; looked in: {}",
                                      kHowToGetIt, fmt::join(looked_in, ", ")));
}

// The NVRTC functions that are used, with their types from nvrtc.h.
struct Nvrtc::Impl {
  Toolchain toolchain;
  Library builtins;
  Library library;
  decltype(&::nvrtcVersion) get_version;
  decltype(&::nvrtcGetErrorString) error_string;
  decltype(&::nvrtcGetNumSupportedArchs) arch_count;
  decltype(&::nvrtcGetSupportedArchs) archs;
  decltype(&::nvrtcCreateProgram) create;
  decltype(&::nvrtcDestroyProgram) destroy;
  decltype(&::nvrtcCompileProgram) compile;
  decltype(&::nvrtcAddNameExpression) add_name;
  decltype(&::nvrtcGetLoweredName) lowered_name;
  decltype(&::nvrtcGetProgramLogSize) log_size;
  decltype(&::nvrtcGetProgramLog) log;
  decltype(&::nvrtcGetPTXSize) ptx_size;
  decltype(&::nvrtcGetPTX) ptx;
  decltype(&::nvrtcGetCUBINSize) cubin_size;
  decltype(&::nvrtcGetCUBIN) cubin;

  explicit Impl(const Toolchain& where);

  template <class Function>
  void bind(Function*& function, const char* name) {
    function = symbol<Function>(library, name, toolchain.nvrtc);
  }
  // Text outputs end in a NUL character, which cubins do not. An output that was not produced is
  // empty.
  [[nodiscard]] std::string output(nvrtcProgram program, decltype(&::nvrtcGetPTXSize) size_of,
                                   decltype(&::nvrtcGetPTX) get) const;
  [[nodiscard]] SymbolNames symbols(nvrtcProgram program, const CompileJob& job,
                                    std::string_view text) const;
  [[nodiscard]] std::string failure(nvrtcResult code, const CompileJob& job,
                                    const CompileResult& result) const;
};

Nvrtc::Impl::Impl(const Toolchain& where) : toolchain(where) {
  // NVRTC opens its builtins library by bare name, and the loader does not search the folder of a
  // library that was opened by path. It does find an object of that name that is already loaded.
  const std::filesystem::path folder = where.nvrtc.parent_path();
  std::error_code ignored;
  for (std::filesystem::directory_iterator it(folder, ignored), end; !ignored && it != end;
       it.increment(ignored)) {
    const std::string name = it->path().filename().string();
    if (name.starts_with("libnvrtc-builtins.so.")) {
      builtins = open_library(it->path(), RTLD_NOW | RTLD_GLOBAL | RTLD_NODELETE);
      if (builtins) break;
    }
  }
  // Keep the library loaded after the last close, since memory that it holds for later use would
  // otherwise be leaked.
  library = open_library(where.nvrtc, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!library) {
    throw environment_error(fmt::format("cannot open NVRTC: {}; {}", loader_error(), kHowToGetIt));
  }
  bind(get_version, "nvrtcVersion");
  bind(error_string, "nvrtcGetErrorString");
  bind(arch_count, "nvrtcGetNumSupportedArchs");
  bind(archs, "nvrtcGetSupportedArchs");
  bind(create, "nvrtcCreateProgram");
  bind(destroy, "nvrtcDestroyProgram");
  bind(compile, "nvrtcCompileProgram");
  bind(add_name, "nvrtcAddNameExpression");
  bind(lowered_name, "nvrtcGetLoweredName");
  bind(log_size, "nvrtcGetProgramLogSize");
  bind(log, "nvrtcGetProgramLog");
  bind(ptx_size, "nvrtcGetPTXSize");
  bind(ptx, "nvrtcGetPTX");
  bind(cubin_size, "nvrtcGetCUBINSize");
  bind(cubin, "nvrtcGetCUBIN");
}

SymbolNames Nvrtc::Impl::symbols(nvrtcProgram program, const CompileJob& job,
                                 std::string_view text) const {
  SymbolNames names = find_symbols(text);
  for (const std::string& name : job.names) {
    const char* symbol = nullptr;
    if (lowered_name(program, name.c_str(), &symbol) == NVRTC_SUCCESS && symbol != nullptr)
      names[name] = symbol;
  }
  return names;
}

std::string Nvrtc::Impl::output(nvrtcProgram program, decltype(&::nvrtcGetPTXSize) size_of,
                                decltype(&::nvrtcGetPTX) get) const {
  std::size_t size = 0;
  if (size_of(program, &size) != NVRTC_SUCCESS || size == 0) return "";
  std::string bytes(size, '\0');
  if (get(program, bytes.data()) != NVRTC_SUCCESS) return "";
  return bytes;
}

Nvrtc::Nvrtc(const Toolchain& toolchain) : impl_(std::make_unique<Impl>(toolchain)) {}
Nvrtc::~Nvrtc() = default;

std::string Nvrtc::version() const {
  int major = 0, minor = 0;
  impl_->get_version(&major, &minor);
  return fmt::format("{}.{}", major, minor);
}

std::vector<std::string> Nvrtc::architectures() const {
  int count = 0;
  if (impl_->arch_count(&count) != NVRTC_SUCCESS || count <= 0) return {};
  std::vector<int> numbers(static_cast<std::size_t>(count));
  if (impl_->archs(numbers.data()) != NVRTC_SUCCESS) return {};
  std::vector<std::string> names;
  for (const int number : numbers) names.push_back(fmt::format("sm_{}", number));
  return names;
}

std::string Nvrtc::identity() const {
  std::error_code ignored;
  const auto size = std::filesystem::file_size(impl_->toolchain.nvrtc, ignored);
  std::string result = fmt::format("nvrtc {} of {} bytes", version(), size);
  for (const auto& folder : impl_->toolchain.include_folders) result += " " + folder.string();
  return result;
}

namespace {

// Errors that may not occur again when the same source is retried.
bool is_machines(nvrtcResult code) {
  return code == NVRTC_ERROR_OUT_OF_MEMORY || code == NVRTC_ERROR_PROGRAM_CREATION_FAILURE ||
         code == NVRTC_ERROR_BUILTIN_OPERATION_FAILURE;
}

}  // namespace

std::string Nvrtc::Impl::failure(nvrtcResult code, const CompileJob& job,
                                 const CompileResult& result) const {
  if (auto broken = broken_headers(result.log, job)) return *broken;
  if (auto error = first_error(result.log, compiler_name(job.source), result.ptx))
    return *error + std::string(about_host_code(result.log));
  // With -v, ptxas 13.0 omits the error about too much static shared memory from the log.
  for (const KernelResources& entry : result.resources) {
    constexpr int kMaxSharedOfAnyDevice = 227 << 10;
    if (entry.static_shared > kMaxSharedOfAnyDevice) {
      return fmt::format(
          "{}: error: entry '{}' declares {} bytes of static shared memory, more than any device "
          "has",
          job.source.string(), entry.entry, entry.static_shared);
    }
  }
  return fmt::format("{}: NVRTC failed without naming an error: {}", job.source.string(),
                     error_string(code));
}

CompileResult Nvrtc::compile(const CompileJob& job) const {
  CompileResult result;
  result.nvrtc_version = version();
  std::vector<SourceFile> files;
  try {
    files = collect_sources(job);
  } catch (const Error& error) {
    result.failure = error.message();
    return result;
  }
  // NVRTC reads texts as C strings, so it would silently ignore everything behind a NUL character.
  for (const SourceFile& file : files) {
    const std::size_t nul = file.content.find('\0');
    if (!file.found || nul == std::string::npos) continue;
    const auto line =
        std::count(file.content.begin(),
                   file.content.begin() + static_cast<std::string::difference_type>(nul), '\n');
    result.failure = fmt::format("{}:{}: error: a source cannot contain a NUL character; remove it",
                                 file.path.string(), line + 1);
    return result;
  }
  const ProgramText program_text(job, files);
  std::vector<std::string> options = program_text.options();
  for (const auto& folder : impl_->toolchain.include_folders) {
    options.push_back("-I" + folder.string());
  }
  std::vector<const char*> raw_options;
  for (const std::string& option : options) raw_options.push_back(option.c_str());

  const auto begin = std::chrono::steady_clock::now();
  nvrtcProgram program = nullptr;
  // Files are named by their paths, which then appear in messages and in .loc.
  const std::string shown = compiler_name(job.source);
  nvrtcResult code =
      impl_->create(&program, program_text.source(), shown.c_str(), program_text.header_count(),
                    program_text.header_texts(), program_text.header_names());
  if (code != NVRTC_SUCCESS) {
    result.failure = fmt::format("{}: NVRTC refused the source: {}", job.source.string(),
                                 impl_->error_string(code));
    result.by_machine = is_machines(code);
    return result;
  }
  for (const std::string& name : job.names) impl_->add_name(program, name.c_str());
  code = impl_->compile(program, static_cast<int>(raw_options.size()), raw_options.data());
  result.log = impl_->output(program, impl_->log_size, impl_->log);
  while (!result.log.empty() && result.log.back() == '\0') result.log.pop_back();
  result.ptx = impl_->output(program, impl_->ptx_size, impl_->ptx);
  while (!result.ptx.empty() && result.ptx.back() == '\0') result.ptx.pop_back();
  if (job.want_cubin) result.cubin = impl_->output(program, impl_->cubin_size, impl_->cubin);
  if (code == NVRTC_SUCCESS) {
    result.symbols = impl_->symbols(program, job, result.ptx);
    result.state = find_module_state(result.ptx);
  }
  impl_->destroy(&program);
  const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - begin;
  result.seconds = elapsed.count();

  result.resources = parse_resources(result.log);
  for (KernelResources& entry : result.resources)
    entry.entry = name_of(result.symbols, job.names, entry.entry);
  if (code == NVRTC_ERROR_INVALID_OPTION &&
      result.log.find("--gpu-architecture") != std::string::npos) {
    result.failure = fmt::format("'{}' is not an architecture that NVRTC {} knows; known: {}",
                                 job.arch, result.nvrtc_version, fmt::join(architectures(), ", "));
  } else if (auto replaced = replaced_macro(result.log, job, files)) {
    result.failure = *std::move(replaced);
  } else if (code != NVRTC_SUCCESS) {
    result.by_machine = is_machines(code);
    result.failure = program_text.with_real_paths(impl_->failure(code, job, result));
  } else if (auto broken = broken_promise(result.log)) {
    result.failure = fmt::format("{}: {}", job.source.string(), *broken);
  } else if (result.ptx.empty() || (job.want_cubin && result.cubin.empty())) {
    result.failure =
        fmt::format("{}: NVRTC {} produced no {} for {}", job.source.string(), result.nvrtc_version,
                    result.ptx.empty() ? "PTX" : "cubin", job.arch);
  } else {
    result.ok = true;
    for (const std::string& warning : front_end_warnings(result.log))
      result.warnings.push_back(program_text.with_real_paths(warning));
  }
  if (!result.ok) {
    // Incomplete output must not be used.
    result.ptx.clear();
    result.cubin.clear();
  }
  return result;
}

}  // namespace warpwright
