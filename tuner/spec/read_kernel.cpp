// kernel.yaml as a whole: its sections in the order of their dependencies, and the small ones among
// them.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/ceiling_names.h"
#include "core/suggest.h"
#include "spec/kernel_sections.h"
#include "spec/problem.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kKind = "a kernel contract";

// One reference serves every configuration, so its units know the problem sizes only.
ReferenceSpec read_reference(const YamlReader& section, const KernelSpec& kernel) {
  const YamlMap map = section.map({"source", "units"});
  ReferenceSpec reference;
  reference.source =
      existing_source(map.require("source", "source: reference.cpp"), kernel, "the reference");
  reference.units = map.require("units", "units: rows").expression();
  size_scope(kernel, "size").check(reference.units);
  return reference;
}

// Compulsory work is what any implementation must do; counted per configuration it would flatter
// the wasteful ones.
WorkSpec read_work(const YamlReader& section, const KernelSpec& kernel) {
  const YamlMap map = section.map({"bytes", "flops", "flops_convention", "written", "arithmetic"});
  const ExprScope scope = size_scope(kernel, "size");
  WorkSpec work;
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

// By reference to the contract's variants, which are read before.
std::string read_baseline(const YamlReader& reader, const KernelSpec& kernel) {
  const std::string name = reader.text();
  if (kernel.find_variant(name) == nullptr) {
    std::vector<std::string> known;
    for (const VariantSpec& variant : kernel.variants) known.push_back(variant.name);
    throw reader.error(fmt::format("unknown variant '{}'{}", name, suggestion(name, known)));
  }
  return name;
}

// In the order of dependencies, which is not the order in the file.
KernelSpec read_sections(const YamlDocument& document, const fs::path& file, bool stored) {
  const YamlMap map = YamlReader(document).map({"kernel", "summary", "problem", "arguments",
                                                "parameters", "constraints", "variants", "baseline",
                                                "reference", "work", "cases", "deterministic"});
  KernelSpec kernel;
  kernel.stored = stored;
  kernel.file = fs::absolute(file).lexically_normal();
  kernel.folder = kernel.file.parent_path();
  kernel.name = map.require("kernel", "kernel: NAME").identifier();
  if (const auto summary = map.find("summary")) kernel.summary = summary->text();
  kernel.problem = read_sizes(map.require("problem", "problem: {rows: {doc: \"...\"}}"));
  if (const auto section = map.find("parameters")) {
    kernel.parameters = read_parameters(*section, kernel);
  }
  kernel.arguments =
      read_arguments(map.require("arguments", "arguments: [{name: out, out: f32, ...}]"), kernel);
  if (const auto section = map.find("constraints")) kernel.constraints = read_constraints(*section);
  kernel.variants =
      read_variants(map.require("variants", "variants: {NAME: {source: NAME.cu, ...}}"), kernel);
  if (const auto name = map.find("baseline")) kernel.baseline = read_baseline(*name, kernel);
  kernel.reference = read_reference(
      map.require("reference", "reference: {source: reference.cpp, units: rows}"), kernel);
  kernel.work = read_work(map.require("work", "work: {bytes: \"...\", flops: \"...\"}"), kernel);
  if (const auto section = map.find("cases")) kernel.cases = read_cases(*section, kernel);
  if (const auto flag = map.find("deterministic")) kernel.deterministic = flag->boolean();
  return kernel;
}

// A launch contract; its sections mean what they mean in kernel.yaml.
KernelSpec read_launch_sections(const YamlDocument& document, const fs::path& file) {
  const YamlMap map =
      YamlReader(document).map({"kernel", "summary", "problem", "arguments", "parameters",
                                "constraints", "variants", "launches", "cases", "deterministic"});
  KernelSpec kernel;
  kernel.launch_only = true;
  kernel.file = fs::absolute(file).lexically_normal();
  kernel.folder = kernel.file.parent_path();
  const auto name = map.find("kernel");
  kernel.name = name ? name->identifier() : kernel.file.stem().string();
  if (const auto summary = map.find("summary")) kernel.summary = summary->text();
  kernel.problem = read_sizes(map.require("problem", "problem: {n: {default: 1000}}"));
  if (const auto section = map.find("parameters"))
    kernel.parameters = read_parameters(*section, kernel);
  kernel.arguments =
      read_arguments(map.require("arguments", "arguments: [{name: y, out: f32, ...}]"), kernel);
  if (const auto section = map.find("constraints")) kernel.constraints = read_constraints(*section);
  const auto variants = map.find("variants");
  if (variants && map.find("launches"))
    throw map.error_at_key("launches", "stands in the place of `variants`; remove one");
  if (variants) {
    kernel.variants = read_variants(*variants, kernel);
  } else {
    const YamlReader launches =
        map.require("launches", "launches: [{entry: NAME, grid: [n], block: [256]}]");
    const fs::path source = fs::path(kernel.file).replace_extension(".cu");
    if (!fs::is_regular_file(source))
      throw launches.error(
          fmt::format("needs the source {}, which is not there; name sources in "
                      "`variants` when they have other names",
                      source.string()));
    kernel.variants = {read_only_variant(launches, kernel, source)};
  }
  if (const auto section = map.find("cases")) kernel.cases = read_cases(*section, kernel);
  if (const auto flag = map.find("deterministic")) kernel.deterministic = flag->boolean();
  return kernel;
}

}  // namespace

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

