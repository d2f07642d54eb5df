// SPDX-License-Identifier: GPL-3.0-or-later
// Waits until a window is idle: all requests are answered and shown.
#pragma once

namespace tileloom {

class Window;

// Runs the event loop until no content of the window is pending. Animations (playback, camera) are
// not waited for. False: it takes longer than `most` milliseconds.
bool waitUntilQuiet(Window& window, int most = 60'000);

}  // namespace tileloom
