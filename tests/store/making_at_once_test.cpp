// Another process creates the same database while this one opens it, at every moment at which
// SQLite permits it.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <functional>
#include <string>
#include <utility>

#include "store/open.h"
#include "store/sample_records.h"

namespace warpwright {
namespace {

// SQLite's usual file layer, with a callback each time a database releases its last lock.
class Gaps {
 public:
  static constexpr const char* kName = "gaps";

  explicit Gaps(std::function<void()> in_gap) {
    in_gap_ = std::move(in_gap);
    usual_ = sqlite3_vfs_find(nullptr);
    layer_ = *usual_;
    layer_.zName = kName;
    layer_.xOpen = open;
    sqlite3_vfs_register(&layer_, 0);
  }
  ~Gaps() {
    sqlite3_vfs_unregister(&layer_);
    in_gap_ = nullptr;
  }
  Gaps(const Gaps&) = delete;
  Gaps& operator=(const Gaps&) = delete;

 private:
  static int open(sqlite3_vfs* /*layer*/, const char* name, sqlite3_file* file, int flags,
                  int* out) {
    const int code = usual_->xOpen(usual_, name, file, flags, out);
    if (code == SQLITE_OK && (flags & SQLITE_OPEN_MAIN_DB) != 0) {
      usual_methods_ = file->pMethods;
      methods_ = *usual_methods_;
      methods_.xUnlock = unlock;
      file->pMethods = &methods_;
    }
    return code;
  }
  static int unlock(sqlite3_file* file, int level) {
    const int code = usual_methods_->xUnlock(file, level);
    if (level == SQLITE_LOCK_NONE) in_gap_();
    return code;
  }

  static inline std::function<void()> in_gap_;
  static inline sqlite3_vfs* usual_ = nullptr;
  static inline sqlite3_vfs layer_{};
  static inline const sqlite3_io_methods* usual_methods_ = nullptr;
  static inline sqlite3_io_methods methods_{};
};

class MakingAtOnceTest : public testing::DatabaseTest {};

TEST_F(MakingAtOnceTest, WhoeverComesBetweenIsNoStranger) {
  int gaps = 0;
  for (bool between = true; between; ++gaps) {
    SCOPED_TRACE("gap " + std::to_string(gaps));
    path_ = folder_.path() / (std::to_string(gaps) + ".db");
    int seen = 0;
    const Gaps layer([&] {
      if (seen++ == gaps) make_database(2);
    });
    const OpenedDatabase opened = open_for_writing(path_, 0, Gaps::kName);
    between = seen > gaps;  // otherwise there are no more gaps
    EXPECT_EQ(open().trial_count(), between ? 2U : 0U);
  }
  EXPECT_GT(gaps, 3) << "to look, to migrate and to choose a journal are three";
}

}  // namespace
}  // namespace warpwright
