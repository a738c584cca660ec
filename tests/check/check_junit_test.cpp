// Tests that every parser accepts the JUnit XML, whatever names and messages contain. Python's own
// parser is the judge.
#include <gmock/gmock.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "check/check_sample.h"
#include "check/texts/check_ci.h"
#include "core/escape.h"
#include "core/files.h"
#include "output/golden.h"

namespace warpwright::testing {
namespace {

// Returns the report as parsed by xml.etree, as JSON.
nlohmann::json parsed(const CheckReport& report) {
  const TemporaryFolder folder("warpwright-junit");
  const auto xml = folder.path() / "junit.xml";
  const auto json = folder.path() / "junit.json";
  publish_file(xml, check_junit(report));
  publish_file(folder.path() / "parse.py", R"py(
import json, sys
import xml.etree.ElementTree as tree
suites = tree.parse(sys.argv[1]).getroot()
assert suites.tag == "testsuites"
cases = [{"classname": c.get("classname"), "name": c.get("name"), "time": float(c.get("time")),
          "children": [[k.tag, k.get("type"), k.get("message"), k.text] for k in c]}
         for s in suites for c in s]
totals = {k: suites.get(k) for k in ("tests", "failures", "errors", "skipped")}
json.dump({"totals": totals, "suite": suites[0].get("name"), "cases": cases}, open(sys.argv[2], "w"))
)py");
  const std::string command =
      "python3 " + (folder.path() / "parse.py").string() + " " + xml.string() + " " + json.string();
  EXPECT_EQ(std::system(command.c_str()), 0) << check_junit(report);
  return nlohmann::json::parse(read_file(json));
}

TEST(CheckJunit, IsTheGoldenOne) { expect_golden("check_junit.xml", check_junit(check_sample())); }

TEST(CheckJunit, FailuresAndSkippedAreWhatTheyShould) {
  const nlohmann::json report = parsed(check_sample());
  EXPECT_EQ(report["totals"]["tests"], "7");
  EXPECT_EQ(report["totals"]["failures"], "3");
  EXPECT_EQ(report["totals"]["skipped"], "1");
  EXPECT_EQ(report["cases"][0]["children"][0][0], "failure");
  EXPECT_EQ(report["cases"][2]["children"][0][0], "failure") << "a missing entry is not a skip";
  EXPECT_EQ(report["cases"][3]["children"][0][0], "skipped");
  EXPECT_EQ(report["cases"][5]["children"].size(), 1u) << "output alone";
}

TEST(CheckJunit, HostileNamesComeThroughWhole) {
  CheckReport report;
  report.baseline = "a \"b\" <c> & 'd'\\";
  CheckEntry entry;
  entry.kernel = "</testcase><evil a=\"1\">";
  entry.problem_text = "n=1\n\t]]> & \"x\" 'y'";
  entry.configuration_text = "größe=ü 漢字 🚀";
  entry.state = CheckState::kRegression;
  entry.findings = {{GateFindingKind::kRegression, "<![CDATA[ x ]]> &amp; \r\n--> {} %s",
                     QuotedLocation{{"a&b<c>.cu", 3}, "if (a < b && c > \"d\")"}}};
  report.entries = {entry};
  const nlohmann::json found = parsed(report);
  EXPECT_EQ(found["suite"], report.baseline + " on ");
  EXPECT_EQ(found["cases"][0]["classname"], entry.kernel);
  EXPECT_EQ(found["cases"][0]["name"], entry.problem_text + " " + entry.configuration_text);
  EXPECT_EQ(found["cases"][0]["children"][0][2], entry.findings[0].message);
}

TEST(CheckJunit, WhatXmlCannotHoldIsReplaced) {
  std::string all;
  for (int c = 0; c < 256; ++c) all += static_cast<char>(c);
  all += "\xED\xA0\x80\xEF\xBF\xBF\xF4\x90\x80\x80\xC0\x80";
  CheckReport report;
  CheckEntry entry;
  entry.kernel = all;
  entry.problem_text = all;
  entry.state = CheckState::kRegression;
  entry.findings = {{GateFindingKind::kRegression, all, QuotedLocation{{all, 1}, all}}};
  report.entries = {entry};
  EXPECT_EQ(parsed(report)["cases"].size(), 1u);
}

TEST(XmlEscaped, KeepsTextAndEscapesTheFive) {
  EXPECT_EQ(xml_text("a<b>&\"'"), "a&lt;b&gt;&amp;&quot;&apos;");
  EXPECT_EQ(xml_text("a\nb"), "a&#10;b");
  EXPECT_EQ(xml_text("a\nb", true), "a\nb");
  EXPECT_EQ(xml_text(std::string("a\0b", 3)),
            "a\xEF\xBF\xBD"
            "b");
  EXPECT_EQ(xml_text("\xC3\xA4"), "\xC3\xA4");
  EXPECT_EQ(xml_text("\xC3"), "\xEF\xBF\xBD");
}

}  // namespace
}  // namespace warpwright::testing
