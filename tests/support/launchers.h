// Launchers of kernels for tests: written, built by this machine's compiler, opened, and called
// with arrays of any device in place of a trial's own launches, so that a trial checks whether they
// are right. The caller decides where the driver's functions are found, and how a call reports
// (LaunchDriver).
#pragma once

#include <dlfcn.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <functional>
#include <map>
#include <optional>

#include "compile/nvrtc.h"
#include "core/files.h"
#include "core/hash.h"
#include "device/device.h"
#include "exchange/header/identifiers.h"
#include "exchange/header/selection_writers.h"
#include "exchange/launcher/launcher.h"
#include "exchange/launcher/shared_files.h"
#include "exchange/shared_header.h"
#include "support/host_compiler.h"
#include "support/model_of_contract.h"
#include "trial/launch/launch_plan.h"
#include "trial/trial_runner.h"

namespace warpwright::testing {

namespace fs = std::filesystem;

inline const fs::path kSources = fs::path(WARPWRIGHT_SOURCE_DIR) / "kernels";

// NVRTC whose machine code is PTX, which the stand-in runs.
inline constexpr const char* kPtxCompiler = R"(
#include <nvrtc.h>
#include <cstring>
#include <string>
#include <vector>
#include <dlfcn.h>
static void* real() { static void* library = dlopen(REAL_NVRTC, RTLD_NOW); return library; }
template <typename F> static F find(const char* name) { return reinterpret_cast<F>(dlsym(real(), name)); }
extern "C" {
nvrtcResult nvrtcVersion(int* a, int* b) { return find<decltype(&nvrtcVersion)>("nvrtcVersion")(a, b); }
nvrtcResult nvrtcCreateProgram(nvrtcProgram* p, const char* s, const char* n, int c, const char* const* h, const char* const* i) {
  return find<decltype(&nvrtcCreateProgram)>("nvrtcCreateProgram")(p, s, n, c, h, i);
}
nvrtcResult nvrtcCompileProgram(nvrtcProgram p, int count, const char* const* options) {
  std::vector<std::string> own(options, options + count);
  std::vector<const char*> words;
  for (std::string& word : own) {
    if (word.rfind("--gpu-architecture=sm_", 0) == 0) word.replace(19, 3, "compute_");
    words.push_back(word.c_str());
  }
  return find<decltype(&nvrtcCompileProgram)>("nvrtcCompileProgram")(p, count, words.data());
}
nvrtcResult nvrtcDestroyProgram(nvrtcProgram* p) { return find<decltype(&nvrtcDestroyProgram)>("nvrtcDestroyProgram")(p); }
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram p, size_t* s) { return find<decltype(&nvrtcGetProgramLogSize)>("nvrtcGetProgramLogSize")(p, s); }
nvrtcResult nvrtcGetProgramLog(nvrtcProgram p, char* s) { return find<decltype(&nvrtcGetProgramLog)>("nvrtcGetProgramLog")(p, s); }
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram p, size_t* s) { return find<decltype(&nvrtcGetPTXSize)>("nvrtcGetPTXSize")(p, s); }
nvrtcResult nvrtcGetCUBIN(nvrtcProgram p, char* s) { return find<decltype(&nvrtcGetPTX)>("nvrtcGetPTX")(p, s); }
}
)";

