# SPDX-License-Identifier: GPL-3.0-or-later
# Tests of app/: the parsers and reports directly, and the command line as a user calls it.
tileloom_test(app_parse_test app/parse_test.cpp LIBRARIES tileloom_commands)
tileloom_test(app_table_test app/table_test.cpp LIBRARIES tileloom_commands)
tileloom_test(app_trace_report_test app/trace_report_test.cpp
              LIBRARIES tileloom_commands tileloom_test_support)
tileloom_test(app_dispatch_test app/dispatch_test.cpp LIBRARIES tileloom_commands)

foreach(test IN ITEMS command_line bad_input output)
  tileloom_test(app_${test}_test app/${test}_test.cpp LIBRARIES tileloom_commands)
  target_compile_definitions(app_${test}_test PRIVATE
    TILELOOM_PROGRAM="$<TARGET_FILE:tileloom>" TILELOOM_VERSION="${PROJECT_VERSION}")
  add_dependencies(app_${test}_test tileloom)
endforeach()
