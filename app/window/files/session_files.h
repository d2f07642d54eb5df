// SPDX-License-Identifier: GPL-3.0-or-later
// Saves and opens sessions of the window, by menu or by drop, and keeps the list of recent ones.
#pragma once

#include <QObject>
#include <QString>
#include <functional>
#include <tl/expected.hpp>

#include "app/session/session.h"

class QMenu;
class QWidget;

namespace tileloom {

class SessionFiles : public QObject {
  Q_OBJECT
 public:
  using Take = std::function<Session()>;
  using Show = std::function<void(const Session&)>;
  // `take` returns the session of `window`, and `show` sets it. The window's title follows the
  // file.
  SessionFiles(QWidget& window, Take take, Show show);

  void addActions(QMenu& file);
  // A file's name, its URL or a link. Empty, or one sentence on why it was not opened; nothing is
  // lost then.
  QString open(const QString& given);
  // Empty, or one sentence on why the file was not written.
  QString save(const QString& name);
  // The same with a message to the user.
  void tryToOpen(const QString& name);
  // The name of a file that a desktop may have given as a URL; the error is one sentence without a
  // full stop. Empty: it is a link.
  static tl::expected<QString, QString> fileOf(const QString& given);

 signals:
  void saved(const QString& name);

 private:
  QString openLink(const QString& link);
  void askForSession();
  void askWhereToSave();
  void trySaving(const QString& name);
  void remember(const QString& name);

  QWidget& m_window;
  Take m_take;
  Show m_show;
  QString m_file;  // that was opened or saved last
};

}  // namespace tileloom
