// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/lecture_export.h"

#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QBuffer>
#include <QDir>
#include <QFileInfo>
#include <QPageLayout>
#include <QPainter>
#include <QPdfWriter>
#include <QTextDocument>

#include "app/export/animation.h"
#include "app/render/lecture_film.h"
#include "app/render/lecture_stage.h"
#include "kernels/base/text_file.h"
#include "viz/base/sheet.h"
#include "viz/base/text.h"

namespace tileloom::lecture {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::LectureExport)
};

QString escaped(const QString& text) {
  return text.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"));
}

QString textHtml(const StepText& step) {
  QString html;
  for (const QString& note : step.notes)
    html += QStringLiteral("<p class=\"note\">%1</p>").arg(escaped(note));
  if (!step.asks.isEmpty()) {
    html += QStringLiteral("<p><b>%1</b></p>").arg(escaped(step.asks));
    html += QStringLiteral("<details><summary>%1</summary><p>%2</p></details>")
                .arg(Words::tr("Answer"), escaped(step.answer));
  }
  return html;
}

QString writePdf(LectureStage& stage, const Lecture& lecture, const std::vector<std::size_t>& steps,
                 const QString& file) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  {
    QPdfWriter writer(&buffer);
    writer.setTitle(QString::fromStdString(lecture.title));
    writer.setCreator(QStringLiteral("Tileloom"));
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setPageOrientation(QPageLayout::Portrait);
    writer.setPageMargins(QMarginsF(15, 15, 15, 15), QPageLayout::Millimeter);
    writer.setResolution(150);
    QPainter painter(&writer);
    const double width = painter.viewport().width(), height = painter.viewport().height();
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (i > 0) writer.newPage();
      const QImage image = stage.at(steps[i]);
      const double high = width * image.height() / image.width();
      painter.drawImage(QRectF(0, 0, width, high), image);
      const StepText text = stage.textOf(steps[i]);
      QString html =
          QStringLiteral("<p><b>%1 · %2</b></p>").arg(steps[i] + 1).arg(escaped(text.headline));
      html += QStringLiteral("<p>%1</p>").arg(escaped(text.text));
      for (const QString& note : text.notes) html += QStringLiteral("<p>%1</p>").arg(escaped(note));
      if (!text.asks.isEmpty()) {
        html += QStringLiteral("<p><b>%1</b></p><p>%2</p>")
                    .arg(escaped(text.asks), escaped(text.answer));
      }
      // As large as fits below the picture.
      for (double points = 11; points >= 5; points -= 0.5) {
        QTextDocument document;
        document.documentLayout()->setPaintDevice(&writer);
        QFont font = QApplication::font();
        font.setPointSizeF(points);
        document.setDefaultFont(font);
        document.setTextWidth(width);
        document.setHtml(html);
        if (document.size().height() > height - high - 20 && points > 5) continue;
        painter.save();
        painter.translate(0, high + 20);
        document.drawContents(&painter);
        painter.restore();
        break;
      }
    }
  }
  if (!stage.problem().isEmpty()) return stage.problem();
  const auto written = replaceText(fileNamed(file), {bytes.constData(), std::size_t(bytes.size())});
  return written ? QString() : QString::fromStdString(written.error());
}

QString writeHtml(LectureStage& stage, const Lecture& lecture,
                  const std::vector<std::size_t>& steps, const QString& file) {
  const QString title = escaped(QString::fromStdString(lecture.title));
  QString html =
      QStringLiteral(
          "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%1</title>\n"
          "<style>body{font:17px/1.5 system-ui,sans-serif;max-width:1100px;margin:2em auto;"
          "padding:0 1em}img{width:100%;height:auto;border:1px solid #8888}"
          ".note{color:#666}section{margin-bottom:3em}</style></head>\n"
          "<body><h1>%1</h1><p>%2</p>\n<ol>")
          .arg(title, escaped(QString::fromStdString(lecture.about)));
  std::vector<StepText> texts;
  for (const std::size_t step : steps) {
    texts.push_back(stage.textOf(step));
    html += QStringLiteral("<li value=\"%1\"><a href=\"#s%1\">%2</a></li>")
                .arg(step + 1)
                .arg(escaped(texts.back().headline));
  }
  html += QStringLiteral("</ol>\n");
  for (std::size_t i = 0; i < steps.size(); ++i) {
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    stage.at(steps[i]).save(&buffer, "PNG");
    html +=
        QStringLiteral(
            "<section id=\"s%1\"><h2>%1 · %2</h2><p>%3</p>"
            "<img alt=\"%2\" src=\"data:image/png;base64,%4\">%5</section>\n")
            .arg(QString::number(steps[i] + 1), escaped(texts[i].headline), escaped(texts[i].text),
                 QString::fromLatin1(png.toBase64()), textHtml(texts[i]));
  }
  html += QStringLiteral("</body></html>\n");
  if (!stage.problem().isEmpty()) return stage.problem();
  const auto written = replaceText(fileNamed(file), html.toStdString());
  return written ? QString() : QString::fromStdString(written.error());
}

QString writeFolder(LectureStage& stage, const std::vector<std::size_t>& steps,
                    const QString& folder) {
  if (!QDir().mkpath(folder))
    return Words::tr("the folder \"%1\" cannot be made: choose another").arg(shownFile(folder));
  for (const std::size_t step : steps) {
    const QString name =
        QDir(folder).filePath(QStringLiteral("step%1.png").arg(step + 1, 2, 10, QLatin1Char('0')));
    const QImage image = stage.at(step);
    if (!stage.problem().isEmpty()) return stage.problem();
    if (const QString wrong = writeImage(image, name); !wrong.isEmpty()) return wrong;
  }
  return {};
}

}  // namespace

QString exportLecture(const Lecture& lecture, const ExportSetup& setup, bool* interrupted) {
  std::vector<std::size_t> steps = setup.steps;
  for (std::size_t i = 0; setup.steps.empty() && i < lecture.steps.size(); ++i) steps.push_back(i);
  const QString suffix = QFileInfo(setup.out).suffix().toLower();
  const bool film = suffix == QLatin1String("mp4") || suffix == QLatin1String("gif");
  AnimationTarget target;
  std::vector<Shot> shots;
  if (film) {
    const auto found = animationTarget(setup.out);
    if (!found) return found.error();
    target = *found;
    shots = shotsOf(lecture, steps, filmFps(target.format));
    if (QString wrong = whyNotFilmed(target.format, shots, setup.size); !wrong.isEmpty())
      return wrong;
  }
  if (suffix == QLatin1String("pdf") || suffix == QLatin1String("html")) {
    if (const std::string wrong = whyNotReplaced(fileNamed(setup.out)); !wrong.empty())
      return QString::fromStdString(wrong);
  }
  LectureStage stage(lecture, setup);
  if (film) {
    const Interruptions interruptions;
    const QString wrong = writeFilm(stage, shots, filmFps(target.format), target, interruptions);
    if (interrupted != nullptr) *interrupted = interruptions.happened();
    return wrong;
  }
  if (suffix == QLatin1String("pdf")) return writePdf(stage, lecture, steps, setup.out);
  if (suffix == QLatin1String("html")) return writeHtml(stage, lecture, steps, setup.out);
  if (suffix.isEmpty()) return writeFolder(stage, steps, setup.out);
  return Words::tr(
             "\"%1\" does not say what to write: end it in .pdf, .html, .mp4 or .gif, or name "
             "a folder, without a suffix, for a PNG per step")
      .arg(shownFile(setup.out));
}

}  // namespace tileloom::lecture
