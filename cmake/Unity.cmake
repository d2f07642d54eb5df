# SPDX-License-Identifier: GPL-3.0-or-later
# Compiles several sources as one. Our sources are small, and the compiler spends most of its time on headers that all
# of them include, so that a whole build takes less than half as long. The presets "release" and "asan" turn it on. It
# is off in the preset "dev", where a change should compile one source only, and off by default, so that
# compile_commands.json names every source.
#
# Private declarations of a source (in an anonymous namespace, static, as a macro) are visible to the later sources of
# the same unit. Sources that declare the same name are therefore put into different units, if a pattern finds the
# names. If the pattern misses one, the compiler reports it, and one of the two names needs a more exact one.

# Names that too many sources declare for any two to be compiled together: the preprocessor renames them in each source.
# They must not be in a header.
set(tileloom_frequent_names Words Painter kAir kBar kGap kMargin)

# The maximal bytes of sources per unit: about ten sources, half a minute of a compiler.
set(tileloom_unity_bytes 80000)

# tileloom_unity(TARGET): divides the target's sources into units. Sources with compile
# options of their own, or with SKIP_UNITY_BUILD_INCLUSION, are compiled alone.
function(tileloom_unity target)
  if(NOT TILELOOM_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  set(before "#define TILELOOM_PASTE_(name, id) name##id\n#define TILELOOM_PASTE(name, id) TILELOOM_PASTE_(name, id)\n")
  set(after "#undef TILELOOM_PASTE_\n#undef TILELOOM_PASTE\n")
  foreach(name IN LISTS tileloom_frequent_names)
    string(APPEND before "#define ${name} TILELOOM_PASTE(${name}_, TILELOOM_SOURCE_ID)\n")
    string(APPEND after "#undef ${name}\n")
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD_UNIQUE_ID TILELOOM_SOURCE_ID
                        UNITY_BUILD_CODE_BEFORE_INCLUDE "${before}" UNITY_BUILD_CODE_AFTER_INCLUDE "${after}")
  # GCC treats every source but the first as a header, in which it warns of members of a private type.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>)
  get_target_property(sources ${target} SOURCES)
  get_target_property(folder ${target} SOURCE_DIR)
  set(groups 0)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${folder})
    get_source_file_property(skipped ${source} SKIP_UNITY_BUILD_INCLUSION)
    # Generated sources exist at the second configuration and not at the first: with them, the units would change.
    cmake_path(IS_PREFIX PROJECT_BINARY_DIR ${source} generated)
    if(skipped OR generated OR NOT source MATCHES "\\.cpp$")
      continue()
    endif()
    file(SIZE ${source} size)
    tileloom_private_names(${source} names borrowed)
    # The first group with room and without one of these names; RANGE would count down from 1 to 0.
    set(chosen "")
    foreach(group RANGE 1 ${groups})
      if(groups EQUAL 0)
        break()
      endif()
      math(EXPR grown "${size_${group}} + ${size}")
      if(grown GREATER tileloom_unity_bytes)
        continue()
      endif()
      set(shared FALSE)
      foreach(name IN LISTS names)
        if(name IN_LIST names_${group})
          set(shared TRUE)
          break()
        endif()
      endforeach()
      foreach(name IN LISTS borrowed)
        string(REGEX REPLACE ".*::" "" short ${name})
        if(short IN_LIST names_${group} AND NOT name IN_LIST borrowed_${group})
          set(shared TRUE)
          break()
        endif()
      endforeach()
      if(NOT shared)
        set(chosen ${group})
        break()
      endif()
    endforeach()
    if(NOT chosen)
      math(EXPR groups "${groups} + 1")
      set(chosen ${groups})
      set(names_${chosen} "")
      set(borrowed_${chosen} "")
      set(size_${chosen} 0)
    endif()
    list(APPEND names_${chosen} ${names})
    list(APPEND borrowed_${chosen} ${borrowed})
    list(TRANSFORM borrowed REPLACE ".*::" "")
    list(APPEND names_${chosen} ${borrowed})
    math(EXPR size_${chosen} "${size_${chosen}} + ${size}")
    set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${chosen})
  endforeach()
endfunction()

# Finds the names that a source declares at the start of a line without a class or namespace, and those that it takes
# from other namespaces ("using emulator::Kind"), which other sources may take, too.
function(tileloom_private_names source result taken)
  file(READ ${source} text)
  string(REGEX MATCHALL "\n(#define )?[A-Za-z_][A-Za-z0-9_:<>,&* ]*" heads "${text}")
  set(names "")
  set(borrowed "")
  foreach(head IN LISTS heads)
    if(head MATCHES "^\n(namespace|template|public|private|protected|TILELOOM_TEST|using namespace)")
      continue()
    endif()
    if(head MATCHES "^\nusing ([^ ]*::[A-Za-z0-9_]+)")
      list(APPEND borrowed ${CMAKE_MATCH_1})
    elseif(head MATCHES "^\n(class|struct|union|enum class|enum) ([A-Za-z0-9_]+)")
      list(APPEND names ${CMAKE_MATCH_2})
    elseif(head MATCHES "(^|[^:A-Za-z0-9_])([A-Za-z_][A-Za-z0-9_]*) *$")
      list(APPEND names ${CMAKE_MATCH_2})
    endif()
  endforeach()
  # Constants and short names of types at any position: the second one of a line, and those of functions and classes,
  # which would shadow those of another source.
  string(REGEX MATCHALL " (k[A-Z]|using )[A-Za-z0-9_]* =" inner "${text}")
  list(TRANSFORM inner REPLACE " using | |=" "")
  list(APPEND names ${inner})
  list(REMOVE_DUPLICATES names)
  list(REMOVE_ITEM names ${tileloom_frequent_names})
  set(${result} "${names}" PARENT_SCOPE)
  set(${taken} "${borrowed}" PARENT_SCOPE)
endfunction()
