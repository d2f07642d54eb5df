# SPDX-License-Identifier: GPL-3.0-or-later
# Tests of app/: the parsers and reports directly, and the command line as a user calls it.
tileloom_test(app_parse_test app/parse_test.cpp LIBRARIES tileloom_commands)
tileloom_test(app_table_test app/table_test.cpp LIBRARIES tileloom_commands)
tileloom_test(app_trace_report_test app/trace_report_test.cpp
              LIBRARIES tileloom_commands tileloom_test_support)
tileloom_test(app_dispatch_test app/dispatch_test.cpp LIBRARIES tileloom_commands)

foreach(test IN ITEMS command_line bad_input output runs sass)
  tileloom_test(app_${test}_test app/${test}_test.cpp
                LIBRARIES tileloom_commands tileloom_test_support)
  target_compile_definitions(app_${test}_test PRIVATE
    TILELOOM_PROGRAM="$<TARGET_FILE:tileloom>" TILELOOM_VERSION="${PROJECT_VERSION}")
  add_dependencies(app_${test}_test tileloom)
endforeach()

tileloom_test(app_session_test app/session_test.cpp LIBRARIES tileloom_app tileloom_test_support)

# Pictures as files: by function, and by the command that needs no display.
tileloom_test(app_export_test app/export_test.cpp LIBRARIES tileloom_app tileloom_test_support)
tileloom_test(app_render_test app/render_test.cpp LIBRARIES Qt6::Gui)
target_compile_definitions(app_render_test PRIVATE TILELOOM_PROGRAM="$<TARGET_FILE:tileloom>"
  TILELOOM_VERSION="${PROJECT_VERSION}")
add_dependencies(app_render_test tileloom)

tileloom_test(app_animation_test app/animation_test.cpp LIBRARIES tileloom_app tileloom_test_support)
tileloom_test(app_render_animation_test app/render_animation_test.cpp LIBRARIES Qt6::Gui)
target_compile_definitions(app_render_animation_test PRIVATE TILELOOM_PROGRAM="$<TARGET_FILE:tileloom>")
add_dependencies(app_render_animation_test tileloom)

# What desktops read, and the session that they hand over.
tileloom_test(app_desktop_test app/desktop_test.cpp LIBRARIES tileloom_app)
target_compile_definitions(app_desktop_test PRIVATE TILELOOM_PROGRAM="$<TARGET_FILE:tileloom>"
  TILELOOM_CMAKE="${CMAKE_COMMAND}" TILELOOM_BUILD="${PROJECT_BINARY_DIR}")
add_dependencies(app_desktop_test tileloom)

# The installed folder, moved.
if(NOT TILELOOM_SANITIZE)
  add_test(NAME install
    COMMAND ${CMAKE_COMMAND} -DBUILD=${PROJECT_BINARY_DIR} -DFOLDER=${CMAKE_CURRENT_BINARY_DIR}/installed
            -P ${CMAKE_CURRENT_SOURCE_DIR}/install.cmake)
endif()

# The window as a person uses it.
foreach(test IN ITEMS animation_dialog export_views trace_service window window_keys window_selection window_sight window_sass window_source window_instructions window_compare window_layout window_palette window_session window_roofline window_tuning window_undo)
  tileloom_test(app_${test}_test app/${test}_test.cpp
                LIBRARIES tileloom_app tileloom_test_support)
endforeach()
target_compile_definitions(app_window_undo_test PRIVATE TILELOOM_PROGRAM="$<TARGET_FILE:tileloom>")
add_dependencies(app_window_undo_test tileloom)
