// Worker processes for tests: a test program starts itself as its own worker, so tests need no
// helper executables.
//
//   WARPWRIGHT_TEST_WORKER(echo) { WorkerChannel channel; ... return 0; }
//   Subprocess worker(test_worker_command("echo"));
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpwright {

// Registers the body of a worker at start-up; use the macro.
class TestWorker {
 public:
  using Body = int (*)();
  TestWorker(std::string_view name, Body body);
};

// The command line that runs the named body: this test program's own file, "--worker", the name.
[[nodiscard]] std::vector<std::string> test_worker_command(std::string_view name);

// Runs a registered body when the command line asks for one; -1 when it does not.
int run_test_worker(int argc, char** argv);

}  // namespace warpwright

// NOLINTNEXTLINE(cppcoreguidelines-macro-usage): a function and its registration, as gtest's TEST
#define WARPWRIGHT_TEST_WORKER(name)                                                         \
  static int test_worker_##name();                                                           \
  static const ::warpwright::TestWorker test_worker_entry_##name(#name, test_worker_##name); \
  static int test_worker_##name()
