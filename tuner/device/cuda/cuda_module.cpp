#include "device/cuda/cuda_module.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "core/error.h"

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

LaunchResult launch_failure(Context& context, CUresult result, const std::string& doing) {
  context.note(result);
  LaunchResult failure;
  failure.status = Status::kLaunchFailed;
  failure.reason = fmt::format("{} while {}", context.driver().describe(result), doing);
  if (is_sticky(result)) {
    failure.device_lost = true;
    failure.reason += "; the emulator (--device emu:...) shows the line of such a fault";
  }
  return failure;
}

std::shared_ptr<Module> Module::load(std::shared_ptr<Context> context, const std::string& image,
                                     LaunchResult& failure) {
  // If the driver refuses an image (a PTX error, a wrong arch), it writes the reason into this
  // buffer.
  std::array<char, 4096> log{};
  std::array<CUjit_option, 2> options{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
  std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size())};

  CUmodule module = nullptr;
  const CUresult result = context->fn().module_load(&module, image.c_str(), options.size(),
                                                    options.data(), values.data());
  if (result == CUDA_SUCCESS) return std::make_shared<Module>(std::move(context), module);
  failure = launch_failure(*context, result, "loading the module");
  const bool not_for_this_gpu =
      result == CUDA_ERROR_NO_BINARY_FOR_GPU || result == CUDA_ERROR_INVALID_PTX ||
      result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION || result == CUDA_ERROR_INVALID_IMAGE;
  if (not_for_this_gpu) failure.status = Status::kInvalid;
  log.back() = '\0';
  if (log.front() != '\0') failure.reason += fmt::format(": {}", log.data());
  return nullptr;
}

Module::~Module() {
  if (!context_->lost()) context_->fn().module_unload(module_);
}

CUresult Module::find(const std::string& entry, CUfunction& function) const {
  return context_->note(
      context_->fn().module_get_function(&function, module_, symbol(entry).c_str()));
}

const std::string& Module::symbol(const std::string& name) const {
  const auto found = symbols_.find(name);
  return found == symbols_.end() ? name : found->second;
}

CUresult Module::find_variable(const std::string& variable, CUdeviceptr& address,
                               std::size_t& bytes) const {
  return context_->fn().module_get_global(&address, &bytes, module_, symbol(variable).c_str());
}

std::optional<std::size_t> Module::variable_bytes(const std::string& variable) const {
  CUdeviceptr address = 0;
  std::size_t bytes = 0;
  if (find_variable(variable, address, bytes) != CUDA_SUCCESS) return std::nullopt;
  return bytes;
}

CUresult Module::write(const VariableContent& content) const {
  CUdeviceptr address = 0;
  std::size_t bytes = 0;
  if (const CUresult result = find_variable(content.variable, address, bytes);
      result != CUDA_SUCCESS)
    return context_->note(result);
  return context_->note(context_->fn().copy_on_device(
      address, content.from, std::min(bytes, content.bytes), context_->stream()));
}

