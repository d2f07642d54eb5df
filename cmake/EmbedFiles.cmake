# SPDX-License-Identifier: GPL-3.0-or-later
# tileloom_embed_files(OUTPUT HEADER NAMESPACE FUNCTION PATTERN): writes a source that defines FUNCTION, declared in
# HEADER in tileloom::NAMESPACE, to return every file that matches PATTERN, by name; there may be no such file. The
# assembler copies the bytes (.incbin), because a compiler takes seconds for a literal of several MB.
function(tileloom_embed_files output header namespace function pattern)
  file(GLOB files CONFIGURE_DEPENDS ${pattern})
  set(blobs "")
  set(declarations "")
  set(entries "")
  set(number 0)
  foreach(path IN LISTS files)
    get_filename_component(file ${path} NAME)
    set(symbol tileloom_${function}_${number})
    string(APPEND blobs "asm(\".pushsection .rodata\\n\"
    \".global ${symbol}\\n.global ${symbol}_end\\n\"
    \"${symbol}:\\n.incbin \\\"${path}\\\"\\n${symbol}_end:\\n.byte 0\\n.popsection\\n\");\n")
    string(APPEND declarations "extern const char ${symbol}[];\nextern const char ${symbol}_end[];\n")
    string(APPEND entries "      {\"${file}\", {${symbol}, static_cast<std::size_t>(${symbol}_end - ${symbol})}},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT [=[
// Made by cmake/EmbedFiles.cmake from @pattern@.
#include <vector>

#include "@header@"

@blobs@
extern "C" {
@declarations@}

namespace tileloom::@namespace@ {

std::span<const EmbeddedFile> @function@() {
  static const std::vector<EmbeddedFile> all = {
@entries@  };
  return all;
}

}  // namespace tileloom::@namespace@
]=])
  # The assembler reads these, so the compiler does not report them to the build tool.
  set_source_files_properties(${output} PROPERTIES OBJECT_DEPENDS "${files}")
endfunction()
