#include "output/report/report_page.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>

#include "core/error.h"
#include "output/report/page_files.h"

namespace warpwright {
namespace {

using Json = nlohmann::json;

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

TEST(ScriptSafeJson, NothingCanEndTheElement) {
  const std::string text = script_safe_json({{"a", "</script><!--&\u2028\u2029"}});
  EXPECT_EQ(text, "{\"a\":\"\\u003c/script\\u003e\\u003c!--\\u0026\\u2028\\u2029\"}");
  EXPECT_EQ(Json::parse(text)["a"], "</script><!--&\u2028\u2029");
}

TEST(ScriptSafeJson, KeysAreSafeToo) {
  EXPECT_EQ(script_safe_json({{"</script>", 1}}), "{\"\\u003c/script\\u003e\":1}");
}

TEST(ScriptSafeJson, WhatIsNotUtf8IsReplaced) {
  EXPECT_EQ(script_safe_json({{"a", "x\xff"}}), "{\"a\":\"x\uFFFD\"}");
}

TEST(ExpandPageFiles, ANameThatIsNotEmbeddedIsAFaultOfTheProgram) {
  EXPECT_EQ(expand_page_files("no names here"), "no names here");
  EXPECT_EQ(expand_page_files("open {{ only"), "open {{ only");
  EXPECT_THROW(static_cast<void>(expand_page_files("{{absent.js}}")), Error);
}

class ReportPage : public ::testing::Test {
 protected:
  static Json document(const std::string& text) {
    return {{"schema", 1}, {"boards", Json::array()}, {"note", text}};
  }
};

TEST_F(ReportPage, HoldsItsDataAsItIs) {
  const Json data = document("</script><script>alert(1)</script> [[data]] {{page.css}}");
  const std::string html = report_page(data);
  const std::string open = R"(<script type="application/json" id="data">)";
  const std::size_t begin = html.find(open) + open.size();
  const std::size_t end = html.find("</script>", begin);
  EXPECT_EQ(Json::parse(html.substr(begin, end - begin)), data);
  EXPECT_EQ(html.find("alert(1)</script>"), std::string::npos);
}

TEST_F(ReportPage, ItsPolicyAllowsItsOwnScriptsByHashAndNothingElse) {
  const std::string html = report_page(document(""));
  const std::string policy = html.substr(html.find("Content-Security-Policy"), 600);
  EXPECT_EQ(count(policy, "'sha256-"), 3U);
  EXPECT_NE(policy.find("default-src 'none'"), std::string::npos);
  EXPECT_EQ(policy.find("'unsafe-eval'"), std::string::npos);
  const std::string scripts = policy.substr(policy.find("script-src"), 250);
  EXPECT_EQ(scripts.substr(0, scripts.find(';')).find("'unsafe-inline'"), std::string::npos);
  EXPECT_EQ(html.find("[[script-hashes]]"), std::string::npos);
}

TEST_F(ReportPage, RefersToNothingOutside) {
  const std::string html = report_page(document(""));
  const std::regex outside("(src|href)=\"(https?:)?//", std::regex::icase);
  EXPECT_FALSE(std::regex_search(html, outside));
  const std::string style = html.substr(html.find("<style>"), html.find("</style>"));
  EXPECT_EQ(style.find("@import"), std::string::npos);
  EXPECT_EQ(style.substr(0, style.find("</style>")).find("url("), std::string::npos);
}

TEST_F(ReportPage, IsSmall) { EXPECT_LT(report_page(document("")).size(), 1'200'000U); }

// Data stands before the scripts, so that its mark is the first of its kind whatever they hold.
TEST_F(ReportPage, NoFileThatIsEmbeddedEndsItsElement) {
  for (const EmbeddedFile& file : page_files()) {
    const std::string text(file.text);
    EXPECT_FALSE(text.empty()) << file.name;
    if (file.name.ends_with(".html")) continue;
    EXPECT_EQ(text.find("</script"), std::string::npos) << file.name;
    EXPECT_EQ(text.find("</style"), std::string::npos) << file.name;
    EXPECT_EQ(text.find("<!--"), std::string::npos) << file.name;
  }
}

TEST_F(ReportPage, EveryFileIsUsedOnceByAPage) {
  std::vector<std::string> frames;
  for (const EmbeddedFile& file : page_files())
    if (file.name.ends_with(".html")) frames.emplace_back(file.text);
  EXPECT_EQ(frames.size(), 2U);
  for (const EmbeddedFile& file : page_files()) {
    if (file.name.ends_with(".html")) continue;
    std::size_t most = 0;
    for (const std::string& frame : frames)
      most = std::max(most, count(frame, "{{" + std::string(file.name) + "}}"));
    EXPECT_EQ(most, 1U) << file.name;
  }
}

TEST_F(ReportPage, AReplaysPageIsMadeLikeIt) {
  const std::string html = page_of("replay.html", document("</script>"));
  EXPECT_EQ(count(html.substr(html.find("Content-Security-Policy"), 600), "'sha256-"), 3U);
  EXPECT_EQ(html.find("[[data]]"), std::string::npos);
  EXPECT_NE(html.find("<title>Warpwright replay</title>"), std::string::npos);
}

}  // namespace
}  // namespace warpwright
