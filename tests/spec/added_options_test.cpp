// Tests options and folders that a sweep or a command line adds to those of a contract.
#include "spec/added_options.h"

#include <gtest/gtest.h>

#include <fstream>

#include "core/files.h"
#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

class Added : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(folder_.path() / "blur");
    std::filesystem::create_directories(folder_.path() / "more \"inc\"");
    write("blur/blur.cu", "");
    write("blur/reference.cpp", "");
    write("blur/kernel.yaml", R"yaml(kernel: blur
problem: {n: {}}
arguments:
  - {name: y, out: f32, shape: [n], tolerance: {abs: 1}}
parameters: {THREADS: {default: 256}, FAST: {default: false}, OTHER: {default: 1}}
options: -DROWS
variants:
  plain: {source: blur.cu, parameters: [THREADS, FAST], launches: [{entry: blur, grid: 1, block: [THREADS]}]}
  both: {source: blur.cu, parameters: [THREADS, FAST, OTHER], launches: [{entry: blur, grid: 1, block: [THREADS]}]}
reference: {source: reference.cpp, units: n}
work: {bytes: n, flops: 0})yaml");
  }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_.path() / name) << text;
  }
  [[nodiscard]] KernelSpec contract() const { return read_kernel(folder_.path() / "blur"); }
  [[nodiscard]] SweepSpec sweep(const std::string& more) const {
    return parse_sweep("kernel: blur\nproblems: [{n: 4}]\n" + more, folder_.path() / "blur.yaml");
  }
  [[nodiscard]] std::string refusal(const std::string& more) const {
    std::string message = message_of([&] { check_sweep(sweep(more), contract()); });
    const std::string folder = folder_.path().string();
    for (std::size_t at = message.find(folder); at != std::string::npos; at = message.find(folder))
      message.replace(at, folder.size(), "DIR");
    return message;
  }

  TemporaryFolder folder_;
};

TEST_F(Added, ASweepAddsToWhatTheContractHas) {
  const SweepSpec given = sweep(
      "options: [{option: \"-DNAME=\\\"a\\\\b\\\"\", when: FAST}, \"-DT={THREADS / 2}\"]\n"
      "include: 'more \"inc\"'\n");
  const KernelSpec kernel = with_added(contract(), given.added);
  Environment environment;
  environment.set("THREADS", Value(64));
  environment.set("FAST", Value(true));
  ASSERT_EQ(kernel.options.size(), 3U);
  EXPECT_EQ(kernel.options[0].evaluate(environment), "-DROWS");
  EXPECT_EQ(kernel.options[1].evaluate(environment), "-DNAME=\"a\\b\"");
  EXPECT_EQ(kernel.options[2].evaluate(environment), "-DT=32");
  EXPECT_EQ(kernel.include_folders,
            std::vector<std::filesystem::path>{folder_.path() / "more \"inc\""});
}

TEST_F(Added, TheSectionIsPartOfTheContractsText) {
  const KernelSpec kernel = with_added(contract(), sweep("options: --use_fast_math\n").added);
  const std::string& text = kernel.texts->require(kernel.file);
  EXPECT_EQ(added_section(text),
            "\n# Beside what the contract says, from a sweep or a command line.\n"
            "added:\n  options:\n    - \"--use_fast_math\"\n");
  EXPECT_EQ(text, read_file(kernel.file) + added_section(text));
  EXPECT_EQ(parse_stored_kernel(text, kernel.file).options.size(), 2U);
  EXPECT_EQ(added_section(read_file(kernel.file)), "");
}

TEST_F(Added, AnUneditedContractCountsAsUnedited) {
  const KernelSpec kernel = with_added(contract(), sweep("options: --use_fast_math\n").added);
  EXPECT_TRUE(kernel.texts->changes().empty());
  write("blur/kernel.yaml", read_file(kernel.file) + "\n# edited\n");
  ASSERT_EQ(kernel.texts->changes().size(), 1U);
  EXPECT_EQ(kernel.texts->changes()[0].kind, SourceChange::Kind::kEdited);
}

TEST_F(Added, NothingAddedLeavesTheContractAsItIs) {
  const KernelSpec before = contract();
  EXPECT_EQ(with_added(before, {}).texts, before.texts);
  EXPECT_EQ(AddedOptions().section(), "");
}

TEST_F(Added, TheSameTwiceIsAddedOnce) {
  AddedOptions added = sweep("options: -DX\n").added;
  added.add(parse_added({"-DX", "-DY"}, {}));
  EXPECT_EQ(added.options.size(), 2U);
}

TEST_F(Added, MessagesNameThePlaceInTheSweep) {
  EXPECT_EQ(refusal("options: \"-DT={THREDS}\"\n"),
            "DIR/blur.yaml:3:16: unknown parameter 'THREDS' in \"THREDS\"; did you mean "
            "'THREADS'?\n  THREDS\n  ^");
  EXPECT_EQ(refusal("options: [-DX, {option: -DT=1, when: OTHER == 2}]\n"),
            "DIR/blur.yaml:3:38: 'OTHER' is not a parameter of variant 'plain'; add it to the "
            "variant's `parameters`");
  EXPECT_EQ(refusal("include: nowhere\n"),
            "DIR/blur.yaml:3:10: include: got nothing at DIR/nowhere, expected a folder of "
            "headers; make it, or correct the name");
  EXPECT_EQ(
      message_of([] { static_cast<void>(parse_sweep("space: {X: [1]}\noptions: -DX\n", "")); }),
      "options: needs a kernel; add `kernel: NAME` (a bare space has only `space` and "
      "`constraints`)");
}

TEST_F(Added, MessagesNameTheOptionOfTheCommandLine) {
  EXPECT_EQ(message_of([] { static_cast<void>(parse_added({"fast"}, {})); }),
            "--option:2:5: options[0]: got 'fast', expected an option of NVRTC: "
            "--use_fast_math, --maxrregcount={REGISTERS}, -DNAME=VALUE");
  EXPECT_EQ(message_of([] { static_cast<void>(parse_added({}, {"/no/such folder"})); }),
            "--include:2:5: include[0]: got nothing at /no/such folder, expected a folder of "
            "headers; make it, or correct the name");
}

}  // namespace
}  // namespace warpwright
