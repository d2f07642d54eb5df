// SPDX-License-Identifier: GPL-3.0-or-later
// The groups of the pages below the loom: what the tabs fold into where not all fit, and the parts
// of the View menu. Which page belongs to which stands in app/session/pages.def.
#pragma once

#include <QString>
#include <span>

#include "app/pages/page.h"

namespace tileloom {

struct PageGroup {
  QString title;  // "Memory"
  QString tip;    // one sentence without a full stop: what its pages are about
  std::span<const PageRow* const> pages;  // from left to right
};

// From left to right; each page below the loom is in one of them.
std::span<const PageGroup> pageGroups();

}  // namespace tileloom
