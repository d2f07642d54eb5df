# SPDX-License-Identifier: GPL-3.0-or-later
# The folder that `cmake --install` makes runs after a move, with only the C library from outside. Run as a test: cmake
# -DBUILD=… -DFOLDER=… -P install.cmake
file(REMOVE_RECURSE ${FOLDER} ${FOLDER}-moved)
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}
                OUTPUT_QUIET ERROR_VARIABLE said RESULT_VARIABLE status)
if(NOT status EQUAL 0 OR said)
  message(FATAL_ERROR "cmake --install ended with ${status}, saying: ${said}")
endif()
file(RENAME ${FOLDER} ${FOLDER}-moved)
set(program ${FOLDER}-moved/bin/tileloom)

# All libraries from outside the folder must be part of the C library. Plugins need more libraries than the program.
file(GLOB_RECURSE objects ${FOLDER}-moved/lib/tileloom/plugins/*.so)
foreach(object IN LISTS program objects)
  execute_process(COMMAND ldd ${object} OUTPUT_VARIABLE libraries RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "ldd ${object} ended with ${status}")
  endif()
  string(REGEX MATCHALL "[^\n]+" lines "${libraries}")
  foreach(line IN LISTS lines)
    if(line MATCHES "not found" OR (object STREQUAL program AND NOT line MATCHES
       "${FOLDER}-moved/|linux-vdso|ld-linux|lib(c|m|dl|rt|pthread|resolv)\\.so"))
      message(FATAL_ERROR "${object} takes this from outside the folder: ${line}")
    endif()
  endforeach()
endforeach()

# An environment in which nothing of the build machine is set.
set(picture ${FOLDER}-moved/window.png)
foreach(arguments IN ITEMS "--version" "ladder|--recorded"
        "render|window|--tab|charts|--width|800|--height|600|--out|${picture}")
  string(REPLACE "|" ";" arguments "${arguments}")
  execute_process(COMMAND env -i HOME=${FOLDER}-moved ${program} ${arguments}
                  OUTPUT_VARIABLE out ERROR_VARIABLE said RESULT_VARIABLE status)
  # The names of rungs that are not recorded yet are not an error.
  string(REGEX REPLACE "[^\n]* not recorded yet[^\n]*\n" "" said "${said}")
  if(NOT status EQUAL 0 OR said OR NOT out)
    message(FATAL_ERROR "${program} ${arguments} ended with ${status}, saying: ${said}")
  endif()
endforeach()
file(SIZE ${picture} size)
if(size LESS 20000)
  message(FATAL_ERROR "the window's picture has ${size} bytes: it cannot show a window")
endif()
file(REMOVE_RECURSE ${FOLDER}-moved)
