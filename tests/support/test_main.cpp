#include <gmock/gmock.h>

#include <cstdlib>

#include "support/test_worker.h"

int main(int argc, char** argv) {
  // As the program's own compilers: what a driver's cache remembers has no figures of ptxas.
  ::setenv("CUDA_CACHE_DISABLE", "1", 1);
  if (const int code = warpwright::run_test_worker(argc, argv); code >= 0) return code;
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
