#include "records/time_estimate.h"

#include "records/codec.h"

namespace warpwright {

WARPWRIGHT_RECORD_CODEC(TimeEstimate, median_us, ci_low_us, ci_high_us, floor_us, modelled,
                        protocol, raw_median_us)

}  // namespace warpwright
