// SPDX-License-Identifier: GPL-3.0-or-later
// The window's views as files: menu, captions, and which widget paints what.
#include <qcustomplot.h>

#include <QApplication>
#include <QDateTime>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QMessageBox>
#include <QScrollBar>
#include <QTabWidget>
#include <cmath>

#include "app/pages/tuning/tuning_view.h"
#include "app/window/animation_dialog.h"
#include "app/window/main_window.h"
#include "app/window/window_frames.h"
#include "kernels/tile/literature.h"
#include "viz/base/text.h"
#include "viz/charts/chart_export.h"
#include "viz/charts/history_charts.h"
#include "viz/charts/history_words.h"
#include "viz/charts/ladder_chart.h"
#include "viz/charts/roofline_chart.h"
#include "viz/code/instruction_table.h"
#include "viz/code/source_view.h"
#include "viz/compare/difference_table.h"
#include "viz/loom/loom_view.h"
#include "viz/memory/bank_view.h"
#include "viz/memory/path_view.h"

namespace tileloom {
namespace {

constexpr double kLowest = 60;  // pixels that a caption must leave for what it stands under

QString tooNarrow(double needed) {
  return MainWindow::tr("nothing is cut off at a width of %1 or more: choose such a width")
      .arg(std::ceil(needed));
}

bool isChart(ExportedView view) {
  return view == ExportedView::Charts || view == ExportedView::Ladder ||
         view == ExportedView::Roofline;
}

}  // namespace

void MainWindow::makeExportMenu(QMenu& file) {
  auto* menu = file.addMenu(tr("&Export"));
  menu->addAction(tr("T&his view…"), QKeySequence(Qt::CTRL | Qt::Key_E), this,
                  [this] { exportView(currentView()); });
  menu->addSeparator();
  const auto add = [&](const QString& name, ExportedView view, const QKeySequence& key = {}) {
    menu->addAction(name, key, this, [this, view] { exportView(view); });
  };
  add(tr("The &loom…"), ExportedView::Loom);
  add(tr("The &bank view…"), ExportedView::Banks, QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E));
  add(tr("The memory pat&h…"), ExportedView::Path);
  add(tr("The &source…"), ExportedView::Source);
  add(tr("The &machine code…"), ExportedView::Sass);
  add(tr("The &instructions…"), ExportedView::Instructions);
  add(tr("The &differences…"), ExportedView::Compare);
  add(tr("The &charts…"), ExportedView::Charts);
  add(tr("The l&adder chart…"), ExportedView::Ladder);
  add(tr("The &roofline…"), ExportedView::Roofline);
  add(tr("The &tuning map, lines or list…"), ExportedView::Tuning);
  add(tr("The whole &window…"), ExportedView::Window);
  menu->addSeparator();
  menu->addAction(tr("A&nimation…"), this, &MainWindow::exportAnimation);
}

ExportedView MainWindow::currentView() const {
  const QWidget* focus = focusWidget();
  const bool below = focus != nullptr && (focus == m_lower || m_lower->isAncestorOf(focus));
  if (!below) return ExportedView::Loom;
  // Tabs and views have the same names.
  return exportedView(toQString(tabName(currentTab()))).value_or(ExportedView::Loom);
}

void MainWindow::exportView(ExportedView view) {
  const Scene& scene = m_explorer.scene();
  const QString proposed =
      scene.ready() ? proposedName(*scene.recording->trace.stage, scene.recording->trace.tile,
                                   QLatin1String(kExportedNames[static_cast<std::size_t>(view)]))
                    : tr("view");
  const QString kinds = view == ExportedView::Window
                            ? tr("Pictures, in SVG and PDF of pixels, too (*.png *.svg *.pdf)")
                        : isChart(view) ? tr("Pictures and data (*.png *.svg *.pdf *.csv *.json)")
                                        : tr("Pictures (*.png *.svg *.pdf)");
  const QString file =
      QFileDialog::getSaveFileName(this, tr("Export"), proposed + QStringLiteral(".png"), kinds);
  if (file.isEmpty()) return;
  ViewExport how;
  how.caption = QDateTime::currentDateTimeUtc().date();
  const QString problem = writeView(view, file, how);
  if (!problem.isEmpty()) QMessageBox::warning(this, tr("Export"), problem);
}

