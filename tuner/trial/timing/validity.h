// Whether the device was steady while samples were taken. Samples come in blocks; the device's
// state is read before and after each. A block is tagged, and its samples are not used, when the SM
// clock moved by more than 2 % within the block or is more than 2 % below the clock of the good
// blocks, or when clocks were held down by heat, a power brake or the like. If the clock is higher
// than that of the good blocks and stays there, the earlier blocks were the slow ones: they are
// tagged instead, and the judgement starts anew. A power cap or an idle clock alone tags nothing,
// because its effect shows in the clock.
#pragma once

#include <optional>
#include <string>

#include "device/device.h"
#include "trial/launch/outcome.h"

namespace warpwright {

class ValidityWatch {
 public:
  static constexpr double kClockTolerance = 0.02;
  static constexpr double kTaggedShare = 0.30;  // above it a measurement is noisy
  static constexpr int kPatience = 10;          // blocks after which the share is judged

  // Whether the clock moved by more than the tolerance; 0 is "unknown", which never counts as
  // moved.
  [[nodiscard]] static bool clock_moved(int from_mhz, int to_mhz);

  explicit ValidityWatch(Device& device);

  // Reads the state before the block that comes next.
  void begin_block();
  // Reads the state again. Returns true when the block may be used; blocks with disturbed samples
  // may not. The clock of paced samples (device/timing.h) has been judged already.
  [[nodiscard]] bool end_block(bool disturbed = false, bool paced = false);
  // Whether the latest block is the first at a higher clock: it may be used, but no earlier block
  // may.
  [[nodiscard]] bool risen() const { return risen_; }

  // True when the share of tagged blocks since the clock rose is too large for a time to be given.
  // Never true before kPatience blocks: one disturbed block among few is merely measured again.
  [[nodiscard]] bool noisy() const;
  // "7 of 10 blocks of samples were disturbed: SM clock between 1410 and 1980 MHz, power cap; ...".
  [[nodiscard]] std::string describe() const;
  [[nodiscard]] const Validity& seen() const { return seen_; }
  // The SM clock in the latest state; 0 when unknown.
  [[nodiscard]] int sm_clock_mhz() const { return after_.sm_clock_mhz; }

 private:
  void note(const DeviceState& state);
  void start_anew();

  Device& device_;
  DeviceState before_, after_;
  int steady_clock_mhz_ = 0;  // of the first good block
  bool risen_ = false;
  Validity seen_;
  int blocks_before_ = 0;  // before the clock rose; tagged_before_ of them were tagged
  int tagged_before_ = 0;
};

}  // namespace warpwright
