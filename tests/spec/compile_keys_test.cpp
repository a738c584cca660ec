// Tests the keys that reach the compiler: names of entries, macros, options, folders, variables.
#include <gtest/gtest.h>

#include <fstream>

#include "core/files.h"
#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

class CompileKeys : public testing::Test {
 protected:
  static void put(const std::filesystem::path& file, const std::string& text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  void SetUp() override {
    put(folder_.path() / "blur/blur.cu", "");
    put(folder_.path() / "blur/reference.cpp", "");
    std::filesystem::create_directories(folder_.path() / "blur/inc");
  }

  // A contract with one variant; `edits` replace @NAME@.
  [[nodiscard]] std::string text(std::map<std::string, std::string> edits) const {
    std::string text = R"yaml(kernel: blur
problem: {n: {}, dtype: {values: [f32, bf16], default: f32}}
arguments:
  - {name: x, in: dtype, shape: [n], fill: zeros}
  - {name: y, out: dtype, shape: [n], tolerance: {abs: 1}}@argument@
parameters: {THREADS: {default: 256@threads@}, FAST: {default: false}, MODE: {default: rows}}
@top@let: {half: THREADS / 2}
variants:
  plain: {source: blur.cu, parameters: [THREADS, FAST, MODE]@variant@, launches: [{entry: "@entry@", grid: 1, block: [half]}]}
reference: {source: reference.cpp, units: n}
work: {bytes: n, flops: 0}
)yaml";
    for (const char* name : {"argument", "threads", "top", "variant", "entry"}) {
      const std::string mark = std::string("@") + name + "@";
      const std::string to = edits.contains(name) ? edits[name] : mark == "@entry@" ? "blur" : "";
      text.replace(text.find(mark), mark.size(), to);
    }
    return text;
  }
  [[nodiscard]] KernelSpec read(std::map<std::string, std::string> edits) const {
    return parse_kernel(text(std::move(edits)), folder_.path() / "blur/kernel.yaml");
  }
  [[nodiscard]] std::string refusal(std::map<std::string, std::string> edits) const {
    std::string message = message_of([&] { static_cast<void>(read(std::move(edits))); });
    const std::string folder = (folder_.path() / "blur").string();
    for (std::size_t at = message.find(folder); at != std::string::npos; at = message.find(folder))
      message.replace(at, folder.size(), "DIR");
    return message;
  }
  static std::string entry_of(const KernelSpec& kernel, const Environment& environment) {
    return kernel.variants[0].launches[0].entry.evaluate(environment);
  }
  static Environment values() {
    Environment environment;
    environment.set("n", Value(1000));
    environment.set("dtype", Value("bf16"));
    environment.set("THREADS", Value(64));
    environment.set("FAST", Value(true));
    environment.set("MODE", Value("Columns"));
    return environment;
  }

  TemporaryFolder folder_;
};

TEST_F(CompileKeys, TemplateArgumentsTakeTheirValues) {
  const KernelSpec kernel =
      read({{"entry", "img::blur<dtype, THREADS/32, half, FAST, MODE, img::n, 0x10, (-THREADS)>"}});
  EXPECT_EQ(entry_of(kernel, values()),
            "img::blur<__nv_bfloat16, 64/32, 32, true, Columns, img::n, 0x10, (-64)>");
}

TEST_F(CompileKeys, APlainNameIsItself) {
  const KernelSpec kernel = read({});
  EXPECT_TRUE(kernel.variants[0].launches[0].entry.is_plain());
  EXPECT_EQ(entry_of(kernel, values()), "blur");
  EXPECT_EQ(entry_of(read({{"entry", "img::blur"}}), values()), "img::blur");
}

TEST_F(CompileKeys, AParameterOfATemplateIsNoMacroUnlessItSaysSo) {
  const KernelSpec silent = read({{"entry", "blur<THREADS>"}});
  EXPECT_EQ(source_macro(silent, silent.variants[0], "THREADS"), "");
  EXPECT_EQ(source_macro(silent, silent.variants[0], "FAST"), "FAST");
  const KernelSpec named = read({{"entry", "blur<THREADS>"}, {"threads", ", macro: TX"}});
  EXPECT_EQ(source_macro(named, named.variants[0], "THREADS"), "TX");
  const KernelSpec none = read({{"threads", ", macro: none"}});
  EXPECT_EQ(source_macro(none, none.variants[0], "THREADS"), "");
}

