// Tests fills that name files, generators and other inputs: how they are parsed, and the message
// for each mistake. Contracts lie in a folder DIR, next to a file of each kind.
#include <gmock/gmock.h>

#include "spec/kernel_fills.h"
#include "spec/spec_fixture.h"

namespace warpwright {
namespace {

using ::testing::ElementsAre;

constexpr std::string_view kDerivedContract = R"yaml(kernel: copy
problem: {n: {doc: elements}}
let: {filter: n + 1}
arguments:
  - {name: lengths, in: i32, shape: [n], fill: "integers(0, filter)"}
  - {name: offsets, in: i32, shape: [n + 1], fill: prefix_sum(lengths)}
  - {name: order, in: i32, shape: [n], fill: argsort(lengths)}
  - {name: filter_of, in: f32, shape: [3], fill: 'file("filter.npy")'}
  - {name: counter, scratch: u32, shape: [1], fill: zeros}
  - {name: y, out: f32, shape: [n], match: exact}
variants:
  plain: {source: plain.cu, launches: [{entry: copy, grid: [1], block: [32]}]}
reference: {source: reference.cpp, units: n}
work: {bytes: 8*n, flops: 0}
cases:
  - {name: other, problem: {n: 3}, fill: {offsets: "file('offsets.bin')"}}
)yaml";

// A folder of kernels that exists for the lifetime of the process.
const std::filesystem::path& origin_folder() {
  static const TemporaryFolder kFolder("warpwright-fills");
  static const std::filesystem::path kKernel = [] {
    std::filesystem::path kernel = kFolder.path() / "kernels" / "copy";
    std::filesystem::create_directories(kernel / "folder.npy");
    for (const char* file : {"plain.cu", "reference.cpp", "filter.npy", "offsets.bin",
                             "m.safetensors", "m.mtx", "filter.txt"})
      publish_file(kernel / file, "");
    publish_file(kFolder.path() / "outside.npy", "");
    publish_file(kFolder.path() / "kernels" / "outside.npy", "");
    publish_file(kernel / ".secret.npy", "");
    std::filesystem::create_symlink("/proc/self/environ", kernel / "link.npy");
    return kernel;
  }();
  return kKernel;
}

std::string origin_message(std::string_view from, std::string_view to) {
  const std::string text = replaced(std::string(kDerivedContract), from, to);
  const std::filesystem::path file = origin_folder() / "kernel.yaml";
  std::string message = message_of([&] { static_cast<void>(parse_kernel(text, file)); });
  const std::string folder = origin_folder().string();
  for (std::size_t at = message.find(folder); at != std::string::npos; at = message.find(folder))
    message.replace(at, folder.size(), "DIR");
  return message;
}

TEST(FillOrigin, ReadsEveryKind) {
  const auto read = [](std::string_view text) { return parse_fill_origin(text, {}); };
  EXPECT_EQ(read("normal(0, 1) with at(0, 3)").kind, FillKind::kNumbers);
  EXPECT_EQ(read("files").kind, FillKind::kNumbers);
  const FillOrigin file = read(R"( file ( "a, b).mtx" , row_offsets ) )");
  EXPECT_EQ(file.kind, FillKind::kFile);
  EXPECT_EQ(file.file, "a, b).mtx");
  EXPECT_EQ(file.part, "row_offsets");
  EXPECT_FALSE(file.is_made_later());
  EXPECT_EQ(read("file('w.safetensors', 'a.b')").part, "a.b");
  EXPECT_EQ(read("generator").kind, FillKind::kGenerator);
  EXPECT_EQ(read("generator()").name, "");
  EXPECT_EQ(read("generator(\"lengths\")").name, "lengths");
  EXPECT_TRUE(read("generator").is_made_later());
  EXPECT_EQ(read("copy_of(x)").kind, FillKind::kCopyOf);
  EXPECT_EQ(read("prefix_sum(x)").kind, FillKind::kPrefixSum);
  EXPECT_EQ(read("sorted(x)").kind, FillKind::kSorted);
  EXPECT_EQ(read("argsort(x)").argument, "x");
}

TEST(FillOrigin, FilesAreThoseOfTheContractAndOfItsCases) {
  const KernelSpec kernel = parse_kernel(kDerivedContract, origin_folder() / "kernel.yaml");
  EXPECT_THAT(input_files(kernel),
              ElementsAre(origin_folder() / "filter.npy", origin_folder() / "offsets.bin"));
}

