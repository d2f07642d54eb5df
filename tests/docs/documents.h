// SPDX-License-Identifier: GPL-3.0-or-later
// The documents of the project: every .md file except for those of build folders.
#pragma once

#include <QString>
#include <QStringList>

namespace tileloom::test {

// Paths from the project's folder: "README.md", "docs/design/00-map.md".
QStringList documents();
QString textOf(const QString& path);

struct Link {
  QString target;  // as written: "../hardware.md#register-banks"
  QString file;    // from the project's folder, "" for another site
  QString anchor;  // without the sign, "" without one
};

// The links and pictures of a document, without those in code.
QList<Link> linksOf(const QString& path);
// The anchors of its headings: "register-banks".
QStringList anchorsOf(const QString& path);

}  // namespace tileloom::test
