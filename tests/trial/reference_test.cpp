#include "trial/reference/reference.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cmath>
#include <cstdlib>
#include <numeric>

#include "core/error.h"
#include "core/files.h"
#include "core/notices.h"
#include "trial/tiny_kernel.h"

namespace warpwright::testing {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// Restores CXX after it was unset or changed.
class ScopedCxx {
 public:
  explicit ScopedCxx(const char* value) {
    if (const char* old = std::getenv("CXX")) old_ = old;
    ::setenv("CXX", value, 1);
  }
  ~ScopedCxx() { old_ ? ::setenv("CXX", old_->c_str(), 1) : ::unsetenv("CXX"); }

 private:
  std::optional<std::string> old_;
};

class ReferenceTest : public ::testing::Test {
 protected:
  std::filesystem::path write(const std::string& text) {
    const std::filesystem::path path = folder.path() / "reference.cpp";
    write_text(path, text);
    return path;
  }
  std::filesystem::path build(const std::string& text) {
    return build_reference(write(text), reference_include(), shared_cache() / "references");
  }
  std::string error_of(const std::string& text) {
    try {
      const Reference reference(build(text), folder.path() / "reference.cpp");
      (void)reference.compute(question(), units);
    } catch (const Error& error) {
      return error.what();
    }
    return "no error";
  }
  ReferenceQuestion question() {
    ReferenceQuestion asked;
    asked.inputs.push_back({"x", DType::kF32, {4, 2}, std::as_bytes(std::span(x))});
    asked.outputs.push_back({"y", 2});
    asked.sizes = {{"V", 2}, {"mode", "fast"}, {"flag", true}, {"scale", 0.5}};
    return asked;
  }

  TemporaryFolder folder{"warpwright-reference-test"};
  std::vector<float> x{0, 1, 2, 3, 4, 5, 6, 7};
  std::vector<std::int64_t> units{3, 1};
};

TEST_F(ReferenceTest, UnitsAreComputedInTheOrderAsked) {
  const Reference reference(build(tiny_reference()), "reference.cpp");
  const ReferenceAnswer answer = reference.compute(question(), units);
  ASSERT_EQ(answer.size(), 1u);
  EXPECT_THAT(answer[0], ElementsAre(12, 14, 4, 6));
}

TEST_F(ReferenceTest, ManyUnitsAreSharedAmongThreads) {
  std::vector<float> many(3000);
  std::iota(many.begin(), many.end(), 0.0f);
  std::vector<std::int64_t> all(1500);
  std::iota(all.begin(), all.end(), 0);
  ReferenceQuestion asked = question();
  asked.inputs[0].shape = {1500, 2};
  asked.inputs[0].data = std::as_bytes(std::span(many));
  const Reference reference(build(tiny_reference()), "reference.cpp");
  const ReferenceAnswer answer = reference.compute(asked, all, 4);
  for (std::size_t i = 0; i < many.size(); ++i) ASSERT_EQ(answer[0][i], 2 * static_cast<double>(i));
}

TEST_F(ReferenceTest, SizesKeepTheirTypes) {
  const std::string text = R"(#include "reference.h"
int ww_reference(const ww_call* call) {
  if (!ww::is(call, "mode", "fast")) return ww::fail(call, "mode");
  const bool numbers = ww::size(call, "flag") == 1 && ww::real(call, "scale") == 0.5;
  if (!numbers) return ww::fail(call, "numbers");
  double* y = ww::find_output(call, "y");
  for (int64_t i = 0; i < 2 * call->unit_count; ++i) y[i] = ww::size(call, "V");
  return 0;
}
)";
  const Reference reference(build(text), "reference.cpp");
  EXPECT_EQ(reference.compute(question(), units)[0][0], 2);
}

TEST_F(ReferenceTest, AScoreIsOptional) {
  EXPECT_FALSE(Reference(build(tiny_reference()), "reference.cpp").has_score());
  const Reference scored(build(tiny_reference() + R"(
double ww_score(const ww_call* call, const char* output, int64_t unit, int64_t index) {
  return 10.0 * unit + index + (strcmp(output, "y") == 0 ? 0.5 : 0) +
         100 * call->unit_count;
}
)"),
                         "reference.cpp");
  ASSERT_TRUE(scored.has_score());
  EXPECT_EQ(scored.score(question(), "y", 2, 3), 123.5);
}

