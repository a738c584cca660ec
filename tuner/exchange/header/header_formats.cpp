#include "exchange/header/header_formats.h"

#include <set>
#include <string>

#include "exchange/header/selection_source.h"
#include "exchange/header/selection_writers.h"
#include "exchange/header/shared_files.h"

namespace warpwright {
namespace {

template <typename Write>
std::vector<ExportFile> write_all(const ExportRequest& request, const char* ending,
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
  std::vector<ExportFile> files = write_all(request, ".h", [&](const SelectionModel& model) {
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
  return write_all(request, ".json", [&](const SelectionModel& model) {
    return select_json(model, request.version);
  });
}

}  // namespace warpwright
