#include "trial/data/problem_data.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <numeric>
#include <set>

#include "core/hash.h"
#include "core/process/memory_limit.h"
#include "trial/compare/validate.h"
#include "trial/data/guarded_buffer.h"
#include "trial/data/input_content.h"
#include "trial/numbers/fill.h"
#include "trial/numbers/poison.h"
#include "trial/numbers/random_bits.h"

namespace warpwright {
namespace {

// An output is downloaded whole while that is quicker than a copy per sampled unit: up to this
// size, and while there are enough units that their copies cost more; starting a copy takes as long
// as moving about this many bytes.
constexpr std::size_t kWholeDownload = std::size_t{64} << 20;
constexpr std::size_t kBytesPerCopy = std::size_t{128} << 10;
constexpr std::size_t kComparePiece = std::size_t{16} << 20;

bool is_filled(ArgumentRole role) {
  return role == ArgumentRole::kIn || role == ArgumentRole::kInOut;
}

}  // namespace

UnitSample sample_units(std::int64_t total, std::int64_t limit, std::uint64_t seed) {
  UnitSample sample;
  sample.total = total;
  limit = std::max<std::int64_t>(limit, 2);
  if (total <= limit) {
    sample.units.resize(static_cast<std::size_t>(total));
    std::iota(sample.units.begin(), sample.units.end(), std::int64_t{0});
    return sample;
  }
  std::set<std::int64_t> chosen{0, total - 1};
  const auto add = [&](std::int64_t unit) {
    if (unit >= 0 && unit < total && static_cast<std::int64_t>(chosen.size()) < limit)
      chosen.insert(unit);
  };
  for (std::int64_t tile = 1; tile < total; tile *= 2) {
    add(tile - 1);
    add(tile);
    // The last, partial tile of this size begins here.
    const std::int64_t last = (total - 1) / tile * tile;
    add(last - 1);
    add(last);
  }
  const RandomStream stream(seed, "unit sample");
  for (std::uint64_t i = 0; static_cast<std::int64_t>(chosen.size()) < limit; ++i) {
    chosen.insert(static_cast<std::int64_t>(stream.below(i, static_cast<std::uint64_t>(total))));
  }
  sample.units.assign(chosen.begin(), chosen.end());
  return sample;
}

TensorPlan plan_tensor(const ArgumentSpec& argument, const Environment& environment) {
  TensorPlan plan;
  plan.spec = &argument;
  plan.dtype = argument_dtype(argument, environment);
  for (const Expr& axis : argument.shape) {
    const std::int64_t extent = axis.evaluate_integer(environment);
    // An output without elements is switched off by the problem (`shape: [rows, d*write_z]`).
    const std::int64_t least = is_validated(argument.role) ? 0 : 1;
    if (extent < least) {
      throw user_error(axis.where(),
                       fmt::format("argument '{}': the extent '{}' is {}, expected at least {}",
                                   argument.name, axis.text(), extent, least));
    }
    plan.shape.push_back(extent);
  }
  // The size must be addressable and fit signed arithmetic, because sizes are subtracted, too.
  std::int64_t elements = 1, bytes = 0;
  bool fits = true;
  for (const std::int64_t extent : plan.shape)
    fits = fits && !__builtin_mul_overflow(elements, extent, &elements);
  fits = fits && !__builtin_mul_overflow(elements, dtype_size(plan.dtype), &bytes);
  if (!fits) {
    throw user_error(
        argument.shape.front().where(),
        fmt::format("argument '{}': its shape [{}] is more than 64 bits can count in bytes; choose "
                    "a smaller problem",
                    argument.name, fmt::join(plan.shape, ", ")));
  }
  plan.elements = static_cast<std::uint64_t>(elements);
  plan.bytes = static_cast<std::uint64_t>(bytes);
  return plan;
}

std::string ProblemRequest::key() const {
  std::string key;
  for (const auto& [name, value] : problem)
    key += fmt::format("{}={}:{}\n", name, value.type_name(), value.to_string());
  for (const auto& [argument, fill] : fills) key += fmt::format("{}<-{}\n", argument, fill);
  return key;
}

ProblemData::ProblemData(const KernelSpec& kernel, Device& device, const TrialOptions& options,
                         const Reference& reference, const ReferenceStore& store,
                         ProblemRequest request)
    : kernel_(kernel),
      device_(device),
      reference_(reference),
      request_(std::move(request)),
      seed_(options.seed) {
  const Environment environment = trial_environment(kernel, {}, request_.problem, device.info());
  options.enter("inputs");
  try {
    std::map<std::string, InputContent> inputs =
        make_inputs(kernel, {request_.problem, environment, request_.fills, request_.fills_where,
                             options.seed, reference, &request_.contents});
    for (const ArgumentSpec& argument : kernel.arguments) {
      if (is_problem_array(argument.role))
        add_tensor(argument, environment, std::move(inputs[argument.name]));
    }
    const bool given = !request_.contents.empty();
    request_.contents.clear();
    ask_reference(environment, options, given ? ReferenceStore(std::filesystem::path()) : store);
  } catch (const std::bad_alloc&) {
    Error error = environment_error(
        fmt::format("not enough host memory for {} of kernel '{}'; choose a smaller problem",
                    request_.title, kernel.name));
    error.add_context(
        fmt::format("in a process with {}", describe_memory_limit(own_memory_limit())));
    throw error;
  } catch (Error& error) {
    error.add_context(
        fmt::format("while preparing {} of kernel '{}'", request_.title, kernel.name));
    throw;
  }
}

void ProblemData::add_tensor(const ArgumentSpec& argument, const Environment& environment,
                             InputContent content) {
  auto tensor = std::make_unique<Tensor>();
  tensor->plan = plan_tensor(argument, environment);
  tensor->buffer = std::make_unique<GuardedBuffer>(device_, tensor->plan.bytes, argument.name);
  device_bytes_ += tensor->plan.bytes;
  if (is_filled(argument.role)) {
    tensor->host = std::move(content.bytes);
    fills_[argument.name] = std::move(content.identity);
    tensor->buffer->upload(tensor->host);
    if (argument.role == ArgumentRole::kIn) tensor->checksum = tensor->buffer->checksum();
  }
  if (argument.role == ArgumentRole::kInOut) {
    tensor->pristine =
        std::make_unique<GuardedBuffer>(device_, tensor->plan.bytes, argument.name + " (as given)");
    tensor->pristine->copy_from(*tensor->buffer);
    device_bytes_ += tensor->plan.bytes;
  }
  if (is_validated(argument.role)) outputs_.push_back(tensors_.size());
  tensors_.push_back(std::move(tensor));
}

std::string ProblemData::answer_key(std::uint64_t seed) const {
  Sha256 hash;
  hash.field("answer-1").field(kFillVersion).field(reference_.hash()).field(std::to_string(seed));
  for (const auto& [name, value] : question_.sizes) {
    hash.field(name).field(value.type_name()).field(value.to_string());
  }
  for (const ReferenceQuestion::Input& input : question_.inputs) {
    hash.field(input.name).field(dtype_name(input.dtype)).field(fills_.at(input.name));
    for (const std::int64_t extent : input.shape) hash.field(std::to_string(extent));
  }
  for (const ReferenceQuestion::Output& output : question_.outputs) {
    hash.field(output.name).field(std::to_string(output.unit_elements));
  }
  hash.field(std::as_bytes(std::span(sample_.units)));
  return hash.hex();
}

void ProblemData::ask_reference(const Environment& environment, const TrialOptions& options,
                                const ReferenceStore& store) {
  if (!reference_.exists()) return;
  question_.sizes = reference_sizes(kernel_, request_.problem, environment);
  const std::int64_t units = kernel_.reference.units.evaluate_integer(environment);
  std::int64_t widest = 1;
  for (const auto& tensor : tensors_) {
    const TensorPlan& plan = tensor->plan;
    if (is_filled(plan.spec->role)) {
      question_.inputs.push_back({plan.spec->name, plan.dtype, plan.shape, tensor->host});
    }
    if (!is_validated(plan.spec->role)) continue;
    const auto elements = static_cast<std::int64_t>(plan.elements);
    if (units < 1 || elements % units != 0) {
      throw user_error(
          kernel_.reference.units.where(),
          fmt::format("reference units: {} units do not divide the {} elements of output '{}'",
                      units, elements, plan.spec->name));
    }
    question_.outputs.push_back({plan.spec->name, elements / units});
    widest = std::max(widest, elements / units);
  }
  const auto limit = static_cast<std::int64_t>(options.validated_elements) / widest;
  // However wide the units are, tiles at both ends and some in the middle are checked.
  constexpr std::int64_t kMinUnits = 16;
  sample_ = sample_units(units, std::max(limit, kMinUnits), options.seed);

  const std::string key = answer_key(options.seed);
  if (std::optional<ReferenceAnswer> known = store.find(key)) {
    expected_ = std::move(*known);
    return;
  }
  options.enter("reference");
  expected_ = reference_.compute(question_, sample_.units);
  store.store(key, expected_);
}

std::optional<std::uint64_t> ProblemData::address(const std::string& argument) const {
  for (const auto& tensor : tensors_) {
    if (tensor->plan.spec->name == argument) return tensor->buffer->address();
  }
  return std::nullopt;
}

bool ProblemData::has_inputs_of(const ProblemData& other) const {
  return std::equal(tensors_.begin(), tensors_.end(), other.tensors_.begin(), other.tensors_.end(),
                    [](const auto& a, const auto& b) { return a->host == b->host; });
}

void ProblemData::prepare(int which) {
  for (const auto& tensor : tensors_) {
    if (tensor->pristine) {
      tensor->buffer->copy_from(*tensor->pristine);
    } else if (tensor->plan.spec->role == ArgumentRole::kOut) {
      tensor->buffer->poison(kPoison[static_cast<std::size_t>(which)]);
    }
  }
}

void ProblemData::prepare_used() {
  for (const auto& tensor : tensors_) {
    if (tensor->pristine) {
      tensor->buffer->copy_from(*tensor->pristine);
    } else if (tensor->plan.spec->role == ArgumentRole::kOut) {
      tensor->buffer->falsify_some(tensor->plan.bytes);
    }
  }
}

std::vector<PoisonedRegion> ProblemData::poisoned() const {
  std::vector<PoisonedRegion> regions;
  for (const auto& tensor : tensors_) {
    if (tensor->plan.spec->role == ArgumentRole::kOut)
      regions.push_back(tensor->buffer->poisoned());
  }
  return regions;
}

std::vector<ExpectedOutput> ProblemData::expected_outputs() const {
  std::vector<ExpectedOutput> expected;
  std::vector<DeviceRegion> regions;
  for (const std::size_t output : outputs_) {
    const Tensor& tensor = *tensors_[output];
    const DeviceRegion region = tensor.buffer->summed();
    if (region.bytes == 0) continue;
    regions.push_back(region);
    expected.push_back({tensor.plan.spec->name, region.buffer, region.offset, region.bytes});
  }
  const std::vector<std::uint64_t> sums = device_.checksums(regions);
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i].checksum = sums[i];
  return expected;
}