// Passes the contract's sizes and arrays by position, for callers that do not have the types.
inline std::string caller_of(const KernelSpec& kernel) {
  const ContractNames names = name_contract(kernel);
  std::string body;
  IdentifierScope members = IdentifierScope::of_members(names.macros, names.sizes);
  for (std::size_t i = 0; i < names.sizes.size(); ++i) {
    const bool real = sample_of(kernel.problem[i]).is_real();
    body += fmt::format("  call.{0} = static_cast<decltype(call.{0})>({1}[{2}]);\n", names.sizes[i],
                        real ? "reals" : "integers", i);
  }
  std::size_t index = 0;
  for (const ArgumentSpec& argument : kernel.arguments) {
    if (argument.role == ArgumentRole::kValue || argument.role == ArgumentRole::kTensorMap)
      continue;
    if (argument.role != ArgumentRole::kScratch)
      body += fmt::format("  call.{} = reinterpret_cast<void*>(tensors[{}]);\n",
                          members.add(argument.name), index);
    ++index;
  }
  return fmt::format(
      "#include \"{0}_launcher.h\"\n#include <cstdlib>\n#include <cstring>\n#include <new>\n"
      "static long made = 0;\n"
      "void* operator new(std::size_t bytes) {{ ++made; return std::malloc(bytes); }}\n"
      "void operator delete(void* memory) noexcept {{ std::free(memory); }}\n"
      "void operator delete(void* memory, std::size_t) noexcept {{ std::free(memory); }}\n"
      "extern \"C\" long allocations_made() {{ return made; }}\n"
      "extern \"C\" void configure(const char* nvrtc, const char* include, const char* cache) {{\n"
      "  warpwright::LauncherOptions options;\n  options.nvrtc = nvrtc;\n"
      "  options.toolkit_include = {{include}};\n  options.cache_folder = cache;\n"
      "  warpwright::set_options(options);\n}}\n"
      "extern \"C\" void give_back(CUstream stream) {{ warpwright::release(stream); }}\n"
      "extern \"C\" int call(int prepare, CUstream stream, const long long* integers, const "
      "double* "
      "reals, const unsigned long long* tensors, char* message) {{\n"
      "  warpwright::{1}Call call;\n  (void)integers; (void)reals; (void)tensors;\n{2}"
      "  const warpwright::Status status = prepare != 0 ? warpwright::{3}_prepare(stream, call) : "
      "warpwright::{3}(stream, call);\n"
      "  if (!status.ok()) std::strncpy(message, status.message.c_str(), 999);\n  return "
      "status.code;\n}}\n",
      kernel.name, pascal_case(names.kernel), body, names.kernel);
}

// With the sources that the tree has. `best` has the variant that is best on each board, by its
// index; none where it is empty.
inline SelectionModel launchable(const KernelSpec& kernel,
                                 const std::vector<std::size_t>& best = {}) {
  SelectionModel model = model_of_contract(kernel);
  for (std::size_t board = 0; board < best.size(); ++board) {
    model.fractions[best[board]][board] = 1000;
    model.merits[best[board]][board] = 1000;
    model.boards[board].winner = best[board];
  }
  std::vector<fs::path> folders = kernel.header_folders({kSources / "common"});
  folders.insert(folders.begin(), kernel.folder);
  for (const fs::path& folder : folders) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      const std::string path = "kernels/" + folder.lexically_normal().filename().string() + "/" +
                               entry.path().filename().string();
      const std::string text = read_file(entry.path());
      model.files.push_back({path, sha256_hex(text), text});
    }
  }
  std::sort(model.files.begin(), model.files.end());
  return model;
}

// Libraries of one kernel with other tables come one after another here, so no symbol may be
// unique. This holds the parts that all launchers are built with. They are kept in the build
// folder, because each test may be a process of its own.
struct LauncherParts {
  // The compiler's options: quick to compile, unless launchers are timed. Set before the first one.
  static inline std::string optimisation = "-O0";

  fs::path folder;
  std::string include;

  LauncherParts() {
    const Toolchain toolchain = require_toolchain();
    include = toolchain.include_folders.empty() ? "" : toolchain.include_folders.front().string();
    const std::string commands = fmt::format(
        "c++ -c {3} -fPIC -std=c++17{0}-isystem {1} warpwright_launcher.cpp && "
        "c++ -shared -fPIC -std=c++17 -w -isystem {1} '-DREAL_NVRTC=\"{2}\"' ptx.cpp "
        "-o ptx.so -ldl",
        HostCompiler::kWarnings, include, toolchain.nvrtc.string(), optimisation);
    Sha256 content;
    content.field(commands).field(kPtxCompiler);
    HostCompiler host;
    write_shared_header(host);
    host.write("ptx.cpp", kPtxCompiler);
    for (const EmbeddedFile& file : shared_launcher_files()) {
      host.write(std::string(file.name), file.text);
      content.field(file.text);
    }
    for (const EmbeddedFile& file : shared_header_files()) content.field(file.text);
    folder = fs::path(WARPWRIGHT_BINARY_DIR) / "test_cache" / ("launcher_" + content.hex());
    if (fs::exists(folder)) return;
    build(host, commands);
    fs::create_directories(folder.parent_path());
    const fs::path draft = folder.string() + "." + std::to_string(getpid());
    fs::copy(host.path(), draft);
    std::error_code another_was_first;
    fs::rename(draft, folder, another_was_first);
    if (another_was_first) fs::remove_all(draft);
  }
  static void build(const HostCompiler& where, const std::string& command) {
    const CommandResult result = where.run(command);
    EXPECT_EQ(result.output, "") << command;
  }
  static const LauncherParts& get() {
    static const LauncherParts parts;
    return parts;
  }
};

