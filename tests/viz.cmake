# SPDX-License-Identifier: GPL-3.0-or-later
# Tests of viz/: geometry and words without painting, widgets driven by real events, golden images.
foreach(test IN ITEMS
    bank_geometry bank_view block_waves cell_cursor chart_export describe differences history_charts knob_note knob_panel knob_slider ladder_chart
    ladder_list loom_geometry loom_view palette path_geometry ribbon_geometry roofline_chart roofline_geometry sass_view scene sheet source_text theme thread_panel tile_map_view transport)
  tileloom_test(viz_${test}_test viz/${test}_test.cpp
                LIBRARIES tileloom_viz tileloom_test_support)
endforeach()

# Pictures are painted as the program exports them.
foreach(test IN ITEMS golden chart_golden)
  tileloom_test(viz_${test}_test viz/${test}_test.cpp LIBRARIES tileloom_app tileloom_test_support)
  target_compile_definitions(viz_${test}_test PRIVATE
    TILELOOM_GOLDEN_DIR="${CMAKE_CURRENT_SOURCE_DIR}/viz/golden"
    TILELOOM_ACTUAL_DIR="${CMAKE_CURRENT_BINARY_DIR}/golden-actual")
endforeach()
