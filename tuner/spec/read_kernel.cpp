// Reads kernel.yaml as a whole: its sections in the order of their dependencies, and the small
// sections themselves.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "core/shared_names.h"
#include "core/words.h"
#include "spec/accounting.h"
#include "spec/added_options.h"
#include "spec/kernel_fills.h"
#include "spec/kernel_sections.h"
#include "spec/kernel_spec.h"
#include "spec/versions.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kKind = "a kernel contract";

ReferenceSpec read_reference(const YamlReader& section, const KernelSpec& kernel) {
  const YamlMap map = section.map({"source", "units", "parameters"});
  ReferenceSpec reference;
  reference.source =
      existing_source(map.require("source", "source: reference.cpp"), kernel, "the reference");
  reference.units = map.require("units", "units: rows").expression();
  result_scope(kernel).check(reference.units);
  if (const auto parameters = map.find("parameters")) {
    for (const YamlReader& item : parameters->items_or_one()) {
      const std::string name = item.text();
      if (kernel.find_parameter(name) == nullptr) {
        std::vector<std::string> known;
        for (const ParameterSpec& parameter : kernel.parameters) known.push_back(parameter.name);
        throw item.error(fmt::format("unknown parameter '{}'{}", name, suggestion(name, known)));
      }
      reference.parameters.push_back(name);
    }
  }
  return reference;
}

// Returns the parameters in the contract's order.
std::vector<std::string> shaping_parameters(const KernelSpec& kernel) {
  std::set<std::string> used(kernel.reference.parameters.begin(),
                             kernel.reference.parameters.end());
  const auto add = [&used](const Expr& expr) {
    used.insert(expr.names().begin(), expr.names().end());
  };
  add(kernel.reference.units);
  if (kernel.work.per) add(*kernel.work.per);
  for (const ArgumentSpec& argument : kernel.arguments) {
    if (argument.role != ArgumentRole::kOut) continue;
    for (const Expr& axis : argument.shape) add(axis);
  }
  std::vector<std::string> shaping;
  for (const ParameterSpec& parameter : kernel.parameters)
    if (used.count(parameter.name) > 0) shaping.push_back(parameter.name);
  return shaping;
}

// Compulsory work is the work of any implementation. It may depend on the configuration only if the
// results do; otherwise it would flatter wasteful configurations.
WorkSpec read_work(const YamlReader& section, const KernelSpec& kernel) {
  const YamlMap map =
      section.map({"bytes", "flops", "flops_convention", "written", "arithmetic", "per"});
  WorkSpec work;
  if (const auto per = map.find("per")) {
    work.per = per->expression();
    result_scope(kernel).check(*work.per);
  }
  const bool own = work.per || !shaping_parameters(kernel).empty();
  const ExprScope scope = own ? result_scope(kernel) : size_scope(kernel, "size");
  work.bytes = map.require("bytes", "bytes: \"rows*V*sizeof(dtype)\"").expression();
  scope.check(work.bytes);
  work.flops = map.require("flops", "flops: 0").expression();
  scope.check(work.flops);
  work.flops_convention = "full";
  if (const auto convention = map.find("flops_convention")) {
    work.flops_convention = convention->text();
    const std::vector<std::string> known = {"full", "causal", "executed"};
    if (std::find(known.begin(), known.end(), work.flops_convention) == known.end()) {
      throw convention->error(fmt::format("unknown convention '{}'{}", work.flops_convention,
                                          suggestion(work.flops_convention, known)));
    }
  }
  if (const auto written = map.find("written")) {
    work.written = written->expression();
    scope.check(*work.written);
  }
  if (const auto arithmetic = map.find("arithmetic")) {
    work.arithmetic = arithmetic->text();
    if (!is_arithmetic_ceiling(work.arithmetic)) {
      throw arithmetic->error(fmt::format("unknown arithmetic '{}'{}", work.arithmetic,
                                          suggestion(work.arithmetic, arithmetic_ceilings())));
    }
  }
  return work;
}

// The place where a let is used decides which of these names are usable.
ExprScope let_scope(const KernelSpec& kernel) {
  ExprScope scope = parameter_scope(kernel);
  scope.allow_device();
  return scope;
}

