// SPDX-License-Identifier: GPL-3.0-or-later
// The groups of the pages below the loom: the tabs fold into them where not all fit, and the View
// menu has a part for each. app/session/pages.def says which page belongs to which.
#pragma once

#include <QString>
#include <span>

#include "app/pages/page.h"

namespace tileloom {

struct PageGroup {
  QString title;  // "Memory"
  QString tip;    // one sentence without a full stop: the subject of its pages
  std::span<const PageRow* const> pages;  // from left to right
};

// From left to right; each page below the loom is in one of them.
std::span<const PageGroup> pageGroups();

}  // namespace tileloom
