// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/lecture_export.h"

#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QBuffer>
#include <QDir>
#include <QElapsedTimer>
#include <QEventLoop>
#include <QFileInfo>
#include <QPageLayout>
#include <QPainter>
#include <QPdfWriter>
#include <QTextDocument>
#include <QTimer>

#include "app/export/animation.h"
#include "app/lecture/figures.h"
#include "app/lecture/lecture_check.h"
#include "app/window/lecture_mode.h"
#include "app/window/main_window.h"
#include "app/window/sight.h"
#include "app/window/window_pictures.h"
#include "kernels/base/text_file.h"
#include "viz/base/sheet.h"
#include "viz/base/text.h"

namespace tileloom::lecture {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::LectureExport)
};

// What stands below the picture of a step.
struct StepText {
  QString headline, text;
  QStringList notes;
  QString asks, answer;
};

// The window of the pictures, in which the lecture is played.
class Stage {
 public:
  Stage(const Lecture& lecture, const ExportSetup& setup)
      : m_window(LabSetup{{}, {}, false}), m_lecture(lecture), m_size(setup.size) {
    m_window.resize(setup.size);
    m_window.sight().setLook(setup.look);
    m_window.sight().setReducedMotion(true);  // nothing flies while its picture is taken
    m_window.show();
    m_window.lecture().open(lecture, 0, LectureMode::Manner::Picture);
    m_window.resize(setup.size);
  }

  QImage at(std::size_t step) {
    if (step == m_at) return m_image;
    m_window.lecture().goTo(step);
    settle();
    m_at = step;
    m_image = windowImage(m_window, 1);
    if (m_window.size() != m_size && m_problem.isEmpty()) {
      m_problem = Words::tr("the window of step %1 needs %2 x %3 pixels: choose a larger --size")
                      .arg(step + 1)
                      .arg(m_window.width())
                      .arg(m_window.height());
    }
    return m_image;
  }

  // Why the pictures are not as they were asked for; empty: they are.
  const QString& problem() const { return m_problem; }

  StepText textOf(std::size_t number) const {
    const Step& step = m_lecture.steps[number];
    const auto recording = recordingOf(step.session);
    const TileFacts facts = factsOf(step.session, recording.get());
    const auto text = [&facts](const std::string& words) {
      return QString::fromStdString(filled(words, facts));
    };
    StepText all{text(step.headline), text(step.text), {}, {}, {}};
    for (const std::string& note : step.notes) all.notes += text(note);
    if (step.question) {
      all.asks = text(step.question->asks);
      for (const std::string& choice : step.question->choices)
        all.asks += QStringLiteral("\n• ") + QString::fromStdString(choice);
      all.answer = text(step.question->answer);
    } else if (step.task) {
      all.asks = text(step.task->asks);
      all.answer = text(step.task->answer);
    }
    return all;
  }

 private:
  // Until nothing of the step is still being made.
  void settle() {
    constexpr qint64 kMost = 60'000;
    QElapsedTimer patience;
    patience.start();
    const auto turn = [&patience](const auto& done) {
      QEventLoop loop;
      while (!done() && !patience.hasExpired(kMost)) {
        QTimer::singleShot(10, &loop, &QEventLoop::quit);
        loop.exec();
      }
    };
    turn([this] { return m_window.lecture().settled(); });
    turn([this] { return !m_window.lab().settling() && !m_window.explaining(); });
    if (Page* page = m_window.page(m_window.currentPage())) page->prepare();
    m_window.services().totals.finish();
    m_window.awaitTime();
    QEventLoop rest;
    QTimer::singleShot(30, &rest, &QEventLoop::quit);
    rest.exec();
  }

  MainWindow m_window;
  const Lecture& m_lecture;
  QSize m_size;
  QString m_problem;
  std::size_t m_at = static_cast<std::size_t>(-1);
  QImage m_image;
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

QString writePdf(Stage& stage, const Lecture& lecture, const std::vector<std::size_t>& steps,
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

QString writeHtml(Stage& stage, const Lecture& lecture, const std::vector<std::size_t>& steps,
                  const QString& file) {
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

QString writeFolder(Stage& stage, const std::vector<std::size_t>& steps, const QString& folder) {
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

// Each step stands as long as its words take to be read.
QString writeFilm(Stage& stage, const Lecture& lecture, const std::vector<std::size_t>& steps,
                  const AnimationTarget& target) {
  constexpr int kFps = 2;
  AnimationSetup setup;
  for (const std::size_t step : steps) {
    const auto letters = lecture.steps[step].text.size() + lecture.steps[step].headline.size();
    const int seconds = std::clamp(static_cast<int>(letters / 16), 4, 30);
    for (int i = 0; i < seconds * kFps; ++i)
      setup.indices.push_back(static_cast<std::uint32_t>(step));
  }
  setup.fps = kFps;
  setup.target = target;
  setup.paint = [&stage](std::uint32_t step) { return stage.at(step); };
  AnimationWriter writer(std::move(setup));
  QString wrong;
  QEventLoop loop;
  QObject::connect(&writer, &AnimationWriter::finished, &loop, [&](const QString& problem) {
    wrong = problem;
    loop.quit();
  });
  writer.start();
  loop.exec();
  return wrong;
}

}  // namespace

QString exportLecture(const Lecture& lecture, const ExportSetup& setup) {
  std::vector<std::size_t> steps = setup.steps;
  for (std::size_t i = 0; setup.steps.empty() && i < lecture.steps.size(); ++i) steps.push_back(i);
  const QString suffix = QFileInfo(setup.out).suffix().toLower();
  const bool film = suffix == QLatin1String("mp4") || suffix == QLatin1String("gif");
  AnimationTarget target;
  if (film) {
    const auto found = animationTarget(setup.out);
    if (!found) return found.error();
    target = *found;
  }
  Stage stage(lecture, setup);
  if (film) return writeFilm(stage, lecture, steps, target);
  if (suffix == QLatin1String("pdf")) return writePdf(stage, lecture, steps, setup.out);
  if (suffix == QLatin1String("html")) return writeHtml(stage, lecture, steps, setup.out);
  if (suffix.isEmpty()) return writeFolder(stage, steps, setup.out);
  return Words::tr(
             "\"%1\" does not say what to write: end it in .pdf, .html, .mp4 or .gif, or name "
             "a folder, without a suffix, for a PNG per step")
      .arg(shownFile(setup.out));
}

}  // namespace tileloom::lecture
