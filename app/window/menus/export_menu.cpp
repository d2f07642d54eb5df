// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/menus/export_menu.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QDir>
#include <QFileDialog>
#include <QMenu>

#include "app/services/services.h"
#include "app/session/page_ids.h"
#include "app/window/common/tell.h"
#include "app/window/frame/loom_and_pages.h"
#include "app/window/frame/view_frames.h"
#include "app/window/frame/window_pictures.h"
#include "app/window/last_touched.h"
#include "app/window/lecture/lecture_menu.h"
#include "app/window/menus/animation_dialog.h"
#include "app/window/window.h"
#include "kernels/analysis/recording.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::ExportMenu)
};

QString idText(std::string_view id) {
  return QString::fromLatin1(id.data(), static_cast<qsizetype>(id.size()));
}

QDate today() {
  return QDateTime::currentDateTimeUtc().date();
}

// The suffixes that can be written.
QString kindsOf(const Page* page) {
  if (page != nullptr && page->row().exportsData)
    return Words::tr("Pictures and data (*.png *.svg *.pdf *.csv *.json)");
  return Words::tr("Pictures (*.png *.svg *.pdf)");
}

void exportView(Window& window, std::string_view view) {
  const Scene& scene = window.services().explorer.scene();
  const QString proposed = scene.ready() ? proposedName(*scene.recording->trace.rung(),
                                                        scene.recording->trace.tile, idText(view))
                                         : Words::tr("view");
  const QString file =
      QFileDialog::getSaveFileName(&window.frame(), Words::tr("Export"),
                                   proposed + QStringLiteral(".png"), kindsOf(window.page(view)));
  if (file.isEmpty()) return;
  ViewExport how;
  how.caption = today();
  const QString problem = writeView(window, view, file, how);
  if (!problem.isEmpty()) return tellProblem(window.frame(), Words::tr("Export"), problem);
  window.say(Words::tr("written: %1").arg(QDir::toNativeSeparators(file)));
}

void exportAnimation(Window& window) {
  Explorer& explorer = window.services().explorer;
  const Scene& scene = explorer.scene();
  if (!scene.ready()) return;
  explorer.setPlaying(false);
  const QDate date = today();
  AnimationSource source;
  source.recording = scene.recording;
  source.warp = scene.moment.warp;
  ViewExport usual;
  usual.scale = 1;
  usual.grows = true;
  for (const auto& page : window.pages()) {
    // A page that is empty for this kernel has no animation.
    if (!page->row().moves || !page->whyNothing().isEmpty()) continue;
    ViewExport how = usual;
    how.caption = date;
    how.size = page->naturalSize(window.middle().roomOf(*page));
    const auto sheet = sheetOf(window, *page, how);
    if (sheet)
      source.views.push_back({idText(page->row().id), pageTitle(page->row()), wholeSize(*sheet)});
  }
  source.views.push_back({idText(kWindowId), Words::tr("Whole window"), window.frame().size()});
  source.frames = [&window, date](const AnimatedView& view,
                                  const std::vector<std::uint32_t>& indices, QSizeF size,
                                  bool caption) -> tl::expected<PaintFrame, QString> {
    ViewExport how;
    how.size = size;
    how.scale = 1;
    if (caption) how.caption = date;
    const Page* page = window.page(view.id.toStdString());
    const auto frames = std::make_shared<ViewFrames>(
        window, page != nullptr ? std::string_view(page->row().id) : kWindowId, indices, how);
    if (!frames->problem().isEmpty()) return tl::unexpected(frames->problem());
    return [frames](std::uint32_t index) { return frames->at(index); };
  };
  auto* dialog = new AnimationDialog(std::move(source), &window.frame());
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

}  // namespace

void addExportMenu(QMenu& file, Window& window) {
  auto* menu = file.addMenu(Words::tr("&Export"));
  menu->addAction(Words::tr("T&his view…"), QKeySequence(Qt::CTRL | Qt::Key_E), &window.frame(),
                  [&window] { exportView(window, LastTouched::of(window).page().row().id); });
  menu->addSeparator();
  for (const PageRow* row : pageRows()) {
    const QKeySequence key =
        row->exportKey != 0
            ? QKeySequence(Qt::CTRL | Qt::SHIFT | static_cast<Qt::Key>(row->exportKey))
            : QKeySequence();
    menu->addAction(QCoreApplication::translate("tileloom::Page", row->exported), key,
                    &window.frame(), [&window, row] { exportView(window, row->id); });
  }
  menu->addAction(Words::tr("The whole &window…"), &window.frame(),
                  [&window] { exportView(window, kWindowId); });
  menu->addSeparator();
  menu->addAction(Words::tr("A&nimation…"), &window.frame(),
                  [&window] { exportAnimation(window); });
  menu->addAction(Words::tr("A lect&ure…"), &window.frame(),
                  [&window] { window.lectureMenu().openExport(); });
}

}  // namespace tileloom
