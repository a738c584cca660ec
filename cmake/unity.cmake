# warpwright_unity(TARGET)
#
# Compiles the sources of TARGET eight at a time. Most of the cost of a short source is parsing its headers and compiling
# their inline code again, so a clean build takes less than half as long. The names in the unnamed namespaces of such
# sources must differ; GCC's warnings about names that one source shadows in another are off, because chance decides
# which are compiled together. The option is off in the `dev` preset: there each source is compiled by itself, with these
# warnings, and one that forgets an #include fails.
option(WARPWRIGHT_UNITY "Compile several sources at a time" ON)

function(warpwright_unity target)
  if(WARPWRIGHT_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()
