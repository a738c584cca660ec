# Warnings are errors in our own code; sanitizers are a preset.
add_library(warpwright_flags INTERFACE)
target_compile_options(warpwright_flags INTERFACE
  -Wall -Wextra -Werror -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-qual -Wno-psabi)
# GCC 12 reports false positives of these inside its own standard library when it inlines at -O2; of the last when that
# is precompiled.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(warpwright_flags INTERFACE
    -Wno-maybe-uninitialized -Wno-restrict -Wno-stringop-overflow -Wno-array-bounds -Wno-stringop-overread)
endif()
if(WARPWRIGHT_SANITIZE)
  add_compile_options(-fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=undefined)
  add_link_options(-fsanitize=address,undefined)
endif()
