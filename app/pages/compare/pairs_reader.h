// SPDX-License-Identifier: GPL-3.0-or-later
// The sentences of a group of pairs as one text, in their order, each with a link that shows its
// pair.
#pragma once

#include <QString>

class QMenu;

namespace tileloom {

// Adds the entry that opens the text to a menu whose entries are the pairs: their names become its
// headings, their tool tips its paragraphs.
void addReader(QMenu& menu, const QString& title);

}  // namespace tileloom
