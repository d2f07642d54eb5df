// SPDX-License-Identifier: GPL-3.0-or-later
// A PATH on which ffmpeg is a script of ours, or is not at all.
#pragma once

#include <QDir>
#include <QFile>
#include <QTemporaryDir>

namespace tileloom::test {

class FakeFfmpeg {
 public:
  // What the script does; "$out" is its output file, "$log" keeps its arguments.
  // Empty: there is no ffmpeg.
  explicit FakeFfmpeg(const QByteArray& script) : before_(qgetenv("PATH")) {
    // The shell finds its few tools by links: the real ffmpeg may live beside them.
    for (const char* tool : {"cat", "sleep", "wc", "sh", "echo", "tr"}) {
      for (const char* place : {"/bin/", "/usr/bin/"}) {
        const QString found = QLatin1String(place) + QLatin1String(tool);
        if (QFile::exists(found)) QFile::link(found, folder_.filePath(QLatin1String(tool)));
      }
    }
    if (!script.isEmpty()) {
      QFile file(folder_.filePath("ffmpeg"));
      ok_ = file.open(QIODevice::WriteOnly) &&
            file.write("#!/bin/sh\nfor out; do :; done\nlog=" + logFile().toUtf8() +
                       "\necho \"$@\" > \"$log\"\n" + script + "\n") > 0;
      file.close();
      file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    qputenv("PATH", folder_.path().toUtf8());
  }
  ~FakeFfmpeg() { qputenv("PATH", before_); }
  FakeFfmpeg(const FakeFfmpeg&) = delete;
  FakeFfmpeg& operator=(const FakeFfmpeg&) = delete;

  bool ok() const { return ok_; }
  // The arguments of its last run.
  QByteArray log() const {
    QFile file(logFile());
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  static constexpr const char* kSucceeds = "cat > \"$out\"";
  static constexpr const char* kFails =
      "cat > /dev/null; echo partly > \"$out\"; echo 'a warning' >&2; "
      "echo 'Unknown encoder libx999' >&2; exit 187";
  static constexpr const char* kFailsAtOnce = "echo 'No space left on device' >&2; exit 1";
  static constexpr const char* kHangs = "echo partly > \"$out\"; exec sleep 600";

 private:
  QString logFile() const { return folder_.filePath("arguments"); }

  QTemporaryDir folder_;
  QByteArray before_;
  bool ok_ = true;
};

}  // namespace tileloom::test
