// The two written headers: their order of sections, the tables, and what stands above them.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/select/select_configuration.h"
#include "exchange/header/header_contract.h"
#include "exchange/header/header_parts.h"
#include "exchange/header/header_values.h"
#include "exchange/header/selection_writers.h"

namespace warpwright {
namespace {

const std::string kCppBegin =
    R"(// NVRTC refuses functions and tables that are not said to be the device's.
#if defined(__CUDACC_RTC__)
#define WARPWRIGHT_FN __host__ __device__ constexpr
#define WARPWRIGHT_DATA __device__ constexpr
#else
#define WARPWRIGHT_FN constexpr
#define WARPWRIGHT_DATA inline constexpr
#endif

)";
constexpr std::string_view kCppEnd = R"(
#undef WARPWRIGHT_FN
#undef WARPWRIGHT_DATA
)";

class HeaderWriter {
 public:
  HeaderWriter(const SelectionModel& model, const std::string& version, CodeLanguage language)
      : model_(model),
        version_(version),
        names_(name_contract(model.contract)),
        dialect_(language, names_.kernel),
        code_(model.contract, names_, dialect_) {}

  [[nodiscard]] std::string write() const {
    const std::string body = header_types(parts()) + header_tables(model_, parts()) + functions();
    // A kernel is compiled with -D<parameter>, and may include this header all the same.
    std::set<std::string> renamed;
    const std::string safe = rename_macros(body, names_.macros, renamed);
    std::string text = opening();
    for (const std::string& word : renamed) {
      text += comment(fmt::format("`{}` is called {}_here: the kernel is compiled with -D{}.", word,
                                  word, word));
    }
    if (!renamed.empty()) text += "\n";
    if (c()) return text + safe + "\n#endif\n";
    return fmt::format("{}{}{}{}", text, kCppBegin, in_namespaces(safe), kCppEnd);
  }

 private:
  [[nodiscard]] bool c() const { return dialect_.c(); }
  [[nodiscard]] std::string in_namespaces(const std::string& body) const {
    return fmt::format(
        "namespace warpwright {{\nnamespace {} {{\n\n{}\n}}  // namespace {}\n}}  // namespace "
        "warpwright\n",
        names_.kernel, body, names_.kernel);
  }
  [[nodiscard]] std::string comment(const std::string& text) const {
    return dialect_.comment(text);
  }

  [[nodiscard]] std::string opening() const {
    const KernelSpec& contract = model_.contract;
    // First, so that a formatter leaves all of it as the export wrote it and two exports can be
    // compared.
    std::string text = comment("clang-format off");
    text += comment(fmt::format("{}: {}", contract.name, contract.summary));
    text +=
        comment(fmt::format("Tuned configurations, written by `warpwright export`. Do not edit: "
                            "export again. ({})",
                            version_));
    for (std::size_t i = 0; i < model_.devices.size(); ++i) text += comment(device_summary(i));
    if (model_.left_out > 0) {
      text +=
          comment(fmt::format("Left out one at a time, {} of {} tuned problems get a configuration "
                              "within 10 % of their "
                              "best from the others.",
                              model_.left_out_good, model_.left_out));
    }
    text += c() ? c_usage() : cpp_usage();
    if (!c()) return text + "#pragma once\n\n";
    const std::string guard = dialect_.macro_prefix() + "H_INCLUDED";
    return text + fmt::format("#ifndef {}\n#define {}\n\n", guard, guard);
  }

  [[nodiscard]] std::string device_summary(std::size_t device) const {
    std::size_t boards = 0;
    std::size_t tried = 0;
    bool modelled = false;
    for (const SelectionBoard& board : model_.boards) {
      if (board.device != device) continue;
      ++boards;
      tried += board.tried;
      modelled |= board.modelled;
    }
    const SelectionDevice& facts = model_.devices[device];
    return fmt::format("{} ({}): {} problem{}, {} configurations tried; times are {}.", facts.name,
                       facts.arch, boards, boards == 1 ? "" : "s", tried,
                       modelled ? "MODELLED by an emulator, not measured" : "measured");
  }

