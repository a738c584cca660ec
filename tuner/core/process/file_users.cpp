#include "core/process/file_users.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <set>
#include <system_error>

#include "core/files.h"
#include "core/words.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;

std::string command_of(const fs::path& process) {
  constexpr std::size_t kShown = 80;
  std::string command = read_file_if_present(process / "cmdline").value_or("");
  while (!command.empty() && command.back() == '\0') command.pop_back();
  std::replace(command.begin(), command.end(), '\0', ' ');
  return command.size() <= kShown ? command : command.substr(0, kShown) + "...";
}

bool has_open(const fs::path& process, const std::set<fs::path>& wanted) {
  std::error_code error;  // the process is gone, or another user's
  for (fs::directory_iterator it(process / "fd", error), end; !error && it != end;
       it.increment(error)) {
    std::error_code ignored;
    if (wanted.contains(fs::read_symlink(it->path(), ignored))) return true;
  }
  return false;
}

}  // namespace

std::vector<std::string> other_users_of(const std::vector<fs::path>& files) {
  std::set<fs::path> wanted;
  for (const fs::path& file : files) {
    std::error_code error;
    if (const fs::path real = fs::canonical(file, error); !error) wanted.insert(real);
  }
  std::map<long, std::string> users;
  std::error_code error;
  for (fs::directory_iterator it("/proc", error), end; !error && it != end; it.increment(error)) {
    const std::string name = it->path().filename().string();
    if (!all_digits(name)) continue;
    const long process = std::stol(name);
    if (process == ::getpid() || !has_open(it->path(), wanted)) continue;
    users[process] = fmt::format("process {} ({})", process, command_of(it->path()));
  }
  std::vector<std::string> result;
  for (auto& [process, text] : users) result.push_back(std::move(text));
  return result;
}

}  // namespace warpwright
