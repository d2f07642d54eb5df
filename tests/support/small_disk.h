// SPDX-License-Identifier: GPL-3.0-or-later
// A disk of some pages that a test can fill: a tmpfs mounted in a temporary folder. If the test may
// not mount anything, ok() is false and the test is skipped with a message:
//
//   test::SmallDisk disk;
//   if (!disk.ok()) QSKIP(test::SmallDisk::kSkipped);
#pragma once

#include <fcntl.h>
#include <sys/mount.h>
#include <unistd.h>

#include <QByteArray>
#include <QFile>
#include <QTemporaryDir>

namespace tileloom::test {

class SmallDisk {
 public:
  static constexpr const char* kSkipped = "NOT TESTED: a full disk needs the right to mount one";
  static constexpr qsizetype kPage = 4096;  // the unit of tmpfs

  explicit SmallDisk(int pages = 64) : pages_(pages) {
    const QByteArray size = "size=" + QByteArray::number(pages * kPage);
    ok_ = folder_.isValid() &&
          ::mount("tmpfs", folder_.path().toLocal8Bit().constData(), "tmpfs", 0, size) == 0;
  }
  ~SmallDisk() {
    if (ok_) ::umount2(folder_.path().toLocal8Bit().constData(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

  bool ok() const { return ok_; }
  QString path(const QString& name = {}) const { return folder_.filePath(name); }

  // Leaves this many pages free.
  bool fill(int pagesLeft = 0) const {
    QFile rest(path("rest-of-the-disk"));
    if (!rest.open(QIODevice::WriteOnly | QIODevice::Unbuffered)) return false;
    const QByteArray page(kPage, 'x');
    int written = 0;
    while (written < 2 * pages_ && rest.write(page) == kPage) ++written;
    return rest.resize(std::max<qint64>(0, (written - pagesLeft) * kPage));
  }
  void makeRoom() const { QFile::remove(path("rest-of-the-disk")); }

 private:
  QTemporaryDir folder_;
  int pages_;
  bool ok_ = false;
};

}  // namespace tileloom::test
