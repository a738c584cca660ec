# `cmake --install build/release --prefix PREFIX`: the program, what it reads at run time, and completion for shells.
#
#   PREFIX/bin/warpwright                 a link to the next
#   PREFIX/lib/warpwright/warpwright      the program; beside it kernels, references and configs, as in a checkout: the folder
#                                         above the program that holds kernels/common is its home (tuner/workers/paths.h)
#   PREFIX/bin/warpwright-mpi             likewise, where an MPI was found and it was built (target mpi_programs)
#   PREFIX/lib/warpwright/uninstall       removes what installed_files lists, and folders that are then empty
#   PREFIX/share/...                      completion for bash, zsh and fish
#
# Installing again removes what an older one had and this one has not.
set(home lib/warpwright)
install(TARGETS warpwright RUNTIME DESTINATION ${home} COMPONENT warpwright)
if(TARGET warpwright-mpi)  # where it was built
  install(TARGETS warpwright-mpi RUNTIME DESTINATION ${home} COMPONENT warpwright OPTIONAL)
endif()
install(TARGETS ${WARPWRIGHT_REFERENCES} LIBRARY DESTINATION ${home}/references COMPONENT warpwright)
install(DIRECTORY ${CMAKE_SOURCE_DIR}/kernels ${CMAKE_SOURCE_DIR}/configs DESTINATION ${home} COMPONENT warpwright
        PATTERN CMakeLists.txt EXCLUDE PATTERN peers.py EXCLUDE PATTERN __pycache__ EXCLUDE)
install(FILES ${CMAKE_SOURCE_DIR}/LICENSE DESTINATION ${home} COMPONENT warpwright)
install(PROGRAMS ${CMAKE_SOURCE_DIR}/cmake/uninstall DESTINATION ${home} COMPONENT warpwright)
# NVRTC and its headers where this machine has no toolkit: the checkout that they were fetched into may go away.
if(WARPWRIGHT_CUDA_INCLUDE MATCHES "^${CMAKE_SOURCE_DIR}/\\.deps/cuda/")
  install(DIRECTORY ${CMAKE_SOURCE_DIR}/.deps/cuda DESTINATION ${home}/.deps USE_SOURCE_PERMISSIONS COMPONENT warpwright
          PATTERN __pycache__ EXCLUDE)
endif()
install(CODE "set(WARPWRIGHT_SOURCE \"${CMAKE_SOURCE_DIR}\")" COMPONENT warpwright)
install(SCRIPT ${CMAKE_SOURCE_DIR}/cmake/finish_install.cmake COMPONENT warpwright)
