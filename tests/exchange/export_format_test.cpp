#include "exchange/export_format.h"

#include <gtest/gtest.h>

namespace warpwright {
namespace {

TEST(ExportFormat, AFolderIsNamedAfterItsDevice) {
  EXPECT_EQ(device_folder_name("NVIDIA H200"), "nvidia-h200");
  EXPECT_EQ(device_folder_name("NVIDIA H100 80GB HBM3"), "nvidia-h100-80gb-hbm3");
  EXPECT_EQ(device_folder_name("emulated NVIDIA A100 (80 GB)"), "emulated-nvidia-a100-80-gb");
  EXPECT_EQ(device_folder_name("../../etc"), "etc");
  EXPECT_EQ(device_folder_name("显卡"), "device");
}

}  // namespace
}  // namespace warpwright
