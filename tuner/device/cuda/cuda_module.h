// Modules loaded from cubins (or PTX), tensor maps encoded by the driver, and launches resolved
// against modules once so that repeating one costs a single call.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compile/ptx_module.h"
#include "device/cuda/context.h"
#include "device/cuda/driver.h"
#include "device/device.h"

namespace warpwright::cuda {

// Tensor maps are encoded by cuTensorMapEncodeTiled from a request of device/tensor_map.h. Encoding
// runs on the host alone, so end-to-end timing without prepared launches includes it.

// Encodes a request that obeys the rules. The status is kInvalid, with the driver's error, if the
// driver refuses it nevertheless.
[[nodiscard]] EncodedTensorMap encode_tensor_map(const Driver& driver,
                                                 const TensorMapRequest& request);

// Encodes every tensor map of the launch into its arguments, bypassing any cache. Returns false,
// with the reason in `failure`, when the driver refuses one.
[[nodiscard]] bool encode_tensor_maps(const Driver& driver, DeviceLaunch& launch,
                                      LaunchResult& failure);

// A variable that launches of a module may change, and its content after loading.
struct StatePart {
  std::string name;
  bool write_only = false;  // no code reads it
  CUdeviceptr address = 0;
  std::size_t bytes = 0;
  CUdeviceptr pristine = 0;             // a copy on the device
  std::vector<std::byte> content = {};  // the same on the host
};

class Module : public DeviceModule {
 public:
  // More than this in all of a module's variables is not restored between launches.
  static constexpr std::size_t kMaxStateBytes = std::size_t{256} << 20;

  // Loads an image; nullptr when the driver refuses it, with the reason in `failure`.
  [[nodiscard]] static std::shared_ptr<Module> load(std::shared_ptr<Context> context,
                                                    const std::string& image,
                                                    LaunchResult& failure);
  Module(std::shared_ptr<Context> context, CUmodule module)
      : context_(std::move(context)), module_(module) {}
  ~Module() override;
  Module(const Module&) = delete;
  Module& operator=(const Module&) = delete;

  std::optional<KernelResources> resources(const std::string& entry) const override;
  std::vector<std::size_t> parameter_sizes(const std::string& entry) const override;
  std::optional<std::size_t> variable_bytes(const std::string& variable) const override;
  // Copies the content into the variable, in stream order.
  [[nodiscard]] CUresult write(const VariableContent& content) const;
  // True when the code asks L2 to keep lines (evict_last): such lines survive the overwriting of L2
  // between samples and must be reset.
  [[nodiscard]] bool pins_l2() const { return pins_l2_; }
  void set_pins_l2() { pins_l2_ = true; }
  // Finds the variables that its launches may change, and copies them. Must be called once, before
  // the first launch.
  void note_state(const ModuleState& declared);
  [[nodiscard]] const std::vector<StatePart>& state() const { return state_; }
  [[nodiscard]] std::string unrestorable_state() const override { return unrestorable_; }
  // Entries that have run: their code is on the device.
  void note_run(const std::string& entry) const { run_.insert(entry); }
  [[nodiscard]] bool has_run(const std::string& entry) const { return run_.contains(entry); }
  // The names of entries and variables in the image that differ from the names that launches use.
  void set_symbols(SymbolNames symbols) { symbols_ = std::move(symbols); }
  // CUDA_ERROR_NOT_FOUND when there is no such entry.
  [[nodiscard]] CUresult find(const std::string& entry, CUfunction& function) const;
  // The name of an entry or a variable in the image.
  [[nodiscard]] const std::string& symbol(const std::string& name) const;

 private:
  [[nodiscard]] CUresult find_variable(const std::string& variable, CUdeviceptr& address,
                                       std::size_t& bytes) const;
  [[nodiscard]] int attribute(CUfunction function, CUfunction_attribute which) const;

  std::shared_ptr<Context> context_;
  CUmodule module_;
  bool pins_l2_ = false;
  mutable std::set<std::string> run_;
  SymbolNames symbols_;
  std::vector<StatePart> state_;
  std::unique_ptr<Buffer> pristine_;
  std::string unrestorable_;
};

// The modules of some launches, each once.
[[nodiscard]] std::vector<const Module*> modules_of(std::span<const DeviceLaunch> launches);
// The parts of their state that the launches do not set themselves.
[[nodiscard]] std::vector<const StatePart*> state_of(std::span<const DeviceLaunch> launches);

// A launch with its function found and its opt-ins made. Refers to the DeviceLaunch, which must
// outlive it.
class PreparedLaunch {
 public:
  // nullopt when the driver refuses, with the reason in `failure`.
  [[nodiscard]] static std::optional<PreparedLaunch> prepare(Context& context,
                                                             const DeviceLaunch& launch,
                                                             LaunchResult& failure);
  // Puts the launch on the stream; the result is the driver's, noted in the context.
  [[nodiscard]] CUresult enqueue(Context& context);
  [[nodiscard]] const DeviceLaunch& source() const { return *source_; }
  // "softmax_topk (grid [8, 1, 1], block [256, 1, 1], 1024 B dynamic shared)"
  [[nodiscard]] std::string describe() const;

 private:
  explicit PreparedLaunch(const DeviceLaunch& source) : source_(&source) {}

  const DeviceLaunch* source_;
  CUfunction function_ = nullptr;
  std::vector<void*> parameters_;
};

// The failure of `result` as an outcome: sticky errors lose the device.
[[nodiscard]] LaunchResult launch_failure(Context& context, CUresult result,
                                          const std::string& doing);

}  // namespace warpwright::cuda