// A launcher, built and opened.
class BuiltLauncher {
 public:
  explicit BuiltLauncher(const KernelSpec& kernel, const std::string& swap = "",
                         const std::string& with = "")
      : BuiltLauncher(kernel, launchable(kernel), swap, with) {}
  BuiltLauncher(const KernelSpec& kernel, const SelectionModel& model, const std::string& swap = "",
                const std::string& with = "")
      : kernel_(kernel) {
    const HeaderOptions options{"warpwright 0.1.0"};
    const LauncherParts& parts = LauncherParts::get();
    std::string header = selection_header(model, options);
    if (!swap.empty()) {
      EXPECT_NE(header.find(swap), std::string::npos) << swap;
      header.replace(header.find(swap), swap.size(), with);
    }
    host_.write(kernel.name + ".h", header);
    for (const ExportFile& file : launcher_files(model, options))
      host_.write(file.name, file.content);
    host_.write("caller.cpp", caller_of(kernel));
    const std::string shared = parts.folder.string();
    LauncherParts::build(
        host_, fmt::format("c++ -shared {} -fPIC -fno-gnu-unique -Wl,-Bsymbolic -std=c++17{}-I{} "
                           "-isystem {} caller.cpp "
                           "{}_launcher.cpp {}/warpwright_launcher.o -o launcher.so -ldl",
                           LauncherParts::optimisation, HostCompiler::kWarnings, shared,
                           parts.include, kernel.name, shared));
    open();
  }
  ~BuiltLauncher() {
    if (library_ != nullptr) dlclose(library_);
  }

  // Once more, as another program would.
  void open(const std::string& cache = "", const std::string& nvrtc = "") {
    if (library_ != nullptr) dlclose(library_);
    library_ = dlopen((host_.path() / "launcher.so").c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) throw std::runtime_error(dlerror());
    const LauncherParts& parts = LauncherParts::get();
    find<void (*)(const char*, const char*, const char*)>("configure")(
        nvrtc.empty() ? (parts.folder / "ptx.so").c_str() : nvrtc.c_str(), parts.include.c_str(),
        cache.c_str());
  }
  // Calls, or prepares on, a stream; the launcher's message, empty when it succeeds.
  using Call = std::function<std::string(void* stream, bool prepare)>;
  // Calls with these sizes and arrays, which cost no more than the launcher does.
  Call bind(const Problem& problem, std::vector<std::uint64_t> tensors) {
    std::vector<long long> integers;
    std::vector<double> reals;
    for (const ProblemSizeSpec& size : kernel_.problem) {
      const Value& value = problem.at(size.name);
      const auto at = std::find(size.values.begin(), size.values.end(), value);
      integers.push_back(value.is_string() ? at - size.values.begin()
                         : value.is_real() ? 0
                         : value.is_bool() ? value.as_bool()
                                           : value.as_integer());
      reals.push_back(value.is_string() ? 0 : value.as_real());
    }
    using Entry = int (*)(int, void*, const long long*, const double*, const std::uint64_t*, char*);
    return [entry = find<Entry>("call"), integers = std::move(integers), reals = std::move(reals),
            tensors = std::move(tensors)](void* stream, bool prepare) {
      char message[1000];
      message[0] = message[999] = 0;
      const int code =
          entry(prepare ? 1 : 0, stream, integers.data(), reals.data(), tensors.data(), message);
      return code == 0 ? std::string() : std::string(message);
    };
  }
  std::string call(const Problem& problem, const std::vector<std::uint64_t>& tensors,
                   void* stream = nullptr, bool prepare = false) {
    return bind(problem, tensors)(stream, prepare);
  }
  // The warnings of another compiler about the sources; empty when there are none.
  [[nodiscard]] std::string warnings_of(const std::string& compiler) const {
    const LauncherParts& parts = LauncherParts::get();
    const std::string shared = parts.folder.string();
    return host_
        .run(fmt::format("{} -std=c++17{}-I{} -isystem {} -fsyntax-only {}_launcher.cpp "
                         "{}/warpwright_launcher.cpp",
                         compiler, HostCompiler::kWarnings, shared, parts.include, kernel_.name,
                         shared))
        .output;
  }
  // By the launcher itself, on the heap.
  [[nodiscard]] long allocations() { return find<long (*)()>("allocations_made")(); }
  void give_back(void* stream) { find<void (*)(void*)>("give_back")(stream); }

