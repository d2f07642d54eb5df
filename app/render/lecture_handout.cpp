// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/render/lecture_handout.h"

#include <QAbstractTextDocumentLayout>
#include <QApplication>
#include <QPainter>
#include <QPdfWriter>
#include <QTextDocument>
#include <algorithm>
#include <memory>

#include "viz/base/paint/figure_pdf.h"
#include "viz/base/paint/sheet.h"
#include "viz/base/theme.h"

namespace tileloom::lecture {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::LectureHandout)
};

constexpr double kPoints = 10;  // of the text
constexpr double kLeast =
    7;  // the smallest size that a long text may shrink to, to stay on its page
constexpr double kMargin = 16;       // of the page, in millimetres
constexpr double kApart = 26;        // between two steps; these are dots
constexpr double kBelowPicture = 8;  // between a picture and its text
constexpr double kFooter = 26;
// Two steps share a page if their pictures keep at least this share of the width.
constexpr double kNarrowest = 0.55;

QString escaped(const QString& text) {
  return text.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"));
}

QString headlineHtml(std::size_t step, const QString& headline) {
  return QStringLiteral("<p style=\"margin:0 0 4px 0\"><b>%1 · %2</b></p>")
      .arg(step + 1)
      .arg(escaped(headline));
}

// The subject of the handout, at the top of its first page.
QString titleHtml(const Lecture& lecture) {
  const QString about = QString::fromStdString(lecture.about);
  return QStringLiteral(
             "<p style=\"margin:0 0 4px 0; font-size:%1pt\"><b>%2</b></p>"
             "<p style=\"margin:0; color:#555555\">%3</p>")
      .arg(1.6 * kPoints)
      .arg(escaped(QString::fromStdString(lecture.title)), escaped(about));
}

QString stepHtml(std::size_t step, const StepText& text, bool notes) {
  const QString paragraph = QStringLiteral("<p style=\"margin:0 0 4px 0\">%1</p>");
  QString html = headlineHtml(step, text.headline) + paragraph.arg(escaped(text.text));
  for (const QString& note : notes ? text.notes : QStringList())
    html += QStringLiteral("<p style=\"margin:0 0 3px 14px; color:#555555\"><i>%1</i></p>")
                .arg(escaped(note));
  if (!text.asks.isEmpty())
    html += paragraph.arg(QStringLiteral("<b>%1</b>").arg(escaped(text.asks)));
  return html;
}

// The pages of one PDF, which are filled from the top to the bottom.
class Pages {
 public:
  Pages(FigurePdf& pdf, const QString& title) : m_writer(pdf.writer()), m_title(title) {
    m_writer.setPageSize(QPageSize(QPageSize::A4));
    m_writer.setPageOrientation(QPageLayout::Portrait);
    m_writer.setPageMargins(QMarginsF(kMargin, kMargin, kMargin, kMargin), QPageLayout::Millimeter);
    m_painter.begin(&m_writer);
    FigurePdf::keepPixels(m_painter);
    m_width = m_painter.viewport().width();
    m_height = m_painter.viewport().height() - kFooter;
    footer();
  }

  double width() const { return m_width; }
  double height() const { return m_height; }
  double left() const { return m_height - m_y; }
  bool fresh() const { return m_y == 0; }
  QPainter& painter() { return m_painter; }
  double y() const { return m_y; }
  void skip(double height) { m_y += height; }

  void turn() {
    m_writer.newPage();
    m_y = 0;
    ++m_number;
    footer();
  }

  std::unique_ptr<QTextDocument> laidOut(const QString& html, double points = kPoints) {
    auto document = std::make_unique<QTextDocument>();
    document->documentLayout()->setPaintDevice(&m_writer);
    document->setDocumentMargin(0);
    QFont font = QApplication::font();
    font.setPointSizeF(points);
    document->setDefaultFont(font);
    document->setTextWidth(m_width);
    document->setHtml(html);
    return document;
  }

  void draw(QTextDocument& document) {
    m_painter.save();
    m_painter.translate(0, m_y);
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette.setColor(QPalette::Text, Qt::black);
    document.documentLayout()->draw(&m_painter, context);
    m_painter.restore();
    m_y += document.size().height();
  }

