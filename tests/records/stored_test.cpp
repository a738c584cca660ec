#include "records/stored.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "records/records.h"

namespace warpwright {
namespace {

using nlohmann::json;

int g_parsed = 0;

json parse_counting(const std::string& text, const ColumnName& name) {
  ++g_parsed;
  json parsed = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (parsed.is_discarded()) throw damaged_column(name, text);
  return parsed;
}

template <class T>
Stored<T> column(const std::string& text) {
  return Stored<T>::from_column(text, {"trial", 7, "counters"}, &parse_counting);
}

std::string fault_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    EXPECT_EQ(error.exit_code(), 2);
    return error.what();
  }
  return "no error";
}

TEST(Stored, WhatIsNotKnownHasNoTextAndAnEmptyValue) {
  const Stored<TrialCounters> none;
  EXPECT_FALSE(none.known());
  EXPECT_EQ(none.text(), "");
  EXPECT_TRUE(none->empty());
  EXPECT_EQ(none.readable(), nullptr);
  EXPECT_TRUE(none.document().is_null());
  EXPECT_FALSE(column<TrialCounters>("").known());
  EXPECT_TRUE(Stored<TrialCounters>(TrialCounters{}).known()) << "none were counted";
}

TEST(Stored, AColumnIsReadOnceAndWhenItIsAskedFor) {
  g_parsed = 0;
  const Stored<TrialCounters> first = column<TrialCounters>(R"({"a":1})");
  const Stored<TrialCounters> copy = first;
  EXPECT_EQ(first.text(), R"({"a":1})");
  EXPECT_EQ(g_parsed, 0);
  EXPECT_EQ(first->at("a"), 1u);
  EXPECT_EQ(copy->at("a"), 1u);
  EXPECT_EQ(g_parsed, 1);
}

TEST(Stored, TextAndMembersOfOthersAreKept) {
  const std::string text = R"({"anchor_drift": 0.5, "of another": [1]})";
  const auto stored = column<TrialMeasurement>(text);
  EXPECT_EQ(stored->anchor_drift, 0.5);
  EXPECT_EQ(stored.text(), text);
  EXPECT_EQ(stored.document().at("of another"), json::array({1}));
  const auto given = Stored<TrialMeasurement>::of({{"imported", {{"file", "a.json"}}}});
  EXPECT_EQ(given.text(), R"({"imported":{"file":"a.json"}})");
  EXPECT_EQ(given.document().at("imported").at("file"), "a.json");
  EXPECT_FALSE(given->validity.has_value());
}

TEST(Stored, ADamagedColumnIsNamedWhenItIsNeededAndStaysWhatItIs) {
  for (const char* text : {"{a", "[1]", "7", R"({"a":"x"})"}) {
    const auto stored = column<TrialCounters>(text);
    EXPECT_EQ(stored.text(), text);
    EXPECT_EQ(stored.readable(), nullptr);
    EXPECT_EQ(fault_of([&] { static_cast<void>(*stored); }),
              std::string("trial 7: its counters are not JSON: ") + text +
                  "; measure it again with --fresh");
  }
  EXPECT_EQ(std::string(damaged_column({"ranking", 3, "headline"}, "[").what()),
            "ranking 3: its headline is not JSON: [; measure it again with --fresh");
}

TEST(Stored, ComparesByWhatIsWritten) {
  EXPECT_EQ(column<TrialCounters>(R"({"a":1})"), Stored<TrialCounters>(TrialCounters{{"a", 1}}));
  EXPECT_NE(column<TrialCounters>(R"({"a": 1})"), Stored<TrialCounters>(TrialCounters{{"a", 1}}));
  EXPECT_LT(Stored<TrialCounters>(), column<TrialCounters>("{}"));
}

// The text of the value that is read from a text.
template <class T>
std::string again(const std::string& text) {
  return Stored<T>(*column<T>(text)).text();
}