TEST_F(ReferenceTest, AFailureOfTheReferenceIsQuoted) {
  EXPECT_THAT(
      error_of(
          "#include \"reference.h\"\n"
          "int ww_reference(const ww_call* call) { return ww::fail(call, \"V must be even\"); }\n"),
      AllOf(HasSubstr("reference.cpp: the reference failed: V must be even")));
}

TEST_F(ReferenceTest, AnUnwrittenElementIsTheReferencesFault) {
  EXPECT_THAT(error_of("#include \"reference.h\"\n"
                       "int ww_reference(const ww_call* call) {\n"
                       "  for (int64_t i = 0; i < call->unit_count; ++i) ww::find_output(call, "
                       "\"y\")[2 * i] = 1;\n"
                       "  return 0;\n}\n"),
              HasSubstr("the reference did not write element 1 of unit 3 of output 'y'"));
}

TEST_F(ReferenceTest, AMissingFunctionSaysWhatToDefine) {
  EXPECT_THAT(error_of("int other() { return 0; }\n"),
              HasSubstr("the reference does not define ww_reference; include "
                        "kernels/common/reference.h and define "
                        "`int ww_reference(const ww_call* call)`"));
}

TEST_F(ReferenceTest, ACompileErrorShowsTheFirstLines) {
  EXPECT_THAT(
      error_of("#include \"reference.h\"\nint ww_reference(const ww_call*) { return nonsense; }\n"),
      AllOf(HasSubstr("reference.cpp: the reference does not compile ("), HasSubstr("exit code 1"),
            HasSubstr("reference.cpp:2:"), HasSubstr("nonsense")));
}

TEST_F(ReferenceTest, FilesFromElsewhereAreNotPartOfIt) {
  const std::string message = error_of("#include \"reference.h\"\n#include \"/etc/passwd\"\n");
  EXPECT_THAT(message, HasSubstr("error: #error warpwright: '/etc/passwd' is not read, for it lies "
                                 "outside of the folder of the kernel"));
  EXPECT_THAT(message, ::testing::Not(HasSubstr("root:")));
}

TEST_F(ReferenceTest, AMissingCompilerSaysWhatToDo) {
  const ScopedCxx cxx("no-such-compiler");
  try {
    (void)build_reference(write(tiny_reference()), reference_include(), folder.path() / "cache");
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kEnvironment);
    EXPECT_THAT(
        error.what(),
        AllOf(StartsWith("no C++ compiler to build the reference "),
              HasSubstr("looked for no-such-compiler; install one (apt install g++) or set CXX")));
  }
}

TEST_F(ReferenceTest, AMissingSourceIsTheUsersError) {
  EXPECT_THROW(
      (void)build_reference(folder.path() / "none.cpp", reference_include(), folder.path()), Error);
}

TEST_F(ReferenceTest, ObjectsAreCachedByContent) {
  const std::filesystem::path first = build(tiny_reference());
  const auto file = [&] {
    struct stat status {};
    EXPECT_EQ(::stat(first.c_str(), &status), 0);
    return status.st_ino;
  };
  const ino_t written = file();
  EXPECT_EQ(build(tiny_reference()), first);
  EXPECT_EQ(file(), written) << "it was compiled again";
}

// A reference judges kernels, so an object that differs from the compiled one must not be loaded.
TEST_F(ReferenceTest, ADamagedObjectIsCompiledAgainAndNamed) {
  const std::filesystem::path cache = folder.path() / "own";
  const auto path = [&] {
    return build_reference(write(tiny_reference()), reference_include(), cache);
  };
  const std::filesystem::path object = path();
  const std::string whole = read_file(object);
  for (const std::size_t at :
       {std::size_t{0}, whole.size() / 2, whole.size() - 70, whole.size() - 1}) {
    std::string damaged = whole;
    damaged[at] ^= 1;
    write_text(object, damaged);
    EXPECT_EQ(path(), object);
    EXPECT_EQ(read_file(object), whole) << "byte " << at;
  }
  write_text(object, whole.substr(0, 100));
  static_cast<void>(take_notices());
  EXPECT_EQ(path(), object);
  const Reference reference(object, folder.path() / "reference.cpp");
  EXPECT_EQ(reference.compute(question(), units).size(), 1u);
}

