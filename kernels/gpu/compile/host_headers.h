// SPDX-License-Identifier: GPL-3.0-or-later
// Headers of the host that kernels include and do not need. NVRTC has none of them: it gets these
// texts, which are empty or have what a kernel may use of them.
#pragma once

#include <span>

#include "kernels/tile/stage.h"

namespace tileloom::gpu {

std::span<const SourceFile> hostHeaders();

}  // namespace tileloom::gpu