bool ProblemData::reads_input() const {
  const auto is_constant = [](const std::vector<double>& values) {
    return std::all_of(values.begin(), values.end(),
                       [&](double value) { return value == values.front(); });
  };
  if (reference_.exists() && std::all_of(expected_.begin(), expected_.end(), is_constant))
    return true;
  const Environment environment = trial_environment(kernel_, {}, request_.problem, device_.info());
  bool any = false;
  for (const auto& tensor : tensors_) {
    const ArgumentSpec& argument = *tensor->plan.spec;
    if (!is_filled(argument.role) || accepts(argument, RemarkCode::kInputUnused, environment))
      continue;
    any = true;
    if (tensor->buffer->accessed().value_or(true)) return true;
  }
  return !any;
}

std::optional<ProblemData::Unwritten> ProblemData::unwritten() const {
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const Tensor& tensor = *tensors_[outputs_[i]];
    if (tensor.plan.spec->role != ArgumentRole::kOut) continue;
    if (const std::optional<UnwrittenBytes> bytes = tensor.buffer->unwritten())
      return Unwritten{i, *bytes};
  }
  return std::nullopt;
}

void ProblemData::forget_outputs() {
  for (const auto& tensor : tensors_) {
    if (tensor->plan.spec->role == ArgumentRole::kOut) tensor->buffer->forget();
  }
}