// Reads the compiler inputs of all variants. The check that each variant has the parameters is made
// with the variants.
void read_compiler_sections(const YamlMap& map, KernelSpec& kernel) {
  AddedOptions all = read_added(map, kernel.folder, !kernel.stored);
  if (const auto section = map.find("added"))
    all.add(read_added(section->map({"options", "include"}), kernel.folder, !kernel.stored));
  kernel.options = std::move(all.options);
  kernel.include_folders = std::move(all.include);
  // Folders named on the command line have been trusted before this point.
  if (kernel.texts != nullptr)
    for (const fs::path& folder : kernel.include_folders)
      kernel.texts->allow(folder, FolderUse::kHeaders);
  // The variants' names are checked later.
  for (const CompileOption& option : kernel.options) option.check(parameter_scope(kernel));
}

// Notes the lines of `presets` in a contract whose keys are each at the beginning of a line. The
// section ends at the next line that begins in the first column, which may be the comment of the
// next key.
void note_preset_lines(const YamlDocument& document, std::string_view text, KernelSpec& kernel) {
  const std::vector<YamlEntry>& entries = document.root.entries;
  const auto section = std::find_if(entries.begin(), entries.end(), [](const YamlEntry& entry) {
    return entry.key.text == "presets";
  });
  if (section == entries.end() || section->key.column != 1) return;
  const int next =
      section + 1 == entries.end() ? std::numeric_limits<int>::max() : (section + 1)->key.line;
  if (next == section->key.line) return;
  int line = 1;
  kernel.presets_begin = section->key.line;
  for (std::size_t at = 0; at < text.size() && line < next; ++line) {
    const char first = text[at];
    if (line > kernel.presets_begin && first != ' ' && first != '\n' && first != '\r') break;
    at = text.find('\n', at);
    at = at == std::string_view::npos ? text.size() : at + 1;
  }
  kernel.presets_end = line;
}

// Reads the name of one of the contract's variants, which have been read before.
std::string read_baseline(const YamlReader& reader, const KernelSpec& kernel) {
  const std::string name = reader.text();
  if (kernel.find_variant(name) == nullptr) {
    std::vector<std::string> known;
    for (const VariantSpec& variant : kernel.variants) known.push_back(variant.name);
    throw reader.error(fmt::format("unknown variant '{}'{}", name, suggestion(name, known)));
  }
  return name;
}

// Returns the text from the bundle; the first read from the disk adds it.
const std::string& contract_text(const fs::path& file, std::string_view kind, SourceBundle& texts,
                                 const std::string& appended = "") {
  texts.allow(fs::absolute(file).lexically_normal().parent_path(), FolderUse::kOwn);
  if (const std::string* known = texts.known(file)) return *known;
  texts.refuse_link_out(file);
  std::string text = read_yaml_text(file, kind);
  const std::string own = appended.empty() ? "" : added_section(text);
  if (!own.empty() && own != appended) {
    throw user_error({file.string()},
                     "it was stored with options of a sweep, its section `added`, and gets others; "
                     "remove the section, or give no options");
  }
  return texts.add(file, std::move(text), own.empty() ? appended : "");
}