void MainWindow::exportAnimation() {
  const Scene& scene = m_explorer.scene();
  if (!scene.ready()) return;
  m_explorer.setPlaying(false);
  const QDate date = QDateTime::currentDateTimeUtc().date();
  AnimationSource source;
  source.recording = scene.recording;
  source.warp = scene.moment.warp;
  source.held = m_explorer.state().held;
  source.loom = {Picture::View::Loom, screenSize(ExportedView::Loom), 1, Theme::of(palette()),
                 m_loom->font()};
  source.loom.camera = m_loom->camera();
  source.banks = {Picture::View::Banks, screenSize(ExportedView::Banks), 1, source.loom.theme,
                  m_banks->font()};
  source.window = size();
  source.caption = {captionOf(ExportedView::Loom, scene, date).origin, date};
  source.windowFrames = [this, date](const std::vector<std::uint32_t>& indices, bool caption) {
    const auto frames = std::make_shared<WindowFrames>(
        *this, indices, 1.0, caption ? std::optional(date) : std::nullopt);
    return [frames](std::uint32_t index) { return frames->at(index); };
  };
  auto* dialog = new AnimationDialog(std::move(source), this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

// What the views below the loom have on the screen; the tabs that are behind have it, too.
QSizeF MainWindow::screenSize(ExportedView view) const {
  if (view == ExportedView::Loom) return m_loom->size();
  if (view == ExportedView::Window) return size();
  const QSizeF below = m_lower->currentWidget()->size();
  if (view == ExportedView::Charts) return below.expandedTo(m_charts->sizeHint());
  if (view == ExportedView::Ladder) return below.expandedTo(m_ladderChart->sizeHint());
  if (view == ExportedView::Roofline) return below.expandedTo(m_roofline->sizeHint());
  return below;
}

Caption MainWindow::captionOf(ExportedView view, const Scene& scene, const QDate& date) const {
  const auto& info = m_lab.client().info();
  const bool live = m_lab.canMeasure();
  const QString device = live ? QString::fromStdString(info->devices.front().name) : QString();
  Caption c = tileloom::captionOf(scene, {live ? tr("traced by the emulator · GPU: %1").arg(device)
                                               : tr("no GPU used: emulated"),
                                          date});
  if (view == ExportedView::Ladder) {
    c.title = tr("The ladder against cuBLAS at %1")
                  .arg(QString::fromStdString(toString(m_explorer.problem())));
    c.shown = tr("every rung at its standard tile, in percent of cuBLAS in FP32; FLOP a byte and "
                 "conflicts "
                 "predicted; A6000: %1")
                  .arg(toQString(kLiterature));
    if (!m_lab.ladderSource().isEmpty()) c.origin = m_lab.ladderSource();
    return c;
  }
  if (view == ExportedView::Sass) return sassCaption(c);
  if (view == ExportedView::Roofline) return rooflineCaption(c);
  if (view == ExportedView::Tuning) return tuningCaption(c);
  if (view != ExportedView::Charts && view != ExportedView::Window) return c;
  const int at = m_lab.current();
  const bool known = at >= 0 && m_lab.history()[static_cast<std::size_t>(at)].gflops.known();
  if (known) c.origin = charts::originText(m_lab.history()[static_cast<std::size_t>(at)]);
  if (view == ExportedView::Charts)
    c.shown = tr("speed, share of cuBLAS, registers and occupancy at each move of the knobs");
  return c;
}

QString MainWindow::writeView(ExportedView view, const QString& file, const ViewExport& how) {
  // Their tabs may be behind.
  const auto whole = [this](void (MainWindow::*refill)()) {
    (this->*refill)();
    finishTotals();
    (this->*refill)();
  };
  if (view == ExportedView::Roofline) whole(&MainWindow::showRoofline);
  if (view == ExportedView::Tuning) showTuning();
  if (view == ExportedView::Ladder) whole(&MainWindow::showLadderFigures);
  Sheet sheet{screenSize(view), how.scale, Theme::of(palette()), font(), std::nullopt, {}};
  if (how.caption) sheet.caption = captionOf(view, m_explorer.scene(), *how.caption);
  sheet.title = captionOf(view, m_explorer.scene(), {}).title;
  const QSizeF needed = view == ExportedView::Instructions ? m_instructions->pictureSize()
                        : view == ExportedView::Tuning     ? QSizeF(m_tuning->pictureWidth(), 0)
                                                           : QSizeF(0, 0);
  sheet.size.setWidth(std::max(needed.width(), sheet.size.width()));
  if (needed.height() > 0) sheet.size.setHeight(needed.height());
  if (how.size.width() > 0) sheet.size.setWidth(how.size.width());
  if (sheet.size.width() < needed.width()) return tooNarrow(needed.width());
  if (how.size.height() > 0) {
    const double band = wholeSize(sheet).height() - sheet.size.height();
    sheet.size.setHeight(how.size.height() - band);
    if (sheet.size.height() < kLowest) {
      return tr("the caption takes %1 pixels: choose a height of %2 at least, or no caption")
          .arg(band)
          .arg(band + kLowest);
    }
  }
  switch (view) {
    case ExportedView::Loom:
    case ExportedView::Banks: {
      const bool loom = view == ExportedView::Loom;
      Picture picture{loom ? Picture::View::Loom : Picture::View::Banks, sheet.size, sheet.scale,
                      sheet.theme, loom ? m_loom->font() : m_banks->font()};
      if (loom) picture.camera = m_loom->camera();
      picture.caption = sheet.caption;
      return writePicture(picture, m_explorer.scene(), file);
    }
    case ExportedView::Path:
      return writeSheet(
          sheet,
          [&](QCPPainter& p) {
            const Fonts fonts = Fonts::of(font());
            const QRectF canvas(QPointF(0, 0), sheet.size);
            p.fillRect(canvas, sheet.theme.ground);
            if (const auto path = pathPicture(m_explorer.scene(), canvas, fonts))
              paintPath(p, *path, m_explorer.scene(), sheet.theme, fonts);
          },
          file);
    case ExportedView::Compare:
      if (m_differences->rows().empty())
        return tr("\"%1\" is not written, for nothing is compared: pin a baseline first (P), or "
                  "render with --beside")
            .arg(file);
      return writeSheet(
          sheet,
          [&](QCPPainter& p) {
            p.fillRect(QRectF(QPointF(0, 0), sheet.size), sheet.theme.ground);
            paintDifferences(p, m_differences->rows(), m_comparedTitles, sheet.size, sheet.theme,
                             Fonts::of(font()));
          },
          file);
    case ExportedView::Source:
      return writeSource(file, how, sheet);
    case ExportedView::Sass:
      return writeSass(file, how, sheet);
    case ExportedView::Instructions:
      return writeSheet(
          sheet, [&](QCPPainter& p) { m_instructions->paintTo(p, sheet.size); }, file);
    case ExportedView::Tuning:
      return writeSheet(
          sheet, [&](QCPPainter& p) { m_tuning->paintTo(p, sheet.size); }, file);
    case ExportedView::Charts:
    case ExportedView::Ladder:
    case ExportedView::Roofline: {
      const ChartPicture picture{sheet.size.toSize(), sheet.scale, {}, sheet.caption};
      return view == ExportedView::Charts   ? writeChart(*m_charts, file, picture)
             : view == ExportedView::Ladder ? writeChart(*m_ladderChart, file, picture)
                                            : writeChart(*m_roofline, file, picture);
    }
    case ExportedView::Window:
      break;
  }
  if (sheet.size.toSize() != size()) {
    resize(sheet.size.toSize());
    QApplication::processEvents();
  }
  if (QFileInfo(file).suffix().toLower() == QLatin1String("png"))
    return writeImage(windowImage(sheet.scale, how.caption), file);
  // Scroll areas and tabs rely on clipping that Qt's vector formats do not know: there, too, the
  // window is a picture of pixels; its caption is text.
  const QImage image = windowImage(sheet.scale, std::nullopt);
  sheet.size = size();
  return writeSheet(
      sheet,
      [&](QCPPainter& p) {
        p.setRenderHint(QPainter::LosslessImageRendering);
        p.drawImage(QRectF(QPointF(0, 0), sheet.size), image);
      },
      file);
}

QImage MainWindow::windowImage(double scale, std::optional<QDate> caption, double captionRoom) {
  QImage image((QSizeF(size()) * scale).toSize(), QImage::Format_RGB32);
  image.setDevicePixelRatio(scale);
  render(&image);
  if (!caption) return image;
  Sheet sheet{size(), scale, Theme::of(palette()), font(),
              captionOf(ExportedView::Window, m_explorer.scene(), *caption)};
  sheet.captionRoom = captionRoom;
  return sheetImage(sheet, [&](QCPPainter& p) { p.drawImage(QPointF(0, 0), image); });
}

// On a page of its own, which no mouse is over and no scroll bar cuts.
QString MainWindow::writeSource(const QString& file, const ViewExport& how, const Sheet& whole) {
  SourcePage page;
  page.setFont(m_sourceView->page()->font());
  page.setScene(m_explorer.scene());
  Sheet sheet = whole;
  const double needed = page.minimumWidth();
  if (how.size.width() <= 0) sheet.size.setWidth(std::max(sheet.size.width(), needed));
  if (sheet.size.width() < needed) return tooNarrow(needed);
  page.resize(sheet.size.toSize());
  int first = page.firstAround(sheet.size.height());
  if (how.size.height() <= 0 && currentTab() == LowerTab::Source) {
    const int scrolled = m_sourceView->verticalScrollBar()->value();
    first = std::max(
        1, m_sourceView->page()->lineAt(QPointF(0, scrolled + page.rowOf(1).height() / 2)));
  }
  return writeSheet(
      sheet, [&](QCPPainter& p) { page.paintTo(p, sheet.size.height(), first); }, file);
}

}  // namespace tileloom
