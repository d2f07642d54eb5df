# SPDX-License-Identifier: GPL-3.0-or-later
# tileloom_embed_text(FOLDER OUTPUT HEADER FUNCTION): writes a source that defines FUNCTION, declared in HEADER
# in tileloom::model, to return the text of every .jsonl of the folder, one after the other. For some
# lines, of which a literal holds enough; see EmbedRecordings.cmake for megabytes.
function(tileloom_embed_text folder output header function)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.jsonl)
  set(text "")
  foreach(path IN LISTS files)
    file(READ ${path} part)
    string(APPEND text "${part}")
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT [=[
// Made by cmake/EmbedText.cmake.
#include "@header@"

namespace tileloom::model {

std::string_view @function@() {
  return R"jsonl(@text@)jsonl";
}

}  // namespace tileloom::model
]=])
endfunction()
