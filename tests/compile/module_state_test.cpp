// Tests the variables that a module can keep between launches, as its PTX declares and uses them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "compile/ptx_module.h"

namespace warpwright {
namespace {

constexpr const char* kHead = ".version 8.0\n.target sm_90\n.address_size 64\n";

std::string module_of(const std::string& declarations, const std::string& body) {
  return kHead + declarations +
         "\n.visible .entry f(.param .u64 f_param_0)\n{\n.reg .b64 %rd<4>;\n" + body +
         "\nret;\n}\n";
}

std::vector<std::string> names(const ModuleState& state) {
  std::vector<std::string> found;
  for (const StateVariable& variable : state.variables) found.push_back(variable.name);
  return found;
}

TEST(ModuleState, IsEmptyWithoutGlobalVariables) {
  const ModuleState state =
      find_module_state(module_of(".const .align 4 .b8 table[16];", "ld.global.u32 %r1, [%rd1];"));
  EXPECT_TRUE(state.variables.empty());
  EXPECT_EQ(state.unrestorable, "");
}

TEST(ModuleState, HasVariablesWhoseAddressIsTaken) {
  const ModuleState state = find_module_state(
      module_of(".global .align 4 .b8 _ZN5cacheE[64];", "mov.u64 %rd1, _ZN5cacheE;"));
  ASSERT_EQ(names(state), std::vector<std::string>{"_ZN5cacheE"});
  EXPECT_FALSE(state.variables[0].write_only);
}

TEST(ModuleState, LeavesOutVariablesThatNothingUses) {
  const ModuleState state =
      find_module_state(module_of(".global .align 1 .b8 unused[1];\n.visible .global .u32 used;",
                                  "ld.global.u32 %r1, [used];"));
  EXPECT_EQ(names(state), std::vector<std::string>{"used"});
}

TEST(ModuleState, KnowsVariablesThatAreOnlyWritten) {
  const ModuleState state = find_module_state(
      module_of(".global .u32 seen;\n.global .u32 count;",
                "@%p1 st.global.u32 [seen], %r1;\nL1: red.global.add.u32 [seen+0], 1;\n"
                "atom.global.add.u32 %r2, [count], 1;"));
  ASSERT_EQ(names(state), (std::vector<std::string>{"seen", "count"}));
  EXPECT_TRUE(state.variables[0].write_only);
  EXPECT_FALSE(state.variables[1].write_only) << "an atomic returns what was there";
}

// Line information appears between statements and names functions.
TEST(ModuleState, KnowsSoBesideLineInformation) {
  const ModuleState state =
      find_module_state(module_of(".file 1 \"a.cu\"\n.global .u32 seen;",
                                  ".loc 1 7 3, function_name $L__info_string0, inlined_at 1 9 2\n"
                                  "st.global.u32 [seen], %r1;"));
  ASSERT_EQ(names(state), std::vector<std::string>{"seen"});
  EXPECT_TRUE(state.variables[0].write_only);
}

TEST(ModuleState, AStoreOfAnAddressIsNoWriteToTheVariable) {
  const ModuleState state = find_module_state(
      module_of(".global .u64 pointer;\n.global .u32 target;", "st.global.u64 [pointer], target;"));
  ASSERT_EQ(names(state), (std::vector<std::string>{"pointer", "target"}));
  EXPECT_TRUE(state.variables[0].write_only);
  EXPECT_FALSE(state.variables[1].write_only);
}

TEST(ModuleState, FindsVariablesThatAnInitialiserPointsAt) {
  const ModuleState state = find_module_state(
      module_of(".global .u32 target;\n.global .align 8 .u64 pointer[2] = {target, 0};",
                "ld.global.u64 %rd1, [pointer];"));
  EXPECT_EQ(names(state), (std::vector<std::string>{"target", "pointer"}));
}

TEST(ModuleState, IgnoresCommentsAndTextures) {
  const ModuleState state = find_module_state(
      module_of("// .global .u32 gone;\n/* .global .u32 gone_too; */\n.global .texref image;",
                "tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [image, {%f5, %f6}];"));
  EXPECT_TRUE(state.variables.empty());
}

TEST(ModuleState, SaysWhichCallKeepsMoreThanVariables) {
  const std::string malloc =
      ".extern .func (.param .b64 func_retval0) malloc\n(\n.param .b64 malloc_param_0\n)\n;";
  EXPECT_EQ(find_module_state(module_of(malloc, "")).unrestorable,
            "it calls malloc() on the device, and that heap outlives a launch");
  const std::string launch =
      ".extern .func (.param .b32 func_retval0) cudaLaunchDeviceV2\n(\n.param .b64 a\n)\n;";
  EXPECT_EQ(find_module_state(module_of(launch, "")).unrestorable,
            "it launches kernels from the device (cudaLaunchDeviceV2)");
  const std::string other = ".extern .func  remember\n(\n.param .b64 remember_param_0\n)\n;";
  EXPECT_EQ(find_module_state(module_of(other, "")).unrestorable,
            "it calls remember(), and nothing is known of what that function keeps");
}

TEST(ModuleState, TrustsPrintfAndAssert) {
  const std::string known =
      ".extern .func (.param .b32 func_retval0) vprintf\n(\n.param .b64 a\n)\n;\n"
      ".extern .func __assertfail\n(\n.param .b64 a\n)\n;";
  EXPECT_EQ(find_module_state(module_of(known, "")).unrestorable, "");
}

TEST(ModuleState, OfTextThatIsNotPtxIsEmpty) {
  EXPECT_TRUE(find_module_state(".global").variables.empty());
  EXPECT_TRUE(find_module_state(".extern .func \"").variables.empty());
  EXPECT_TRUE(find_module_state("/* .global").variables.empty());
}

}  // namespace
}  // namespace warpwright