// Reads the sections in the order of dependencies, which is not the order in the file. Without
// `texts` the contract is a stored one.
KernelSpec read_sections(std::string_view text, const fs::path& file,
                         std::shared_ptr<SourceBundle> texts) {
  const YamlDocument document = parse_yaml(text, file.string(), kKind);
  Lets lets;
  const YamlMap map = YamlReader(document).with_lets(lets).map(
      {"kernel", "summary", "problem", "arguments", "parameters", "let", "constraints", "options",
       "include", "variants", "baseline", "reference", "work", "cases", "deterministic", "strict",
       "presets", "accounting", "added"});
  KernelSpec kernel;
  kernel.stored = texts == nullptr;
  kernel.texts = std::move(texts);
  kernel.file = fs::absolute(file).lexically_normal();
  kernel.folder = kernel.file.parent_path();
  if (kernel.texts != nullptr) kernel.texts->allow(kernel.folder, FolderUse::kOwn);
  kernel.name = map.require("kernel", "kernel: NAME").identifier();
  if (const auto summary = map.find("summary")) kernel.summary = summary->text();
  kernel.problem = read_sizes(map.require("problem", "problem: {rows: {doc: \"...\"}}"), kernel);
  if (const auto section = map.find("parameters")) {
    kernel.parameters = read_parameters(*section, kernel);
  }
  if (const auto section = map.find("let"))
    kernel.lets = lets.read(*section, kernel, let_scope(kernel));
  kernel.arguments =
      read_arguments(map.require("arguments", "arguments: [{name: out, out: f32, ...}]"), kernel);
  if (const auto section = map.find("constraints")) kernel.constraints = read_constraints(*section);
  read_compiler_sections(map, kernel);
  kernel.variants = read_variants(
      map.require("variants", "variants: {NAME: {source: NAME.cu, ...}}"), kernel, lets);
  if (const auto section = map.find("presets")) {
    kernel.presets = read_presets(*section);
    complete_presets(kernel);
    note_preset_lines(document, text, kernel);
  }
  if (const auto section = map.find("accounting"))
    check_accounting(document, text, *section, kernel);
  if (const auto name = map.find("baseline")) kernel.baseline = read_baseline(*name, kernel);
  kernel.reference = read_reference(
      map.require("reference", "reference: {source: reference.cpp, units: rows}"), kernel);
  kernel.work = read_work(map.require("work", "work: {bytes: \"...\", flops: \"...\"}"), kernel);
  kernel.shaping = shaping_parameters(kernel);
  if (const auto section = map.find("cases")) kernel.cases = read_cases(*section, kernel);
  if (const auto flag = map.find("deterministic")) kernel.deterministic = flag->boolean();
  if (const auto flag = map.find("strict")) kernel.strict = flag->boolean();
  lets.require_used();
  return kernel;
}

// Reads a launch contract; its sections have the same meaning as in kernel.yaml.
KernelSpec read_launch_sections(const YamlDocument& document, const fs::path& file,
                                std::shared_ptr<SourceBundle> texts) {
  Lets lets;
  const YamlMap map = YamlReader(document).with_lets(lets).map(
      {"kernel", "summary", "problem", "arguments", "parameters", "let", "constraints", "options",
       "include", "variants", "launches", "cases", "deterministic", "added"});
  KernelSpec kernel;
  kernel.launch_only = true;
  kernel.texts = std::move(texts);
  kernel.file = fs::absolute(file).lexically_normal();
  kernel.folder = kernel.file.parent_path();
  if (kernel.texts != nullptr) kernel.texts->allow(kernel.folder, FolderUse::kOwn);
  const auto name = map.find("kernel");
  kernel.name = name ? name->identifier() : kernel.file.stem().string();
  if (const auto summary = map.find("summary")) kernel.summary = summary->text();
  if (const auto section = map.find("problem")) kernel.problem = read_sizes(*section, kernel);
  if (const auto section = map.find("parameters"))
    kernel.parameters = read_parameters(*section, kernel);
  if (const auto section = map.find("let"))
    kernel.lets = lets.read(*section, kernel, let_scope(kernel));
  kernel.arguments =
      read_arguments(map.require("arguments", "arguments: [{name: y, out: f32, ...}]"), kernel);
  if (const auto section = map.find("constraints")) kernel.constraints = read_constraints(*section);
  read_compiler_sections(map, kernel);
  const auto variants = map.find("variants");
  if (variants && map.find("launches"))
    throw map.error_at_key("launches", "stands in the place of `variants`; remove one");
  if (variants) {
    kernel.variants = read_variants(*variants, kernel, lets);
  } else {
    const YamlReader launches =
        map.require("launches", "launches: [{entry: NAME, grid: [n], block: [256]}]");
    const fs::path source = fs::path(kernel.file).replace_extension(".cu");
    if (kernel.texts->find(source) == nullptr)
      throw launches.error(
          fmt::format("needs the source {}, which is not there; name sources in "
                      "`variants` when they have other names",
                      source.string()));
    kernel.variants = {read_only_variant(launches, kernel, source)};
  }
  kernel.shaping = shaping_parameters(kernel);
  if (const auto section = map.find("cases")) kernel.cases = read_cases(*section, kernel);
  if (const auto flag = map.find("deterministic")) kernel.deterministic = flag->boolean();
  lets.require_used();
  return kernel;
}

}  // namespace

