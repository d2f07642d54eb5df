// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/docs/documents.h"

#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>

namespace tileloom::test {
namespace {

const QString kRoot = QStringLiteral(TILELOOM_SOURCE_DIR "/");

// Without fenced blocks and inline code, whose file names are not links.
QString proseOf(const QString& path) {
  static const QRegularExpression kFence(
      QStringLiteral("^```.*?^```$"),
      QRegularExpression::MultilineOption | QRegularExpression::DotMatchesEverythingOption);
  static const QRegularExpression kCode(QStringLiteral("`[^`\n]*`"));
  QString text = textOf(path);
  return text.remove(kFence).replace(kCode, QStringLiteral("_"));
}

}  // namespace

QStringList documents() {
  QStringList all;
  for (QString& file : QDir(kRoot).entryList({"*.md"}, QDir::Files)) all += file;
  for (const QString folder : {"docs", "measurements", "tests", "resources", "scripts"}) {
    for (QDirIterator at(kRoot + folder, {"*.md"}, QDir::Files, QDirIterator::Subdirectories);
         at.hasNext();)
      all += at.next().mid(kRoot.size());
  }
  all.sort();
  return all;
}

QString textOf(const QString& path) {
  QFile file(kRoot + path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QList<Link> linksOf(const QString& path) {
  static const QRegularExpression kLink(QStringLiteral("\\]\\(([^)\\s]+)\\)"));
  QList<Link> links;
  for (auto at = kLink.globalMatch(proseOf(path)); at.hasNext();) {
    Link link{at.next().captured(1), {}, {}};
    if (!link.target.contains(QStringLiteral("://"))) {
      link.anchor = link.target.section('#', 1);
      const QString file = link.target.section('#', 0, 0);
      link.file = file.isEmpty() ? path : QDir::cleanPath(QFileInfo(path).path() + '/' + file);
    }
    links += link;
  }
  return links;
}

QStringList anchorsOf(const QString& path) {
  static const QRegularExpression kFence(
      QStringLiteral("^```.*?^```$"),
      QRegularExpression::MultilineOption | QRegularExpression::DotMatchesEverythingOption);
  static const QRegularExpression kHeading(QStringLiteral("^#+ +(.*)$"),
                                           QRegularExpression::MultilineOption);
  static const QRegularExpression kDropped(QStringLiteral("[^\\w\\- ]"),
                                           QRegularExpression::UseUnicodePropertiesOption);
  QStringList anchors;
  for (auto at = kHeading.globalMatch(textOf(path).remove(kFence)); at.hasNext();)
    anchors += at.next().captured(1).toLower().remove(kDropped).replace(' ', '-');
  return anchors;
}

}  // namespace tileloom::test