void ProblemData::repair() {
  for (const auto& tensor : tensors_) {
    tensor->buffer->clear();
    if (is_filled(tensor->plan.spec->role)) tensor->buffer->upload(tensor->host);
    if (!tensor->pristine) continue;
    tensor->pristine->clear();
    tensor->pristine->copy_from(*tensor->buffer);
  }
}

std::vector<RestoreCopy> ProblemData::restores() {
  std::vector<RestoreCopy> restores;
  for (const auto& tensor : tensors_) {
    if (tensor->pristine) restores.push_back(tensor->buffer->restore_from(*tensor->pristine));
  }
  return restores;
}

std::size_t ProblemData::written_bytes() const {
  std::size_t bytes = 0;
  for (const auto& tensor : tensors_)
    if (tensor->plan.spec->role != ArgumentRole::kIn) bytes += tensor->plan.bytes;
  return bytes;
}

BufferSet ProblemData::copy_buffers() const {
  BufferSet set;
  for (const auto& tensor : tensors_) {
    auto copy = std::make_unique<GuardedBuffer>(device_, tensor->plan.bytes,
                                                tensor->plan.spec->name + " (copy)");
    copy->copy_from(*tensor->buffer);
    set.moved[tensor->buffer->address()] = copy->address();
    set.copies[tensor->buffer->poisoned().buffer] = copy->poisoned().buffer;
    set.buffers.push_back(std::move(copy));
  }
  return set;
}