 private:
  template <typename Function>
  Function find(const char* name) {
    return reinterpret_cast<Function>(dlsym(library_, name));
  }
  const KernelSpec& kernel_;
  HostCompiler host_;
  void* library_ = nullptr;
};

// The connection between a launcher and a device.
class LaunchDriver {
 public:
  virtual ~LaunchDriver() = default;
  using Call = BuiltLauncher::Call;
  // `own` is what the trial would have launched, on the same arrays.
  virtual LaunchResult launch(std::span<const DeviceLaunch> own, const LaunchLimits& limits,
                              const Call& call) = 0;
};

// A module of nothing: the launcher loads its own.
class NoModule : public DeviceModule {
 public:
  std::optional<KernelResources> resources(const std::string&) const override {
    return KernelResources{};
  }
  std::vector<std::size_t> parameter_sizes(const std::string&) const override { return {}; }
};

// Begins at an offset of another.
class OffsetBuffer : public DeviceBuffer {
 public:
  OffsetBuffer(std::unique_ptr<DeviceBuffer> inner, std::size_t offset, std::size_t bytes)
      : inner_(std::move(inner)) {
    address_ = inner_->address() + offset;
    bytes_ = bytes;
  }

 private:
  std::unique_ptr<DeviceBuffer> inner_;
};

// A device on which the launcher makes a trial's launches instead, with the trial's arrays.
class LaunchingDevice : public Device {
 public:
  LaunchingDevice(const KernelSpec& kernel, BuiltLauncher& launcher, Device& inner,
                  LaunchDriver& driver)
      : kernel_(kernel), launcher_(launcher), inner_(inner), driver_(driver) {}

  std::string variant;
  Problem problem;
  std::size_t array_offset = 16;  // where launchers allow arrays to begin, and no better

  const DeviceInfo& info() const override { return inner_.info(); }
  bool checks_bounds() const override { return inner_.checks_bounds(); }
  std::size_t free_bytes() const override { return inner_.free_bytes(); }
  std::unique_ptr<DeviceBuffer> allocate(std::size_t bytes, const std::string& label) override {
    return std::make_unique<OffsetBuffer>(inner_.allocate(bytes + array_offset, label),
                                          array_offset, bytes);
  }
  void upload(DeviceBuffer& to, std::size_t offset, std::span<const std::byte> from) override {
    inner_.upload(to, offset, from);
  }
  void download(std::span<std::byte> to, const DeviceBuffer& from, std::size_t offset) override {
    inner_.download(to, from, offset);
  }
  void copy(DeviceBuffer& to, const DeviceBuffer& from, std::size_t bytes) override {
    inner_.copy(to, from, bytes);
  }
  void fill(DeviceBuffer& to, std::size_t offset, std::size_t bytes,
            std::uint32_t pattern) override {
    inner_.fill(to, offset, bytes, pattern);
  }
  Loaded load(const CompileResult& compiled) override {
    if (!compiled.cubin.empty()) return inner_.load(compiled);
    return {std::make_shared<NoModule>(), {}};
  }
  LaunchResult launch(std::span<const DeviceLaunch> launches, const LaunchLimits& limits) override {
    std::map<std::string, std::uint64_t> arrays;
    const VariantSpec& spec = *kernel_.find_variant(variant);
    for (std::size_t i = 0; i < launches.size(); ++i) {
      for (std::size_t a = 0; a < launches[i].arguments.size(); ++a) {
        const ArgumentSpec& argument = *kernel_.find_argument(spec.launches[i].arguments[a]);
        if (launches[i].arguments[a].size() == 8 && argument.role != ArgumentRole::kValue)
          std::memcpy(&arrays[argument.name], launches[i].arguments[a].data(), 8);
      }
      for (const TensorMapArgument& map : launches[i].tensor_maps) {
        const ArgumentSpec& argument =
            *kernel_.find_argument(spec.launches[i].arguments[map.argument]);
        arrays[argument.map->tensor] = map.array;
      }
    }
    std::vector<std::uint64_t> tensors;
    for (const ArgumentSpec& argument : kernel_.arguments) {
      if (argument.role != ArgumentRole::kValue && argument.role != ArgumentRole::kTensorMap)
        tensors.push_back(argument.role == ArgumentRole::kScratch ? 0 : arrays[argument.name]);
    }
    return driver_.launch(launches, limits, launcher_.bind(problem, std::move(tensors)));
  }
  std::unique_ptr<TimingPlan> plan_timing(TimingRequest request) override {
    return inner_.plan_timing(std::move(request));
  }

