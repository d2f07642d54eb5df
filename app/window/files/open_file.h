// SPDX-License-Identifier: GPL-3.0-or-later
// Opens a file given on the command line, by a double click or by dropping it onto the window: its
// name decides whether it is a kernel, else its content whether it is a session or a lecture.
#pragma once

#include <QString>

class QMimeData;

namespace tileloom {

class Window;

// A file's name, its URL, or a link. An unreadable file counts as a lecture if its name ends in
// .json.
bool isLectureFile(const QString& given);

// Empty, or one sentence without a full stop on why it was not opened; nothing is lost then. A
// lecture needs a window that is shown. A kernel is read in the background: OwnKernels says when it
// is there, or why not.
QString openFile(Window& window, const QString& given);

// The one local file that is dragged and that may be opened, or empty.
QString fileIn(const QMimeData& data);

}  // namespace tileloom
