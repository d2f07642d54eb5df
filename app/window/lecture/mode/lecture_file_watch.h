// SPDX-License-Identifier: GPL-3.0-or-later
// Follows the file of a lecture: when another program saves it, it is read again.
#pragma once

#include <QFileSystemWatcher>
#include <QString>
#include <functional>
#include <memory>
#include <string>
#include <tl/expected.hpp>

#include "app/lecture/lecture.h"

namespace tileloom {

class LectureFileWatch {
 public:
  // The lecture, or one sentence without a full stop on why it cannot be read.
  using Again = std::function<void(tl::expected<lecture::Lecture, std::string> lecture)>;

  // `again` is called from the event loop after each saving.
  explicit LectureFileWatch(Again again) : m_again(std::move(again)) {}

  // Follows this file instead of another one. Nothing is followed if there is no such file.
  void begin(const QString& file);
  void end() { m_watcher.reset(); }

 private:
  Again m_again;
  std::unique_ptr<QFileSystemWatcher> m_watcher;
};

}  // namespace tileloom
