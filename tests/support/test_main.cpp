#include <gmock/gmock.h>

#include "support/test_worker.h"

int main(int argc, char** argv) {
  if (const int code = warpwright::run_test_worker(argc, argv); code >= 0) return code;
  testing::InitGoogleMock(&argc, argv);
  return RUN_ALL_TESTS();
}
