# SPDX-License-Identifier: GPL-3.0-or-later
# Precompiles the headers that nearly all sources of a kind include. The lists are short on purpose: every source loads
# all of them, and with <QtWidgets>, <qcustomplot.h> or <nlohmann/json.hpp> in the list this takes longer than compiling
# without (4.0 s instead of 3.0 s for a small view; 0.4 s with the list below). The presets turn it on;
# scripts/includes.sh compiles without it, because only this finds a missing #include.
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