  [[nodiscard]] std::string example_sizes() const {
    std::string text;
    for (std::size_t i = 0; i < model_.contract.problem.size(); ++i)
      text += (i == 0 ? "" : ", ") +
              qualified(code_.size_literal(i, model_.boards.front().sizes[i]), i);
    return text;
  }
  [[nodiscard]] std::string qualified(const std::string& literal, std::size_t size) const {
    return c() || names_.size_types[size].empty() ? literal : "tuned::" + literal;
  }

  [[nodiscard]] std::string cpp_usage() const {
    const SelectionDevice& device = model_.devices[model_.boards.front().device];
    std::string text = "//\n";
    text += fmt::format("//   namespace tuned = warpwright::{};\n", names_.kernel);
    text += fmt::format("//   const tuned::Problem problem{{{}}};\n", example_sizes());
    text +=
        fmt::format("//   const tuned::Selection chosen = tuned::select({{{}, {}}}, problem);\n",
                    text_literal(device.name), text_literal(device.arch));
    text +=
        "//   // chosen.configuration->source, compiled with tuned::defines(*chosen.configuration, "
        "problem),\n"
        "//   // is launched as tuned::launch(*chosen.configuration, problem, chosen.limits, 0) "
        "says.\n"
        "//\n"
        "// C++17, no other header; also as C++20, by nvcc and through NVRTC. Everything is "
        "constexpr.\n";
    return text;
  }

  [[nodiscard]] std::string c_usage() const {
    const SelectionDevice& device = model_.devices[model_.boards.front().device];
    const std::string& p = dialect_.prefix();
    return fmt::format(
        "/*\n     const {}problem problem = {{{}}};\n     const {}device device = {{{}, {}, "
        "{{0}}}};\n"
        "     const {}selection chosen = {}select(device, problem);\n"
        "   chosen.configuration->source, compiled with {}defines(*chosen.configuration, problem), "
        "is\n"
        "   launched as {}launch(*chosen.configuration, problem, chosen.limits, 0) says.\n"
        "   C99, no other header. */\n",
        p, example_sizes(), p, text_literal(device.name), text_literal(device.arch), p, p, p, p);
  }

  [[nodiscard]] std::string tuning_constants() const {
    const std::pair<const char*, double> constants[] = {{"kWorkScale", kWorkScale},
                                                        {"kNearby", kNearby},
                                                        {"kPriorFraction", kPriorFraction},
                                                        {"kPriorWeight", kPriorWeight},
                                                        {"kScoreTie", kScoreTie}};
    std::string text;
    for (const auto& [name, value] : constants) {
      text += c() ? fmt::format("static const double {} = {};\n", dialect_.table(name),
                                real_literal(value))
                  : fmt::format("WARPWRIGHT_DATA double {} = {};\n", name, real_literal(value));
    }
    return text;
  }

  [[nodiscard]] std::string functions() const {
    const std::string& prefix = dialect_.prefix();
    const CodeLanguage language = dialect_.language();
    std::string text = c() ? "" : "namespace detail {\n";
    text +=
        tuning_constants() + dialect_.define_constant("kAxisCount", std::to_string(code_.axes()));
    text += header_scales(language, prefix) + header_values(code_.operators(), language, prefix) +
            "\n" + code_.rules();
    if (!c()) text += "}  // namespace detail\n";
    text += "\n" + code_.allowed() + "\n";
    if (!c()) text += "namespace detail {";
    text += header_choice(language, prefix) + "\n";
    text += header_build_types(parts());
    text += header_builders(language, prefix) + "\n" + code_.defines() + "\n" + code_.launches() +
            code_.tensor_maps();
    return text;
  }

  [[nodiscard]] HeaderParts parts() const { return {names_, dialect_, code_}; }

  const SelectionModel& model_;
  const std::string& version_;
  ContractNames names_;
  HeaderDialect dialect_;
  ContractCode code_;
};

}  // namespace

std::string cpp_header(const SelectionModel& model, const std::string& version) {
  return HeaderWriter(model, version, CodeLanguage::kCpp).write();
}

std::string c_header(const SelectionModel& model, const std::string& version) {
  return HeaderWriter(model, version, CodeLanguage::kC).write();
}

}  // namespace warpwright
