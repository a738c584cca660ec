#include "proof_cases.h"

#include <bit>
#include <cstring>
#include <nlohmann/json.hpp>

#include "emu/numbers/half.h"
#include "emu_harness.h"

namespace warpwright::emu {
namespace {

// The same function as mix() in scripts/record/proof_lib/cases.py.
std::uint32_t mix(std::uint32_t seed, std::uint32_t index) {
  std::uint32_t x = index * 0x9E3779B1u + seed * 0x85EBCA77u;
  x = (x ^ (x >> 16)) * 0x7FEB352Du;
  x = (x ^ (x >> 15)) * 0x846CA68Bu;
  return x ^ (x >> 16);
}

double value_of(const ProofArgument& argument, std::uint32_t index) {
  const std::uint32_t bits = mix(argument.seed, index);
  if (argument.fill == "zero") return 0;
  if (argument.fill == "signed") return (static_cast<double>(bits & 0xFFFF) - 32768) / 32768;
  if (argument.fill == "small") return (static_cast<double>(bits & 0xFF) - 128) / 128;
  EXPECT_EQ(argument.fill, "below");
  return bits % argument.below;
}

template <class T>
void append(std::vector<std::byte>& bytes, T value) {
  bytes.resize(bytes.size() + sizeof value);
  std::memcpy(bytes.data() + bytes.size() - sizeof value, &value, sizeof value);
}

// The inputs are exact in every type.
void append_as(std::vector<std::byte>& bytes, const std::string& type, double value) {
  const auto narrow = static_cast<float>(value);
  if (type == "f64") return append(bytes, value);
  if (type == "f32") return append(bytes, narrow);
  if (type == "f16") return append(bytes, float_to_half(narrow));
  if (type == "bf16")
    return append(bytes, static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(narrow) >> 16));
  if (type == "u8") return append(bytes, static_cast<std::uint8_t>(value));
  if (type == "u32") return append(bytes, static_cast<std::uint32_t>(value));
  EXPECT_EQ(type, "i32");
  append(bytes, static_cast<std::int32_t>(value));
}

ProofArgument read_argument(const nlohmann::json& json) {
  ProofArgument argument;
  if (!json.contains("buffer")) {
    argument.type = json.begin().key();
    argument.scalar = json.begin().value().get<double>();
    return argument;
  }
  argument.buffer = json.at("buffer");
  argument.type = json.at("type");
  argument.count = json.at("count");
  argument.fill = json.at("fill");
  argument.seed = json.value("seed", 0u);
  argument.below = json.value("below", 1u);
  argument.output = json.value("output", false);
  return argument;
}

}  // namespace

std::vector<ProofCase> proof_cases() {
  std::vector<ProofCase> cases;
  for (const nlohmann::json& json : nlohmann::json::parse(read_fixture("../proof/cases.json"))) {
    ProofCase proof{json.at("name"),
                    json.at("module"),
                    json.at("entry"),
                    json.at("grid"),
                    json.at("block"),
                    json.at("relative_bound"),
                    json.value("diverges", false),
                    {}};
    for (const nlohmann::json& argument : json.at("arguments"))
      proof.arguments.push_back(read_argument(argument));
    cases.push_back(std::move(proof));
  }
  return cases;
}

std::string proof_ptx(const ProofCase& proof) {
  return read_fixture("../proof/" + proof.module + ".ptx");
}

ProofValues proof_inputs(const ProofCase& proof) {
  ProofValues values;
  for (const ProofArgument& argument : proof.arguments) {
    if (argument.buffer.empty()) {
      values.scalars.push_back(argument.scalar);
      continue;
    }
    std::vector<double>& buffer = values.buffers[argument.buffer];
    for (std::uint32_t i = 0; i < argument.count; ++i) buffer.push_back(value_of(argument, i));
  }
  return values;
}

ProofRun run_proof(const ProofCase& proof) {
  Harness harness(proof_ptx(proof), proof.module + ".ptx");
  harness.launch.entry = proof.entry;
  harness.launch.grid = proof.grid;
  harness.launch.block = proof.block;
  std::map<std::string, Buffer<std::byte>> outputs;
  std::vector<std::byte>& parameters = harness.launch.parameters;
  const ProofValues values = proof_inputs(proof);
  for (const ProofArgument& argument : proof.arguments) {
    if (argument.buffer.empty()) {
      append_as(parameters, argument.type, argument.scalar);
      continue;
    }
    std::vector<std::byte> bytes;
    for (const double value : values.at(argument.buffer)) append_as(bytes, argument.type, value);
    const Buffer<std::byte> buffer = harness.upload(bytes, argument.buffer);
    if (argument.output) outputs[argument.buffer] = buffer;
    parameters.resize((parameters.size() + 7) / 8 * 8);
    append(parameters, buffer.address);
  }
  ProofRun result{run(*harness.memory, harness.device, harness.launch, harness.options), {}};
  for (const auto& [name, buffer] : outputs) result.outputs[name] = harness.download(buffer);
  return result;
}

std::vector<double> decode_values(const std::string& type, const std::vector<std::byte>& bytes) {
  std::vector<double> values;
  const auto as = [&]<class T>(T, auto&& convert) {
    for (std::size_t at = 0; at + sizeof(T) <= bytes.size(); at += sizeof(T)) {
      T value;
      std::memcpy(&value, bytes.data() + at, sizeof value);
      values.push_back(convert(value));
    }
  };
  const auto plain = [](auto value) { return static_cast<double>(value); };
  if (type == "f64") as(double{}, plain);
  if (type == "f32") as(float{}, plain);
  if (type == "u32") as(std::uint32_t{}, plain);
  if (type == "f16") as(std::uint16_t{}, [](std::uint16_t bits) { return half_to_float(bits); });
  return values;
}

}  // namespace warpwright::emu
