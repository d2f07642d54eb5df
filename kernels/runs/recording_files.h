// SPDX-License-Identifier: GPL-3.0-or-later
// The files of resources/recordings/ and resources/samples/ as they were built into this
// executable.
#pragma once

#include "kernels/base/embedded_file.h"

namespace tileloom::runs {

std::span<const EmbeddedFile> recordingFiles();
std::span<const EmbeddedFile> sampleFiles();

}  // namespace tileloom::runs
