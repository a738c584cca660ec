// tex.1d and tex.2d: reads texels of bound textures, filtered if the texture requires it.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "emu/exec/address.h"
#include "emu/exec/block.h"
#include "emu/exec/exec.h"
#include "emu/numbers/half.h"

namespace warpwright::emu {
namespace {

// The sample along one axis: up to two texels, and the weight of the second. -1 is a border texel.
struct Sample {
  std::int64_t at[2] = {0, 0};
  float share = 0;
};

constexpr std::int64_t kBorder = -1;

std::int64_t addressed(Texture::Addressing how, std::int64_t i, std::int64_t size) {
  switch (how) {
    case Texture::Addressing::kClamp:
      return std::clamp<std::int64_t>(i, 0, size - 1);
    case Texture::Addressing::kBorder:
      return i < 0 || i >= size ? kBorder : i;
    case Texture::Addressing::kWrap:
      return (i % size + size) % size;
    case Texture::Addressing::kMirror: {
      const std::int64_t in_two = (i % (2 * size) + 2 * size) % (2 * size);
      return in_two < size ? in_two : 2 * size - 1 - in_two;
    }
  }
  return kBorder;
}

// Wrapping and mirroring need normalised coordinates; others clamp, as in the driver.
Texture::Addressing addressing_of(const Texture& texture, std::size_t axis) {
  const Texture::Addressing how = texture.addressing[axis];
  const bool whole = how == Texture::Addressing::kClamp || how == Texture::Addressing::kBorder;
  return whole || texture.normalized_coordinates ? how : Texture::Addressing::kClamp;
}

// Clamps values that are far outside the texture in every mode; NaN counts as 0.
std::int64_t floor_of(float value) {
  constexpr float kFar = 1e9f;
  return static_cast<std::int64_t>(std::floor(std::clamp(value == value ? value : 0, -kFar, kFar)));
}

Sample sample_along(const Texture& texture, std::size_t axis, float coordinate) {
  const auto size = static_cast<std::int64_t>(axis == 0 ? texture.width : texture.height);
  const Texture::Addressing how = addressing_of(texture, axis);
  float x = texture.normalized_coordinates ? coordinate * static_cast<float>(size) : coordinate;
  Sample sample;
  if (!texture.linear_filter) {
    sample.at[0] = addressed(how, floor_of(x), size);
    return sample;
  }
  x -= 0.5f;
  const std::int64_t first = floor_of(x);
  sample.at[0] = addressed(how, first, size);
  sample.at[1] = addressed(how, first + 1, size);
  // Weights have 8 bits.
  if (std::fabs(x) < 0x1p23f) sample.share = std::nearbyint((x - std::floor(x)) * 256) / 256;
  return sample;
}

Sample sample_whole(const Texture& texture, std::size_t axis, std::uint32_t coordinate) {
  const auto size = static_cast<std::int64_t>(axis == 0 ? texture.width : texture.height);
  const std::int64_t i = static_cast<std::int32_t>(coordinate);
  Sample sample;
  sample.at[0] = texture.linear_memory ? addressed(Texture::Addressing::kBorder, i, size)
                                       : addressed(addressing_of(texture, axis), i, size);
  return sample;
}

std::uint32_t raw_channel(const Texture& texture, const std::byte* texel, int channel) {
  std::uint32_t raw = 0;
  const auto bytes = static_cast<std::size_t>(texture.bits / 8);
  std::memcpy(&raw, texel + bytes * static_cast<std::size_t>(channel), bytes);
  if (texture.texel == Texture::Texel::kSigned && texture.bits < 32)
    raw = static_cast<std::uint32_t>(static_cast<std::int32_t>(raw << (32 - texture.bits)) >>
                                     (32 - texture.bits));
  return raw;
}

float float_channel(const Texture& texture, std::uint32_t raw) {
  if (texture.texel == Texture::Texel::kFloat)
    return texture.bits == 16 ? half_to_float(static_cast<std::uint16_t>(raw))
                              : std::bit_cast<float>(raw);
  if (texture.texel == Texture::Texel::kUnsigned)
    return static_cast<float>(raw) / static_cast<float>((1u << texture.bits) - 1);
  const auto value = static_cast<float>(static_cast<std::int32_t>(raw));
  return std::max(value / static_cast<float>((1u << (texture.bits - 1)) - 1), -1.0f);
}

[[noreturn]] void fail_texture(Warp& warp, std::uint32_t lane, const std::string& what,
                               std::string_view advice) {
  throw KernelFault{FindingKind::kOutOfBounds,
                    fmt::format("`{}` {} at {{place}}; {}",
                                warp.program().opcodes[warp.current_pc()], what, advice),
                    lane};
}

const Texture& bound_texture(Warp& warp, const TextureForm& form, std::uint32_t lane,
                             std::uint64_t handle) {
  const auto& textures = warp.block().context().launch->textures;
  const auto found = textures.find(handle);
  if (found == textures.end()) {
    fail_texture(warp, lane,
                 fmt::format("reads the texture {:#x}, which the launch has not bound", handle),
                 "read the memory itself where kernels run without the driver's textures");
  }
  const Texture& texture = found->second;
  if ((texture.height != 0 ? 2 : 1) != form.dimensions) {
    fail_texture(warp, lane,
                 fmt::format("reads a texture of {} dimensions", texture.height != 0 ? 2 : 1),
                 "use the function for as many coordinates as the texture has");
  }
  const bool floats = texture.texel == Texture::Texel::kFloat || texture.normalized_texels;
  if (floats != form.floats) {
    fail_texture(warp, lane,
                 fmt::format("reads a texture of {}", floats ? "floating point" : "integers"),
                 "name the type of its texels");
  }
  if (!form.whole && texture.linear_memory) {
    fail_texture(warp, lane, "reads a texture in linear memory by real coordinates",
                 "use tex1Dfetch");
  }
  return texture;
}

}  // namespace

void exec_texture(Warp& warp, const Inst& inst) {
  const auto form = std::bit_cast<TextureForm>(static_cast<std::uint32_t>(inst.immediate));
  const std::uint64_t* handles = warp.wide(inst.src[0]);
  const Texture* textures[kWarpSize];
  Sample samples[kWarpSize][2];
  for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
    textures[lane] = &bound_texture(warp, form, lane, handles[lane]);
    for (std::size_t axis = 0; axis < form.dimensions; ++axis) {
      const std::uint32_t coordinate = warp.row(inst.src[1 + axis])[lane];
      samples[lane][axis] =
          form.whole ? sample_whole(*textures[lane], axis, coordinate)
                     : sample_along(*textures[lane], axis, std::bit_cast<float>(coordinate));
    }
  }
  std::uint32_t raw[kWarpSize][4] = {};
  float sums[kWarpSize][4] = {};
  // Each corner of the square is one request of the lanes that give it a weight.
  for (std::size_t corner = 0; corner < 4; ++corner) {
    float weights[kWarpSize];
    for (std::uint32_t bytes = 1; bytes <= 16; bytes *= 2) {
      LaneAddresses addresses;
      std::uint32_t lanes = 0;
      for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        const Texture& texture = *textures[lane];
        if (static_cast<std::uint32_t>(texture.bits / 8 * texture.channels) != bytes) continue;
        const Sample& x = samples[lane][0];
        const Sample& y = samples[lane][1];
        const std::size_t i = corner % 2, j = corner / 2;
        weights[lane] = (i == 0 ? 1 - x.share : x.share) * (j == 0 ? 1 - y.share : y.share);
        const std::int64_t row = form.dimensions == 2 ? y.at[j] : 0;
        if (weights[lane] == 0 || x.at[i] == kBorder || row == kBorder) continue;
        lanes |= 1u << lane;
        addresses.at[lane] = texture.address + static_cast<std::uint64_t>(row) * texture.row_bytes +
                             static_cast<std::uint64_t>(x.at[i]) * bytes;
      }
      if (lanes == 0) continue;
      LanePointers pointers;
      resolve(warp, Space::kGlobal, lanes, addresses, bytes, AccessKind::kLoad, pointers);
      for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
        for (int c = 0; c < textures[lane]->channels; ++c) {
          raw[lane][c] = raw_channel(*textures[lane], pointers.at[lane], c);
          if (form.floats)
            sums[lane][c] += weights[lane] * float_channel(*textures[lane], raw[lane][c]);
        }
      }
    }
  }
  const std::uint32_t* results = warp.extra(inst);
  for (std::uint32_t c = 0; c < 4; ++c) {
    if (results[c] == kNoRegister) continue;
    for (std::uint32_t left = warp.mask(); left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      warp.row(results[c])[lane] =
          form.floats ? std::bit_cast<std::uint32_t>(sums[lane][c]) : raw[lane][c];
    }
  }
}

}  // namespace warpwright::emu
