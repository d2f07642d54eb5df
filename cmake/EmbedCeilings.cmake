# SPDX-License-Identifier: GPL-3.0-or-later
# tileloom_embed_ceilings(FOLDER OUTPUT): writes a source that holds the text of every .jsonl of the folder,
# one after the other. It is a line or two a device: a literal will do.
function(tileloom_embed_ceilings folder output)
  file(GLOB files CONFIGURE_DEPENDS ${folder}/*.jsonl)
  set(text "")
  foreach(path IN LISTS files)
    file(READ ${path} part)
    string(APPEND text "${part}")
  endforeach()
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${files})
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT [=[
// Made by cmake/EmbedCeilings.cmake from resources/ceilings/.
#include "kernels/tuning/ceilings.h"

namespace tileloom::tuning {

std::string_view shippedCeilingText() {
  return R"jsonl(@text@)jsonl";
}

}  // namespace tileloom::tuning
]=])
endfunction()
