// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/session_files.h"

#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QSaveFile>
#include <QUrl>

#include "app/window/actions.h"
#include "app/window/settings.h"

namespace tileloom {
namespace {

constexpr qint64 kLargest = 1 << 20;  // bytes of a session file
constexpr int kRecent = 8;

QString recentKey() {
  return QStringLiteral("sessions/recent");
}

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
    for (const QString& name : settings().value(recentKey()).toStringList())
      recent->addAction(name, this, [this, name] { tryToOpen(name); });
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

QString SessionFiles::open(const QString& given) {
  if (given.startsWith(QLatin1String(kLinkScheme.data(), kLinkScheme.size())))
    return openLink(given);
  // A desktop may give a file as a URL.
  const QString name = given.startsWith(QLatin1String("file:")) ? QUrl(given).toLocalFile() : given;
  QFile file(name);
  if (!file.open(QIODevice::ReadOnly))
    return tr("%1 cannot be read: %2").arg(name, file.errorString());
  if (file.size() > kLargest) return tr("%1 is too large for a session").arg(name);
  const auto session = parseSession(file.readAll().toStdString());
  if (!session) return tr("%1: %2").arg(name, QString::fromStdString(session.error()));
  m_show(*session);
  remember(name);
  return {};
}

QString SessionFiles::save(const QString& name) {
  const QByteArray text = QByteArray::fromStdString(sessionText(m_take()));
  QSaveFile file(name);  // whoever reads it meanwhile sees the old one or the new one
  if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit())
    return tr("%1 cannot be written: %2").arg(name, file.errorString());
  remember(name);
  return {};
}

QString SessionFiles::sessionIn(const QMimeData& data) {
  const QList<QUrl> urls = data.urls();
  if (urls.size() != 1 || !urls.first().isLocalFile()) return {};
  const QString file = urls.first().toLocalFile();
  return QFileInfo(file).suffix() == QLatin1String(kSessionSuffix) ? file : QString();
}

void SessionFiles::askForSession() {
  const QString name =
      QFileDialog::getOpenFileName(&m_window, tr("Open a session"), m_file, nameFilter());
  if (!name.isEmpty()) tryToOpen(name);
}

void SessionFiles::tryToOpen(const QString& name) {
  const QString problem = open(name);
  if (!problem.isEmpty()) QMessageBox::warning(&m_window, tr("Open a session"), problem);
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
  if (!problem.isEmpty()) QMessageBox::warning(&m_window, tr("Save the session"), problem);
}

void SessionFiles::remember(const QString& name) {
  m_file = QFileInfo(name).absoluteFilePath();
  m_window.setWindowTitle(tr("%1 – Tileloom").arg(QFileInfo(name).completeBaseName()));
  QSettings kept = settings();
  QStringList names = kept.value(recentKey()).toStringList();
  names.removeAll(m_file);
  names.prepend(m_file);
  kept.setValue(recentKey(), names.mid(0, kRecent));
}

}  // namespace tileloom
