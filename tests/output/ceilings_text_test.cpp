#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "analysis/sample_roofs.h"
#include "output/golden.h"
#include "output/text/limit_text.h"
#include "support/stored_text.h"
#include "terminal/narrow.h"
#include "terminal/screen.h"

namespace warpwright {
namespace {

using testing::set_text;

using testing::ceiling;
using testing::expect_golden;
using testing::h200;
using testing::h200_roofs;

TEST(CeilingsText, Golden) {
  Roofs roofs = h200_roofs();
  roofs.ceilings.at("read").ci_low = 4390;
  roofs.ceilings.at("read").ci_high = 4410;
  roofs.ceilings.emplace("hyper_f4", ceiling("hyper_f4", 12));  // of a later warpwright
  expect_golden("ceilings.txt", ceilings_text(h200(), roofs));
  expect_golden("ceilings.json", ceilings_json(h200(), roofs).dump(2) + "\n");
}

TEST(CeilingsText, EveryTerminalShowsTheRates) {
  testing::expect_fits(
      [](const Screen& screen) { return ceilings_text(h200(), h200_roofs(), screen); },
      {"4,400 GB/s"});
}

TEST(CeilingsText, ADeviceThatWasNotCalibratedSaysHow) {
  EXPECT_EQ(ceilings_text(h200(), make_roofs(h200(), {})),
            "NVIDIA H200 (cuda:0), measured; driver 580.159.04; datasheet 4,814 GB/s\n"
            "  none: measure them with `warpwright calibrate --device cuda:0`\n");
  EXPECT_TRUE(ceilings_json(h200(), make_roofs(h200(), {})).at("ceilings").empty());
}

TEST(CeilingsText, RatesOfAModelAreSaidToBeThat) {
  DeviceRecord device = h200();
  device.has_clock = false;
  device.driver = "";
  set_text(device.details, R"({"model_ceilings":{"read":4416}})");
  EXPECT_EQ(ceilings_text(device, make_roofs(device, {})),
            "NVIDIA H200 (cuda:0), rates of its model, not measured\n"
            "  ceiling        rate  95 % interval  of datasheet  protocol  measured\n"
            "  ───────  ──────────  ─────────────  ────────────  ────────  ────────\n"
            "  read     4,416 GB/s              -             -  model\n");
  set_text(device.details, "");
  EXPECT_EQ(ceilings_text(device, make_roofs(device, {})),
            "NVIDIA H200 (cuda:0), rates of its model, not measured\n"
            "  no rates known: sweep on it with this warpwright to learn them\n");
}

}  // namespace
}  // namespace warpwright