void ProblemData::add_regions(RegionCheck& check, bool outputs) const {
  for (const auto& tensor : tensors_) {
    tensor->buffer->add_zones(check);
    if (tensor->plan.spec->role == ArgumentRole::kIn)
      check.expect(tensor->buffer->array(), tensor->checksum);
  }
  for (const std::size_t output : outputs ? outputs_ : std::vector<std::size_t>())
    check.ask(tensors_[output]->buffer->array());
}

std::optional<std::string> ProblemData::damage() const {
  for (const auto& tensor : tensors_) {
    if (auto damage = tensor->buffer->damage()) return damage;
  }
  return std::nullopt;
}

std::optional<std::string> ProblemData::changed_input() const {
  for (const auto& tensor : tensors_) {
    const TensorPlan& plan = tensor->plan;
    if (plan.spec->role != ArgumentRole::kIn || tensor->buffer->checksum() == tensor->checksum)
      continue;
    std::vector<std::byte> piece(std::min(kComparePiece, plan.bytes));
    for (std::size_t at = 0; at < plan.bytes; at += piece.size()) {
      const std::size_t size = std::min(piece.size(), plan.bytes - at);
      tensor->buffer->download(std::span(piece).first(size), at);
      const std::size_t width = dtype_size(plan.dtype);
      const auto found = first_difference(width, std::span(piece).first(size),
                                          std::span(tensor->host).subspan(at, size));
      if (!found) continue;
      const auto flat = found->first + static_cast<std::int64_t>(at / width);
      const auto local = static_cast<std::size_t>(found->first);
      return fmt::format(
          "changed input '{}' at {}: it was {} and is {}; inputs must stay as they are",
          plan.spec->name, format_index(flat, plan.shape),
          load_element(plan.dtype, tensor->host.data(), static_cast<std::size_t>(flat)),
          load_element(plan.dtype, piece.data(), local));
    }
  }
  return std::nullopt;
}

