# SPDX-License-Identifier: GPL-3.0-or-later
# Tests of kernels/sass. None needs a disassembler: sass/fixtures/ holds what real ones printed, and a
# script plays one that fails or hangs.
foreach(test IN ITEMS listing loop_size mix register_banks machine_code disassembler)
  tileloom_test(sass_${test}_test sass/${test}_test.cpp
                LIBRARIES tileloom_kernels tileloom_test_support)
  target_compile_definitions(sass_${test}_test PRIVATE
    TILELOOM_FIXTURES="${CMAKE_CURRENT_SOURCE_DIR}/sass/fixtures"
    TILELOOM_LISTINGS="${PROJECT_SOURCE_DIR}/resources/listings")
  set_tests_properties(sass_${test}_test PROPERTIES TIMEOUT 120)
endforeach()

# The window's listings come from the worker, on the fake compiler.
tileloom_fake_test(app_listings_test app/listings_test.cpp LIBRARIES tileloom_app tileloom_test_support)
target_compile_definitions(app_listings_test PRIVATE TILELOOM_PROGRAM="$<TARGET_FILE:tileloom>")
add_dependencies(app_listings_test tileloom)

foreach(test IN ITEMS app_sass_test app_listings_test viz_sass_view_test viz_ribbon_geometry_test)
  target_compile_definitions(${test} PRIVATE
    TILELOOM_FIXTURES="${CMAKE_CURRENT_SOURCE_DIR}/sass/fixtures")
endforeach()
