#include "core/source_bundle.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"
#include "support/write_text.h"

namespace warpwright {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsNull;
using ::testing::Pointee;
using ::testing::SizeIs;
using Kind = SourceChange::Kind;

class SourceBundleTest : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path put(const std::string& name, const std::string& text) const {
    testing::write_text(folder_.path() / name, text);
    return folder_.path() / name;
  }
  TemporaryFolder folder_;
  SourceBundle bundle_;
};

TEST_F(SourceBundleTest, TheFirstAnswerHolds) {
  const fs::path file = put("a.cu", "old");
  EXPECT_THAT(bundle_.find(file), Pointee(std::string("old")));
  static_cast<void>(put("a.cu", "new"));
  EXPECT_THAT(bundle_.find(file), Pointee(std::string("old")));
  fs::remove(file);
  EXPECT_EQ(bundle_.require(folder_.path() / "." / "a.cu"), "old");
}

TEST_F(SourceBundleTest, WhatWasNotThereStaysMissing) {
  const fs::path file = folder_.path() / "later.cuh";
  EXPECT_THAT(bundle_.find(file), IsNull());
  static_cast<void>(put("later.cuh", "text"));
  EXPECT_THAT(bundle_.find(file), IsNull());
  EXPECT_THROW((void)bundle_.require(file), Error);
}

TEST_F(SourceBundleTest, AFolderIsNoSource) {
  EXPECT_THAT(bundle_.find(folder_.path()), IsNull());
  try {
    (void)bundle_.require(folder_.path());
    FAIL() << "read a folder";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kUser);
  }
}

TEST_F(SourceBundleTest, ChangesAreNamedWithTheirKind) {
  const fs::path same = put("same.cu", "text");
  const fs::path edited = put("edited.cu", "old");
  const fs::path gone = put("gone.cu", "text");
  const fs::path appears = folder_.path() / "new.cuh";
  for (const fs::path& file : {same, edited, gone, appears}) static_cast<void>(bundle_.find(file));
  EXPECT_THAT(bundle_.changes(), IsEmpty());
  static_cast<void>(put("same.cu", "text"));
  static_cast<void>(put("edited.cu", "new"));
  static_cast<void>(put("new.cuh", ""));
  static_cast<void>(put("never_asked_for.cu", ""));
  fs::remove(gone);
  const std::vector<SourceChange> changes = bundle_.changes();
  ASSERT_THAT(changes, SizeIs(3));
  EXPECT_EQ(changes[0].file, edited);
  EXPECT_EQ(changes[0].kind, Kind::kEdited);
  EXPECT_EQ(changes[1].file, gone);
  EXPECT_EQ(changes[1].kind, Kind::kGone);
  EXPECT_EQ(changes[2].file, appears);
  EXPECT_EQ(changes[2].kind, Kind::kAppeared);
}

TEST_F(SourceBundleTest, TextsTravelAndNeedNoDisk) {
  const fs::path file = put("a.cu", "not \xff UTF-8");
  static_cast<void>(bundle_.find(file));
  const nlohmann::json json = texts_to_json(bundle_.texts());
  const auto sent = nlohmann::json::from_cbor(nlohmann::json::to_cbor(json));
  fs::remove(file);
  const fs::path other = put("b.cu", "never sent");
  const std::shared_ptr<SourceBundle> there = bundle_of(texts_from_json(sent));
  EXPECT_THAT(there->find(file), Pointee(std::string("not \xff UTF-8")));
  EXPECT_THAT(there->find(other), IsNull());
  EXPECT_THAT(there->names_in(folder_.path()), ElementsAre("a.cu"));
  EXPECT_THAT(there->changes(), IsEmpty());
}

