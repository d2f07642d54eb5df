// SPDX-License-Identifier: GPL-3.0-or-later
// The window's sessions: saved, opened, dropped, remembered.
#include <QApplication>
#include <QDragEnterEvent>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QMimeData>
#include <QSaveFile>
#include <QUrl>

#include "app/pages/tuning/tuning_view.h"
#include "app/window/actions.h"
#include "app/window/main_window.h"
#include "app/window/settings.h"
#include "viz/base/theme.h"
#include "viz/charts/roofline_chart.h"
#include "viz/loom/loom_view.h"
#include "viz/panels/transport_bar.h"

namespace tileloom {
namespace {

constexpr qint64 kLargest = 1 << 20;  // bytes of a session file
constexpr int kRecent = 8;

QString recentKey() {
  return QStringLiteral("sessions/recent");
}

QString nameFilter() {
  return MainWindow::tr("Sessions (*.%1)").arg(QLatin1String(kSessionSuffix));
}

// The one local session file that is dragged, or nothing.
QString sessionIn(const QMimeData& data) {
  const QList<QUrl> urls = data.urls();
  if (urls.size() != 1 || !urls.first().isLocalFile()) return {};
  const QString file = urls.first().toLocalFile();
  return QFileInfo(file).suffix() == QLatin1String(kSessionSuffix) ? file : QString();
}

}  // namespace

Session MainWindow::session() const {
  Session s;
  s.state = m_explorer.state();
  s.tiles = m_explorer.tiles();
  s.tiles.erase(s.state.stage);
  s.tab = tabName(currentTab());
  s.zoom = m_loom->level();
  s.theme = look();
  s.text = m_textSize;
  s.ladderPanel = panelShown(SidePanel::Ladder);
  s.tilePanel = panelShown(SidePanel::Tile);
  s.speed = m_transport->speed();
  s.level = m_roofline->level();
  s.tuning = m_tuning->choice();
  return s;
}

void MainWindow::restore(const Session& session) {
  setLook(session.theme);
  if (session.text) setTextSize(*session.text);
  m_explorer.setPlaying(false);
  m_explorer.setTiles(session.tiles);
  m_explorer.setState(session.state);
  m_transport->setSpeed(session.speed);
  m_roofline->setLevel(session.level);
  m_tuning->choose(session.tuning);
  showPanel(SidePanel::Ladder, session.ladderPanel);
  showPanel(SidePanel::Tile, session.tilePanel);
  for (int i = 0; i < kLowerTabs; ++i) {
    if (tabName(static_cast<LowerTab>(i)) == session.tab) showTab(static_cast<LowerTab>(i));
  }
  m_loom->zoomTo(session.zoom, false);
}

QString MainWindow::link() const {
  return QString::fromStdString(sessionLink(session()));
}

QString MainWindow::openLink(const QString& link) {
  const auto session = parseLink(link.toStdString());
  if (!session) return QString::fromStdString(session.error());
  restore(*session);
  return {};
}

QString MainWindow::openSession(const QString& given) {
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
  restore(*session);
  remember(name);
  return {};
}

QString MainWindow::saveSession(const QString& name) {
  const QByteArray text = QByteArray::fromStdString(sessionText(session()));
  QSaveFile file(name);  // whoever reads it meanwhile sees the old one or the new one
  if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size() || !file.commit())
    return tr("%1 cannot be written: %2").arg(name, file.errorString());
  remember(name);
  return {};
}

void MainWindow::makeSessionMenu(QMenu& file) {
  file.addAction(tr("&Open a session…"), QKeySequence::Open, this, &MainWindow::askForSession);
  m_recent = file.addMenu(tr("Recen&t sessions"));
  m_recent->setProperty(kFilledLater, true);
  connect(m_recent, &QMenu::aboutToShow, this, [this] {
    m_recent->clear();
    for (const QString& name : settings().value(recentKey()).toStringList())
      m_recent->addAction(name, this, [this, name] { tryToOpen(name); });
    if (m_recent->isEmpty()) m_recent->addAction(tr("none yet"))->setEnabled(false);
  });
  file.addAction(tr("&Save the session"), QKeySequence::Save, this, [this] {
    if (m_sessionFile.isEmpty()) return askWhereToSave();
    const QString problem = saveSession(m_sessionFile);
    if (!problem.isEmpty()) QMessageBox::warning(this, tr("Save the session"), problem);
  });
  file.addAction(tr("Save the session &as…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), this,
                 &MainWindow::askWhereToSave);
}

void MainWindow::askForSession() {
  const QString name =
      QFileDialog::getOpenFileName(this, tr("Open a session"), m_sessionFile, nameFilter());
  if (!name.isEmpty()) tryToOpen(name);
}

void MainWindow::tryToOpen(const QString& name) {
  const QString problem = openSession(name);
  if (!problem.isEmpty()) QMessageBox::warning(this, tr("Open a session"), problem);
}

void MainWindow::askWhereToSave() {
  const QString suffix = QLatin1Char('.') + QLatin1String(kSessionSuffix);
  QString name = QFileDialog::getSaveFileName(
      this, tr("Save the session"), m_sessionFile.isEmpty() ? tr("view") + suffix : m_sessionFile,
      nameFilter());
  if (name.isEmpty()) return;
  if (QFileInfo(name).suffix().isEmpty()) name += suffix;
  const QString problem = saveSession(name);
  if (!problem.isEmpty()) QMessageBox::warning(this, tr("Save the session"), problem);
}

void MainWindow::remember(const QString& name) {
  m_sessionFile = QFileInfo(name).absoluteFilePath();
  setWindowTitle(tr("%1 – Tileloom").arg(QFileInfo(name).completeBaseName()));
  QSettings kept = settings();
  QStringList names = kept.value(recentKey()).toStringList();
  names.removeAll(m_sessionFile);
  names.prepend(m_sessionFile);
  kept.setValue(recentKey(), names.mid(0, kRecent));
}

void MainWindow::loadKeys() {
  QSettings kept = settings();
  tileloom::loadKeys(actionsOf(*menuBar()), kept);
}

void MainWindow::keepKeys() {
  QSettings kept = settings();
  saveKeys(actionsOf(*menuBar()), kept);
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (!sessionIn(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  const QString name = sessionIn(*event->mimeData());
  if (name.isEmpty()) return;
  event->acceptProposedAction();
  tryToOpen(name);
}

}  // namespace tileloom
