// SPDX-License-Identifier: GPL-3.0-or-later
// What the text of --help says of commands.
#pragma once

#include <QByteArray>
#include <QStringList>

namespace tileloom::test {

// The names below "Commands:" in a help text; empty if there are none.
inline QStringList commandsInHelp(const QByteArray& help) {
  QStringList names;
  bool within = false;
  for (const QByteArray& line : help.split('\n')) {
    if (line.startsWith("Commands:")) {
      within = true;
    } else if (!line.startsWith("  ")) {
      within = false;
    } else if (within && line.size() > 2 && line[2] != ' ') {
      names.push_back(QString::fromUtf8(line.trimmed().split(' ').front()));
    }
  }
  return names;
}

}  // namespace tileloom::test
