# SPDX-License-Identifier: GPL-3.0-or-later
# Tests of kernels/sass. None needs a disassembler: sass/fixtures/ holds what real ones printed, and a
# script plays one that fails or hangs.
foreach(test IN ITEMS listing mix register_banks machine_code disassembler)
  tileloom_test(sass_${test}_test sass/${test}_test.cpp
                LIBRARIES tileloom_kernels tileloom_test_support)
  target_compile_definitions(sass_${test}_test PRIVATE
    TILELOOM_FIXTURES="${CMAKE_CURRENT_SOURCE_DIR}/sass/fixtures"
    TILELOOM_LISTINGS="${PROJECT_SOURCE_DIR}/resources/listings")
  set_tests_properties(sass_${test}_test PROPERTIES TIMEOUT 120)
endforeach()

# The worker and the window need such scripts, too.
foreach(test IN ITEMS app_sass_test app_listings_test viz_sass_view_test viz_ribbon_geometry_test)
  target_compile_definitions(${test} PRIVATE
    TILELOOM_FIXTURES="${CMAKE_CURRENT_SOURCE_DIR}/sass/fixtures")
endforeach()
