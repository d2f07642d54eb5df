# SPDX-License-Identifier: GPL-3.0-or-later
# Tests of kernels/. tests/support/ is what they share: random legal tiles, the double-precision
# reference, the coverage proof, planted kernels.
add_library(tileloom_test_support STATIC
  support/coverage.cpp support/random.cpp support/random_tiles.cpp support/reference.cpp
  support/text.cpp)
tileloom_own_code(tileloom_test_support)
target_link_libraries(tileloom_test_support PUBLIC tileloom_kernels Qt6::Test)

foreach(test IN ITEMS
    tile/architecture tile/constraints tile/derived tile/layout tile/literature tile/nearest tile/stage tile/tile_shape
    tile/words
    emulator/async_copy emulator/divergence emulator/faults emulator/fault_log emulator/fiber emulator/intervals
    emulator/limits emulator/provenance emulator/recorder emulator/requests
    analysis/block_map analysis/coalescing analysis/copy_cost analysis/counterpart analysis/fragments analysis/grid_totals analysis/line_figures analysis/merging
    analysis/measured analysis/memory_path analysis/occupancy analysis/operands analysis/prediction analysis/recording analysis/totals analysis/traffic analysis/wavefronts
    stages/correctness stages/coverage stages/poison
    tuning/ceilings tuning/foretell tuning/late_forecast tuning/rates tuning/rates_fit tuning/recordings tuning/roofline tuning/run_record tuning/run_store tuning/search tuning/space tuning/tile_map tuning/tune_session)
  string(REPLACE "/" "_" name ${test})
  tileloom_test(${name}_test ${test}_test.cpp LIBRARIES tileloom_kernels tileloom_test_support)
endforeach()

target_compile_definitions(tuning_recordings_test PRIVATE
                           TILELOOM_RECORDINGS="${PROJECT_SOURCE_DIR}/resources/recordings")

# NVIDIA's own occupancy calculator is one host header: where the toolkit is installed, it checks what
# the other tests can only state.
if(CUDAToolkit_FOUND)
  find_path(TILELOOM_OCCUPANCY_HEADER cuda_occupancy.h HINTS ${CUDAToolkit_INCLUDE_DIRS} NO_CACHE)
  if(TILELOOM_OCCUPANCY_HEADER)
    tileloom_test(analysis_occupancy_oracle_test analysis/occupancy_oracle_test.cpp
                  LIBRARIES tileloom_kernels tileloom_test_support)
    target_include_directories(analysis_occupancy_oracle_test SYSTEM PRIVATE
                               ${TILELOOM_OCCUPANCY_HEADER})
  else()
    message(STATUS "No cuda_occupancy.h: occupancy is not compared with NVIDIA's calculator")
  endif()
else()
  message(STATUS "No CUDA toolkit: no test of occupancy against cuda_occupancy.h")
endif()
