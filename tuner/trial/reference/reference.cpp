#include "trial/reference/reference.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "common/reference.h"
#include "core/cache_folder.h"
#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/notices.h"
#include "core/parallel.h"
#include "device/checksum.h"
#include "trial/numbers/dtype.h"

namespace warpwright {
namespace {

// A NaN that no arithmetic produces: an element that still holds it was never written.
constexpr std::uint64_t kUnwritten = 0x7FF4D15EA5ED0BAD;

bool is_unwritten(double value) { return std::bit_cast<std::uint64_t>(value) == kUnwritten; }

// The same for integers: far below any index or count.
constexpr std::int64_t kUnwrittenInteger = -0x7FF4D15EA5ED0BAD;

bool is_unwritten(std::int64_t value) { return value == kUnwrittenInteger; }

constexpr std::string_view kMagic = "WWREFA02";
constexpr std::size_t kHeader = 16;
constexpr const char* kAnswerRemedy = "the reference is asked again";
// Larger answers take more disk space than the time to compute them is worth.
constexpr std::uintmax_t kLargestAnswer = std::uintmax_t{1} << 30;

void append(std::string& text, const void* data, std::size_t bytes) {
  text.append(static_cast<const char*>(data), bytes);
}

void append(std::string& text, std::uint64_t value) { append(text, &value, sizeof value); }

std::uint64_t body_checksum(std::string_view file) {
  return checksum_of(std::as_bytes(std::span(file.data(), file.size()).subspan(kHeader)));
}

// Reads forward; every read returns whether the bytes were available.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  bool read(void* to, std::size_t bytes) {
    if (text_.size() < bytes) return false;
    if (bytes == 0) return true;  // an empty vector has no memory to name
    std::memcpy(to, text_.data(), bytes);
    text_.remove_prefix(bytes);
    return true;
  }
  [[nodiscard]] std::size_t left() const { return text_.size(); }

 private:
  std::string_view text_;
};

// nullopt when it is damaged, or belongs to another key.
std::optional<ReferenceAnswer> decode(const std::string& key, std::string_view text) {
  if (text.size() < kHeader || !text.starts_with(kMagic)) return std::nullopt;
  Reader reader(text.substr(kMagic.size()));
  std::uint64_t checksum = 0;
  std::uint64_t key_bytes = 0;
  std::uint64_t outputs = 0;
  if (!reader.read(&checksum, sizeof checksum) || checksum != body_checksum(text))
    return std::nullopt;
  if (!reader.read(&key_bytes, sizeof key_bytes) || key_bytes != key.size()) return std::nullopt;
  std::string held(key.size(), '\0');
  if (!reader.read(held.data(), held.size()) || held != key) return std::nullopt;
  if (!reader.read(&outputs, sizeof outputs)) return std::nullopt;
  ReferenceAnswer answer;
  for (std::uint64_t i = 0; i < outputs; ++i) {
    std::uint64_t count = 0;
    if (!reader.read(&count, sizeof count) || count > reader.left() / sizeof(double))
      return std::nullopt;
    answer.emplace_back(count);
    if (!reader.read(answer.back().data(), count * sizeof(double))) return std::nullopt;
  }
  return answer;
}

}  // namespace

// A ww_call whose pointers stay valid during the lifetime of this object.
class Reference::Call {
 public:
  explicit Call(const ReferenceQuestion& question) {
    for (const ReferenceQuestion::Input& input : question.inputs) {
      ww_tensor tensor{};
      tensor.name = input.name.c_str();
      tensor.dtype = static_cast<ww_dtype>(input.dtype);
      tensor.rank = static_cast<std::int32_t>(input.shape.size());
      WARPWRIGHT_CHECK(input.shape.size() <= std::size(tensor.shape),
                       "the contract limits the rank");
      std::copy(input.shape.begin(), input.shape.end(), tensor.shape);
      tensor.data = input.data.data();
      tensors_.push_back(tensor);
    }
    for (const auto& [name, value] : question.sizes) {
      ww_size size{};
      size.name = name.c_str();
      if (value.is_string()) {
        size.text = value.as_string().c_str();
      } else {
        size.real = value.as_real();
        size.integer = value.is_real() ? static_cast<std::int64_t>(size.real) : value.as_integer();
      }
      sizes_.push_back(size);
    }
    message_.resize(1024);
  }

  void set_units(std::span<const std::int64_t> units) { units_ = units; }
  void add_output(const ReferenceQuestion::Output& output, double* data) {
    outputs_.push_back({output.name.c_str(), output.unit_elements, data});
  }

