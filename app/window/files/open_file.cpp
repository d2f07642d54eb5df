// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/files/open_file.h"

#include <QFileInfo>
#include <QMimeData>
#include <QUrl>

#include "app/lecture/lecture_reader.h"
#include "app/session/own_file.h"
#include "app/session/session_text.h"
#include "app/window/files/session_files.h"
#include "app/window/lecture/lecture_mode.h"
#include "app/window/window.h"
#include "kernels/base/text_file.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

constexpr const char* kLectureSuffix = "json";

// A lecture with an error is still a lecture: its reader reports the error.
bool namesLecture(std::string_view text) {
  const std::string_view schema = lecture::kLectureSchema;
  return text.find(schema.substr(0, schema.find('/') + 1)) != text.npos;
}

}  // namespace

bool isLectureFile(const QString& given) {
  const auto name = SessionFiles::fileOf(given);
  if (!name || name->isEmpty()) return false;
  const auto text = readText(fileNamed(*name), lecture::kLectureBounds.bytes, Absent::IsAnError);
  const QString suffix = QFileInfo(*name).suffix().toLower();
  if (!text) return suffix == QLatin1String(kLectureSuffix);
  if (namesLecture(*text)) return true;
  return suffix == QLatin1String(kLectureSuffix) && !isSessionText(*text);
}

QString openFile(Window& window, const QString& given) {
  if (const auto name = SessionFiles::fileOf(given); name && namesKernelFile(fileNamed(*name))) {
    window.services().own.open(*name);
    return {};
  }
  if (isLectureFile(given)) return window.lecture().openNamed(*SessionFiles::fileOf(given));
  return window.sessions().open(given);
}

QString fileIn(const QMimeData& data) {
  const QList<QUrl> urls = data.urls();
  if (urls.size() != 1 || !urls.first().isLocalFile()) return {};
  QString file = urls.first().toLocalFile();
  const QString suffix = QFileInfo(file).suffix();
  const bool known = suffix == QLatin1String(kSessionSuffix) ||
                     suffix.toLower() == QLatin1String(kLectureSuffix) ||
                     namesKernelFile(fileNamed(file));
  return known ? file : QString();
}

}  // namespace tileloom
