// SPDX-License-Identifier: GPL-3.0-or-later
// Examples of access patterns: the questions that are asked most.
#pragma once

#include <QString>
#include <vector>

#include "viz/memory/pattern_choice.h"

namespace tileloom {

struct PatternExample {
  QString title;
  PatternChoice choice;
};

std::vector<PatternExample> patternExamples();

}  // namespace tileloom
