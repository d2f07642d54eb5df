// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/export.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

#include "viz/bank_painter.h"
#include "viz/loom_painter.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::Export)
};

QByteArray encode(const QImage& image) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "PNG");
  return bytes;
}

QByteArray png(const Picture& picture, const Scene& scene) {
  QImage image((picture.size * picture.scale).toSize(), QImage::Format_RGB32);
  image.setDevicePixelRatio(picture.scale);
  QPainter painter(&image);
  paintPicture(painter, picture, scene);
  painter.end();
  return encode(image);
}

QString writeBytes(const QByteArray& bytes, const QString& file) {
  QSaveFile out(file);
  if (!out.open(QIODevice::WriteOnly) || out.write(bytes) != bytes.size() || !out.commit()) {
    return Words::tr("cannot write \"%1\": %2; choose another place").arg(file, out.errorString());
  }
  return {};
}

QByteArray svg(const Picture& picture, const Scene& scene) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize(picture.size.toSize());
  generator.setViewBox(QRectF(QPointF(0, 0), picture.size));
  generator.setResolution(96);  // as screens: fonts in points keep their size
  generator.setTitle(QStringLiteral("Tileloom"));
  QPainter painter(&generator);
  paintPicture(painter, picture, scene);
  painter.end();
  return bytes;
}

QByteArray pdf(const Picture& picture, const Scene& scene) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  constexpr double kPointsPerPixel = 0.75;  // 96 pixels an inch
  writer.setPageSize(QPageSize(picture.size * kPointsPerPixel, QPageSize::Point));
  writer.setPageMargins(QMarginsF(0, 0, 0, 0));
  writer.setResolution(96);
  writer.setTitle(QStringLiteral("Tileloom"));
  QPainter painter(&writer);
  paintPicture(painter, picture, scene);
  painter.end();
  return bytes;
}

}  // namespace

void paintPicture(QPainter& painter, const Picture& picture, const Scene& scene) {
  const QRectF canvas(QPointF(0, 0), picture.size);
  const Fonts fonts = Fonts::of(picture.font);
  painter.fillRect(canvas, picture.theme.ground);
  if (!scene.ready()) return;
  if (picture.view == Picture::View::Banks) {
    const BankFrame frame = BankFrame::of(canvas, fonts);
    paintBanks(painter, frame, bankGeometry(scene, frame, fonts), scene, picture.theme, fonts);
    return;
  }
  const LoomFrame frame = LoomFrame::of(canvas, fonts);
  const LoomInput input = loomInput(scene, frame.viewport, fonts);
  const LoomCamera camera =
      picture.wholeGrid ? LoomGeometry::fitGrid(input) : LoomGeometry::fitBlock(input);
  paintLoom(painter, frame, LoomGeometry(input, camera), scene,
            ownershipImage(scene, picture.theme), picture.theme, fonts);
}

QString writePicture(const Picture& picture, const Scene& scene, const QString& file) {
  const QString suffix = QFileInfo(file).suffix().toLower();
  QByteArray bytes;
  if (suffix == QLatin1String("png")) {
    bytes = png(picture, scene);
  } else if (suffix == QLatin1String("svg")) {
    bytes = svg(picture, scene);
  } else if (suffix == QLatin1String("pdf")) {
    bytes = pdf(picture, scene);
  } else {
    return Words::tr("\"%1\" does not say what to write: end it in .png, .svg or .pdf").arg(file);
  }
  return writeBytes(bytes, file);
}

QString writeImage(const QImage& image, const QString& file) {
  return writeBytes(encode(image), file);
}

}  // namespace tileloom
