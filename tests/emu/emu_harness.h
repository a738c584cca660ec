// The test harness of the emulator: a module from text or from fixtures/, buffers, and launches
// with typed arguments.
#pragma once

#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "emu/emulator.h"

namespace warpwright::emu {

inline std::string read_fixture(const std::string& name) {
  const std::string path = std::string(WARPWRIGHT_SOURCE_DIR) + "/tests/emu/fixtures/" + name;
  std::ifstream file(path);
  EXPECT_TRUE(file.good()) << path;
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline std::string ptx_header() { return ".version 9.0\n.target sm_90a\n.address_size 64\n"; }

template <class T>
struct Buffer {
  std::uint64_t address = 0;
  std::size_t count = 0;
};

class Harness {
 public:
  explicit Harness(const std::string& ptx, const std::string& name = "test.ptx")
      : module(Module::parse(ptx, name)) {
    launch.module = module.get();
    if (!module->entries().empty()) launch.entry = module->entries()[0].name;
    launch.block = {32, 1, 1};
  }
  static Harness fixture(const std::string& name) { return Harness(read_fixture(name), name); }

  template <class T>
  Buffer<T> upload(const std::vector<T>& values, std::string label = "buffer") {
    Buffer<T> buffer{memory->allocate(values.size() * sizeof(T), std::move(label)), values.size()};
    std::memcpy(memory->host_view(buffer.address, values.size() * sizeof(T)), values.data(),
                values.size() * sizeof(T));
    return buffer;
  }
  template <class T>
  Buffer<T> zeros(std::size_t count, std::string label = "buffer") {
    return upload(std::vector<T>(count), std::move(label));
  }
  template <class T>
  std::vector<T> download(const Buffer<T>& buffer) {
    std::vector<T> values(buffer.count);
    std::memcpy(values.data(), memory->host_view(buffer.address, buffer.count * sizeof(T)),
                buffer.count * sizeof(T));
    return values;
  }

  template <class... Arguments>
  LaunchReport run(Arguments... arguments) {
    launch.parameters.clear();
    (append(arguments), ...);
    return emu::run(*memory, device, launch, options);
  }
  template <class... Arguments>
  Counters run_clean(Arguments... arguments) {
    const LaunchReport report = run(arguments...);
    EXPECT_FALSE(report.fault.has_value()) << report.fault->message;
    return report.counters;
  }

  std::shared_ptr<const Module> module;
  std::unique_ptr<GlobalMemory> memory = std::make_unique<GlobalMemory>();
  DeviceModel device = *find_model("sm_90a");
  Launch launch;
  LaunchOptions options;

 private:
  template <class T>
  void append(Buffer<T> buffer) {
    append(buffer.address);
  }
  template <class T>
  void append(T value) {
    std::vector<std::byte>& bytes = launch.parameters;
    bytes.resize((bytes.size() + alignof(T) - 1) / alignof(T) * alignof(T) + sizeof(T));
    std::memcpy(bytes.data() + bytes.size() - sizeof(T), &value, sizeof(T));
  }
};

}  // namespace warpwright::emu
