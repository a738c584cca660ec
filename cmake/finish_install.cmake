# Runs last at every installation (cmake/install.cmake): the link, completion, the commit, and the list of what is there.
set(prefix "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
set(home "${prefix}/lib/warpwright")
set(program "${home}/warpwright")

function(warpwright_installed file)
  message(STATUS "Installing: ${prefix}/${file}")
  list(APPEND CMAKE_INSTALL_MANIFEST_FILES "${CMAKE_INSTALL_PREFIX}/${file}")
  set(CMAKE_INSTALL_MANIFEST_FILES "${CMAKE_INSTALL_MANIFEST_FILES}" PARENT_SCOPE)
endfunction()

file(MAKE_DIRECTORY "${prefix}/bin")
file(CREATE_LINK ../lib/warpwright/warpwright "${prefix}/bin/warpwright" SYMBOLIC)
warpwright_installed("bin/warpwright")

if(EXISTS "${home}/warpwright-mpi")
  file(CREATE_LINK ../lib/warpwright/warpwright-mpi "${prefix}/bin/warpwright-mpi" SYMBOLIC)
  warpwright_installed("bin/warpwright-mpi")
endif()

foreach(shell IN ITEMS bash zsh fish)
  set(bash share/bash-completion/completions/warpwright)
  set(zsh share/zsh/site-functions/_warpwright)
  set(fish share/fish/vendor_completions.d/warpwright.fish)
  execute_process(COMMAND "${program}" completion ${shell} OUTPUT_VARIABLE script RESULT_VARIABLE failed)
  if(failed)
    message(FATAL_ERROR "${program} completion ${shell}: ${failed}")
  endif()
  file(WRITE "${prefix}/${${shell}}" "${script}")
  warpwright_installed("${${shell}}")
endforeach()

# What runs are marked with (tuner/provenance/source_commit.h): an installed program has no repository to ask.
execute_process(COMMAND git --no-optional-locks -C "${WARPWRIGHT_SOURCE}" describe --always --dirty --abbrev=12 --exclude=*
                OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
file(WRITE "${home}/installed_commit" "${commit}\n")
warpwright_installed("lib/warpwright/installed_commit")
warpwright_installed("lib/warpwright/installed_files")

# Relative to the prefix, so that a staged or moved installation can be removed too.
set(present "")
foreach(file IN LISTS CMAKE_INSTALL_MANIFEST_FILES)
  file(RELATIVE_PATH file "${CMAKE_INSTALL_PREFIX}" "${file}")
  list(APPEND present "${file}")
endforeach()
if(EXISTS "${home}/installed_files")
  file(STRINGS "${home}/installed_files" gone)
  list(REMOVE_ITEM gone ${present})
  foreach(file IN LISTS gone)
    file(REMOVE "${prefix}/${file}")
  endforeach()
endif()
list(JOIN present "\n" lines)
file(WRITE "${home}/installed_files" "${lines}\n")
