// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/paint/figure_pdf.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <algorithm>

#include "viz/base/text/figure_notes.h"

namespace tileloom {
namespace {

// Metadata is at the beginning of a file, before the painted content is known: room is left for the
// sentence on its raster images.
constexpr int kRoom = 240;  // bytes
const QByteArray& placeholder() {
  static const QByteArray text = QByteArray("(pictures)").leftJustified(kRoom, '.');
  return text;
}

QByteArray metadata(const QString& title, const QString& notes) {
  return QByteArray(
             "<?xpacket begin=\"\xEF\xBB\xBF\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
             "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">\n"
             "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n"
             "<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
             "xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\">\n"
             "<dc:title><rdf:Alt><rdf:li xml:lang=\"x-default\">") +
         title.toHtmlEscaped().toUtf8() +
         "</rdf:li></rdf:Alt></dc:title>\n"
         "<dc:description><rdf:Alt><rdf:li xml:lang=\"x-default\">" +
         notes.toHtmlEscaped().toUtf8() + '\n' + placeholder() +
         "</rdf:li></rdf:Alt></dc:description>\n<xmp:CreatorTool>Tileloom</xmp:CreatorTool>\n"
         "</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n<?xpacket end=\"w\"?>\n";
}

}  // namespace

FigurePdf::FigurePdf(const QString& title, const Theme& theme)
    : m_theme(theme), m_buffer(&m_bytes) {
  m_buffer.open(QIODevice::WriteOnly);
  m_writer = std::make_unique<QPdfWriter>(&m_buffer);
  m_writer->setTitle(title);
  m_writer->setCreator(QStringLiteral("Tileloom"));
  m_writer->setResolution(kDotsPerInch);
  m_writer->setDocumentXmpMetadata(metadata(title, colourNote(theme)));
}

FigurePdf::~FigurePdf() = default;

void FigurePdf::keepPixels(QPainter& painter) {
  painter.setRenderHint(QPainter::LosslessImageRendering);
}

QByteArray FigurePdf::bytes() {
  m_writer.reset();
  // A partly transparent image has another one as its mask.
  static const QRegularExpression mask(QStringLiteral("/S?Mask \\d+ 0 R"));
  qsizetype images = m_bytes.count("/Subtype /Image");
  for (auto it = mask.globalMatch(QString::fromLatin1(m_bytes)); it.hasNext(); it.next()) --images;
  const QByteArray said =
      pixelNote(static_cast<int>(images)).toHtmlEscaped().toUtf8().leftJustified(kRoom, ' ');
  if (said.size() == kRoom) m_bytes.replace(placeholder(), said);
  return m_bytes;
}

}  // namespace tileloom
