# SPDX-License-Identifier: GPL-3.0-or-later
# tileloom_embed_recordings(FOLDER OUTPUT): writes a source that holds every .jsonl of the folder, which
# may be empty or missing. The assembler copies the bytes (.incbin), because a compiler takes seconds for
# a literal of several MB.
function(tileloom_embed_recordings folder output)
  file(GLOB recordings CONFIGURE_DEPENDS ${folder}/*.jsonl)
  set(blobs "")
  set(declarations "")
  set(entries "")
  set(number 0)
  foreach(path IN LISTS recordings)
    get_filename_component(file ${path} NAME)
    set(symbol tileloom_recording_${number})
    string(APPEND blobs "asm(\".pushsection .rodata\\n\"
    \".global ${symbol}\\n.global ${symbol}_end\\n\"
    \"${symbol}:\\n.incbin \\\"${path}\\\"\\n${symbol}_end:\\n.byte 0\\n.popsection\\n\");\n")
    string(APPEND declarations "extern const char ${symbol}[];\nextern const char ${symbol}_end[];\n")
    string(APPEND entries "      {\"${file}\", {${symbol}, static_cast<std::size_t>(${symbol}_end - ${symbol})}},\n")
    math(EXPR number "${number} + 1")
  endforeach()
  file(CONFIGURE OUTPUT ${output} @ONLY CONTENT [=[
// Made by cmake/EmbedRecordings.cmake from resources/recordings/.
#include <vector>

#include "kernels/runs/recording_files.h"

@blobs@
extern "C" {
@declarations@}

namespace tileloom::runs {

std::span<const RecordingFile> recordingFiles() {
  static const std::vector<RecordingFile> all = {
@entries@  };
  return all;
}

}  // namespace tileloom::runs
]=])
  # The assembler reads these, and the compiler does not tell the build tool.
  set_source_files_properties(${output} PROPERTIES OBJECT_DEPENDS "${recordings}")
endfunction()
