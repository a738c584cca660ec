// fuzz_tests [--replay FILE] [options of Google Test]
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "fuzz/fuzz.h"

int main(int argc, char** argv) {
  // Thousands of small databases are written: in memory where there is a place for that.
  if (::access("/dev/shm", W_OK) == 0) ::setenv("TMPDIR", "/dev/shm", /*overwrite=*/0);
  testing::InitGoogleMock(&argc, argv);
  if (argc == 3 && std::string_view(argv[1]) == "--replay") {
    warpwright::fuzz::replay_only(argv[2]);
  } else if (argc != 1) {
    std::fprintf(stderr, "unknown argument %s; fuzz_tests [--replay FILE] [--gtest_...]\n",
                 argv[1]);
    return 2;
  }
  return RUN_ALL_TESTS();
}
