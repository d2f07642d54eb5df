// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels of the user that this window has opened. They are read on a thread of their own, and
// kept until the window closes, because a Stage is passed on by its address.
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <QTimer>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/services/answers.h"
#include "kernels/own/own_kernel.h"

namespace tileloom {

class OwnKernels : public QObject {
  Q_OBJECT
 public:
  using Kernel = std::shared_ptr<const own::OwnKernel>;

  explicit OwnKernels(QObject* parent = nullptr);
  ~OwnKernels() override;

  // opened() or failed() follows. The file is read again whenever it changes, or its launch file:
  // then changed() or notReadAgain() follows.
  void open(const QString& file);
  bool busy() const { return m_pending > 0; }
  // The latest version of each, in the order in which they were opened.
  const std::vector<Kernel>& all() const { return m_all; }
  // nullptr: the stage is a rung.
  Kernel kernelOf(const Stage& stage) const;
  // Keeps a kernel that was opened elsewhere.
  void keep(const Kernel& kernel);

 signals:
  void opened(const tileloom::Stage& stage);
  void changed(const tileloom::Stage& before, const tileloom::Stage& now);
  void failed(const QString& sentence);  // with a full stop
  void notReadAgain(const QString& sentence);
  void busyChanged(bool busy);
  void listChanged();

 private:
  void read(const std::string& file, bool again);
  void take(const Kernel& kernel, bool again);
  void watch(const Kernel& kernel);
  void lookAgain();

  int m_pending = 0;
  QFileSystemWatcher m_watcher;
  QTimer m_settle;  // an editor writes a file in several steps
  std::set<std::string> m_touched;
  std::set<std::string> m_reading;  // again, and not answered yet
  std::vector<Kernel> m_all;
  std::vector<Kernel> m_earlier;  // versions: history and comparison may show them
  Answers m_answers;
  QThreadPool m_pool;
};

}  // namespace tileloom