  [[nodiscard]] ww_call view() {
    ww_call call{};
    call.tensor_count = static_cast<std::int32_t>(tensors_.size());
    call.tensors = tensors_.data();
    call.output_count = static_cast<std::int32_t>(outputs_.size());
    call.outputs = outputs_.data();
    call.size_count = static_cast<std::int32_t>(sizes_.size());
    call.sizes = sizes_.data();
    call.unit_count = static_cast<std::int64_t>(units_.size());
    call.units = units_.data();
    call.message = message_.data();
    call.message_capacity = static_cast<std::int64_t>(message_.size());
    return call;
  }
  [[nodiscard]] std::string message() const { return message_.c_str(); }

 private:
  std::vector<ww_tensor> tensors_;
  std::vector<ww_output> outputs_;
  std::vector<ww_size> sizes_;
  std::span<const std::int64_t> units_;
  std::string message_;
};

Reference::Reference(const std::filesystem::path& library, const std::filesystem::path& source)
    : source_(source), hash_(sha256_hex(read_file(library))) {
  library_ = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) {
    throw user_error(
        fmt::format("cannot load the reference of {}: {}", source.string(), ::dlerror()));
  }
  reference_ = reinterpret_cast<decltype(reference_)>(::dlsym(library_, "ww_reference"));
  // Libraries built with a newer reference.h have this variant, which turns exceptions into
  // messages.
  if (void* caught = ::dlsym(library_, "ww_reference_caught"); reference_ != nullptr && caught)
    reference_ = reinterpret_cast<decltype(reference_)>(caught);
  score_ = reinterpret_cast<decltype(score_)>(::dlsym(library_, "ww_score"));
  if (::dlsym(library_, "ww_fill") != nullptr)
    fill_ = reinterpret_cast<decltype(fill_)>(::dlsym(library_, "ww_fill_caught"));
  if (reference_ == nullptr) {
    ::dlclose(library_);
    throw user_error({source.string()},
                     "the reference does not define ww_reference; include "
                     "kernels/common/reference.h and define "
                     "`int ww_reference(const ww_call* call)`");
  }
}

Reference::~Reference() {
  if (library_ != nullptr) ::dlclose(library_);
}

ReferenceAnswer Reference::compute(const ReferenceQuestion& question,
                                   std::span<const std::int64_t> units, int threads) const {
  ReferenceAnswer answer;
  for (const ReferenceQuestion::Output& output : question.outputs) {
    answer.emplace_back(units.size() * static_cast<std::size_t>(output.unit_elements),
                        std::bit_cast<double>(kUnwritten));
  }
  // Small shares even out units of unequal cost (causal attention); references repeat their own
  // set-up on every call.
  const std::uint64_t share = std::max<std::uint64_t>(1, units.size() / 128);
  parallel_ranges(units.size(), share, threads, [&](std::uint64_t first, std::uint64_t last) {
    Call call(question);
    call.set_units(units.subspan(first, last - first));
    for (std::size_t i = 0; i < answer.size(); ++i) {
      const auto width = static_cast<std::size_t>(question.outputs[i].unit_elements);
      call.add_output(question.outputs[i], answer[i].data() + first * width);
    }
    const ww_call view = call.view();
    if (reference_(&view) != 0) {
      const std::string message = call.message();
      throw user_error({source_.string()}, "the reference failed: " +
                                               (message.empty() ? "it gave no reason" : message));
    }
  });
  for (std::size_t i = 0; i < answer.size(); ++i) {
    const auto hole = std::find_if(answer[i].begin(), answer[i].end(),
                                   [](double value) { return is_unwritten(value); });
    if (hole == answer[i].end()) continue;
    const std::int64_t at = hole - answer[i].begin();
    const std::int64_t width = question.outputs[i].unit_elements;
    throw user_error(
        {source_.string()},
        fmt::format("the reference did not write element {} of unit {} of output '{}'", at % width,
                    units[static_cast<std::size_t>(at / width)], question.outputs[i].name));
  }
  return answer;
}

double Reference::score(const ReferenceQuestion& question, const std::string& output,
                        std::int64_t unit, std::int64_t index) const {
  WARPWRIGHT_CHECK(score_ != nullptr, "score() is only asked when has_score()");
  Call call(question);
  call.set_units(std::span(&unit, 1));
  const ww_call view = call.view();
  return score_(&view, output.c_str(), unit, index);
}