// A let is a number, but a file may have the same name.
TEST(FillOrigin, LetsAreWrittenOutInNumbersAlone) {
  const KernelSpec kernel = parse_kernel(kDerivedContract, origin_folder() / "kernel.yaml");
  EXPECT_EQ(kernel.find_argument("lengths")->fill, "integers(0, (n + 1))");
  EXPECT_EQ(kernel.find_argument("filter_of")->fill, "file(\"filter.npy\")");
}

TEST(FillOrigin, WhatIsMadeFromOthersComesAfterThem) {
  const KernelSpec kernel = parse_kernel(kDerivedContract, origin_folder() / "kernel.yaml");
  const auto names = [&](const std::map<std::string, std::string>& fills) {
    std::vector<std::string> found;
    for (const ArgumentSpec* argument : inputs_in_order(kernel.arguments, fills))
      found.push_back(argument->name);
    return found;
  };
  EXPECT_THAT(names({}), ElementsAre("lengths", "filter_of", "offsets", "order"));
  EXPECT_THAT(names({{"lengths", "generator"}, {"offsets", "zeros"}}),
              ElementsAre("offsets", "filter_of", "lengths", "order"));
}

TEST(FillOrigin, AStoredContractNeedsNoFiles) {
  const std::string text = replaced(std::string(kDerivedContract), "filter.npy", "gone.npy");
  EXPECT_EQ(parse_stored_kernel(text, "kernel.yaml").find_argument("filter_of")->fill,
            "file(\"gone.npy\")");
}

class FillOriginErrors : public testing::TestWithParam<BadEdit> {};

TEST_P(FillOriginErrors, SaysPlaceCauseAndFix) {
  EXPECT_EQ(origin_message(GetParam().from, GetParam().to), GetParam().message);
}