 private:
  void footer() {
    QFont small = QApplication::font();
    small.setPointSizeF(8);
    m_painter.setFont(small);
    m_painter.setPen(QColor(0x55, 0x55, 0x55));
    const QRectF line(0, m_height, m_width, kFooter);
    const QString number = QString::number(m_number);
    const double room = m_width - 40;
    m_painter.drawText(line, Qt::AlignLeft | Qt::AlignBottom,
                       m_painter.fontMetrics().elidedText(m_title, Qt::ElideRight, int(room)));
    m_painter.drawText(line, Qt::AlignRight | Qt::AlignBottom, number);
  }

  QPdfWriter& m_writer;
  QPainter m_painter;
  QString m_title;
  double m_width = 0, m_height = 0;
  double m_y = 0;  // the page is filled down to here
  int m_number = 1;
};

struct Block {
  std::size_t step = 0;
  std::unique_ptr<QTextDocument> text;
  double textHeight() const { return kBelowPicture + text->size().height(); }
};

// The text below a picture, smaller if it would not fit in this height with it.
Block blockOf(Pages& pages, std::size_t step, const QString& html, double aspect, double room) {
  const double most = room - kNarrowest * pages.width() / aspect;
  for (double points = kPoints;; points -= 0.5) {
    Block block{step, pages.laidOut(html, points)};
    if (block.textHeight() <= most || points <= kLeast) return block;
  }
}

void drawBlock(Pages& pages, LectureStage& stage, const Block& block, double height) {
  QPainter& painter = pages.painter();
  const QSizeF window = stage.size();
  const double scale = height / window.height();
  const QRectF frame(0, pages.y(), window.width() * scale, height);
  painter.save();
  painter.setClipRect(frame);
  painter.translate(frame.topLeft());
  painter.scale(scale, scale);
  stage.paint(block.step, painter);
  painter.restore();
  painter.setPen(QPen(QColor(0xaa, 0xaa, 0xaa), 0.75));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(frame);
  pages.skip(height + kBelowPicture);
  pages.draw(*block.text);
}

void drawAnswers(Pages& pages, const ExportSteps& all) {
  bool begun = false;
  for (const std::size_t step : all.steps) {
    const StepText text = all.stage.textOf(step);
    if (text.asks.isEmpty()) continue;
    if (!begun) {
      pages.turn();
      pages.draw(*pages.laidOut(
          QStringLiteral("<p><b>%1</b></p>").arg(escaped(Words::tr("Answers"))), 1.4 * kPoints));
      pages.skip(kApart / 2);
    }
    begun = true;
    const auto answer = pages.laidOut(headlineHtml(step, text.headline) +
                                      QStringLiteral("<p>%1</p>").arg(escaped(text.answer)));
    if (answer->size().height() > pages.left() && !pages.fresh()) pages.turn();
    pages.draw(*answer);
    pages.skip(kApart / 2);
  }
}

}  // namespace

QString writeHandout(const ExportSteps& all, bool notes, const QString& file) {
  all.stage.showWords(false);  // they are below the picture
  const QString title = QString::fromStdString(all.lecture.title);
  FigurePdf pdf(title, all.stage.theme());
  {
    Pages pages(pdf, title);
    const QSizeF window = all.stage.size();
    const double aspect = window.width() / window.height();
    const double full = pages.width() / aspect, least = kNarrowest * full;
    pages.draw(*pages.laidOut(titleHtml(all.lecture), kPoints));
    pages.skip(kApart / 2);
    const double below = pages.left();  // the title
    const auto made = [&](std::size_t place) {
      const std::size_t step = all.steps[place];
      return blockOf(pages, step, stepHtml(step, all.stage.textOf(step), notes), aspect,
                     place == 0 ? below : pages.height());
    };
    double height = 0;  // of the pictures on this page
    bool second = false;
    const QString wrong = all.each([&](std::size_t, std::size_t place) {
      const Block block = made(place);
      if (second) {
        pages.skip(kApart);
      } else {
        if (place > 0) pages.turn();
        height = std::min(full, pages.left() - block.textHeight());
      }
      bool shared = false;
      if (!second && place + 1 < all.steps.size()) {
        const double both =
            (pages.left() - kApart - block.textHeight() - made(place + 1).textHeight()) / 2;
        shared = both >= least;
        if (shared) height = std::min(full, both);
      }
      drawBlock(pages, all.stage, block, height);
      second = shared;
    });
    if (!wrong.isEmpty()) return wrong;
    drawAnswers(pages, all);
  }
  return writeBytes(pdf.bytes(), file);
}

}  // namespace tileloom::lecture
