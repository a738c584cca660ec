set(warpwright_waiting_options $<$<CONFIG:Release>:-O1>)

# What reads texts and bytes of others. The preset `readers` sanitizes these alone: what their tests link beside them reads
# none, and takes a fifth of the time to compile.
set(warpwright_readers core records spec space store exchange replay emu)

# warpwright_layer(NAME [COMPUTES] [MAY_INCLUDE layer...] [PACKAGES target...])
#
# Declares the layer tuner/NAME as a static library of every .cpp below it. MAY_INCLUDE lists the layers
# whose headers it may use: scripts/dev/check_layers reads the same lines and refuses any other include.
# A layer whose own loops take time COMPUTES and is optimised fully; most wait for compilers, devices and files, and
# compile in two thirds of the time with -O1.
function(warpwright_layer name)
  cmake_parse_arguments(LAYER "COMPUTES" "" "MAY_INCLUDE;PACKAGES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  # What programs of users compile: it is embedded (cmake/embed.cmake), not part of the layer.
  list(FILTER sources EXCLUDE REGEX "/shared/[^/]*$")
  add_library(warpwright_${name} STATIC ${sources})
  target_include_directories(warpwright_${name} PUBLIC ${CMAKE_SOURCE_DIR}/tuner)
  target_link_libraries(warpwright_${name} PRIVATE warpwright_flags PUBLIC ww_fmt)
  if(WARPWRIGHT_SANITIZE_QUICKLY AND NOT name IN_LIST warpwright_readers)
    target_compile_options(warpwright_${name} PRIVATE -fno-sanitize=all)
  elseif(LAYER_COMPUTES)
    warpwright_use_precompiled(warpwright_${name} warpwright_computing_pch)
  else()
    target_compile_options(warpwright_${name} PRIVATE ${warpwright_waiting_options})
    warpwright_use_precompiled(warpwright_${name} warpwright_layer_pch)
  endif()
  warpwright_unity(warpwright_${name})
  foreach(layer IN LISTS LAYER_MAY_INCLUDE)
    target_link_libraries(warpwright_${name} PUBLIC warpwright_${layer})
  endforeach()
  foreach(package IN LISTS LAYER_PACKAGES)
    target_link_libraries(warpwright_${name} PUBLIC ${package})
  endforeach()
endfunction()

# warpwright_rooms(NAME room... [BOTH_WAYS "room room"...])
#
# Declares the order of the rooms (folders) of the layer tuner/NAME, the lowest first. A source may include its own room and those
# before it: scripts/dev/check_layers reads the same lines and refuses any other include. "." is the layer's folder without its
# rooms. Two rooms that still include each other are named as a pair under BOTH_WAYS. CMake only refuses a room that is not a folder.
function(warpwright_rooms name)
  cmake_parse_arguments(ROOMS "" "" "BOTH_WAYS" ${ARGN})
  foreach(room IN LISTS ROOMS_UNPARSED_ARGUMENTS)
    if(NOT IS_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}/${room})
      message(FATAL_ERROR "warpwright_rooms(${name}): tuner/${name} has no folder '${room}'; take it out of the list")
    endif()
  endforeach()
endfunction()
