// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/lecture_export.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QDir>

#include "app/export/animation.h"
#include "app/render/lecture_film.h"
#include "app/render/lecture_handout.h"
#include "app/render/lecture_html.h"
#include "app/render/lecture_slides.h"
#include "app/render/lecture_stage.h"
#include "app/render/lecture_steps.h"
#include "kernels/base/text_file.h"
#include "viz/base/paint/sheet.h"
#include "viz/base/text/text.h"

namespace tileloom::lecture {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::LectureExport)
};

// All of them are painted before the first is written: an interrupted export leaves none.
QString writeFolder(const ExportSteps& all, const QString& folder) {
  const bool made = !QDir(folder).exists();
  if (!QDir().mkpath(folder))
    return Words::tr("the folder \"%1\" cannot be made: choose another").arg(shownFile(folder));
  std::vector<QByteArray> pictures(all.steps.size());
  const QString wrong = all.each([&](std::size_t step, std::size_t place) {
    QBuffer buffer(&pictures[place]);
    buffer.open(QIODevice::WriteOnly);
    all.stage.at(step).save(&buffer, "PNG");
  });
  if (!wrong.isEmpty()) {
    if (made) QDir().rmdir(folder);
    return wrong;
  }
  for (std::size_t place = 0; place < pictures.size(); ++place) {
    const QString name = QDir(folder).filePath(
        QStringLiteral("step%1.png").arg(all.steps[place] + 1, 2, 10, QLatin1Char('0')));
    if (QString failed = writeBytes(pictures[place], name); !failed.isEmpty()) return failed;
  }
  return {};
}

}  // namespace

QString exportLecture(const Lecture& lecture, const ExportSetup& setup, bool* interrupted) {
  const auto choice = exportChoice({setup.kind, setup.out, setup.notes});
  if (!choice) return choice.error();
  std::vector<std::size_t> steps = setup.steps;
  for (std::size_t i = 0; setup.steps.empty() && i < lecture.steps.size(); ++i) steps.push_back(i);
  const bool film = choice->kind == ExportKind::Film;
  AnimationTarget target;
  std::vector<Shot> shots;
  if (film) {
    const auto found = animationTarget(setup.out);
    if (!found) return found.error();
    target = *found;
    shots = shotsOf(lecture, steps, filmFps(target.format));
    if (QString wrong = whyNotFilmed(target.format, shots, setup.size); !wrong.isEmpty())
      return wrong;
  } else if (choice->kind != ExportKind::Pictures) {
    if (const std::string wrong = whyNotReplaced(fileNamed(setup.out)); !wrong.empty())
      return QString::fromStdString(wrong);
  }
  const Interruptions interruptions;
  LectureStage stage(lecture, setup);
  const ExportSteps all{stage, lecture, steps, interruptions, setup.progress};
  QString wrong;
  switch (choice->kind) {
    case ExportKind::Slides:
      wrong = writeSlides(all, setup.out);
      break;
    case ExportKind::Handout:
      wrong = writeHandout(all, choice->notes, setup.out);
      break;
    case ExportKind::Html:
      wrong = writeHtml(all, choice->notes, setup.out);
      break;
    case ExportKind::Film:
      wrong =
          writeFilm(stage, shots, filmFps(target.format), target, interruptions, setup.progress);
      break;
    case ExportKind::Pictures:
      wrong = writeFolder(all, setup.out);
      break;
  }
  if (interrupted != nullptr) *interrupted = interruptions.happened();
  return wrong;
}

}  // namespace tileloom::lecture
