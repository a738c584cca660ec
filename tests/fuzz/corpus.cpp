#include "fuzz/corpus.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "core/error.h"
#include "core/files.h"

namespace warpwright::fuzz {
namespace fs = std::filesystem;

fs::path source_folder() { return WARPWRIGHT_SOURCE_DIR; }

std::vector<fs::path> corpus_files(const std::string& folder, const std::string& ending,
                                   std::size_t most_bytes) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(source_folder() / folder)) {
    if (entry.is_regular_file() && entry.path().string().ends_with(ending) &&
        entry.file_size() <= most_bytes)
      files.push_back(entry.path());
  }
  if (files.empty()) throw environment_error(fmt::format("{} has no *{}", folder, ending));
  std::sort(files.begin(), files.end());
  return files;
}

void write_quickly(const fs::path& file, const std::string& bytes) {
  fs::remove(file);
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (descriptor < 0) throw environment_error(fmt::format("cannot write {}", file.string()));
  write_all(descriptor, bytes, file);
  ::close(descriptor);
}

std::vector<std::string> read_all(const std::vector<fs::path>& files) {
  std::vector<std::string> texts;
  for (const fs::path& file : files) texts.push_back(read_file(file));
  return texts;
}

}  // namespace warpwright::fuzz
