// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export/export.h"

#include <QCoreApplication>
#include <QPainter>
#include <algorithm>

#include "app/commands/common/parse.h"
#include "kernels/analysis/recording.h"
#include "viz/base/text/describe.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Export)
};

}  // namespace

Caption captionOf(const Scene& scene, const CaptionFacts& facts) {
  const QString dot = QStringLiteral(" · ");
  Caption c;
  if (scene.ready()) {
    const auto& trace = scene.recording->trace;
    QStringList title{figures::stageText(trace.rung())};
    if (const QString tile = figures::tileText(trace.rung(), trace.tile); !tile.isEmpty())
      title += tile;
    title += QString::fromStdString(toString(trace.asked));
    c.title = title.join(dot);
    QStringList shown{describeMoment(scene.moment), describePosition(scene)};
    if (const QString selection = describeSelection(scene); !selection.isEmpty())
      shown += Words::tr("selected: %1").arg(selection);
    c.shown = shown.join(dot);
  }
  c.origin = facts.device;
  c.program = Words::tr("Tileloom %1 · %2")
                  .arg(QCoreApplication::applicationVersion(), facts.date.toString(Qt::ISODate));
  return c;
}

QString proposedName(const Stage& stage, const TileShape& tile, const QString& view) {
  QString parameters = QString::fromStdString(app::tileText(stage, tile));
  parameters.replace(u',', u'-').remove(u'=');
  QStringList parts{toQString(stage.id), view};
  if (!parameters.isEmpty()) parts += parameters;
  return parts.join(u'-');
}

LoomCamera resized(LoomCamera camera, const QSizeF& from, const QSizeF& to) {
  camera.scale *= std::min(to.width() / from.width(), to.height() / from.height());
  return camera;
}

void paintPicture(QPainter& painter, const Picture& picture, const Scene& scene) {
  painter.fillRect(QRectF(QPointF(0, 0), picture.size), picture.theme.ground);
  if (scene.ready() && picture.paint != nullptr) picture.paint(painter, picture, scene);
}

Sheet sheetOf(const Picture& picture) {
  Sheet sheet{picture.size, picture.scale, picture.theme, picture.font, picture.caption};
  if (picture.caption) sheet.title = picture.caption->title;
  sheet.text = picture.text;
  return sheet;
}

QString writePicture(const Picture& picture, const Scene& scene, const QString& file) {
  return writeSheet(
      sheetOf(picture), [&](QCPPainter& p) { paintPicture(painterOf(p), picture, scene); }, file);
}

}  // namespace tileloom
