// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/lecture/mode/lecture_file_watch.h"

#include <QFile>

#include "app/lecture/lecture_files.h"

namespace tileloom {

void LectureFileWatch::begin(const QString& file) {
  end();
  if (!QFile::exists(file)) return;
  m_watcher = std::make_unique<QFileSystemWatcher>(QStringList{file});
  QFileSystemWatcher* const watcher = m_watcher.get();
  QObject::connect(watcher, &QFileSystemWatcher::fileChanged, watcher, [this, file, watcher] {
    if (!watcher->files().contains(file)) watcher->addPath(file);  // an editor replaces the file
    m_again(lecture::lectureNamed(file.toStdString()));
  });
}

}  // namespace tileloom
