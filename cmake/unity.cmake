# warpwright_unity(TARGET)
#
# Compiles the sources of TARGET eight at a time: most of what a short source costs is the headers it includes, so a clean
# build of the tests takes less than half as long. The names in the unnamed namespaces of such sources must differ.
# The option is off in the `dev` preset: there each source is compiled for itself, and one that forgets an #include fails.
option(WARPWRIGHT_UNITY "Compile several sources of the tests at a time" ON)

function(warpwright_unity target)
  if(WARPWRIGHT_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 8)
  endif()
endfunction()
