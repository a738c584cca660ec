#include "records/validity.h"

#include "records/codec.h"

namespace warpwright {

WARPWRIGHT_STORED_CODEC(Validity, blocks, tagged, retaken, sm_clock_min_mhz, sm_clock_max_mhz,
                        throttle, power_w, temperature_c, other_processes)

}  // namespace warpwright
