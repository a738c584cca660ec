#include "trial/data/scratch_buffers.h"

#include "trial/data/fill.h"
#include "trial/data/problem_data.h"

namespace warpwright {

std::uint64_t ScratchBuffers::address(const ArgumentSpec& argument,
                                      const Environment& environment) {
  for (const Buffer& buffer : buffers_) {
    if (buffer.array->name() == argument.name) return buffer.array->address();
  }
  const TensorPlan plan = plan_tensor(argument, environment);
  Buffer buffer;
  buffer.array = std::make_unique<GuardedBuffer>(device_, plan.bytes, argument.name);
  if (!argument.fill.empty()) {
    buffer.content.resize(plan.bytes);
    Fill::parse(argument.fill, argument.fill_where, environment)
        .generate({plan.dtype, plan.shape, argument.name, seed_}, buffer.content);
    buffer.array->upload(buffer.content);
  }
  buffers_.push_back(std::move(buffer));
  return buffers_.back().array->address();
}

void ScratchBuffers::poison(std::uint32_t pattern) {
  for (const Buffer& buffer : buffers_) {
    if (buffer.content.empty()) buffer.array->poison(pattern);
  }
}

void ScratchBuffers::fill_again() {
  for (const Buffer& buffer : buffers_) {
    if (!buffer.content.empty()) buffer.array->upload(buffer.content);
  }
}

void ScratchBuffers::forget() {
  for (const Buffer& buffer : buffers_) {
    if (buffer.content.empty()) buffer.array->forget();
  }
}

std::vector<RestoreCopy> ScratchBuffers::restores() {
  std::vector<RestoreCopy> restores;
  for (Buffer& buffer : buffers_) {
    if (buffer.content.empty()) continue;
    if (!buffer.pristine) {
      buffer.pristine = std::make_unique<GuardedBuffer>(device_, buffer.array->bytes(),
                                                        buffer.array->name() + " (as filled)");
      buffer.pristine->upload(buffer.content);
    }
    restores.push_back(buffer.array->restore_from(*buffer.pristine));
  }
  return restores;
}

std::vector<PoisonedRegion> ScratchBuffers::poisoned() const {
  std::vector<PoisonedRegion> regions;
  for (const Buffer& buffer : buffers_) {
    if (buffer.content.empty()) regions.push_back(buffer.array->poisoned());
  }
  return regions;
}

void ScratchBuffers::add_zones(RegionCheck& check) const {
  for (const Buffer& buffer : buffers_) buffer.array->add_zones(check);
}

std::optional<std::string> ScratchBuffers::damage() const {
  for (const Buffer& buffer : buffers_) {
    if (std::optional<std::string> damage = buffer.array->damage()) return damage;
  }
  return std::nullopt;
}

std::size_t ScratchBuffers::bytes() const {
  std::size_t bytes = 0;
  for (const Buffer& buffer : buffers_) bytes += buffer.array->bytes();
  return bytes;
}

std::string ScratchBuffers::filled_names() const {
  std::string names;
  for (const Buffer& buffer : buffers_) {
    if (!buffer.content.empty())
      names += (names.empty() ? "'" : " and '") + buffer.array->name() + "'";
  }
  return names;
}

}  // namespace warpwright
