#include "core/process/memory_limit.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "core/error.h"
#include "core/files.h"
#include "core/process/subprocess.h"
#include "core/words.h"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

// Several times the memory that a worker uses before it does any work.
constexpr std::uint64_t kLeastLimit = 64u << 20;

// Finds "MemAvailable:   123 kB" or "inactive_file 123"; nullopt if there is no such line.
std::optional<std::uint64_t> field(std::string_view text, std::string_view name) {
  for (std::size_t at = text.find(name); at != std::string_view::npos;
       at = text.find(name, at + 1)) {
    if (at != 0 && text[at - 1] != '\n') continue;
    std::string_view rest = text.substr(at + name.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(": \t"), rest.size()));
    std::uint64_t value = 0;
    if (std::from_chars(rest.data(), rest.data() + rest.size(), value).ec == std::errc())
      return value;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> number_in(const fs::path& file) {
  const std::optional<std::string> text = read_file_if_present(file);
  return text ? field(*text, "") : std::nullopt;
}

// The memory that one control group still allows. Its usage includes cached files, which the kernel
// reclaims first.
std::optional<std::uint64_t> left_in_group(const fs::path& folder, const char* limit_file,
                                           const char* usage_file, std::string_view cache_field) {
  const auto limit = number_in(folder / limit_file);
  const auto used = number_in(folder / usage_file);
  if (!limit || !used) return std::nullopt;
  const auto statistics = read_file_if_present(folder / "memory.stat");
  const std::uint64_t cached = statistics ? field(*statistics, cache_field).value_or(0) : 0;
  const std::uint64_t held = *used - std::min(*used, cached);
  return *limit - std::min(*limit, held);
}

}  // namespace

std::optional<std::uint64_t> available_memory_bytes(const fs::path& root) {
  std::optional<std::uint64_t> least;
  const auto bound = [&least](std::optional<std::uint64_t> bytes) {
    if (bytes) least = std::min(least.value_or(*bytes), *bytes);
  };
  if (const auto text = read_file_if_present(root / "proc/meminfo")) {
    if (const auto kib = field(*text, "MemAvailable")) bound(*kib * 1024);
  }
  // "0::/user.slice/x" is version 2, "4:memory:/x" version 1; the limits of all groups up to the
  // root apply.
  std::istringstream groups(read_file_if_present(root / "proc/self/cgroup").value_or(""));
  for (std::string line; std::getline(groups, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool unified = controllers == ",,";
    if (!unified && controllers.find(",memory,") == std::string::npos) continue;
    const fs::path top = root / (unified ? "sys/fs/cgroup" : "sys/fs/cgroup/memory");
    fs::path group = fs::path(line.substr(second + 1)).relative_path();
    while (true) {
      bound(unified ? left_in_group(top / group, "memory.max", "memory.current", "inactive_file")
                    : left_in_group(top / group, "memory.limit_in_bytes", "memory.usage_in_bytes",
                                    "total_inactive_file"));
      if (group.empty()) break;
      group = group.parent_path();
    }
  }
  return least;
}

std::uint64_t parse_memory_limit(std::string_view text, std::string_view name) {
  if (text == "off") return 0;
  const std::optional<std::uint64_t> bytes = parse_byte_count(text);
  if (!bytes) {
    throw user_error(fmt::format(
        "{}='{}': expected `off` or a number of bytes such as 4000000000, 800MiB or 4GiB", name,
        text));
  }
  if (*bytes < kLeastLimit) {
    throw user_error(
        fmt::format("{}='{}': {} bytes are too few for a process to start in; expected "
                    "`off` or at least {}MiB",
                    name, text, *bytes, kLeastLimit >> 20));
  }
  return *bytes;
}

std::optional<std::uint64_t> own_memory_limit() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_DATA, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return std::nullopt;
  return limit.rlim_cur;
}

std::string describe_memory_limit(std::optional<std::uint64_t> bytes) {
  if (!bytes || *bytes == 0) return "no limit was set, only the machine's own applies";
  return fmt::format("limit {} MiB; WARPWRIGHT_MEMORY_LIMIT sets it", *bytes >> 20);
}

bool has_small_stack() {
  rlimit stack{};
  return ::getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < kUsualStackBytes;
}

std::uint64_t peak_memory_bytes() {
  const auto text = read_file_if_present("/proc/self/status");
  return text ? field(*text, "VmHWM").value_or(0) * 1024 : 0;
}

void forget_peak_memory() {
  const int descriptor = ::open("/proc/self/clear_refs", O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return;
  [[maybe_unused]] const ssize_t put = ::write(descriptor, "5", 1);
  ::close(descriptor);
}

bool ended_out_of_memory(const ExitStatus& status, std::string_view stderr_tail) {
  if (status.signal == 0) return status.code == kOutOfMemoryExit;
  return stderr_tail.find("std::bad_alloc") != std::string_view::npos;
}

}  // namespace warpwright
