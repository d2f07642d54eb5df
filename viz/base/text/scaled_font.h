// SPDX-License-Identifier: GPL-3.0-or-later
// A font in another size, whichever unit its size is given in.
#pragma once

#include <QFont>

namespace tileloom {

// `by`: times the size of `base`.
QFont scaledFont(const QFont& base, double by);

}  // namespace tileloom
