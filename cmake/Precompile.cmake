# SPDX-License-Identifier: GPL-3.0-or-later
# What nearly all sources of a kind include, compiled once. The lists are short on purpose: every source pays for
# loading all of them, and with <QtWidgets>, <qcustomplot.h> or <nlohmann/json.hpp> among them that takes longer than
# compiling without (4.0 s in place of 3.0 s for a small view; 0.4 s with the list below). The presets turn it on;
# scripts/includes.sh compiles without it, since only that finds out that a source lacks an #include.
set(tileloom_precompiled_core <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <map> <memory>
    <optional> <set> <span> <string> <string_view> <vector> <fmt/format.h> <tl/expected.hpp>
    "\"kernels/tile/stage.h\"")
set(tileloom_precompiled_window ${tileloom_precompiled_core} <QLabel> <QPainter> <QString> <QWidget>
    "\"viz/base/scene.h\"")

# tileloom_precompile(TARGET KIND [headers]): KIND is core or window.
function(tileloom_precompile target kind)
  if(TILELOOM_PRECOMPILE)
    target_precompile_headers(${target} PRIVATE ${tileloom_precompiled_${kind}} ${ARGN})
  endif()
endfunction()
