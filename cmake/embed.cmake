# warpwright_embed(TARGET HEADER FUNCTION FILE...)
#
# Puts files into TARGET byte by byte, each under its own name without folders. HEADER declares
# `std::span<const warpwright::EmbeddedFile> FUNCTION()`, which lists them. The assembler's .incbin reads them at
# build time: quick for any size, and a changed file is embedded again.
function(warpwright_embed target header function)
  set(assembly ".section .rodata\n")
  set(declarations "")
  set(rows "")
  set(index 0)
  foreach(file IN LISTS ARGN)
    get_filename_component(path ${file} ABSOLUTE)
    get_filename_component(name ${file} NAME)
    set(symbol ${function}_${index})
    string(APPEND assembly ".global ${symbol}_begin\n${symbol}_begin:\n.incbin \"${path}\"\n"
           ".global ${symbol}_end\n${symbol}_end:\n.byte 0\n")
    string(APPEND declarations "extern \"C\" const char ${symbol}_begin[], ${symbol}_end[];\n")
    string(APPEND rows "    {\"${name}\", {${symbol}_begin, ${symbol}_end}},\n")
    list(APPEND paths ${path})
    math(EXPR index "${index} + 1")
  endforeach()
  string(APPEND assembly ".section .note.GNU-stack,\"\",%progbits\n")
  set(source "#include \"${header}\"\n\n${declarations}\nnamespace warpwright {\n\n")
  string(APPEND source "std::span<const EmbeddedFile> ${function}() {\n  static const EmbeddedFile files[] = {\n"
         "${rows}  };\n  return files;\n}\n\n}  // namespace warpwright\n")
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${function})
  file(CONFIGURE OUTPUT ${folder}/bytes.S CONTENT "${assembly}" @ONLY)
  file(CONFIGURE OUTPUT ${folder}/list.cpp CONTENT "${source}" @ONLY)
  set_source_files_properties(${folder}/bytes.S PROPERTIES OBJECT_DEPENDS "${paths}")
  target_sources(${target} PRIVATE ${folder}/bytes.S ${folder}/list.cpp)
endfunction()
