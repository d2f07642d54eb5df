// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences that have to be shorter are cut between clauses, so that what is left is whole.
#pragma once

#include <QFontMetricsF>
#include <QString>

namespace tileloom {

// Without as many of its last clauses, parted by ", " or " · ", as have no room; what stands before
// a colon, and the clause behind it, always stays. May still be too wide.
QString shortenedByClauses(QString sentence, const QFontMetricsF& metrics, double width);

}  // namespace tileloom