TEST_F(ReferenceTest, TheMessageOnADamagedObjectNamesIt) {
  const std::filesystem::path cache = folder.path() / "own";
  const auto object = build_reference(write(tiny_reference()), reference_include(), cache);
  write_text(object, "damaged");
  static_cast<void>(take_notices());
  static_cast<void>(build_reference(write(tiny_reference()), reference_include(), cache));
  EXPECT_THAT(take_notices(),
              ElementsAre("the cache's entry " + object.string() +
                          " was damaged and was removed; the reference is compiled again"));
}

TEST_F(ReferenceTest, AnObjectUnderAnothersNameIsDamaged) {
  const std::filesystem::path cache = folder.path() / "own";
  const auto first = build_reference(write(tiny_reference()), reference_include(), cache);
  const auto second =
      build_reference(write(tiny_reference() + "// another\n"), reference_include(), cache);
  const std::string whole = read_file(second);
  write_text(second, read_file(first));
  CacheCheck check;
  verify_references(cache, check);
  EXPECT_EQ(check.files, 1u);
  EXPECT_EQ(check.damaged, 1u);
  EXPECT_FALSE(std::filesystem::exists(second));
}

TEST_F(ReferenceTest, WithoutACacheThatCanBeWrittenItIsCompiledForTheProcess) {
  write_text(folder.path() / "file", "");
  static_cast<void>(take_notices());
  const auto object = build_reference(write(tiny_reference()), reference_include(),
                                      folder.path() / "file" / "cache");
  EXPECT_THAT(take_notices(),
              ElementsAre("the cache " + (folder.path() / "file" / "cache").string() +
                          " cannot be written: Not a directory; what it would hold is made again "
                          "the next time; free some space or set WARPWRIGHT_CACHE to a folder that "
                          "can be written"));
  const Reference reference(object, folder.path() / "reference.cpp");
  EXPECT_EQ(reference.compute(question(), units).size(), 1u);
}

// A replacement for the system's compiler: it runs `does`, a line of sh, the first `times` times;
// then it compiles.
class StrangeCompiler {
 public:
  StrangeCompiler(const std::filesystem::path& folder, const std::string& does, int times)
      : path_(folder / "strange-c++"), cxx_((write(folder, does, times), path_.c_str())) {}

 private:
  void write(const std::filesystem::path& folder, const std::string& does, int times) const {
    const std::string count = (folder / "count").string();
    write_text(path_,
               "#!/bin/sh\ncase \"$*\" in *innocent*) exec c++ \"$@\";; esac\n"
               "echo x >> " +
                   count + "\nif [ $(wc -l < " + count + ") -le " + std::to_string(times) +
                   " ]; then " + does + "; fi\nexec c++ \"$@\"\n");
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all);
  }
  std::filesystem::path path_;
  ScopedCxx cxx_;
};

TEST_F(ReferenceTest, ACompilerThatTheMachineKillsIsTriedAgain) {
  const StrangeCompiler killed(folder.path(), "kill -KILL $$", 2);
  EXPECT_NO_THROW(static_cast<void>(
      build_reference(write(tiny_reference()), reference_include(), folder.path() / "own")));
}

TEST_F(ReferenceTest, ACompilerThatTheMachineKillsEachTimeIsNoVerdictOnTheReference) {
  const StrangeCompiler killed(folder.path(), "kill -KILL $$", 9);
  try {
    static_cast<void>(
        build_reference(write(tiny_reference()), reference_include(), folder.path() / "own"));
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kEnvironment);
    EXPECT_EQ(error.message(),
              (folder.path() / "reference.cpp").string() +
                  ": the machine stopped the compiler of the reference, which says nothing about "
                  "the reference (" +
                  (folder.path() / "strange-c++").string() +
                  ", exit code 137); see that there is memory and room in " +
                  std::filesystem::temp_directory_path().string() +
                  ", then run the same command again");
  }
}

TEST_F(ReferenceTest, AFailureThatDoesNotRepeatIsNone) {
  const StrangeCompiler fails(folder.path(), "exit 1", 1);
  EXPECT_NO_THROW(static_cast<void>(
      build_reference(write(tiny_reference()), reference_include(), folder.path() / "own")));
}

