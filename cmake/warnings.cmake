# Warnings are errors in our own code; sanitizers are a preset.
add_library(warpwright_flags INTERFACE)
target_compile_options(warpwright_flags INTERFACE
  -Wall -Wextra -Werror -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-qual -Wno-psabi)
# Warnings about what one source shadows in another, or exposes of its unnamed namespace, mean nothing where chance has
# put them together: the `dev` preset and clang-tidy compile each by itself.
if(WARPWRIGHT_UNITY)
  target_compile_options(warpwright_flags INTERFACE -Wno-subobject-linkage)
else()
  target_compile_options(warpwright_flags INTERFACE -Wshadow)
endif()
# GCC 12 reports false positives of these inside its own standard library when it inlines at -O2; of the last one when
# the library is precompiled.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(warpwright_flags INTERFACE
    -Wno-maybe-uninitialized -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds -Wno-stringop-overread -Wno-dangling-reference)
endif()
if(WARPWRIGHT_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=address,undefined)
  # Checking every pointer that is used doubles the time to compile; a null one ends the program under the other sanitizer
  # too.
  if(WARPWRIGHT_SANITIZE_QUICKLY)
    add_compile_options(-fno-sanitize=null,alignment,vptr)
  endif()
endif()