std::vector<fs::path> KernelSpec::header_folders(const std::vector<fs::path>& others) const {
  std::vector<fs::path> folders = include_folders;
  if (texts != nullptr)
    for (const fs::path& other : others) texts->allow(other, FolderUse::kOwn);
  folders.insert(folders.end(), others.begin(), others.end());
  return folders;
}

const ProblemSizeSpec* KernelSpec::find_size(std::string_view size) const {
  for (const ProblemSizeSpec& candidate : problem) {
    if (candidate.name == size) return &candidate;
  }
  return nullptr;
}

const ArgumentSpec* KernelSpec::find_argument(std::string_view argument) const {
  for (const ArgumentSpec& candidate : arguments) {
    if (candidate.name == argument) return &candidate;
  }
  return nullptr;
}

const ParameterSpec* KernelSpec::find_parameter(std::string_view parameter) const {
  for (const ParameterSpec& candidate : parameters) {
    if (candidate.name == parameter) return &candidate;
  }
  return nullptr;
}

std::string text_without_presets(const KernelSpec& kernel, std::string_view text) {
  std::string kept;
  int line = 1;
  for (std::size_t at = 0; at < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    if (line < kernel.presets_begin || line >= kernel.presets_end)
      kept += text.substr(at, end - at);
    at = end;
  }
  return kept;
}

std::string source_macro(const KernelSpec& kernel, const VariantSpec& variant,
                         const std::string& parameter) {
  const ParameterSpec* spec = kernel.find_parameter(parameter);
  if (spec != nullptr && spec->macro) return *spec->macro;
  const bool in_an_entry = std::any_of(
      variant.launches.begin(), variant.launches.end(),
      [&](const LaunchSpec& launch) { return launch.entry.names().count(parameter) > 0; });
  return in_an_entry ? "" : parameter;
}

const VariantSpec* KernelSpec::find_variant(std::string_view variant) const {
  for (const VariantSpec& candidate : variants) {
    if (candidate.name == variant) return &candidate;
  }
  return nullptr;
}

ExprScope size_scope(const KernelSpec& kernel, const std::string& what) {
  ExprScope scope(what);
  scope.allow_sizes(kernel.problem);
  scope.suggest_lets(kernel.lets);
  scope.forbid_device();
  for (const ParameterSpec& parameter : kernel.parameters) {
    scope.forbid(parameter.name,
                 "is a parameter, expected problem sizes only; what is computed must not depend on "
                 "the configuration");
  }
  return scope;
}

namespace {

bool is_within(const fs::path& file, const fs::path& folder) {
  const fs::path within =
      fs::absolute(file).lexically_normal().lexically_relative(fs::absolute(folder));
  return !within.empty() && *within.begin() != "..";
}

// Files elsewhere are not stored with the results, so the kernel could not be run again from them.
void require_within_kernels(const YamlReader& at, const std::string& name, const fs::path& file,
                            const KernelSpec& kernel) {
  if (is_within(file, kernel.folder.parent_path())) return;
  throw at.error(
      fmt::format("'{}' lies outside of the folder of kernels, where sources are stored from; "
                  "copy it into the kernel's folder",
                  name));
}

// The bundle does not have the file: it is missing or may not be read.
Error missing_file(const YamlReader& at, const std::string& name, const fs::path& file,
                   const KernelSpec& kernel, const std::string& who_needs_what) {
  if (!is_within(file, kernel.folder)) {
    return at.error(fmt::format(
        "'{}' lies outside of the kernel's folder; copy it there, or give --trust-includes", name));
  }
  std::error_code ignored;
  return at.error(fmt::format("{}, got {} at {}; create it or correct the name", who_needs_what,
                              fs::is_directory(file, ignored) ? "a folder" : "nothing",
                              file.string()));
}

}  // namespace