TEST(StoredCodecs, ReadAndWriteTheSameText) {
  for (const char* text : {R"({"A":1,"B":0.5,"C":"f16","D":true,"E":1.0})", "{}"})
    EXPECT_EQ(again<Problem>(text), text);
  for (
      const char* text : {
          "[]",
          R"([{"constant":0,"dynamic_shared":8,"entry":"e","registers":80,"spill_loads":0,"spill_stores":0,"stack":0,"static_shared":0}])",
          R"([{"entry":"e"}])",
      })
    EXPECT_EQ(again<TrialResources>(text), text);
  const char* errors =
      R"([{"checked":8,"max_abs":0.0,"max_rel":null,"output":"y","worst_ratio":2.5,"wrong":1}])";
  EXPECT_EQ(again<std::vector<OutputError>>(errors), errors);
  for (
      const char* text : {
          R"({"anchor_drift":0.25,"validity":null})",
          R"({"anchor_drift":null,"hazards":[{"kind":"shared race","text":"case 'a' (n=1): shared race at a.cu:3"}],"validity":null})",
          R"({"anchor_drift":null,"validity":{"blocks":2,"other_processes":0,"power_w":130.7,"retaken":0,"sm_clock_max_mhz":1980,"sm_clock_min_mhz":1980,"tagged":0,"temperature_c":39.0,"throttle":["power cap"]}})",
      })
    EXPECT_EQ(again<TrialMeasurement>(text), text);
  EXPECT_EQ(again<std::vector<std::string>>(R"(["-DA=1"])"), R"(["-DA=1"])");
  for (
      const char* text : {
          R"({"cold":null,"end_to_end":null,"energy_mj_per_launch":null,"hot":null,"power_w":null,"samples_us":[],"slope":null,"sm_clock_mhz":null,"validity":null})",
          R"({"cold":{"ci_high_us":2.0,"ci_low_us":null,"floor_us":0.5,"median_us":1.5,"modelled":false,"protocol":"cold-graph-1","raw_median_us":2.0},"end_to_end":{"cached_us":4.0,"uncached_us":null},"energy_mj_per_launch":7.25,"hot":{"ci_high_us":1.0,"ci_low_us":1.0,"l2_resident":true,"median_us":1.0,"protocol":"hot-graph-1","sets":3},"power_w":300.0,"samples_us":[2.0,2.5],"slope":{"empty_us":0.5,"us":1.25},"sm_clock_mhz":1980,"validity":null})",
      })
    EXPECT_EQ(again<Headline>(text), text);
}

// Another version of warpwright may have kinds that this one lacks.
TEST(StoredCodecs, FindingsOfUnknownKindsAreKept) {
  const char* text =
      R"({"anchor_drift":null,"hazards":[{"kind":"haunted","text":"boo"}],"validity":null})";
  EXPECT_EQ(again<TrialMeasurement>(text), text);
  EXPECT_EQ(column<TrialMeasurement>(text)->hazards, (std::vector{TrialFinding{"haunted", "boo"}}));
}

TEST(StoredCodecs, WhatIsMissingOrOfAnotherTypeIsNotKnown) {
  const auto headline = *column<Headline>(
      R"({"cold":null,"hot":{},"slope":{"us":null},"power_w":"much","sm_clock_mhz":"fast"})");
  EXPECT_FALSE(headline.cold || headline.hot || headline.slope || headline.end_to_end);
  EXPECT_FALSE(headline.power_w || headline.sm_clock_mhz);
  const auto device = *column<DeviceInfo>(
      R"({"sm_count":132,"memory_clock_mhz":"fast","model_ceilings":{"read":4416,"copy":"x"}})");
  EXPECT_EQ(device.sm_count, 132);
  EXPECT_EQ(device.memory_clock_mhz, 0);
  EXPECT_EQ(device.warp_size, 0);
  EXPECT_EQ(device.model_ceilings, (std::map<std::string, double>{{"read", 4416}}));
  EXPECT_EQ(column<TrialResources>(R"({"a":{"registers":32}})")->at(0).entry, "a");
}

TEST(StoredCodecs, NullIsAnEmptyValue) {
  EXPECT_TRUE(column<TrialResources>("null")->empty());
  EXPECT_TRUE(column<TrialCounters>("null")->empty());
  EXPECT_FALSE(column<Headline>("null")->cold.has_value());
}

TEST(StoredCodecs, AValueIsOneValue) {
  EXPECT_EQ(fault_of([] { static_cast<void>(*column<Problem>(R"({"A":null})")); }),
            R"(trial 7: its counters are not JSON: {"A":null}; measure it again with --fresh)");
}

}  // namespace
}  // namespace warpwright