namespace {

// Converts the numbers that ww_fill wrote to elements of the type.
template <typename Number>
std::vector<std::byte> converted(const std::vector<Number>& written, const GeneratedInput& wanted,
                                 const std::filesystem::path& source) {
  std::vector<std::byte> content(written.size() * dtype_size(wanted.dtype));
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (is_unwritten(written[i]))
      throw user_error(
          {source.string()},
          fmt::format("ww_fill did not write element {} of argument '{}'", i, wanted.name));
    if (const auto fault = store_checked(wanted.dtype, content.data(), i, written[i]))
      throw user_error(
          {source.string()},
          fmt::format("ww_fill wrote element {} of argument '{}' as {}", i, wanted.name, *fault));
  }
  return content;
}

}  // namespace

std::vector<std::byte> Reference::generate(const ReferenceQuestion& question,
                                           const GeneratedInput& wanted) const {
  if (fill_ == nullptr) {
    throw user_error(
        {source_.string()},
        fmt::format("the reference does not define ww_fill, which argument '{}' needs for its "
                    "generator; define `int ww_fill(const ww_call* call, const char* argument, "
                    "const ww_fill_target* target)`",
                    wanted.name));
  }
  ww_fill_target target{};
  target.name = wanted.name.c_str();
  target.generator = wanted.generator.c_str();
  target.dtype = static_cast<ww_dtype>(wanted.dtype);
  target.rank = static_cast<std::int32_t>(wanted.shape.size());
  std::copy(wanted.shape.begin(), wanted.shape.end(), target.shape);
  target.elements = 1;
  for (const std::int64_t extent : wanted.shape) target.elements *= extent;
  target.seed = wanted.seed;
  const auto elements = static_cast<std::size_t>(target.elements);
  std::vector<double> reals;
  std::vector<std::int64_t> integers;
  if (is_floating(wanted.dtype)) {
    reals.assign(elements, std::bit_cast<double>(kUnwritten));
    target.reals = reals.data();
  } else {
    integers.assign(elements, kUnwrittenInteger);
    target.integers = integers.data();
  }
  Call call(question);
  const ww_call view = call.view();
  if (fill_(&view, wanted.name.c_str(), &target) != 0) {
    const std::string message = call.message();
    throw user_error({source_.string()},
                     fmt::format("ww_fill failed for argument '{}': {}", wanted.name,
                                 message.empty() ? "it gave no reason" : message));
  }
  return target.reals != nullptr ? converted(reals, wanted, source_)
                                 : converted(integers, wanted, source_);
}

// The file format of stored answers, little-endian: 8 bytes "WWREFA02"; u64 checksum
// (device/checksum.h) of everything after it; u64 length of the key, and the key; u64 number of
// outputs; then for each output u64 count and that many f64.

std::optional<ReferenceAnswer> ReferenceStore::find(const std::string& key) const {
  if (folder_.empty()) return std::nullopt;
  std::error_code none;
  const std::uintmax_t size = std::filesystem::file_size(file(key), none);
  if (none) return std::nullopt;
  if (size > kLargestAnswer) {
    drop_damaged_entry(file(key), kAnswerRemedy);
    return std::nullopt;
  }
  std::optional<std::string> text;
  try {
    text = read_file_if_present(file(key));
  } catch (const Error& error) {
    add_notice(error.message() + "; " + kAnswerRemedy);
  }
  if (!text) return std::nullopt;
  std::optional<ReferenceAnswer> answer = decode(key, *text);
  if (answer)
    note_cache_use(file(key));
  else
    drop_damaged_entry(file(key), kAnswerRemedy);
  return answer;
}

void ReferenceStore::store(const std::string& key, const ReferenceAnswer& answer) const {
  if (folder_.empty()) return;
  std::uintmax_t bytes = kHeader + key.size();
  for (const std::vector<double>& output : answer) bytes += (1 + output.size()) * sizeof(double);
  if (bytes > kLargestAnswer) return;
  std::string text(kMagic);
  append(text, std::uint64_t{0});
  append(text, key.size());
  append(text, key.data(), key.size());
  append(text, answer.size());
  for (const std::vector<double>& output : answer) {
    append(text, output.size());
    append(text, output.data(), output.size() * sizeof(double));
  }
  const std::uint64_t checksum = body_checksum(text);
  std::memcpy(text.data() + kMagic.size(), &checksum, sizeof checksum);
  publish_cache_file(folder_, file(key), text);
}

void ReferenceStore::verify(CacheCheck& check) const {
  verify_cache(folder_, kAnswerRemedy, check, [](const CacheFile& entry, const std::string& text) {
    return decode(entry.path.stem().string(), text).has_value();
  });
}

}  // namespace warpwright