std::vector<std::byte> ProblemData::download_output(std::size_t output) const {
  const Tensor& tensor = *tensors_[outputs_[output]];
  std::vector<std::byte> content(tensor.plan.bytes);
  tensor.buffer->download(content);
  return content;
}

std::vector<std::byte> ProblemData::sampled_units(std::size_t output) const {
  const Tensor& tensor = *tensors_[outputs_[output]];
  if (sample_.complete()) return download_output(output);
  const auto unit_bytes = static_cast<std::size_t>(question_.outputs[output].unit_elements) *
                          dtype_size(tensor.plan.dtype);
  std::vector<std::byte> packed(sample_.units.size() * unit_bytes);
  const bool whole =
      tensor.plan.bytes <= std::max(kWholeDownload, sample_.units.size() * kBytesPerCopy);
  const std::vector<std::byte> content = whole ? download_output(output) : std::vector<std::byte>();
  for (std::size_t i = 0; i < sample_.units.size(); ++i) {
    const std::span<std::byte> to = std::span(packed).subspan(i * unit_bytes, unit_bytes);
    const std::size_t from = static_cast<std::size_t>(sample_.units[i]) * unit_bytes;
    if (whole) {
      std::memcpy(to.data(), content.data() + from, unit_bytes);
    } else {
      tensor.buffer->download(to, from);
    }
  }
  return packed;
}

OutputView ProblemData::output_view(std::size_t output, const Environment& environment) const {
  const TensorPlan& plan = tensors_[outputs_[output]]->plan;
  OutputView view;
  view.name = plan.spec->name;
  view.dtype = plan.dtype;
  view.shape = plan.shape;
  view.unit_elements = question_.outputs[output].unit_elements;
  view.match = plan.spec->match;
  view.tolerance_abs = plan.spec->tolerance_abs.evaluate_real(environment);
  view.tolerance_rel = plan.spec->tolerance_rel.evaluate_real(environment);
  view.tolerance_rms = plan.spec->tolerance_rms.evaluate_real(environment);
  view.accumulate = sum_rounding(*plan.spec, plan.dtype, environment);
  view.mismatches = allowed_mismatches(*plan.spec, environment);
  view.units = sample_.units;
  view.expected = expected_[output];
  return view;
}

std::vector<OutputVerdict> ProblemData::validate(const Environment& environment, int which) {
  std::vector<OutputVerdict> verdicts;
  if (!reference_.exists()) return verdicts;
  while (judges_.size() < outputs_.size()) judges_.emplace_back(device_);
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const TensorPlan& plan = tensors_[outputs_[i]]->plan;
    OutputView view = output_view(i, environment);
    view.poison =
        plan.spec->role == ArgumentRole::kOut ? kPoison[static_cast<std::size_t>(which)] : 0;
    if (std::optional<OutputError> right =
            judges_[i].pass(view, tensors_[outputs_[i]]->buffer->address())) {
      verdicts.push_back({*std::move(right), ""});
      continue;
    }
    const std::vector<std::byte> got = sampled_units(i);
    view.got = got;
    Scorer score;
    if (reference_.has_score()) {
      score = [&](std::int64_t unit, std::int64_t index) {
        return reference_.score(question_, view.name, unit, index);
      };
    }
    verdicts.push_back(check_output(view, score));
  }
  return verdicts;
}

}  // namespace warpwright
