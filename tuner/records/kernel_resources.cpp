#include "records/kernel_resources.h"

#include "records/codec.h"

namespace warpwright {

WARPWRIGHT_RECORD_CODEC(KernelResources, entry, registers, static_shared, constant, stack,
                        spill_stores, spill_loads)

}  // namespace warpwright