 protected:
  EncodedTensorMap encode_anew(const TensorMapRequest& request) override {
    return inner_.encode(request);
  }

 private:
  const KernelSpec& kernel_;
  BuiltLauncher& launcher_;
  Device& inner_;
  LaunchDriver& driver_;
};

inline Configuration defaults(const KernelSpec& kernel, const VariantSpec& variant) {
  Configuration configuration{variant.name, {}};
  for (const std::string& name : variant.parameters)
    configuration.values[name] = kernel.find_parameter(name)->default_value;
  return configuration;
}

// For every case a variant that can have it, each as often as any other; cases of the same sizes
// have the same, since sizes are all that a launcher chooses by.
inline std::vector<std::size_t> variants_by_turns(const KernelSpec& kernel,
                                                  const DeviceInfo& device) {
  std::vector<int> turns(kernel.variants.size(), 0);
  std::map<std::string, std::size_t> chosen;
  std::vector<std::size_t> of_cases;
  for (const CaseSpec& one : kernel.cases) {
    const Problem problem = complete_problem(kernel, one.problem, one.where);
    const auto [known, is_new] = chosen.try_emplace(describe_problem(kernel, problem), 0);
    std::optional<std::size_t> least;
    for (std::size_t i = 0; is_new && i < turns.size(); ++i) {
      const bool fits =
          !broken_constraint(kernel, defaults(kernel, kernel.variants[i]), problem, device);
      if (fits && (!least || turns[i] < turns[*least])) least = i;
    }
    if (least) ++turns[*least];
    if (least) known->second = *least;
    of_cases.push_back(known->second);
  }
  return of_cases;
}

inline TrialOptions launcher_trial_options(const KernelSpec& kernel) {
  TrialOptions options;
  options.reference_include = kSources / "common";
  const fs::path built = fs::path(WARPWRIGHT_BINARY_DIR) / "references" / (kernel.name + ".so");
  if (fs::exists(built)) options.reference_library = built;
  options.cache_folder = fs::path(WARPWRIGHT_BINARY_DIR) / "test_cache";
  options.determinism_runs = 2;
  return options;
}

// The outcome of the problem with what the launcher chose for it. `best` is the variant that it
// prefers, if any. kViolates where no variant can have the problem.
inline Outcome run_launcher(const KernelSpec& kernel, LaunchingDevice& device, Problem problem,
                            const std::string& best = "") {
  // Exact sums are a promise of a case's fills; the contract's own make no such promise.
  if (const auto exact = problem.find("exact"); exact != problem.end())
    exact->second = std::int64_t{0};
  device.problem = problem;
  const TrialOptions options = launcher_trial_options(kernel);
  // The trial makes the arrays that its own variant takes.
  std::vector<VariantSpec> variants = kernel.variants;
  std::stable_partition(variants.begin(), variants.end(),
                        [&](const VariantSpec& variant) { return variant.name == best; });
  for (const VariantSpec& variant : variants) {
    const Configuration configuration = defaults(kernel, variant);
    if (broken_constraint(kernel, configuration, problem, device.info())) continue;
    device.variant = variant.name;
    TrialRunner runner(kernel, device, options);
    CompileResult compiled;
    compiled.ok = true;
    return runner.prepare(configuration, problem, compiled, {});
  }
  Outcome nothing;
  nothing.status = Status::kViolates;
  return nothing;
}

inline KernelSpec shipped(const std::string& name) { return read_kernel(kSources / name); }

}  // namespace warpwright::testing
