#include "support/test_worker.h"

#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>

namespace warpwright {
namespace {

std::map<std::string, TestWorker::Body, std::less<>>& registry() {
  static std::map<std::string, TestWorker::Body, std::less<>> bodies;
  return bodies;
}

}  // namespace

TestWorker::TestWorker(std::string_view name, Body body) { registry().emplace(name, body); }

std::vector<std::string> test_worker_command(std::string_view name) {
  return {std::filesystem::read_symlink("/proc/self/exe").string(), "--worker", std::string(name)};
}

int run_test_worker(int argc, char** argv) {
  if (argc < 3 || std::string_view(argv[1]) != "--worker") return -1;
  const auto found = registry().find(std::string_view(argv[2]));
  if (found != registry().end()) return found->second();
  std::fprintf(stderr, "this test program has no worker named '%s'\n", argv[2]);
  return 2;
}

}  // namespace warpwright
