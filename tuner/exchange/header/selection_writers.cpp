#include "exchange/header/selection_writers.h"

#include <fmt/format.h>

#include <set>
#include <string>

#include "core/escape.h"
#include "core/hash.h"
#include "core/words.h"
#include "exchange/header/header_contract.h"
#include "exchange/header/header_sections.h"
#include "exchange/header/selection_source.h"
#include "exchange/header/shared_files.h"

namespace warpwright {

// Assembles the written header: the introduction and the order of the sections.

namespace {

class HeaderWriter {
 public:
  HeaderWriter(const SelectionModel& model, const HeaderOptions& options)
      : model_(model),
        options_(options),
        names_(name_contract(model.contract)),
        style_(options.prefix, names_.kernel),
        code_(model.contract, names_, style_) {}

  [[nodiscard]] std::string write() const {
    // A kernel compiled with -D<parameter> may include this header as well.
    std::set<std::string> renamed;
    const std::string safe = rename_macros(body(), names_.macros, renamed);
    std::string text = opening();
    for (const std::string& word : renamed) {
      text += style_.comment(fmt::format(
          "`{}` is called {}_here: the kernel is compiled with -D{}.", word, word, word));
    }
    const std::string guard = style_.constant("h");
    text +=
        fmt::format("#ifndef {}\n#define {}\n\n#include \"warpwright_select.h\"\n\n", guard, guard);
    text += fmt::format(
        "#if WARPWRIGHT_SELECT_VERSION != {}\n#error this header is of another "
        "version than warpwright_select.h: export again\n#endif\n\n",
        kSharedHeaderVersion);
    text += in_namespace(safe) + "\n#endif\n";
    return text + header_seal(text);
  }

 private:
  [[nodiscard]] std::string in_namespace(const std::string& body) const {
    if (options_.name_space.empty()) return body;
    return fmt::format(
        "#if defined(__cplusplus)\nnamespace {} {{\n#endif\n\n{}\n#if defined(__cplusplus)\n}}  /* "
        "namespace {} */\n#endif\n",
        options_.name_space, body, options_.name_space);
  }

  [[nodiscard]] std::string opening() const {
    const KernelSpec& contract = model_.contract;
    // This line comes first so that a formatter leaves the export unchanged and two exports can be
    // compared.
    std::string text = style_.comment("clang-format off");
    text += style_.comment(fmt::format("{}: {}", contract.name, contract.summary));
    text += style_.comment(
        "Tuned configurations, written by `warpwright export`. Do not edit: "
        "export again.");
    text += header_origin(options_);
    for (std::size_t i = 0; i < model_.devices.size(); ++i)
      text += style_.comment(device_summary(i));
    if (model_.left_out > 0) {
      text += style_.comment(
          fmt::format("Left out one at a time, {} of {} tuned problems get a configuration within "
                      "10 % of their best from the others.",
                      model_.left_out_good, model_.left_out));
    }
    return text + usage();
  }

  [[nodiscard]] std::string device_summary(std::size_t device) const {
    std::size_t boards = 0;
    std::size_t tried = 0;
    bool modelled = false;
    std::set<std::string> versions;
    for (const SelectionBoard& board : model_.boards) {
      if (board.device != device) continue;
      ++boards;
      tried += board.tried;
      modelled |= board.modelled;
      versions.insert(board.version);
    }
    std::string by;
    for (const std::string& version : versions)
      by += (by.empty() ? "" : ", ") + (version.empty() ? "a version that is not known" : version);
    const SelectionDevice& facts = model_.devices[device];
    return fmt::format("{} ({}): {}, {} configurations tried; times are {}, by {}.", facts.name,
                       facts.arch, plural(boards, "problem"), tried,
                       modelled ? "MODELLED by an emulator, not measured" : "measured", by);
  }

  [[nodiscard]] std::string usage() const {
    const SelectionBoard& board = model_.boards.front();
    const SelectionDevice& device = model_.devices[board.device];
    std::string sizes;
    for (std::size_t i = 0; i < model_.contract.problem.size(); ++i)
      sizes += (i == 0 ? "" : ", ") + code_.size_literal(i, board.sizes[i]);
    // Names given by users are not expanded, and cannot end the comment.
    return style_.expand("/*\n     const ww_device device = {") +
           fmt::format("{}, {}, {{0}}}};\n", c_comment(c_literal(device.name)),
                       c_comment(c_literal(device.arch))) +
           style_.expand("     const $problem problem = {") + c_comment(sizes) +
           style_.expand(
               "};\n"
               "     const ww_selection chosen = $select(device, problem);\n"
               "     const ww_launch_plan plan = $launch(chosen, problem, 0);\n\n"
               "   warpwright_select.h says how it is compiled and launched. C99, C++17 and NVRTC. "
               "*/\n");
  }

  [[nodiscard]] std::string body() const {
    const HeaderParts parts{names_, style_, code_};
    return code_.enumerations() + code_.problem_struct() + "\n" + header_tables(model_, parts) +
           code_.rules() + "\n" + header_choice(style_) + "\n" + code_.options() + "\n" +
           code_.launches() + "\n" + code_.tensors() +
           (code_.tensor_maps().empty() ? "" : "\n" + code_.tensor_maps());
  }

  const SelectionModel& model_;
  const HeaderOptions& options_;
  ContractNames names_;
  HeaderStyle style_;
  ContractCode code_;
};

}  // namespace

std::string selection_header(const SelectionModel& model, const HeaderOptions& options) {
  return HeaderWriter(model, options).write();
}

namespace {

template <typename Write>
std::vector<ExportFile> write_each(const ExportRequest& request, const char* ending,
                                   const Write& write) {
  std::set<std::string> kernels;
  for (const Leaderboard& board : request.boards) kernels.insert(board.kernel);
  std::vector<ExportFile> files;
  for (const std::string& kernel : kernels) {
    const SelectionModel model = make_selection_model(request.database, request.boards, kernel);
    files.push_back({export_file_name({kernel}) + ending, write(model)});
  }
  return files;
}

}  // namespace

std::vector<ExportFile> export_header(const ExportRequest& request) {
  const HeaderOptions options{request.version, request.prefix, request.name_space, request.asked};
  check_header_options(options);
  std::vector<ExportFile> files = write_each(request, ".h", [&](const SelectionModel& model) {
    HeaderOptions own = options;
    const std::size_t at = own.asked.find("$KERNEL");
    if (at != std::string::npos) own.asked.replace(at, 7, model.contract.name);
    return selection_header(model, own);
  });
  for (const EmbeddedFile& shared : shared_header_files())
    files.push_back({std::string(shared.name), std::string(shared.text), /*beside=*/true});
  return files;
}

std::vector<ExportFile> export_select_json(const ExportRequest& request) {
  return write_each(request, ".json", [&](const SelectionModel& model) {
    return select_json(model, request.version);
  });
}

}  // namespace warpwright
