// SPDX-License-Identifier: GPL-3.0-or-later
// The built executable, called as a user calls it.
#pragma once

#include <QProcess>
#include <QString>
#include <QStringList>

#include "tests/support/patience.h"

namespace tileloom::test {

struct Said {
  int status = -1;  // -1: it did not end by itself
  QByteArray out;
  QByteArray err;
};

inline Said collect(QProcess& process) {
  Said said;
  if (process.waitForFinished(2 * kPatience) && process.exitStatus() == QProcess::NormalExit) {
    said.status = process.exitCode();
  }
  said.out = process.readAllStandardOutput();
  said.err = process.readAllStandardError();
  return said;
}

// Runs `tileloom ARGUMENTS`.
inline Said runTileloom(const QStringList& arguments) {
  QProcess process;
  process.start(TILELOOM_PROGRAM, arguments);
  return collect(process);
}

// Is this one line that a user error may print?
inline bool isOneSentence(const QByteArray& err) {
  return err.startsWith("tileloom: ") && err.endsWith('\n') && err.count('\n') == 1 &&
         err.size() > 20 && !err.contains("what()") && !err.contains("terminate");
}

}  // namespace tileloom::test
