// Tests `warpwright model`, as a user runs it.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "core/files.h"
#include "support/program.h"

namespace warpwright::testing {
namespace {

using ::testing::HasSubstr;

constexpr const char* kCeilings = "read=4430,tensor_bf16=790000,fma_f32=60000,memory=141";

std::string model_file(const std::string& name) {
  return std::string(WARPWRIGHT_SOURCE_DIR) + "/configs/models/" + name + ".yaml";
}

ProgramResult model(const std::string& name, std::vector<std::string> more) {
  std::vector<std::string> all = {"model", model_file(name)};
  all.insert(all.end(), more.begin(), more.end());
  return run_program(all);
}

TEST(ModelVerb, PrintsOperationsAndAStepPerBatchAndContext) {
  const ProgramResult result =
      model("llama-3-8b", {"--ceilings", kCeilings, "--batch", "1,64", "--context", "1024,8192"});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("8,030,261,248 parameters, 16.06 GB in bf16"));
  EXPECT_THAT(result.out, HasSubstr("modelled from given ceilings"));
  EXPECT_THAT(result.out, HasSubstr("gate and up projection"));
}

TEST(ModelVerb, JsonHasAStepForEveryCombination) {
  const ProgramResult result =
      model("mixtral-8x7b", {"--ceilings", kCeilings, "--batch", "8,64", "--tensor", "1,2,4",
                             "--pipeline", "2", "--interconnect", "450,5", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const nlohmann::json json = nlohmann::json::parse(result.out);
  ASSERT_EQ(json["steps"].size(), 6u);
  EXPECT_EQ(json["steps"][5]["gpus"], 8);
  EXPECT_EQ(json["steps"][5]["context"], 32768);
  EXPECT_EQ(json["parameters"], 46'702'792'704);
}

TEST(ModelVerb, WithoutCeilingsItSaysHowToGetThem) {
  const TemporaryFolder folder;
  const ProgramResult result = model("gpt2", {"--db", (folder.path() / "none.db").string()});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("none.db"));
}

TEST(ModelVerb, BadInputIsExplained) {
  const auto error_of = [](std::vector<std::string> more) {
    more.insert(more.end(), {"--ceilings", kCeilings});
    const ProgramResult result = model("llama-3-8b", more);
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_EQ(result.out, "");
    return result.err;
  };
  EXPECT_EQ(error_of({"--batch", "1,x"}),
            "warpwright: --batch 1,x: got 'x', expected whole numbers above 0 with commas\n");
  EXPECT_EQ(error_of({"--batch", "0"}),
            "warpwright: --batch 0: got '0', expected whole numbers above 0 with commas\n");
  EXPECT_EQ(error_of({"--batch", "99999999999999999999"}),
            "warpwright: --batch 99999999999999999999: got '99999999999999999999', expected whole "
            "numbers above 0 with commas\n");
  EXPECT_EQ(error_of({"--batch", "2000000000"}),
            "warpwright: --batch: got 2000000000, expected 1 to 1000000000\n");
  EXPECT_EQ(error_of({"--floor-us", "-1"}),
            "warpwright: --floor-us: got '-1', expected a number from 0 on\n");
  EXPECT_EQ(error_of({"--interconnect", "450"}),
            "warpwright: --interconnect: got '450', expected GB/s per direction and latency in µs, "
            "as in 450,5\n");
  EXPECT_EQ(error_of({"--interconnect", "0,5"}),
            "warpwright: --interconnect, bandwidth: got '0', expected a number above 0\n");
  EXPECT_EQ(error_of({"--tensor", "5", "--interconnect", "450,5"}),
            "warpwright: --tensor 5: the model has 32 heads, which do not divide by 5\n");
  EXPECT_EQ(error_of({"--pipeline", "-2"}),
            "warpwright: --pipeline: got -2, expected 1 to 1000000\n");
}

TEST(ModelVerb, AnErrorInTheModelHasItsPlace) {
  const TemporaryFolder folder;
  const auto file = folder.path() / "m.yaml";
  write_text(file, read_file(model_file("gpt2")) + "heads: 12\n");
  const ProgramResult result = run_program({"model", file.string(), "--ceilings", kCeilings});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("m.yaml:17:1: unknown key 'heads'"));
}

}  // namespace
}  // namespace warpwright::testing
