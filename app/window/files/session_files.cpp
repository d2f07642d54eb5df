// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/files/session_files.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QUrl>

#include "app/session/session_text.h"
#include "app/window/common/actions.h"
#include "app/window/common/settings.h"
#include "app/window/common/tell.h"
#include "kernels/base/json_reader.h"
#include "kernels/base/plain_text.h"
#include "kernels/base/text_file.h"
#include "viz/base/text/text.h"
#include "viz/base/widgets/file_given.h"

namespace tileloom {
namespace {

constexpr int kRecent = 8;

constexpr const char* kRecentKey = "sessions/recent";

QString nameFilter() {
  return SessionFiles::tr("Sessions (*.%1)").arg(QLatin1String(kSessionSuffix));
}

}  // namespace

SessionFiles::SessionFiles(QWidget& window, Take take, Show show)
    : QObject(&window), m_window(window), m_take(std::move(take)), m_show(std::move(show)) {}

void SessionFiles::addActions(QMenu& file) {
  file.addAction(tr("&Open a session…"), QKeySequence::Open, this, &SessionFiles::askForSession);
  auto* recent = file.addMenu(tr("Recen&t sessions"));
  recent->setProperty(kFilledLater, true);
  connect(recent, &QMenu::aboutToShow, this, [this, recent] {
    recent->clear();
    for (const QString& name : Settings().texts(kRecentKey).value_or(QStringList()))
      recent->addAction(QString(name).replace(u'&', QLatin1String("&&")), this,
                        [this, name] { tryToOpen(name); });
    if (recent->isEmpty()) recent->addAction(tr("none yet"))->setEnabled(false);
  });
  file.addAction(tr("&Save the session"), QKeySequence::Save, this, [this] {
    if (m_file.isEmpty()) return askWhereToSave();
    trySaving(m_file);
  });
  file.addAction(tr("Save the session &as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), this,
                 &SessionFiles::askWhereToSave);
}

QString SessionFiles::openLink(const QString& link) {
  const auto session = parseLink(link.toStdString());
  if (!session) return QString::fromStdString(session.error());
  m_show(*session);
  return {};
}

tl::expected<QString, QString> SessionFiles::fileOf(const QString& given) {
  if (given.startsWith(QLatin1String(kLinkScheme.data(), kLinkScheme.size()))) return QString();
  if (!given.startsWith(QLatin1String("file:"))) return given;
  const QByteArray bytes = QByteArray::fromPercentEncoding(given.toUtf8());
  if (const auto named = fileGiven(bytes.toStdString()); !named)
    return tl::unexpected(QString::fromStdString(named.error()));
  return QUrl(given).toLocalFile();
}

QString SessionFiles::open(const QString& given) {
  const auto file = fileOf(given);
  if (!file) return file.error();
  if (file->isEmpty() && !given.isEmpty()) return openLink(given);
  const QString& name = *file;
  const auto text = readText(fileNamed(name), kMessageBounds.bytes, Absent::IsAnError);
  if (!text) return QString::fromStdString(text.error());
  const auto session = parseSession(*text);
  if (!session) {
    return tr("%1: %2").arg(QString::fromStdString(quotableFile(fileNamed(name))),
                            QString::fromStdString(session.error()));
  }
  m_show(*session);
  remember(name);
  return {};
}

QString SessionFiles::save(const QString& name) {
  if (const auto written = replaceText(fileNamed(name), sessionText(m_take())); !written)
    return QString::fromStdString(written.error());
  remember(name);
  emit saved(name);
  return {};
}

void SessionFiles::askForSession() {
  const QString name =
      QFileDialog::getOpenFileName(&m_window, tr("Open a session"), m_file, nameFilter());
  if (!name.isEmpty()) tryToOpen(name);
}

void SessionFiles::tryToOpen(const QString& name) {
  const QString problem = open(name);
  if (!problem.isEmpty()) tellProblem(m_window, tr("Open a session"), problem);
}

void SessionFiles::askWhereToSave() {
  const QString suffix = QLatin1Char('.') + QLatin1String(kSessionSuffix);
  QString name =
      QFileDialog::getSaveFileName(&m_window, tr("Save the session"),
                                   m_file.isEmpty() ? tr("view") + suffix : m_file, nameFilter());
  if (name.isEmpty()) return;
  if (QFileInfo(name).suffix().isEmpty()) name += suffix;
  trySaving(name);
}

void SessionFiles::trySaving(const QString& name) {
  const QString problem = save(name);
  if (!problem.isEmpty()) tellProblem(m_window, tr("Save the session"), problem);
}

void SessionFiles::remember(const QString& name) {
  m_file = QFileInfo(name).absoluteFilePath();
  m_window.setWindowTitle(tr("%1 – Tileloom").arg(QFileInfo(name).completeBaseName()));
  Settings kept;
  QStringList names = kept.texts(kRecentKey).value_or(QStringList());
  names.removeAll(m_file);
  names.prepend(m_file);
  kept.set(kRecentKey, names.mid(0, kRecent));
}

}  // namespace tileloom
