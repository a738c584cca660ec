#include "records/trial_measurement.h"

#include "records/codec.h"

namespace warpwright {

WARPWRIGHT_MEMBERS(OutputError, io, error) {
  io("output", error.output);
  io("checked", error.checked);
  io("wrong", error.wrong);
  io.unbounded("max_abs", error.max_abs);
  io.unbounded("max_rel", error.max_rel);
  io.unbounded("worst_ratio", error.worst_ratio);
}
WARPWRIGHT_STORED_CODEC_OF(OutputError)

WARPWRIGHT_STORED_CODEC(TrialFinding, kind, text)

WARPWRIGHT_MEMBERS(TrialMeasurement, io, measurement) {
  io("anchor_drift", measurement.anchor_drift);
  io("validity", measurement.validity);
  io.unless_empty("warnings", measurement.warnings);
  io.unless_empty("hazards", measurement.hazards);
  io.unless_empty("untested", measurement.untested);
  io.unless_empty("case_seconds", measurement.case_seconds);
  io.unless_empty("input_seconds", measurement.input_seconds);
  io.unless_empty("units", measurement.units);
  io.unless_empty("energy_mj_per_launch", measurement.energy_mj_per_launch);
  io.unless_empty("power_w", measurement.power_w);
  io.unless_empty("failure", measurement.failure);
}
WARPWRIGHT_STORED_CODEC_OF(TrialMeasurement)

}  // namespace warpwright
