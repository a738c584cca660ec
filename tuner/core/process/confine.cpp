#include "core/process/confine.h"

#if __has_include(<linux/landlock.h>)
#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>
#endif

namespace warpwright {

#if __has_include(<linux/landlock.h>) && defined(SYS_landlock_create_ruleset)

namespace {

class Handle {
 public:
  explicit Handle(long number) : number_(static_cast<int>(number)) {}
  ~Handle() {
    if (valid()) ::close(number_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  [[nodiscard]] bool valid() const { return number_ >= 0; }
  [[nodiscard]] int get() const { return number_; }

 private:
  int number_;
};

constexpr std::uint64_t kReadFile = LANDLOCK_ACCESS_FS_READ_FILE;
constexpr std::uint64_t kReadFolder = LANDLOCK_ACCESS_FS_READ_DIR;
// The rights that the first version of Landlock controls.
constexpr std::uint64_t kControlled =
    kReadFile | kReadFolder | LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
    LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
    LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
    LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;

Handle new_ruleset() {
  landlock_ruleset_attr attributes{};
  attributes.handled_access_fs = kControlled;
  return Handle(::syscall(SYS_landlock_create_ruleset, &attributes, sizeof(attributes), 0U));
}

void allow(const Handle& ruleset, const std::filesystem::path& path) {
  const Handle place(::open(path.c_str(), O_PATH | O_CLOEXEC));
  if (!place.valid()) return;
  std::error_code ignored;
  landlock_path_beneath_attr rule{};
  rule.parent_fd = place.get();
  rule.allowed_access =
      std::filesystem::is_directory(path, ignored) ? kReadFile | kReadFolder : kReadFile;
  (void)::syscall(SYS_landlock_add_rule, ruleset.get(), LANDLOCK_RULE_PATH_BENEATH, &rule, 0U);
}

}  // namespace

bool confine_thread(const std::vector<std::filesystem::path>& readable) {
  const Handle ruleset = new_ruleset();
  if (!ruleset.valid()) return false;
  for (const std::filesystem::path& path : readable) allow(ruleset, path);
  // The kernel asks for this promise of threads without privileges.
  if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return false;
  return ::syscall(SYS_landlock_restrict_self, ruleset.get(), 0U) == 0;
}

bool can_confine_threads() { return new_ruleset().valid(); }

#else

bool confine_thread(const std::vector<std::filesystem::path>&) { return false; }
bool can_confine_threads() { return false; }

#endif

}  // namespace warpwright
