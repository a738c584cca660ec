#include "device/cuda/tensor_map_encoder.h"

#include <fmt/format.h>

#include <cstring>

namespace warpwright::cuda {
namespace {

// Checks that the emulator's enumeration has the driver's values.
static_assert(static_cast<int>(TensorElement::kU8) == CU_TENSOR_MAP_DATA_TYPE_UINT8);
static_assert(static_cast<int>(TensorElement::kU16) == CU_TENSOR_MAP_DATA_TYPE_UINT16);
static_assert(static_cast<int>(TensorElement::kU32) == CU_TENSOR_MAP_DATA_TYPE_UINT32);
static_assert(static_cast<int>(TensorElement::kS32) == CU_TENSOR_MAP_DATA_TYPE_INT32);
static_assert(static_cast<int>(TensorElement::kU64) == CU_TENSOR_MAP_DATA_TYPE_UINT64);
static_assert(static_cast<int>(TensorElement::kS64) == CU_TENSOR_MAP_DATA_TYPE_INT64);
static_assert(static_cast<int>(TensorElement::kF16) == CU_TENSOR_MAP_DATA_TYPE_FLOAT16);
static_assert(static_cast<int>(TensorElement::kF32) == CU_TENSOR_MAP_DATA_TYPE_FLOAT32);
static_assert(static_cast<int>(TensorElement::kF64) == CU_TENSOR_MAP_DATA_TYPE_FLOAT64);
static_assert(static_cast<int>(TensorElement::kBf16) == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16);
static_assert(static_cast<int>(TensorElement::kTf32) == CU_TENSOR_MAP_DATA_TYPE_TFLOAT32);
static_assert(sizeof(CUtensorMap) == emu::kTensorMapBytes);

CUtensorMapSwizzle swizzle_of(std::int64_t span) {
  switch (span) {
    case 32:
      return CU_TENSOR_MAP_SWIZZLE_32B;
    case 64:
      return CU_TENSOR_MAP_SWIZZLE_64B;
    case 128:
      return CU_TENSOR_MAP_SWIZZLE_128B;
    default:
      return CU_TENSOR_MAP_SWIZZLE_NONE;
  }
}

CUtensorMapL2promotion promotion_of(std::int64_t bytes) {
  switch (bytes) {
    case 64:
      return CU_TENSOR_MAP_L2_PROMOTION_L2_64B;
    case 128:
      return CU_TENSOR_MAP_L2_PROMOTION_L2_128B;
    case 256:
      return CU_TENSOR_MAP_L2_PROMOTION_L2_256B;
    default:
      return CU_TENSOR_MAP_L2_PROMOTION_NONE;
  }
}

}  // namespace

EncodedTensorMap encode_tensor_map(const Driver& driver, const TensorMapRequest& request) {
  const TensorMapGeometry geometry = geometry_of(request);
  EncodedTensorMap encoded;
  // Its type provides the alignment that the driver requires for its output; the bytes that a
  // launch copies need no alignment.
  CUtensorMap map{};
  const CUresult result = driver.functions().encode_tensor_map(
      &map, static_cast<CUtensorMapDataType>(request.element), geometry.rank,
      reinterpret_cast<void*>(request.address), geometry.sizes.data(), geometry.strides.data(),
      geometry.box.data(), geometry.element_strides.data(), CU_TENSOR_MAP_INTERLEAVE_NONE,
      swizzle_of(request.swizzle), promotion_of(request.l2_promotion),
      request.fill_nan ? CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
                       : CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result == CUDA_SUCCESS) {
    std::memcpy(encoded.bytes.data(), &map, sizeof map);
    return encoded;
  }
  // The launch did not cause this and the device is not lost: the configuration is impossible.
  encoded.status = Status::kInvalid;
  encoded.reason = fmt::format("{} while encoding the tensor map", driver.describe(result));
  return encoded;
}

bool encode_tensor_maps(const Driver& driver, DeviceLaunch& launch, LaunchResult& failure) {
  for (const TensorMapArgument& map : launch.tensor_maps) {
    const EncodedTensorMap encoded = encode_tensor_map(driver, map.request);
    if (encoded.status != Status::kOk) {
      failure.status = encoded.status;
      failure.reason = encoded.reason;
      return false;
    }
    launch.arguments[map.argument].assign(encoded.bytes.begin(), encoded.bytes.end());
  }
  return true;
}

}  // namespace warpwright::cuda
