// Tests texts that are not YAML, and YAML that is rejected.
#include <gtest/gtest.h>

#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

class YamlErrors : public testing::TestWithParam<BadText> {};

TEST_P(YamlErrors, SaysPlaceCauseAndFix) {
  EXPECT_EQ(sweep_message(GetParam().text), GetParam().message);
}

const BadText kYamlErrors[] = {
    {"Empty", "", "sweep.yaml: is empty, expected a sweep"},
    {"OnlyComments",
     "# nothing\n"
     "\n",
     "sweep.yaml: is empty, expected a sweep"},
    {"OnlyASeparator", "---\n", "sweep.yaml: is empty, expected a sweep"},
    {"TopLevelList", "- kernel: k\n",
     "sweep.yaml:1:1: got a list at the top level, expected the 'key: value' lines of a sweep"},
    {"TopLevelText", "kernel\n",
     "sweep.yaml:1:1: got text at the top level, expected the 'key: value' lines of a sweep"},
    {"TwoDocuments",
     "kernel: k\n"
     "---\n"
     "kernel: k\n",
     "sweep.yaml:2:1: a second document starts here; a file holds one"},
    {"TextAfterAFlowMap", "{kernel: k} kernel\n",
     "sweep.yaml:1:13: a second document starts here; a file holds one"},
    {"NotUtf8", "kernel: caf\351\n",
     "sweep.yaml:1:12: byte 0xe9 is not UTF-8; save the file as UTF-8"},
    {"OverlongUtf8", "kernel: \300\257\n",
     "sweep.yaml:1:9: byte 0xc0 is not UTF-8; save the file as UTF-8"},
    {"NulByte", std::string_view("kernel: k\0\n", 11),
     "sweep.yaml:1:10: control character 0x00 is not allowed in YAML; remove it"},
    {"EndOfFileCharacter",
     "kernel: k\n"
     "problems: \004[]\n",
     "sweep.yaml:2:11: control character 0x04 is not allowed in YAML; remove it"},
    {"TabIndents",
     "kernel: k\n"
     "space:\n"
     "\tTHREADS: 1\n",
     "sweep.yaml:3:1: tabs cannot indent YAML; use spaces"},
    {"TabAfterSpaces",
     "kernel: k\n"
     "space:\n"
     "  \tTHREADS: 1\n",
     "sweep.yaml:3:3: tabs cannot indent YAML; use spaces"},
    {"Anchor", "kernel: &name k\n",
     "sweep.yaml:1:9: anchors (&name) are not supported; write the value out where it is used"},
    {"Alias", "kernel: *name\n",
     "sweep.yaml:1:9: aliases (*name) are not supported; write the value out"},
    {"AnchorOfAList", "space: &a [1, 2]\n",
     "sweep.yaml:1:8: anchors (&a) are not supported; write the value out where it is used"},
    {"MergeKey",
     "space:\n"
     "  <<: {A: 1}\n",
     "sweep.yaml:2:3: merge keys (<<) are not supported; write the keys out"},
    {"Tag", "kernel: !!str k\n",
     "sweep.yaml:1:9: the tag '!!str' is not supported; remove it, and quote the value if it is "
     "text"},
    {"LocalTag", "space: !big {A: 1}\n",
     "sweep.yaml:1:8: the tag '!big' is not supported; remove it, and quote the value if it is "
     "text"},
    {"DuplicateKey",
     "kernel: k\n"
     "space: {A: 1}\n"
     "kernel: j\n",
     "sweep.yaml:3:1: duplicate key 'kernel', first given on line 1; keep one"},
    {"DuplicateKeyInAFlowMap", "space: {A: 1, B: 2, A: 3}\n",
     "sweep.yaml:1:21: duplicate key 'A', first given on line 1; keep one"},
    {"KeyIsAList",
     "? [a, b]\n"
     ": 1\n",
     "sweep.yaml:1:3: got a list as a key, expected a name"},
    {"KeyIsAMap", "{{a: 1}: 1}\n", "sweep.yaml:1:2: got a map as a key, expected a name"},
    {"KeyIsNothing", ": 1\n", "sweep.yaml:1:1: got nothing as a key, expected a name"},
    {"UnclosedList", "space: {A: [1, 2\n",
     "sweep.yaml:2:1: the '[' at 1:12 is not closed; add what is missing, a bracket or a comma"},
    {"UnclosedMap", "space: {A: 1\n",
     "sweep.yaml:2:1: the '{' at 1:8 is not closed; add what is missing, a bracket or a comma"},
    {"UnclosedQuote", "kernel: \"k\n",
     "sweep.yaml:1:9: a quote is not closed before the end of the file; close it"},
    {"StrayBracket",
     "kernel: k]\n"
     "space: ]\n",
     "sweep.yaml:2:8: a closing bracket has no opening one; remove it"},
    {"ColonInText", "kernel: a: b\n",
     "sweep.yaml:1:10: a ':' stands where no key can; quote text that holds ': ', and indent keys "
     "alike"},
    {"BadIndentation",
     "space:\n"
     "    A: 1\n"
     "  B: 2\n",
     "sweep.yaml:3:3: this does not continue the map above; indent keys alike, each as 'key: "
     "value'"},
    {"LineWithoutAColon",
     "kernel: k\n"
     "space\n",
     "sweep.yaml:2:1: got 'space' without a ':', expected 'space: VALUE'"},
    {"ListItemUnderText",
     "kernel: k\n"
     "- a\n",
     "sweep.yaml:2:1: this does not continue the map above; indent keys alike, each as 'key: "
     "value'"},
    {"ReservedCharacter", "kernel: @k\n",
     "sweep.yaml:1:9: text cannot start with this character; quote the text"},
    {"UnknownEscape", "kernel: \"\\q\"\n",
     "sweep.yaml:1:12: not valid YAML: unknown escape character: q"},
};

INSTANTIATE_TEST_SUITE_P(Texts, YamlErrors, testing::ValuesIn(kYamlErrors), case_name<BadText>);

}  // namespace
}  // namespace warpwright
