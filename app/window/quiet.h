// SPDX-License-Identifier: GPL-3.0-or-later
// When a window has come to rest: everything that was asked for has been answered and is shown.
#pragma once

namespace tileloom {

class MainWindow;

// Turns the event loop until nothing of what the window shows is still being made. What moves by
// the clock alone (playing, a flight) is not waited for. False: that takes longer than `most`
// milliseconds.
bool waitUntilQuiet(MainWindow& window, int most = 60'000);

}  // namespace tileloom