const BadEdit kFillOriginErrors[] = {
    {"MissingFile", "filter.npy", "gone.npy",
     "DIR/kernel.yaml:8:50: arguments[3].fill: the fill needs a file, got nothing at "
     "DIR/gone.npy; create it or correct the name"},
    {"Folder", "filter.npy", "folder.npy",
     "DIR/kernel.yaml:8:50: arguments[3].fill: the fill needs a file, got a folder at "
     "DIR/folder.npy; create it or correct the name"},
    {"FileOfACase", "offsets.bin", "gone.bin",
     "DIR/kernel.yaml:16:52: cases[0].fill.offsets: the fill needs a file, got nothing at "
     "DIR/gone.bin; create it or correct the name"},
    {"Outside", "filter.npy", "../../outside.npy",
     "DIR/kernel.yaml:8:50: arguments[3].fill: '../../outside.npy' lies outside of the folder of "
     "kernels, where sources are stored from; copy it into the kernel's folder"},
    {"BesideTheFolder", "filter.npy", "../outside.npy",
     "DIR/kernel.yaml:8:50: arguments[3].fill: '../outside.npy' lies outside of the kernel's "
     "folder; "
     "copy it there, or give --trust-includes"},
    {"Hidden", "filter.npy", ".secret.npy",
     "DIR/kernel.yaml:8:50: arguments[3].fill: the fill needs a file, got nothing at "
     "DIR/.secret.npy; create it or correct the name"},
    {"LinkThatLeadsOut", "filter.npy", "link.npy",
     "DIR/link.npy is a symbolic link to /proc/self/environ; it may lead below DIR or a folder "
     "that "
     "--include names, or give --trust-includes"},
    {"UnknownKindOfFile", "filter.npy", "filter.txt",
     "DIR/kernel.yaml:8:50: 'filter.txt': got a file of an unknown kind, expected .npy, .bin, "
     ".raw, .safetensors or .mtx"},
    {"PartOfOneArray", "\"filter.npy\"", "\"filter.npy\", values",
     "DIR/kernel.yaml:8:50: 'filter.npy': it holds one array, got 'values' as well; remove that"},
    {"NoTensor", "filter.npy", "m.safetensors",
     "DIR/kernel.yaml:8:50: 'm.safetensors': it may hold several tensors; name one: file(\"FILE\", "
     "\"tensor\")"},
    {"UnknownPart", "\"filter.npy\"", "\"m.mtx\", colums",
     "DIR/kernel.yaml:8:50: 'm.mtx': unknown part 'colums' of a matrix; did you mean 'columns'?"},
    {"NameWithoutQuotes", "'file(\"filter.npy\")'", "file(filter.npy)",
     "DIR/kernel.yaml:8:50: in fill 'file(filter.npy)': expected a name in quotes, as in "
     "file(\"filter.npy\"), got 'filter.npy)'"},
    {"EmptyName", "\"filter.npy\"", "\"\"",
     "DIR/kernel.yaml:8:50: in fill 'file(\"\")': expected text in the quotes"},
    {"OpenQuote", "\"filter.npy\"", "\"filter.npy",
     "DIR/kernel.yaml:8:50: in fill 'file(\"filter.npy)': the quote '\"filter.npy)' is never "
     "closed"},
    {"OpenBracket", "prefix_sum(lengths)", "prefix_sum(lengths",
     "DIR/kernel.yaml:6:52: in fill 'prefix_sum(lengths': expected ',' or ')', got the end"},
    {"NoFile", "'file(\"filter.npy\")'", "file",
     "DIR/kernel.yaml:8:50: in fill 'file': 'file' takes 1 or 2 arguments: file(\"filter.npy\"); "
     "got 0"},
    {"TwoArguments", "prefix_sum(lengths)", "\"prefix_sum(lengths, lengths)\"",
     "DIR/kernel.yaml:6:52: in fill 'prefix_sum(lengths, lengths)': 'prefix_sum' takes 1 argument: "
     "prefix_sum(x); got 2"},
    {"QuotedArgument", "prefix_sum(lengths)", "prefix_sum('lengths')",
     "DIR/kernel.yaml:6:52: in fill 'prefix_sum('lengths')': expected the name of an argument "
     "without quotes, as in prefix_sum(x)"},
    {"Modifier", "prefix_sum(lengths)", "\"prefix_sum(lengths) with at(0, 1)\"",
     "DIR/kernel.yaml:6:52: in fill 'prefix_sum(lengths) with at(0, 1)': expected the end, got "
     "'with at(0, 1)'; only fills of numbers take modifiers"},
    {"UnknownInput", "prefix_sum(lengths)", "prefix_sum(length)",
     "DIR/kernel.yaml:6:52: argument 'offsets', fill 'prefix_sum(length)': unknown input 'length'; "
     "did you mean 'lengths'?"},
    {"OfAnOutput", "prefix_sum(lengths)", "prefix_sum(y)",
     "DIR/kernel.yaml:6:52: argument 'offsets', fill 'prefix_sum(y)': unknown input 'y'; known: "
     "lengths, order, filter_of"},
    {"OfItself", "prefix_sum(lengths)", "prefix_sum(offsets)",
     "DIR/kernel.yaml:6:52: argument 'offsets', fill 'prefix_sum(offsets)': 'offsets' cannot be "
     "made from itself"},
    {"OfALaterOne", "prefix_sum(lengths)", "prefix_sum(order)",
     "DIR/kernel.yaml:6:52: argument 'offsets', fill 'prefix_sum(order)': 'order' is made after "
     "'offsets': it is further down and made from others itself; move it above"},
    {"OfALaterOneInACase", "offsets: \"file('offsets.bin')\"", "lengths: argsort(order)",
     "DIR/kernel.yaml:16:42: cases[0].fill: argument 'lengths', fill 'argsort(order)': 'order' is "
     "made after 'lengths': it is further down and made from others itself; move it above"},
    {"Scratch", "fill: zeros", "fill: generator",
     "DIR/kernel.yaml:9:53: arguments[4].fill: 'generator' is for inputs; scratch holds numbers, "
     "such as zeros or sequence(0, 1)"},
};

INSTANTIATE_TEST_SUITE_P(Fills, FillOriginErrors, testing::ValuesIn(kFillOriginErrors),
                         case_name<BadEdit>);

TEST(FillOrigin, AGeneratorNeedsAReference) {
  publish_file(origin_folder() / "launch.yaml", R"yaml(
problem: {n: {default: 10}}
arguments:
  - {name: x, in: f32, shape: [n], fill: generator}
  - {name: y, out: f32, shape: [n]}
launches: [{entry: copy, grid: [1], block: [32]}]
)yaml");
  const std::string message =
      message_of([] { static_cast<void>(read_launch_contract(origin_folder() / "launch.yaml")); });
  EXPECT_EQ(message, (origin_folder() / "launch.yaml").string() +
                         ":4:42: arguments[0].fill: needs a reference, which a launch contract "
                         "does not have");
}

}  // namespace
}  // namespace warpwright
