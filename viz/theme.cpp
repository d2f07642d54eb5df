// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/theme.h"

#include <QFontDatabase>
#include <array>

namespace tileloom {
namespace {

// Okabe and Ito's blue, orange and green belong to A, B and C. The warps take hues that stay apart
// from these and from each other in lightness as well as in hue.
constexpr std::array<QRgb, 8> kWarpsOnDark = {0xFFCC79A7, 0xFFE6D65A, 0xFF9C86EE, 0xFFC4705C,
                                              0xFFE3B7DE, 0xFF9A8F6A, 0xFF7A68C8, 0xFFF0E9C0};
constexpr std::array<QRgb, 8> kWarpsOnLight = {0xFFC2629A, 0xFFC9B21F, 0xFF7B61D9, 0xFFB05443,
                                               0xFFC88BC2, 0xFF857A50, 0xFF58469F, 0xFFA89B55};

}  // namespace

Theme Theme::make(bool dark) {
  Theme t;
  t.dark = dark;
  if (dark) {
    t.ground = QColor(0x14171B);
    t.panel = QColor(0x1C2027);
    t.well = QColor(0x262B33);
    t.line = QColor(0x353B45);
    t.text = QColor(0xE9EDF2);
    t.soft = QColor(0xA3ABB8);
    t.faint = QColor(0x6E7785);
    t.accent = QColor(0xE9EDF2);
    t.trouble = QColor(0xF0766E);
    t.good = QColor(0x74C69D);
  } else {
    t.ground = QColor(0xFAFAF8);
    t.panel = QColor(0xF1F1EE);
    t.well = QColor(0xE6E6E2);
    t.line = QColor(0xCFCFCA);
    t.text = QColor(0x1A1D21);
    t.soft = QColor(0x565D66);
    t.faint = QColor(0x868D96);
    t.accent = QColor(0x1A1D21);
    t.trouble = QColor(0xB3261E);
    t.good = QColor(0x1E7B4F);
  }
  return t;
}

Theme Theme::of(const QPalette& palette) {
  return make(palette.color(QPalette::Window).lightnessF() < 0.5f);
}

QPalette Theme::palette() const {
  QPalette p;
  p.setColor(QPalette::Window, panel);
  p.setColor(QPalette::WindowText, text);
  p.setColor(QPalette::Base, dark ? well : QColor(Qt::white));
  p.setColor(QPalette::AlternateBase, panel);
  p.setColor(QPalette::Text, text);
  p.setColor(QPalette::Button, dark ? well : panel);
  p.setColor(QPalette::ButtonText, text);
  p.setColor(QPalette::BrightText, trouble);
  p.setColor(QPalette::Highlight, dark ? QColor(0x3A6EA5) : QColor(0x2F6DB0));
  p.setColor(QPalette::HighlightedText, Qt::white);
  p.setColor(QPalette::ToolTipBase, panel);
  p.setColor(QPalette::ToolTipText, text);
  p.setColor(QPalette::PlaceholderText, faint);
  p.setColor(QPalette::Link, accent);
  p.setColor(QPalette::Light, mix(panel, text, 0.2));
  p.setColor(QPalette::Midlight, mix(panel, text, 0.12));
  p.setColor(QPalette::Mid, line);
  p.setColor(QPalette::Dark, mix(panel, Qt::black, 0.3));
  p.setColor(QPalette::Shadow, Qt::black);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    p.setColor(QPalette::Disabled, role, faint);
  }
  return p;
}

QColor Theme::matrix(analysis::Matrix m) const {
  switch (m) {
    case analysis::Matrix::A:
      return QColor(dark ? 0x56B4E9 : 0x0072B2);
    case analysis::Matrix::B:
      return QColor(dark ? 0xE69F00 : 0xC77700);
    case analysis::Matrix::C:
      return QColor(dark ? 0x4DB892 : 0x00805E);
  }
  return text;
}

QColor Theme::warp(std::uint32_t warp) const {
  const auto& set = dark ? kWarpsOnDark : kWarpsOnLight;
  return QColor::fromRgb(set[warp % set.size()]);
}

QColor Theme::lane(std::uint32_t w, std::uint32_t lane) const {
  // Lane 0 is the darkest shade on a dark ground and the lightest on a light one, so that lanes
  // always gain contrast as they count up.
  const double share = 0.62 * (1.0 - static_cast<double>(lane % 32) / 31.0);
  return mix(warp(w), ground, share);
}

QColor Theme::ink(const QColor& background) {
  const double luminance =
      0.299 * background.redF() + 0.587 * background.greenF() + 0.114 * background.blueF();
  return luminance > 0.55 ? QColor(0x14171B) : QColor(0xFFFFFF);
}

QColor Theme::mix(const QColor& a, const QColor& b, double share) {
  const auto blend = [share](float x, float y) {
    return static_cast<float>(x + (y - x) * static_cast<float>(share));
  };
  return QColor::fromRgbF(blend(a.redF(), b.redF()), blend(a.greenF(), b.greenF()),
                          blend(a.blueF(), b.blueF()));
}

QBrush Theme::troublePattern() const {
  return QBrush(trouble, Qt::BDiagPattern);
}

Fonts Fonts::of(const QFont& base) {
  const auto scaled = [&base](double factor) {
    QFont font = base;
    if (base.pixelSize() > 0) {
      font.setPixelSize(std::max(1, qRound(base.pixelSize() * factor)));
    } else {
      font.setPointSizeF(base.pointSizeF() * factor);
    }
    return font;
  };
  Fonts f;
  f.body = base;
  f.small = scaled(0.86);
  f.title = scaled(1.18);
  f.title.setWeight(QFont::DemiBold);
  f.number = scaled(1.75);
  f.number.setWeight(QFont::DemiBold);
  f.mono = scaled(0.94);
  f.mono.setFamilies({QStringLiteral("JetBrains Mono"), QStringLiteral("DejaVu Sans Mono"),
                      QFontDatabase::systemFont(QFontDatabase::FixedFont).family()});
  f.mono.setStyleHint(QFont::Monospace);
  return f;
}

}  // namespace tileloom
