// The tensor arithmetic for hosts with AVX512; CMakeLists.txt gives this file its compiler options.
#define WARPWRIGHT_TENSOR_ISA tensor_avx512
#include "emu/tensor/tensor_kernel.h"

namespace warpwright::emu {

const TensorKernels& tensor_kernels_avx512() { return WARPWRIGHT_TENSOR_ISA::kKernels; }

}  // namespace warpwright::emu