TEST_F(CompileKeys, OptionsTakeValuesAndMayDependOnThem) {
  const KernelSpec kernel = read(
      {{"top", "options: [\"--maxrregcount={half}\", {option: --use_fast_math, when: FAST}]\n"},
       {"variant", ", options: -DROWS"}});
  Environment environment = values();
  EXPECT_EQ(kernel.options[0].evaluate(environment), "--maxrregcount=32");
  EXPECT_EQ(kernel.options[1].evaluate(environment), "--use_fast_math");
  EXPECT_EQ(kernel.variants[0].options.at(0).evaluate(environment), "-DROWS");
  environment.set("FAST", Value(false));
  EXPECT_EQ(kernel.options[1].evaluate(environment), std::nullopt);
}

TEST_F(CompileKeys, FoldersOfHeadersLieBesideTheContractOrAnywhere) {
  const KernelSpec kernel = read({{"top", "include: [inc, " + folder_.path().string() + "]\n"}});
  ASSERT_EQ(kernel.include_folders.size(), 2U);
  EXPECT_EQ(kernel.include_folders[0], folder_.path() / "blur/inc");
  EXPECT_EQ(kernel.include_folders[1], folder_.path());
}

TEST_F(CompileKeys, AVariableIsAnInputThatNoParameterPasses) {
  const KernelSpec kernel =
      read({{"argument",
             "\n  - {name: taps, constant: f32, shape: [9], fill: zeros}"
             "\n  - {name: more, constant: f32, symbol: img::taps, shape: [9], fill: ones}"}});
  EXPECT_EQ(kernel.find_argument("taps")->symbol, "taps");
  EXPECT_EQ(kernel.find_argument("more")->symbol, "img::taps");
  EXPECT_EQ(kernel.find_argument("taps")->role, ArgumentRole::kIn);
}

TEST_F(CompileKeys, MistakesAreNamedWithTheirPlace) {
  EXPECT_EQ(refusal({{"entry", "blur<THREADS"}}),
            "DIR/kernel.yaml:9:82: variants.plain.launches[0].entry: got 'blur<THREADS', expected "
            "the name of a function, with namespaces and template arguments where it has them: "
            "saxpy, blas::axpy, reduce<float, THREADS>");
  EXPECT_EQ(refusal({{"top", "options: --gpu-architecture=sm_80\n"}}),
            "DIR/kernel.yaml:7:10: options: '--gpu-architecture=sm_80' cannot be given here: the "
            "device decides it");
  for (const std::string option : {"--time=t.csv", "-fdevice-time-trace=t"})
    EXPECT_EQ(
        refusal({{"top", "options: " + option + "\n"}}),
        "DIR/kernel.yaml:7:10: options: '" + option + "' cannot be given here: it writes a file");
  for (const std::string option :
       {"--ptxas-options=--options-file=/etc/passwd", "-Xptxas=-v,-optf=x", "-Xptxas=-o"})
    EXPECT_EQ(refusal({{"top", "options: \"" + option + "\"\n"}}),
              "DIR/kernel.yaml:7:10: options: '" + option +
                  "' cannot be given here: ptxas is given no files");
  EXPECT_EQ(
      refusal({{"top", "options: --use-pch=x\n"}}),
      "DIR/kernel.yaml:7:10: options: '--use-pch=x' cannot be given here: precompiled headers "
      "are files that anybody may have written");
  EXPECT_EQ(refusal({{"top", "options: fast\n"}}),
            "DIR/kernel.yaml:7:10: options: got 'fast', expected an option of NVRTC: "
            "--use_fast_math, --maxrregcount={REGISTERS}, -DNAME=VALUE");
  EXPECT_EQ(refusal({{"top", "options: \"--maxrregcount={REGS}\"\n"}}),
            "DIR/kernel.yaml:7:27: unknown parameter 'REGS' in \"REGS\"; known: n, dtype, THREADS, "
            "FAST, MODE, half\n  REGS\n  ^");
  EXPECT_EQ(
      refusal({{"top", "options: \"--maxrregcount={THREADS\"\n"}}),
      "DIR/kernel.yaml:7:10: options: the '{' in '--maxrregcount={THREADS' is not closed; add "
      "a '}'");
  EXPECT_EQ(refusal({{"top", "include: nowhere\n"}}),
            "DIR/kernel.yaml:7:10: include: got nothing at DIR/nowhere, expected a folder of "
            "headers; make it, or correct the name");
  EXPECT_EQ(refusal({{"argument", ""}, {"threads", ", macro: FAST"}}),
            "DIR/kernel.yaml:6:52: 'FAST', the macro of parameter 'FAST', is that of parameter "
            "'THREADS' too; rename one");
}

}  // namespace
}  // namespace warpwright
