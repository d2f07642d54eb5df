// SPDX-License-Identifier: GPL-3.0-or-later
// Whether Qt can open a window with the platform that QT_QPA_PLATFORM names.
#pragma once

namespace tileloom {

// Qt's platforms for screens without a desktop (linuxfb, eglfs, vkkhrdisplay and what others have
// added) end the process where they find no screen, some of them by a signal. Each platform but
// those of desktops and of tests is first tried in a separate process. Call it before there is an
// application, and before there are threads.
bool platformWorks();

}  // namespace tileloom