TEST_F(ReferenceTest, ACompilerThatCrashesOnItTwiceIsAVerdict) {
  const StrangeCompiler crashes(folder.path(), "kill -SEGV $$", 9);
  try {
    static_cast<void>(
        build_reference(write(tiny_reference()), reference_include(), folder.path() / "own"));
    FAIL() << "expected an Error";
  } catch (const Error& error) {
    EXPECT_EQ(error.fault(), Fault::kUser);
    EXPECT_EQ(error.message(), (folder.path() / "reference.cpp").string() +
                                   ": the reference does not compile (" +
                                   (folder.path() / "strange-c++").string() + ", exit code 139):");
  }
}

TEST_F(ReferenceTest, AChangedIncludeIsAnotherObject) {
  write_text(folder.path() / "factor.h", "constexpr double kFactor = 2;\n");
  const std::string text = "#include \"factor.h\"\n" + tiny_reference();
  const std::filesystem::path first = build(text);
  write_text(folder.path() / "factor.h", "constexpr double kFactor = 3;\n");
  EXPECT_NE(build(text), first);
}

class ReferenceStoreTest : public ::testing::Test {
 protected:
  TemporaryFolder folder{"warpwright-answers-test"};
  ReferenceStore store{folder.path() / "answers"};
  ReferenceAnswer answer{{1, 2.5, std::nan("")}, {}, {-1}};
};

TEST_F(ReferenceStoreTest, AnswersComeBack) {
  EXPECT_FALSE(store.find("key").has_value());
  store.store("key", answer);
  const auto found = store.find("key");
  ASSERT_TRUE(found.has_value());
  ASSERT_EQ(found->size(), 3u);
  EXPECT_EQ((*found)[0][1], 2.5);
  EXPECT_TRUE(std::isnan((*found)[0][2]));
  EXPECT_TRUE((*found)[1].empty());
  EXPECT_EQ((*found)[2][0], -1);
}

TEST_F(ReferenceStoreTest, DamageIsAMiss) {
  store.store("key", answer);
  const std::filesystem::path file = folder.path() / "answers" / "key.answer";
  std::string text = read_file(file);
  text[text.size() - 3] ^= 1;
  write_text(file, text);
  EXPECT_FALSE(store.find("key").has_value());
  write_text(file, text.substr(0, 20));
  EXPECT_FALSE(store.find("key").has_value());
  write_text(file, "WWREFA02");
  EXPECT_FALSE(store.find("key").has_value());
}

TEST_F(ReferenceStoreTest, DamageIsNamedAndTheAnswerRemoved) {
  store.store("key", answer);
  const std::filesystem::path file = folder.path() / "answers" / "key.answer";
  write_text(file, "WWREFA02");
  static_cast<void>(take_notices());
  EXPECT_FALSE(store.find("key").has_value());
  EXPECT_THAT(take_notices(), ElementsAre("the cache's entry " + file.string() +
                                          " was damaged and was removed; the reference is asked "
                                          "again"));
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST_F(ReferenceStoreTest, AnAnswerUnderAnothersNameIsAMiss) {
  const std::string one(64, 'a');
  const std::string other(64, 'b');
  store.store(one, answer);
  store.store(other, {{2.0}});
  const std::filesystem::path answers = folder.path() / "answers";
  std::filesystem::copy(answers / (one + ".answer"), answers / (other + ".answer"),
                        std::filesystem::copy_options::overwrite_existing);
  CacheCheck check;
  store.verify(check);
  EXPECT_EQ(check.files, 1u);
  EXPECT_EQ(check.damaged, 1u);
  EXPECT_TRUE(store.find(one).has_value());
  EXPECT_FALSE(store.find(other).has_value());
}

TEST_F(ReferenceStoreTest, AFileLargerThanIsReadIsAMiss) {
  store.store("key", answer);
  const auto file = folder.path() / "answers" / "key.answer";
  std::filesystem::resize_file(file, std::uintmax_t{3} << 30);  // sparse: it takes no disk
  EXPECT_FALSE(store.find("key").has_value());
}

TEST_F(ReferenceStoreTest, WithoutAFolderNothingIsKept) {
  const ReferenceStore none{{}};
  none.store("key", answer);
  EXPECT_FALSE(none.find("key").has_value());
}

TEST_F(ReferenceStoreTest, AFolderThatCannotBeMadeIsNoError) {
  write_text(folder.path() / "file", "");
  const ReferenceStore broken(folder.path() / "file" / "answers");
  broken.store("key", answer);
  EXPECT_FALSE(broken.find("key").has_value());
}

}  // namespace
}  // namespace warpwright::testing
