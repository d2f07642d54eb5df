// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/lecture_html.h"

#include <QBuffer>
#include <QCoreApplication>

#include "viz/base/paint/sheet.h"

namespace tileloom::lecture {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::LectureHtml)
};

QString escaped(const QString& text) {
  return text.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"));
}

QString belowPicture(const StepText& step, bool notes) {
  QString html;
  for (const QString& note : notes ? step.notes : QStringList())
    html += QStringLiteral("<p class=\"note\">%1</p>").arg(escaped(note));
  if (!step.asks.isEmpty()) {
    html += QStringLiteral("<p><b>%1</b></p>").arg(escaped(step.asks));
    html += QStringLiteral("<details><summary>%1</summary><p>%2</p></details>")
                .arg(Words::tr("Answer"), escaped(step.answer));
  }
  return html;
}

}  // namespace

QString writeHtml(const ExportSteps& all, bool notes, const QString& file) {
  const QString title = escaped(QString::fromStdString(all.lecture.title));
  QString html =
      QStringLiteral(
          "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%1</title>\n"
          "<style>body{font:17px/1.5 system-ui,sans-serif;max-width:1100px;margin:2em auto;"
          "padding:0 1em}img{width:100%;height:auto;border:1px solid #8888}"
          ".note{color:#666}section{margin-bottom:3em}</style></head>\n"
          "<body><h1>%1</h1><p>%2</p>\n<ol>")
          .arg(title, escaped(QString::fromStdString(all.lecture.about)));
  std::vector<StepText> texts;
  for (const std::size_t step : all.steps) {
    texts.push_back(all.stage.textOf(step));
    html += QStringLiteral("<li value=\"%1\"><a href=\"#s%1\">%2</a></li>")
                .arg(step + 1)
                .arg(escaped(texts.back().headline));
  }
  html += QStringLiteral("</ol>\n");
  const QString wrong = all.each([&](std::size_t step, std::size_t place) {
    QByteArray png;
    QBuffer buffer(&png);
    buffer.open(QIODevice::WriteOnly);
    all.stage.at(step).save(&buffer, "PNG");
    const StepText& text = texts[place];
    html += QStringLiteral(
                "<section id=\"s%1\"><h2>%1 · %2</h2><p>%3</p>"
                "<img alt=\"%2\" src=\"data:image/png;base64,%4\">%5</section>\n")
                .arg(QString::number(step + 1), escaped(text.headline), escaped(text.text),
                     QString::fromLatin1(png.toBase64()), belowPicture(text, notes));
  });
  if (!wrong.isEmpty()) return wrong;
  html += QStringLiteral("</body></html>\n");
  return writeBytes(html.toUtf8(), file);
}

}  // namespace tileloom::lecture
