# warpwright_precompiled(NAME KIND [LINK target...] HEADERS header...)
#
# Declares NAME, whose precompiled headers are shared by targets of the same KIND (OBJECT for libraries, or EXECUTABLE:
# they differ in position independence) that call warpwright_use_precompiled(TARGET NAME). Only headers that most
# sources include belong there: GCC pays for each one that a source does not need. nlohmann/json.hpp, which two thirds of
# them do not include, costs more than it saves.
# The option is off in the `dev` preset, where a source that forgets an #include fails, and clang-tidy reads that one.
# Where a target is optimised differently, GCC 13 and later cannot use the header for it, and say so; it is only slower.
set(CMAKE_PCH_WARN_INVALID OFF)

option(WARPWRIGHT_PCH "Precompile the headers that most sources include" ON)

# ccache recompiles sources with precompiled headers each time unless it is told that their defines and times do not
# matter. Where it replaces the compiler instead of being the launcher, set CCACHE_SLOPPINESS so, or turn the option off.
if(WARPWRIGHT_PCH AND CMAKE_CXX_COMPILER_LAUNCHER MATCHES "(^|/)ccache$")
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros
      ${CMAKE_CXX_COMPILER_LAUNCHER})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  endif()
endif()

function(warpwright_precompiled name kind)
  cmake_parse_arguments(PCH "" "" "LINK;HEADERS" ${ARGN})
  if(NOT WARPWRIGHT_PCH)
    return()
  endif()
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  if(kind STREQUAL "EXECUTABLE")
    file(CONFIGURE OUTPUT ${source} CONTENT "int main() {}\n")
    add_executable(${name} EXCLUDE_FROM_ALL ${source})
  else()
    file(CONFIGURE OUTPUT ${source} CONTENT "")
    add_library(${name} OBJECT ${source})
  endif()
  target_link_libraries(${name} PRIVATE ${PCH_LINK})
  target_precompile_headers(${name} PRIVATE ${PCH_HEADERS})
endfunction()

function(warpwright_use_precompiled target name)
  if(WARPWRIGHT_PCH)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()