const VariantSpec* KernelSpec::find_variant(std::string_view variant) const {
  for (const VariantSpec& candidate : variants) {
    if (candidate.name == variant) return &candidate;
  }
  return nullptr;
}

std::vector<ConstraintSpec> read_constraints(const YamlReader& section) {
  std::vector<ConstraintSpec> constraints;
  for (const YamlReader& item : section.items()) {
    ConstraintSpec constraint;
    if (item.is_map()) {
      const YamlMap map = item.map({"expr", "because"});
      constraint.expr = map.require("expr", "expr: \"THREADS % 32 == 0\"").expression();
      if (const auto because = map.find("because")) constraint.because = because->text();
    } else {
      constraint.expr = item.expression();
    }
    constraints.push_back(std::move(constraint));
  }
  return constraints;
}

ExprScope size_scope(const KernelSpec& kernel, const std::string& what) {
  ExprScope scope(what);
  scope.allow_sizes(kernel.problem);
  scope.forbid_device();
  for (const ParameterSpec& parameter : kernel.parameters) {
    scope.forbid(parameter.name,
                 "is a parameter, expected problem sizes only; what is computed must not depend on "
                 "the configuration");
  }
  return scope;
}

fs::path existing_source(const YamlReader& text, const KernelSpec& kernel,
                         const std::string& whose) {
  fs::path source = (kernel.folder / text.nonempty_text()).lexically_normal();
  if (kernel.stored) return source;
  std::error_code failed;
  const fs::file_status status = fs::status(source, failed);
  if (fs::is_regular_file(status)) return source;
  throw text.error(
      fmt::format("{} needs a source file, got {} at {}; create it or correct the name", whose,
                  fs::is_directory(status) ? "a folder" : "nothing", source.string()));
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
    std::map<std::string, SourcePosition> places;
    for (const auto& [key, value] : problem.entries()) {
      places[key.text()] = value.where();
      spec.problem[key.text()] = value.value();
    }
    // Kept as given: defaults are added where the case is run, but must suffice here.
    static_cast<void>(complete_problem_at(kernel, spec.problem, problem.where(), places));
    if (const auto fills = map.find("fill")) {
      for (const auto& [key, fill] : fills->entries()) {
        const std::string name = key.text();
        std::vector<std::string> known;
        for (const ArgumentSpec& argument : kernel.arguments) {
          // What scratch has to hold is the kernel's own agreement, whatever the case.
          if (!argument.fill.empty() && argument.role != ArgumentRole::kScratch)
            known.push_back(argument.name);
        }
        if (std::find(known.begin(), known.end(), name) == known.end()) {
          throw key.error(fmt::format("unknown input '{}'{}", name, suggestion(name, known)));
        }
        spec.fills[name] = fill.nonempty_text();
      }
    }
    cases.push_back(std::move(spec));
  }
  return cases;
}

KernelSpec parse_kernel(std::string_view text, const fs::path& file) {
  const YamlDocument document = parse_yaml(text, file.string(), kKind);
  return read_sections(document, file, /*stored=*/false);
}

KernelSpec parse_stored_kernel(std::string_view text, const fs::path& file) {
  return read_sections(parse_yaml(text, file.string(), kKind), file, /*stored=*/true);
}

KernelSpec read_launch_contract(const fs::path& file) {
  constexpr std::string_view kWhat = "a launch contract";
  return read_launch_sections(parse_yaml(read_yaml_text(file, kWhat), file.string(), kWhat), file);
}

KernelSpec read_kernel(const fs::path& file) {
  std::error_code failed;
  if (fs::is_directory(file, failed)) return read_kernel(file / "kernel.yaml");
  return parse_kernel(read_yaml_text(file, kKind), file);
}

}  // namespace warpwright
