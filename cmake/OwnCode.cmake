# SPDX-License-Identifier: GPL-3.0-or-later
# tileloom_moc(TARGET): Qt's meta-objects of its classes. CMake looks for classes again only when a file has changed that
# it knows already; a header with the list of sources is such a file, so that a new class is found in a build folder that
# exists.
function(tileloom_moc target)
  set_target_properties(${target} PROPERTIES AUTOMOC ON)
  get_target_property(sources ${target} SOURCES)
  list(JOIN sources "\n// " sources)
  set(header ${CMAKE_CURRENT_BINARY_DIR}/${target}-sources.h)
  file(CONFIGURE OUTPUT ${header} CONTENT "// ${sources}\n" @ONLY)  # untouched if it says the same
  target_sources(${target} PRIVATE ${header})
endfunction()

# Warnings and sanitizers for our own targets only; system headers stay as they are.
function(tileloom_own_code target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wconversion -Wshadow)
  # To GCC it is no part of -Wconversion.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>)
  if(TILELOOM_WERROR)
    target_compile_options(${target} PRIVATE -Werror)
    # What these find depends on what GCC inlines, and with std::string they are wrong at times: they stay warnings.
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
# that clang needs. It is for code that draws, reads and compares; the kernels, whose emulated threads run through the
# same lines millions of times, keep theirs. No other build is affected.
function(tileloom_unoptimised target)
  if(TILELOOM_SANITIZE)
    target_compile_options(${target} PRIVATE -O0)
  endif()
endfunction()

# tileloom_kernels_first(PROGRAM): of an inline function that several objects have a copy of, the linker keeps the first.
# A program of unoptimised code would give the kernels its own slow copies (the tests of the stages took four times as
# long), so that the sanitizers' build places the whole library of kernels before it.
function(tileloom_kernels_first program)
  if(TILELOOM_SANITIZE)
    target_link_options(${program} PRIVATE LINKER:--whole-archive $<TARGET_FILE:tileloom_kernels>
                        LINKER:--no-whole-archive)
  endif()
endfunction()

# tileloom_fuzzed(TARGET): this code tells the fuzzer which of its branches an input has reached. It costs time, so that
# only readers of outside bytes are compiled like this.
function(tileloom_fuzzed target)
  if(TILELOOM_FUZZ)
    target_compile_options(${target} PRIVATE
                           -fsanitize-coverage=inline-8bit-counters,indirect-calls,trace-cmp,pc-table)
  endif()
endfunction()
