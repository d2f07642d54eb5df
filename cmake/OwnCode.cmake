# SPDX-License-Identifier: GPL-3.0-or-later
# tileloom_moc(TARGET): Qt's meta-objects of its classes. CMake searches for classes again only when a file that it
# already knows has changed. A header with the list of sources is such a file, so that CMake finds a new class in an
# existing build folder.
function(tileloom_moc target)
  set_target_properties(${target} PROPERTIES AUTOMOC ON)
  get_target_property(sources ${target} SOURCES)
  list(JOIN sources "\n// " sources)
  set(header ${CMAKE_CURRENT_BINARY_DIR}/${target}-sources.h)
  file(CONFIGURE OUTPUT ${header} CONTENT "// ${sources}\n" @ONLY)  # unchanged if it has the same text
  target_sources(${target} PRIVATE ${header})
endfunction()

# Warnings and sanitizers for our own targets only, not for system headers.
function(tileloom_own_code target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow)
  # In GCC, -Wconversion does not include it.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>)
  if(TILELOOM_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
    # The findings of these depend on what GCC inlines, and with std::string they are sometimes wrong: they stay
    # warnings.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-error=restrict
                           -Wno-error=stringop-overread -Wno-error=stringop-overflow -Wno-error=array-bounds>)
  endif()
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
  if(TILELOOM_ASSERTIONS)
    target_compile_definitions(${target} PUBLIC _GLIBCXX_ASSERTIONS)
  endif()
  if(TILELOOM_SANITIZE)
    target_compile_options(${target} PUBLIC -fsanitize=address,undefined
                           -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
    target_link_options(${target} PUBLIC -fsanitize=address,undefined)
  endif()
endfunction()

# tileloom_unoptimised(TARGET): the sanitizers' build compiles this target without optimisation, which halves the time
# that clang needs. It is for code that draws, reads and compares. The kernels, whose emulated threads execute the same
# lines millions of times, stay optimised. No other build is affected.
function(tileloom_unoptimised target)
  if(TILELOOM_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

# tileloom_kernels_first(PROGRAM): if several objects have a copy of an inline function, the linker keeps the first. A
# program of unoptimised code would give the kernels its own slow copies (the tests of the stages took four times as
# long), so the sanitizers' build links the whole library of kernels before it.
function(tileloom_kernels_first program)
  if(TILELOOM_SANITIZE)
    target_link_options(${program} PRIVATE LINKER:--whole-archive $<TARGET_FILE:tileloom_kernels>
                        LINKER:--no-whole-archive)
  endif()
endfunction()

# tileloom_fuzzed(TARGET): this code reports to the fuzzer which of its branches an input reaches. It costs time, so
# only readers of outside bytes are compiled like this.
function(tileloom_fuzzed target)
  if(TILELOOM_FUZZ)
    target_compile_options(${target} PRIVATE
                           -fsanitize-coverage=inline-8bit-counters,indirect-calls,trace-cmp,pc-table)
  endif()
endfunction()