TEST_F(SourceBundleTest, NamesOfAFolderAreListedOnce) {
  static_cast<void>(put("b.h", ""));
  static_cast<void>(put("a.h", ""));
  static_cast<void>(put("deep/c.h", ""));
  EXPECT_THAT(bundle_.names_in(folder_.path()), ElementsAre("a.h", "b.h"));
  static_cast<void>(put("d.h", ""));
  EXPECT_THAT(bundle_.names_in(folder_.path()), ElementsAre("a.h", "b.h"));
  EXPECT_THAT(bundle_.names_in(folder_.path() / "none"), IsEmpty());
}

TEST_F(SourceBundleTest, ThreadsThatAskAtOnceGetOneAnswer) {
  const fs::path file = put("a.cu", "text");
  std::vector<const std::string*> answers(8);
  {
    std::vector<std::jthread> threads;
    for (const std::string*& answer : answers)
      threads.emplace_back([&] { answer = bundle_.find(file); });
  }
  for (const std::string* answer : answers) EXPECT_EQ(answer, answers.front());
}

TEST_F(SourceBundleTest, AnInputIsKeptAsAnyOtherFile) {
  const fs::path file = put("x.npy", "abc");
  EXPECT_THAT(bundle_.find_input(file).text, Pointee(std::string("abc")));
  static_cast<void>(put("x.npy", "edited"));
  EXPECT_THAT(bundle_.find_input(file).text, Pointee(std::string("abc")));
  EXPECT_THAT(bundle_.find(file), Pointee(std::string("abc")));
  EXPECT_FALSE(bundle_.find_input(folder_.path() / "gone.npy").exists());
  EXPECT_FALSE(bundle_.find_input(folder_.path()).exists());
}

TEST_F(SourceBundleTest, OfALargeInputOnlyAStampIsKept) {
  const fs::path file = put("x.npy", "abc");
  fs::resize_file(file, SourceBundle::kLargestKept + 1);
  const InputText found = bundle_.find_input(file);
  ASSERT_EQ(found.text, nullptr);
  ASSERT_NE(found.large, nullptr);
  EXPECT_EQ(found.large->sha256, sha256_hex(read_file(file)));
  EXPECT_EQ(found.large->bytes, SourceBundle::kLargestKept + 1);
  EXPECT_TRUE(is_unchanged(file, *found.large));

  // The stamp is sent to another process.
  SourceBundle elsewhere(bundle_.texts());
  fs::remove(file);
  const InputText sent = elsewhere.find_input(file);
  ASSERT_NE(sent.large, nullptr);
  EXPECT_EQ(*sent.large, *found.large);
  EXPECT_FALSE(elsewhere.find_input(folder_.path() / "y.npy").exists());
  EXPECT_FALSE(is_unchanged(file, *sent.large));
}

TEST_F(SourceBundleTest, TooManyInputsAreLargeTogether) {
  std::vector<bool> kept;
  for (const std::string name : {"a", "b", "c", "d", "e"}) {
    const fs::path file = put(name, "");
    fs::resize_file(file, SourceBundle::kLargestKept);
    kept.push_back(bundle_.find_input(file).text != nullptr);
  }
  EXPECT_THAT(kept, ElementsAre(true, true, true, true, false));
}

TEST_F(SourceBundleTest, AnEditOfALargeInputIsNoticed) {
  const fs::path edited = put("edited", "");
  const fs::path gone = put("gone", "");
  for (const fs::path& file : {edited, gone}) {
    fs::resize_file(file, SourceBundle::kLargestKept + 1);
    static_cast<void>(bundle_.find_input(file));
  }
  EXPECT_THAT(bundle_.changes(), IsEmpty());
  fs::resize_file(edited, SourceBundle::kLargestKept + 2);
  fs::remove(gone);
  const std::vector<SourceChange> changes = bundle_.changes();
  ASSERT_THAT(changes, SizeIs(2));
  EXPECT_EQ(changes[0].file, edited);
  EXPECT_EQ(changes[0].kind, Kind::kEdited);
  EXPECT_EQ(changes[1].kind, Kind::kGone);
}

}  // namespace
}  // namespace warpwright
