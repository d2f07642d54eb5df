// SPDX-License-Identifier: GPL-3.0-or-later
// The window's words for a kind of instruction (kernels/emulator/kinds.h), translated.
#pragma once

#include <QString>
#include <string>

#include "kernels/emulator/kinds.h"

namespace tileloom {

// "shared load of As", "wait for cp.async"; `array`: of an instruction that has one.
QString kindWords(emulator::Kind kind, const std::string& array);

// "commits a cp.async group"; empty: what it does has figures, which describeMoment() knows.
QString kindSentence(emulator::Kind kind);

}  // namespace tileloom
