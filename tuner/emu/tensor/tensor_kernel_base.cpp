// The tensor arithmetic for any host; CMakeLists.txt gives this file its compiler options.
#define WARPWRIGHT_TENSOR_ISA tensor_base
#include "emu/tensor/tensor_kernel.h"

namespace warpwright::emu {

const TensorKernels& tensor_kernels_base() { return WARPWRIGHT_TENSOR_ISA::kKernels; }

}  // namespace warpwright::emu