fs::path existing_source(const YamlReader& text, const KernelSpec& kernel,
                         const std::string& whose) {
  fs::path source = (kernel.folder / text.nonempty_text()).lexically_normal();
  if (kernel.stored) return source;
  require_within_kernels(text, text.nonempty_text(), source, kernel);
  if (kernel.texts->find(source) != nullptr) return source;
  throw missing_file(text, text.nonempty_text(), source, kernel, whose + " needs a source file");
}

void existing_input(const YamlReader& at, const std::string& name, const KernelSpec& kernel) {
  if (kernel.stored) return;
  const fs::path file = (kernel.folder / name).lexically_normal();
  require_within_kernels(at, name, file, kernel);
  if (kernel.texts->find_input(file).exists()) return;
  throw missing_file(at, name, file, kernel, "the fill needs a file");
}

std::vector<CaseSpec> read_cases(const YamlReader& section, const KernelSpec& kernel) {
  std::vector<CaseSpec> cases;
  std::set<std::string> names;
  for (const YamlReader& item : section.items(1000)) {
    const YamlMap map = item.map({"name", "doc", "problem", "fill"});
    CaseSpec spec;
    spec.where = item.where();
    spec.name = map.require("name", "name: ties").nonempty_text();
    if (!names.insert(spec.name).second) {
      throw item.error(fmt::format("case '{}' is listed twice; rename one", spec.name));
    }
    if (const auto doc = map.find("doc")) spec.doc = doc->text();
    const YamlReader problem = map.require("problem", "problem: {rows: 3}");
    std::map<std::string, SourceLocation> places;
    for (const auto& [key, value] : problem.entries()) {
      places[key.text()] = value.where();
      spec.problem[key.text()] = value.value();
    }
    // The sizes are stored as given: defaults are added when the case is run, but must suffice
    // here.
    static_cast<void>(complete_problem_at(kernel, spec.problem, problem.where(), places));
    if (const auto fills = map.find("fill")) {
      for (const auto& [key, fill] : fills->entries()) {
        const std::string name = key.text();
        std::vector<std::string> known;
        for (const ArgumentSpec& argument : kernel.arguments) {
          // The content of scratch is shared only between the kernel's own launches, so a case
          // cannot set it.
          if (!argument.fill.empty() && argument.role != ArgumentRole::kScratch)
            known.push_back(argument.name);
        }
        if (std::find(known.begin(), known.end(), name) == known.end()) {
          throw key.error(fmt::format("unknown input '{}'{}", name, suggestion(name, known)));
        }
        spec.fills[name] = fill.fill();
        check_fill(fill, spec.fills[name], kernel, *kernel.find_argument(name));
      }
      check_fill_order(kernel.arguments, spec.fills, &*fills);
    }
    cases.push_back(std::move(spec));
  }
  return cases;
}

KernelSpec parse_kernel(std::string_view text, const fs::path& file) {
  return read_sections(text, file, std::make_shared<SourceBundle>());
}

KernelSpec parse_stored_kernel(std::string_view text, const fs::path& file) {
  return read_sections(text, file, nullptr);
}

KernelSpec read_launch_contract(const fs::path& file, const std::string& added) {
  return read_launch_contract(file, std::make_shared<SourceBundle>(), added);
}

KernelSpec read_launch_contract(const fs::path& file, std::shared_ptr<SourceBundle> texts,
                                const std::string& added) {
  constexpr std::string_view kWhat = "a launch contract";
  const std::string& text = contract_text(file, kWhat, *texts, added);
  return read_launch_sections(parse_yaml(text, file.string(), kWhat), file, std::move(texts));
}

KernelSpec read_kernel(const fs::path& file, const std::string& added) {
  std::error_code failed;
  if (fs::is_directory(file, failed)) return read_kernel(file / "kernel.yaml", added);
  return read_kernel(file, std::make_shared<SourceBundle>(), added);
}

KernelSpec read_kernel(const fs::path& file, std::shared_ptr<SourceBundle> texts,
                       const std::string& added) {
  const std::string& text = contract_text(file, kKind, *texts, added);
  return read_sections(text, file, std::move(texts));
}

std::shared_ptr<SourceBundle> texts_of(const KernelSpec& kernel) {
  return kernel.texts != nullptr ? kernel.texts : std::make_shared<SourceBundle>();
}

}  // namespace warpwright
