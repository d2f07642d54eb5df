# SPDX-License-Identifier: GPL-3.0-or-later
# Who may know whom: kernels/ knows no Qt, viz/ and app/; viz/ does not know app/; every source says its
# licence. Run as a test: cmake -DSOURCE_DIR=… -DLIBRARY=… -DNM=… -P layers.cmake
set(broken "")
function(forbid folder pattern why)
  file(GLOB_RECURSE sources ${SOURCE_DIR}/${folder}/*.h ${SOURCE_DIR}/${folder}/*.cpp
       ${SOURCE_DIR}/${folder}/*.cuh)
  if(NOT sources)
    message(FATAL_ERROR "no sources under ${folder}: this check would pass on nothing")
  endif()
  foreach(source IN LISTS sources)
    file(STRINGS ${source} lines REGEX "${pattern}")
    if(lines)
      set(broken "${broken}\n  ${source}: ${why}: ${lines}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
endfunction()
forbid(kernels "#include [<\"](Q[A-Z]|viz/|app/)" "kernels/ may not use this")
forbid(viz "#include \"app/" "viz/ may not use app/")

file(GLOB_RECURSE all ${SOURCE_DIR}/kernels/*.h ${SOURCE_DIR}/kernels/*.cpp ${SOURCE_DIR}/kernels/*.cuh
     ${SOURCE_DIR}/viz/*.h ${SOURCE_DIR}/viz/*.cpp ${SOURCE_DIR}/app/*.h ${SOURCE_DIR}/app/*.cpp
     ${SOURCE_DIR}/tests/*.h ${SOURCE_DIR}/tests/*.cpp)
foreach(source IN LISTS all)
  file(STRINGS ${source} spdx LIMIT_COUNT 3 REGEX "SPDX-License-Identifier: GPL-3.0-or-later")
  if(NOT spdx)
    string(APPEND broken "\n  ${source}: no SPDX line")
  endif()
endforeach()

# Whoever includes a header would parse all of JSON with it.
file(GLOB_RECURSE headers ${SOURCE_DIR}/kernels/*.h ${SOURCE_DIR}/viz/*.h ${SOURCE_DIR}/app/*.h)
foreach(header IN LISTS headers)
  file(STRINGS ${header} json REGEX "#include <nlohmann/json.hpp>")
  if(json)
    string(APPEND broken "\n  ${header}: a header includes <nlohmann/json_fwd.hpp>, and only sources the whole")
  endif()
endforeach()

execute_process(COMMAND ${NM} -uC ${LIBRARY} OUTPUT_VARIABLE symbols RESULT_VARIABLE status)
if(NOT status EQUAL 0 OR symbols STREQUAL "")
  message(FATAL_ERROR "cannot read the symbols of ${LIBRARY}")
endif()
string(REGEX MATCH "U Q[A-Z][A-Za-z]+::[^\n]*" qt "${symbols}")
if(qt)
  string(APPEND broken "\n  the kernels library needs Qt: ${qt}")
endif()
if(broken)
  message(FATAL_ERROR "layers are broken:${broken}")
endif()
