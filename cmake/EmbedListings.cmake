# SPDX-License-Identifier: GPL-3.0-or-later
# tileloom_embed_listings(FOLDER OUTPUT): writes a source that holds every .txt of the folder, as
# EmbedRecordings.cmake does for the runs.
function(tileloom_embed_listings folder output)
  file(GLOB listings CONFIGURE_DEPENDS ${folder}/*.txt)
  set(blobs "")
  set(declarations "")
  set(entries "")
  set(number 0)
  foreach(path IN LISTS listings)
    get_filename_component(file ${path} NAME)
    set(symbol tileloom_listing_${number})
    string(APPEND blobs "asm(\".pushsection .rodata\\n\"
    \".global ${symbol}\\n.global ${symbol}_end\\n\"
    \"${symbol}:\\n.incbin \\\"${path}\\\"\\n${symbol}_end:\\n.byte 0\\n.popsection\\n\");\n")
    string(APPEND declarations "extern const char ${symbol}[];\nextern const char ${symbol}_end[];\n")
    string(APPEND entries "      {\"${file}\", {${symbol}, static_cast<std::size_t>(${symbol}_end - ${symbol})}},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT [=[
// Made by cmake/EmbedListings.cmake from resources/listings/.
#include <vector>

#include "kernels/sass/recorded.h"

@blobs@
extern "C" {
@declarations@}

namespace tileloom::sass {

std::span<const ListingFile> listingFiles() {
  static const std::vector<ListingFile> all = {
@entries@  };
  return all;
}

}  // namespace tileloom::sass
]=])
  # The assembler reads these, and the compiler does not tell the build tool.
  set_source_files_properties(${output} PROPERTIES OBJECT_DEPENDS "${listings}")
endfunction()
