# SPDX-License-Identifier: GPL-3.0-or-later
# What most sources of a kind include, compiled once: saves a third of the time of a whole build. Off
# by default, since only a build without it finds out that a source lacks an #include.
set(tileloom_precompiled_core <algorithm> <functional> <map> <memory> <optional> <set> <span>
    <string> <string_view> <vector> <fmt/format.h> <nlohmann/json.hpp> <tl/expected.hpp>)
set(tileloom_precompiled_window ${tileloom_precompiled_core} <QtWidgets> <qcustomplot.h>)
set(tileloom_precompiled_core_test ${tileloom_precompiled_core} <QtTest>)
set(tileloom_precompiled_window_test ${tileloom_precompiled_window} <QtTest>)

# tileloom_precompile(TARGET KIND [SHARED]): KIND is core, window, core_test or window_test. With
# SHARED, the first target of a kind makes what the later ones use: they have to be compiled alike.
function(tileloom_precompile target kind)
  if(NOT TILELOOM_PRECOMPILE)
    return()
  endif()
  get_property(owner GLOBAL PROPERTY tileloom_precompiled_${kind})
  if("SHARED" IN_LIST ARGN AND owner)
    target_precompile_headers(${target} REUSE_FROM ${owner})
    return()
  endif()
  target_precompile_headers(${target} PRIVATE ${tileloom_precompiled_${kind}})
  if("SHARED" IN_LIST ARGN)
    set_property(GLOBAL PROPERTY tileloom_precompiled_${kind} ${target})
  endif()
endfunction()
