// Launchers as code: the programs of tests/consumer that use them, and how they are written.
#include "across/launcher_harness.h"

namespace warpwright::testing {
namespace {

// The programs of tests/consumer, as their users run them.
class Example : public Launcher,
                public ::testing::WithParamInterface<std::pair<const char*, const char*>> {};

TEST_P(Example, IsRightWithTheVariantThatItIsFor) {
  const auto [name, variant] = GetParam();
  const KernelSpec kernel = shipped(name);
  const auto wanted = std::find_if(kernel.variants.begin(), kernel.variants.end(),
                                   [&](const VariantSpec& one) { return one.name == variant; });
  const SelectionModel model = launchable(
      kernel, std::vector<std::size_t>(kernel.cases.size(),
                                       static_cast<std::size_t>(wanted - kernel.variants.begin())));
  const LauncherParts& parts = LauncherParts::get();
  const HostCompiler host;
  const HeaderOptions options{"warpwright 0.1.0"};
  host.write(kernel.name + ".h", selection_header(model, options));
  for (const ExportFile& file : launcher_files(model, options)) host.write(file.name, file.content);
  const std::string shared = parts.folder.string();
  LauncherParts::build(
      host, fmt::format(
                "c++ -shared -fPIC -fno-gnu-unique -std=c++17{0}-I. -I{1} -isystem {2} {3}/{4}.cpp "
                "{4}_launcher.cpp {1}/warpwright_launcher.o -o example.so -ldl",
                HostCompiler::kWarnings, shared, parts.include,
                WARPWRIGHT_SOURCE_DIR "/tests/consumer", kernel.name));
  setenv("NVRTC", (parts.folder / "ptx.so").c_str(), 1);
  setenv("CUDA_INCLUDE", parts.include.c_str(), 1);
  void* library = dlopen((host.path() / "example.so").c_str(), RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  const auto run_main = reinterpret_cast<int (*)(int, char**)>(dlsym(library, "main"));
  EXPECT_EQ(run_main(1, nullptr), 0);
  // The graph is launched twice: the second time finds the counter as the first one left it.
  const std::size_t times = cuda_stand_in().captured.empty() ? 1 : 2;
  const std::size_t launches = kernel.find_variant(variant)->launches.size();
  EXPECT_EQ(cuda_stand_in().launches, static_cast<int>(times * launches));
  EXPECT_EQ(cuda_stand_in().last_entry, kernel.find_variant(variant)->launches.back().entry.text());
  dlclose(library);
}

INSTANTIATE_TEST_SUITE_P(Consumers, Example,
                         ::testing::Values(std::pair("attention_prefill", "wgmma"),
                                           std::pair("softmax_topk", "split"),
                                           std::pair("rmsnorm_residual", "persistent_row")),
                         [](const auto& name) { return std::string(name.param.first); });

// It is code to read: a formatter finds nothing to change.
TEST(WrittenLaunchers, HeadersAreFormatted) {
  const HostCompiler host;
  if (host.run("command -v clang-format").exit_code != 0) GTEST_SKIP() << "no clang-format here";
  host.write(".clang-format", "BasedOnStyle: Google\nColumnLimit: 100\n");
  for (const char* name : {"gemv", "softmax_topk", "moe_router"}) {
    const KernelSpec kernel = shipped(name);
    const std::string text =
        launcher_files(launchable(kernel), {"warpwright 0.1.0"}).front().content;
    host.write("written.h", text);
    EXPECT_EQ(host.run("clang-format written.h").output, text) << name;
  }
}

}  // namespace
}  // namespace warpwright::testing