void Module::note_state(const ModuleState& declared) {
  unrestorable_ = declared.unrestorable;
  std::size_t total = 0;
  for (const StateVariable& variable : declared.variables) {
    StatePart part;
    part.name = variable.name;
    part.write_only = variable.write_only;
    if (context_->fn().module_get_global(&part.address, &part.bytes, module_, part.name.c_str()) !=
        CUDA_SUCCESS) {
      if (unrestorable_.empty())
        unrestorable_ = fmt::format("the driver does not show its variable '{}'", part.name);
      continue;
    }
    constexpr std::size_t kAlignment = 16;
    total += (part.bytes + kAlignment - 1) / kAlignment * kAlignment;
    state_.push_back(std::move(part));
  }
  if (total > kMaxStateBytes) {
    unrestorable_ = fmt::format(
        "its variables hold {} bytes, more than the {} that are restored between launches", total,
        kMaxStateBytes);
    state_.clear();
  }
  if (state_.empty()) return;
  pristine_ = std::make_unique<Buffer>(context_, total, "variables of a module");
  CUdeviceptr at = pristine_->address();
  for (StatePart& part : state_) {
    part.pristine = at;
    part.content.resize(part.bytes);
    context_->require(
        context_->fn().copy_on_device(part.pristine, part.address, part.bytes, context_->stream()),
        "keeping a module's variables");
    context_->require(context_->fn().copy_to_host(part.content.data(), part.address, part.bytes,
                                                  context_->stream()),
                      "keeping a module's variables");
    at += (part.bytes + 15) / 16 * 16;
  }
  constexpr std::chrono::milliseconds kLimit{120'000};
  context_->require(context_->wait(kLimit), "keeping a module's variables");
}

std::vector<const Module*> modules_of(std::span<const DeviceLaunch> launches) {
  std::vector<const Module*> modules;
  for (const DeviceLaunch& launch : launches) {
    const auto* module = dynamic_cast<const Module*>(launch.module.get());
    WARPWRIGHT_CHECK(module != nullptr, "a launch holds a module of another device");
    if (std::find(modules.begin(), modules.end(), module) == modules.end())
      modules.push_back(module);
  }
  return modules;
}

std::vector<const StatePart*> state_of(std::span<const DeviceLaunch> launches) {
  std::vector<const StatePart*> parts;
  for (const Module* module : modules_of(launches)) {
    for (const StatePart& part : module->state()) {
      const bool given =
          std::any_of(launches.begin(), launches.end(), [&](const DeviceLaunch& launch) {
            return launch.module.get() == module &&
                   std::any_of(launch.variables.begin(), launch.variables.end(),
                               [&](const VariableContent& content) {
                                 return module->symbol(content.variable) == part.name;
                               });
          });
      if (!given) parts.push_back(&part);
    }
  }
  return parts;
}

int Module::attribute(CUfunction function, CUfunction_attribute which) const {
  int value = 0;
  context_->require(context_->fn().function_get_attribute(&value, which, function),
                    "reading a kernel's attributes");
  return value;
}

std::optional<KernelResources> Module::resources(const std::string& entry) const {
  CUfunction function = nullptr;
  if (find(entry, function) != CUDA_SUCCESS) return std::nullopt;
  KernelResources resources;
  resources.entry = entry;
  resources.registers = attribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS);
  resources.static_shared = attribute(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
  resources.constant = attribute(function, CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES);
  resources.stack = attribute(function, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
  return resources;
}

std::vector<std::size_t> Module::parameter_sizes(const std::string& entry) const {
  std::vector<std::size_t> sizes;
  const auto query = context_->fn().function_parameter_info;
  CUfunction function = nullptr;
  if (query == nullptr || find(entry, function) != CUDA_SUCCESS) return sizes;
  std::size_t offset = 0;
  std::size_t size = 0;
  // The driver returns CUDA_ERROR_INVALID_VALUE for the index after the last parameter.
  while (query(function, sizes.size(), &offset, &size) == CUDA_SUCCESS) sizes.push_back(size);
  return sizes;
}

std::string PreparedLaunch::describe() const {
  return fmt::format("{} (grid [{}], block [{}], {} B dynamic shared)", source_->entry,
                     fmt::join(source_->grid, ", "), fmt::join(source_->block, ", "),
                     source_->dynamic_shared);
}

std::optional<PreparedLaunch> PreparedLaunch::prepare(Context& context, const DeviceLaunch& launch,
                                                      LaunchResult& failure) {
  const auto* module = dynamic_cast<const Module*>(launch.module.get());
  WARPWRIGHT_CHECK(module != nullptr, "a launch holds a module of another device");
  PreparedLaunch prepared(launch);
  const std::string what = prepared.describe();
  if (const CUresult result = module->find(launch.entry, prepared.function_);
      result != CUDA_SUCCESS) {
    failure = launch_failure(context, result,
                             fmt::format("looking for entry '{}' in the module", launch.entry));
    return std::nullopt;
  }
  // Above 48 KB of shared memory, static included, a kernel must opt in; so must clusters of more
  // than 8 blocks.
  constexpr int kSharedWithoutOptIn = 48 * 1024;
  constexpr std::uint32_t kPortableCluster = 8;
  const auto& fn = context.fn();
  int static_shared = 0;
  CUresult result = fn.function_get_attribute(&static_shared, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES,
                                              prepared.function_);
  const int dynamic_shared = static_cast<int>(launch.dynamic_shared);
  if (result == CUDA_SUCCESS && static_shared + dynamic_shared > kSharedWithoutOptIn) {
    result = fn.function_set_attribute(
        prepared.function_, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, dynamic_shared);
  }
  if (result == CUDA_SUCCESS &&
      launch.cluster[0] * launch.cluster[1] * launch.cluster[2] > kPortableCluster) {
    result = fn.function_set_attribute(prepared.function_,
                                       CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1);
  }
  if (result != CUDA_SUCCESS) {
    failure = launch_failure(context, result, "preparing " + what);
    return std::nullopt;
  }
  for (const VariableContent& content : launch.variables) {
    if (result = module->write(content); result != CUDA_SUCCESS) {
      failure = launch_failure(context, result,
                               fmt::format("writing the variable '{}'", content.variable));
      return std::nullopt;
    }
  }
  for (const std::vector<std::byte>& argument : launch.arguments) {
    // The driver only reads the parameters, but its signature takes void**.
    prepared.parameters_.push_back(const_cast<std::byte*>(argument.data()));
  }
  return prepared;
}

CUresult PreparedLaunch::enqueue(Context& context) {
  CUlaunchAttribute cluster{};
  cluster.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  cluster.value.clusterDim.x = source_->cluster[0];
  cluster.value.clusterDim.y = source_->cluster[1];
  cluster.value.clusterDim.z = source_->cluster[2];

  CUlaunchConfig config{};
  config.gridDimX = source_->grid[0];
  config.gridDimY = source_->grid[1];
  config.gridDimZ = source_->grid[2];
  config.blockDimX = source_->block[0];
  config.blockDimY = source_->block[1];
  config.blockDimZ = source_->block[2];
  config.sharedMemBytes = source_->dynamic_shared;
  config.hStream = context.stream();
  if (source_->cluster != std::array<std::uint32_t, 3>{1, 1, 1}) {
    config.attrs = &cluster;
    config.numAttrs = 1;
  }
  return context.note(context.fn().launch_kernel(&config, function_, parameters_.data(), nullptr));
}

}  // namespace warpwright::cuda
