# SPDX-License-Identifier: GPL-3.0-or-later
# Tests of kernels/gpu. Most run on any machine, against a GPU that is none: gpu/fake_cuda.cpp.
add_library(tileloom_fake_cuda SHARED gpu/fake_cuda.cpp gpu/fake_cupti.cpp)
tileloom_own_code(tileloom_fake_cuda)

# tileloom_fake_test(NAME source LIBRARIES …): a test that may include tests/gpu/fake.h.
function(tileloom_fake_test name source)
  tileloom_test(${name} ${source} ${ARGN})
  target_compile_definitions(${name} PRIVATE
                             TILELOOM_FAKE_CUDA="$<TARGET_FILE:tileloom_fake_cuda>")
  target_link_libraries(${name} PRIVATE ${CMAKE_DL_LIBS})
  add_dependencies(${name} tileloom_fake_cuda)
  set_tests_properties(${name} PROPERTIES TIMEOUT 300)  # a wait that does not end is a failure
endfunction()

# A library that has too few functions.
add_library(tileloom_stub SHARED gpu/stub.cpp)
tileloom_own_code(tileloom_stub)

foreach(test IN ITEMS library driver build operands bench ceilings counters)
  tileloom_fake_test(gpu_${test}_test gpu/${test}_test.cpp
                     LIBRARIES tileloom_kernels tileloom_test_support)
endforeach()

foreach(test IN ITEMS build_cache device nvrtc plain_pointers statistics)
  tileloom_test(gpu_${test}_test gpu/${test}_test.cpp
                LIBRARIES tileloom_kernels tileloom_test_support)
endforeach()

foreach(test IN ITEMS gpu_library_test gpu_counters_test)
  target_compile_definitions(${test} PRIVATE TILELOOM_STUB="$<TARGET_FILE:tileloom_stub>")
  add_dependencies(${test} tileloom_stub)
endforeach()
target_compile_definitions(gpu_plain_pointers_test PRIVATE
                           TILELOOM_PLAIN_KERNELS="${CMAKE_CURRENT_SOURCE_DIR}/gpu/plain")

# NVIDIA's headers say whether ours are right, where they are installed.
if(CUDAToolkit_FOUND)
  find_path(TILELOOM_CUDA_HEADER cuda.h HINTS ${CUDAToolkit_INCLUDE_DIRS} NO_CACHE)
  find_path(TILELOOM_CUBLAS_HEADER cublas_api.h HINTS ${CUDAToolkit_INCLUDE_DIRS} NO_CACHE)
endif()
if(TILELOOM_CUDA_HEADER AND TILELOOM_CUBLAS_HEADER)
  tileloom_test(gpu_abi_test gpu/abi_test.cpp LIBRARIES tileloom_kernels)
  target_include_directories(gpu_abi_test SYSTEM PRIVATE ${TILELOOM_CUDA_HEADER}
                             ${TILELOOM_CUBLAS_HEADER})
else()
  message(STATUS "No cuda.h and cublas_api.h: the driver's declarations are not compared with them")
endif()

# The range profiler is as declared since CUDA 13.
if(TILELOOM_CUDA_HEADER AND CUDAToolkit_VERSION VERSION_GREATER_EQUAL 13)
  find_path(TILELOOM_CUPTI_HEADER cupti_range_profiler.h
            HINTS ${CUDAToolkit_INCLUDE_DIRS} ${CUDAToolkit_LIBRARY_ROOT}/extras/CUPTI/include
            NO_CACHE)
endif()
if(TILELOOM_CUPTI_HEADER)
  tileloom_test(gpu_cupti_abi_test gpu/cupti_abi_test.cpp LIBRARIES tileloom_kernels)
  target_include_directories(gpu_cupti_abi_test SYSTEM PRIVATE ${TILELOOM_CUDA_HEADER}
                             ${TILELOOM_CUPTI_HEADER})
else()
  message(STATUS "No cupti_range_profiler.h: CUPTI's declarations are not compared with it")
endif()

# The worker process on the fake GPU, and the window's client of it.
tileloom_fake_test(app_worker_faults_test app/worker_faults_test.cpp
                   LIBRARIES tileloom_app tileloom_test_support)
target_compile_definitions(app_worker_faults_test PRIVATE TILELOOM_PROGRAM="$<TARGET_FILE:tileloom>")
add_dependencies(app_worker_faults_test tileloom)

# The same for the commands that compile and measure, and for the window: tests/app/surroundings.h.
foreach(test IN ITEMS ceilings devices_compile fidelity lab lab_watch record render_window run_ladder tune
        window_lab window_tuner window_tuner_gpu device_ceilings)
  tileloom_fake_test(app_${test}_test app/${test}_test.cpp
                     LIBRARIES tileloom_app tileloom_test_support)
  target_compile_definitions(app_${test}_test PRIVATE TILELOOM_PROGRAM="$<TARGET_FILE:tileloom>")
  add_dependencies(app_${test}_test tileloom)
endforeach()

# The worker's messages, its process spoken to in raw lines, and its client through a real sshd.
tileloom_test(worker_protocol_test worker/protocol_test.cpp
              LIBRARIES tileloom_kernels tileloom_test_support)
foreach(test IN ITEMS server harmless)
  tileloom_fake_test(worker_${test}_test worker/${test}_test.cpp
                     LIBRARIES tileloom_kernels tileloom_test_support)
endforeach()
tileloom_fake_test(app_ssh_worker_test app/ssh_worker_test.cpp
                   LIBRARIES tileloom_app tileloom_test_support)
foreach(test IN ITEMS worker_server_test worker_harmless_test app_ssh_worker_test)
  target_compile_definitions(${test} PRIVATE TILELOOM_PROGRAM="$<TARGET_FILE:tileloom>")
  add_dependencies(${test} tileloom)
endforeach()
add_library(tileloom_chatty SHARED worker/chatty.cpp)
tileloom_own_code(tileloom_chatty)
target_compile_definitions(worker_server_test PRIVATE TILELOOM_CHATTY="$<TARGET_FILE:tileloom_chatty>")
add_dependencies(worker_server_test tileloom_chatty)

# Which tiles are measured first.
tileloom_test(tuning_spread_test tuning/spread_test.cpp
              LIBRARIES tileloom_kernels tileloom_test_support)

# The counters that are shipped, and the document that is made of them.
target_compile_definitions(app_fidelity_test PRIVATE
                           TILELOOM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

# The job array example is part of the sources.
target_compile_definitions(app_tune_test PRIVATE TILELOOM_SOURCE_DIR="${PROJECT_SOURCE_DIR}")

# They start the program many times, which takes sanitizers minutes.
set_tests_properties(app_tune_test app_window_tuner_test PROPERTIES TIMEOUT 900)
