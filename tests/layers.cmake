# SPDX-License-Identifier: GPL-3.0-or-later
# Checks the layers: kernels/ includes nothing of Qt, viz/ and app/; viz/ includes nothing of app/; inside each of them
# a folder includes only earlier folders; no sources include each other in a cycle; every source names its licence. Run
# as a test:
# cmake -DSOURCE_DIR=… -DLIBRARY=… -DNM=… -P layers.cmake
cmake_policy(VERSION 3.25)
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
forbid(kernels/emulator/judges "#include \"kernels/(device|emulator/(agents|block|fiber|memory|recorder|run)[a-z_]*\\.h)"
       "judges know no executor")

# in_order(ROOM FOLDER…): a file of a folder includes files of its own folder and of earlier ones. The folders that no
# other folder of the room may include come last: they are the purpose of the room.
function(in_order room)
  set(folders ${ARGN})
  file(GLOB entries RELATIVE ${SOURCE_DIR}/${room} ${SOURCE_DIR}/${room}/*)
  foreach(entry IN LISTS entries)
    if(IS_DIRECTORY ${SOURCE_DIR}/${room}/${entry} AND NOT entry IN_LIST folders)
      string(APPEND wrong "\n  ${room}/${entry} has no place in the order of folders in tests/layers.cmake")
    endif()
  endforeach()
  set(later ${folders})
  foreach(folder IN LISTS folders)
    list(POP_FRONT later)
    file(GLOB_RECURSE sources ${SOURCE_DIR}/${room}/${folder}/*.h ${SOURCE_DIR}/${room}/${folder}/*.cpp
         ${SOURCE_DIR}/${room}/${folder}/*.cuh)
    if(NOT sources)
      message(FATAL_ERROR "no sources under ${room}/${folder}: this check would pass on nothing")
    endif()
    foreach(next IN LISTS later)
      foreach(source IN LISTS sources)
        file(STRINGS ${source} lines REGEX "#include \"${room}/${next}/")
        if(lines)
          string(APPEND wrong "\n  ${source}: ${room}/${folder} stands before ${room}/${next}: ${lines}")
        endif()
      endforeach()
    endforeach()
  endforeach()
  set(broken "${broken}${wrong}" PARENT_SCOPE)
endfunction()
in_order(kernels base tile emulator device sass machine rewrite analysis runs stages model timeline tuning gpu worker)
in_order(viz base lecture loom memory charts code compare panels timeline ring waits teach)
in_order(app glossary commands session services lecture export pages window render bench)

# Sources that may still include each other in a cycle. A source that is not in one any more must not be listed.
set(in_cycles
  kernels/emulator/agents kernels/emulator/agents_report kernels/emulator/block kernels/emulator/block_access
  kernels/emulator/judges/context kernels/emulator/judges/happens
  kernels/rewrite/load_places kernels/rewrite/schedule)
include(${CMAKE_CURRENT_LIST_DIR}/include_cycles.cmake)
include_cycles(cycles ${SOURCE_DIR} kernels viz app)
foreach(cycle IN LISTS cycles)
  string(REGEX REPLACE " .*" "" source "${cycle}")
  if(source IN_LIST in_cycles)
    list(REMOVE_ITEM in_cycles ${source})
  else()
    string(APPEND broken "\n  ${cycle}")
  endif()
endforeach()
foreach(source IN LISTS in_cycles)
  string(APPEND broken "\n  ${source} is in no cycle of includes: take it from the list in tests/layers.cmake")
endforeach()
# The same check must find a cycle: of three sources that include each other, one by its .cpp, and not a fourth.
include_cycles(planted ${CMAKE_CURRENT_LIST_DIR}/fixtures/layers planted)
string(REGEX REPLACE " is in a cycle of includes: it includes [^;]*" "" planted "${planted}")
if(NOT planted STREQUAL "planted/first;planted/second;planted/third")
  message(FATAL_ERROR "the check of cycles finds \"${planted}\" in the planted ones")
endif()

file(GLOB_RECURSE all ${SOURCE_DIR}/kernels/*.h ${SOURCE_DIR}/kernels/*.cpp ${SOURCE_DIR}/kernels/*.cuh
     ${SOURCE_DIR}/viz/*.h ${SOURCE_DIR}/viz/*.cpp ${SOURCE_DIR}/app/*.h ${SOURCE_DIR}/app/*.cpp
     ${SOURCE_DIR}/tests/*.h ${SOURCE_DIR}/tests/*.cpp)
foreach(source IN LISTS all)
  file(STRINGS ${source} spdx LIMIT_COUNT 3 REGEX "SPDX-License-Identifier: GPL-3.0-or-later")
  if(NOT spdx)
    string(APPEND broken "\n  ${source}: no SPDX line")
  endif()
endforeach()

# Every source that includes such a header would parse all of JSON.
file(GLOB_RECURSE headers ${SOURCE_DIR}/kernels/*.h ${SOURCE_DIR}/viz/*.h ${SOURCE_DIR}/app/*.h)
foreach(header IN LISTS headers)
  # Templates that only the two sources of a session include.
  if(header MATCHES "/app/session/(option_types|session_reader)\\.h$")
    continue()
  endif()
  file(STRINGS ${header} json REGEX "#include <nlohmann/json.hpp>")
  if(json)
    string(APPEND broken "\n  ${header}: a header includes <nlohmann/json_fwd.hpp>, and only sources the whole")
  endif()
endforeach()

# A command that includes CLI11 takes 13 seconds to compile; app/commands/common/command.h wraps it.
set(parsers 0)
foreach(source IN LISTS all)
  file(STRINGS ${source} cli REGEX "#include <CLI/")
  if(cli)
    math(EXPR parsers "${parsers} + 1")
    if(NOT source MATCHES "/app/commands/common/command\\.cpp$")
      string(APPEND broken "\n  ${source}: only app/commands/common/command.cpp includes CLI11: use app/commands/common/command.h")
    endif()
  endif()
endforeach()
if(NOT parsers EQUAL 1)
  string(APPEND broken "\n  ${parsers} sources include CLI11: one should")
endif()

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
