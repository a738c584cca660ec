// Implements `warpwright model`: estimates the time of a language model's decode step on a device.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "cli/print.h"
#include "cli/verb.h"
#include "core/error.h"
#include "model/model_text.h"
#include "store/database.h"
#include "workers/paths.h"

namespace warpwright {
namespace {

constexpr const char* kModelExample =
    "Examples:\n"
    "  warpwright model configs/models/llama-3-8b.yaml --batch 1,8,64 --context 4096,32768\n"
    "  warpwright model configs/models/mixtral-8x7b.yaml --batch 64 --expert 8 --interconnect "
    "450,5\n"
    "  warpwright model configs/models/gpt2.yaml --context 1024 \\\n"
    "      --ceilings read=4430,tensor_bf16=790000,fma_f32=60000,memory=141\n"
    "Times are modelled from the ceilings that `warpwright calibrate` measured on the device; "
    "where\n"
    "the database holds the tuned kernel of an operation at its very size, that measured time is\n"
    "taken, between two tuned lengths or batches an interpolated one, both marked and shown next\n"
    "to the ceilings' time. configs/models/README.md says what is counted and how.\n";

constexpr std::size_t kMaxSteps = 10'000;

struct ModelArguments {
  std::string file;
  std::string database;
  RatesRequest rates;
  std::string batch = "1";
  std::string context;
  std::string tensor = "1";
  int pipeline = 1;
  int sequence = 1;
  int expert = 1;
  std::string interconnect;
  std::string floor_us;
};

// Parses a list such as "1,8,64".
std::vector<std::int64_t> read_list(const char* option, const std::string& text) {
  std::vector<std::int64_t> values;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::int64_t value = 0;
    const char* last = text.data() + end;
    const auto [stopped, fault] = std::from_chars(text.data() + begin, last, value);
    if (fault != std::errc() || stopped != last || value < 1) {
      throw user_error(fmt::format("{} {}: got '{}', expected whole numbers above 0 with commas",
                                   option, text, text.substr(begin, end - begin)));
    }
    values.push_back(value);
    begin = end + 1;
  }
  return values;
}

double read_real(const char* option, std::string_view text, bool zero_allowed) {
  double value = 0;
  const char* last = text.data() + text.size();
  const auto [stopped, fault] = std::from_chars(text.data(), last, value);
  const bool good = fault == std::errc() && stopped == last && std::isfinite(value) &&
                    (value > 0 || (zero_allowed && value == 0));
  if (!good) {
    throw user_error(fmt::format("{}: got '{}', expected a number {}", option, text,
                                 zero_allowed ? "from 0 on" : "above 0"));
  }
  return value;
}

// Parses "450,5": GB/s per direction, µs.
Interconnect read_interconnect(const std::string& text) {
  const std::size_t comma = text.find(',');
  if (comma == std::string::npos) {
    throw user_error(fmt::format(
        "--interconnect: got '{}', expected GB/s per direction and latency in µs, as in 450,5",
        text));
  }
  const std::string_view all = text;
  return {read_real("--interconnect, bandwidth", all.substr(0, comma), false) * 1e9,
          read_real("--interconnect, latency", all.substr(comma + 1), true)};
}

int narrow(const char* option, std::int64_t value) {
  if (value > 1'000'000)
    throw user_error(fmt::format("{}: got {}, expected at most 1000000", option, value));
  return static_cast<int>(value);
}

std::optional<Database> open_database_of(const ModelArguments& arguments, const Paths& paths) {
  const std::filesystem::path file = arguments.database.empty()
                                         ? paths.default_database()
                                         : std::filesystem::path(arguments.database);
  if (arguments.database.empty() && !std::filesystem::exists(file)) return std::nullopt;
  return std::optional<Database>(std::in_place, file, OpenMode::kReadOnly);
}

void estimate(const ModelArguments& arguments, ModelReport& report, TunedTimes& tuned) {
  const std::vector<std::int64_t> batches = read_list("--batch", arguments.batch);
  const std::vector<std::int64_t> contexts =
      arguments.context.empty() ? std::vector<std::int64_t>{report.spec.max_context}
                                : read_list("--context", arguments.context);
  const std::vector<std::int64_t> tensors = read_list("--tensor", arguments.tensor);
  if (batches.size() * contexts.size() * tensors.size() > kMaxSteps) {
    throw user_error(fmt::format("these lists multiply to {} steps, expected at most {}",
                                 batches.size() * contexts.size() * tensors.size(), kMaxSteps));
  }
  for (const std::int64_t tensor : tensors) {
    const Parallel parallel{narrow("--tensor", tensor), arguments.pipeline, arguments.sequence,
                            arguments.expert};
    for (const std::int64_t context : contexts)
      for (const std::int64_t batch : batches)
        report.steps.push_back(
            estimate_step(report.spec, {batch, context}, parallel, report.rates, tuned));
  }
}

int run(ModelArguments& arguments, const GlobalOptions& global) {
  if (!arguments.floor_us.empty())
    arguments.rates.floor_us = read_real("--floor-us", arguments.floor_us, true);
  ModelReport report;
  report.spec = read_decoder(config_file(arguments.file, global));
  if (!arguments.interconnect.empty())
    report.spec.interconnect = read_interconnect(arguments.interconnect);
  const std::optional<Database> database =
      open_database_of(arguments, find_paths(global.kernel_roots()));
  report.rates = read_rates(database ? &*database : nullptr, arguments.rates);
  TunedTimes tuned = database ? TunedTimes(*database, report.rates.fingerprint) : TunedTimes();
  estimate(arguments, report, tuned);
  if (global.json) {
    print_json(model_json(report));
  } else {
    print_text(global, model_text(report, text_screen()));
  }
  return 0;
}

void add_options(CLI::App& verb, ModelArguments& arguments) {
  verb.add_option("model", arguments.file, "The model's YAML file, as in configs/models/")
      ->required()
      ->type_name("MODEL.yaml");
  verb.add_option("--device", arguments.rates.device,
                  "A device of the database: id, name or fingerprint; the one with ceilings")
      ->type_name("DEVICE");
  verb.add_option("--db", arguments.database, "Results database instead of results/warpwright.db")
      ->type_name("FILE");
  verb.add_option("--batch", arguments.batch, "Sequences decoded together: 1,8,64")
      ->type_name("LIST")
      ->capture_default_str();
  verb.add_option("--context", arguments.context,
                  "Positions attended to: 4096,32768; the model's own limit when not given")
      ->type_name("LIST");
  verb.add_option("--tensor", arguments.tensor, "GPUs that share each layer: 1,2,4,8")
      ->type_name("LIST")
      ->capture_default_str();
  verb.add_option("--pipeline", arguments.pipeline, "Stages of consecutive layers")
      ->capture_default_str();
  verb.add_option("--sequence", arguments.sequence, "GPUs that share the cache's positions")
      ->capture_default_str();
  verb.add_option("--expert", arguments.expert, "GPUs that share the experts and the batch")
      ->capture_default_str();
  verb.add_option("--interconnect", arguments.interconnect,
                  "GB/s per GPU and direction, and latency in µs: 450,5; instead of the model's")
      ->type_name("GB/S,US");
  verb.add_option("--ceilings", arguments.rates.ceilings,
                  "Instead of measured ones: read=4430,tensor_bf16=790000,memory=141, or a file")
      ->type_name("LIST|FILE");
  verb.add_option("--floor-us", arguments.floor_us, "The least time of any operation")
      ->type_name("US");
}

}  // namespace

void add_model_verb(CLI::App& app, const VerbContext& context) {
  CLI::App* verb = app.add_subcommand(
      "model", "Model a transformer's decode step with a KV cache from the device's ceilings");
  auto arguments = std::make_shared<ModelArguments>();
  add_options(*verb, *arguments);
  add_common_options(*verb, context);
  verb->footer(kModelExample);
  verb->callback([arguments, context] {
    GlobalOptions& global = context.global;
    context.action = [arguments, &global] { return run(*arguments, global); };
  });
}

}  // namespace warpwright
