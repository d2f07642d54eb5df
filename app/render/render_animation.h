// SPDX-License-Identifier: GPL-3.0-or-later
// `tileloom render animation`: playing as a file, without a display.
#pragma once

#include "app/command_line.h"
#include "app/render/render_request.h"

namespace tileloom::app {

void renderAnimation(const RenderRequest& request, const Scene& scene, const QString& out,
                     Outcome& outcome);

}  // namespace tileloom::app
