// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/theme.h"

#include <QFontDatabase>
#include <algorithm>
#include <cmath>

#include "viz/base/text/scaled_font.h"

namespace tileloom {
namespace {

// Okabe and Ito's blue, orange and green are for A, B and C. The hues of the warps differ from
// these and from each other in lightness as well as in hue. All were adjusted until they also
// differ with colour blindness: palette_test has the distances.
using Warps = std::array<QRgb, 8>;
constexpr std::array<Warps, 3> kWarps = {Warps{0xFFCD7AA8, 0xFFEFDE6E, 0xFF9B86EF, 0xFFB0685C,
                                               0xFFE1B6D5, 0xFFAA9C6E, 0xFF7B68CA, 0xFFEDEAC3},
                                         Warps{0xFFBA619A, 0xFFCCB31D, 0xFF6653C2, 0xFF9C473A,
                                               0xFFC88BC2, 0xFF8C7F50, 0xFF4B3D8E, 0xFFA79F58},
                                         Warps{0xFFE284B8, 0xFFFFF86F, 0xFF9D94FF, 0xFFC07151,
                                               0xFFECD4FF, 0xFFC3B898, 0xFF8472DF, 0xFFEFD999}};
constexpr std::array<std::array<QRgb, 3>, 3> kMatrices = {{{0xFF61C9FF, 0xFFF7AB00, 0xFF429F85},
                                                           {0xFF0083E3, 0xFFC97700, 0xFF067757},
                                                           {0xFF7CB8E0, 0xFFFFBD34, 0xFF3CFDCC}}};

double linear(float channel) {
  const auto c = static_cast<double>(channel);
  return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}

double encoded(double light) {
  const double c = std::clamp(light, 0.0, 1.0);
  return c <= 0.0031308 ? c * 12.92 : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
}

double luminance(const QColor& colour) {
  return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) +
         0.0722 * linear(colour.blueF());
}

// Less saturated by `share` at the same luminance: mixed in linear light.
QColor greyed(const QColor& hue, double share) {
  const double grey = luminance(hue);
  const auto mixed = [&](float part) {
    return static_cast<float>(encoded(linear(part) + (grey - linear(part)) * share));
  };
  return QColor::fromRgbF(mixed(hue.redF()), mixed(hue.greenF()), mixed(hue.blueF()));
}

}  // namespace

std::string_view nameOf(Look look) {
  return kLookNames[static_cast<std::size_t>(look)];
}

std::optional<Look> lookNamed(std::string_view name) {
  const auto found = std::ranges::find(kLookNames, name);
  if (found == kLookNames.end()) return std::nullopt;
  return static_cast<Look>(found - kLookNames.begin());
}

Theme Theme::make(Look look) {
  Theme t;
  t.look = look;
  t.dark = look != Look::Light;
  switch (look) {
    case Look::Dark:
      t.ground = QColor(0x14171B);
      t.panel = QColor(0x1C2027);
      t.well = QColor(0x262B33);
      t.line = QColor(0x353B45);
      t.text = QColor(0xE9EDF2);
      t.soft = QColor(0xA3ABB8);
      t.faint = QColor(0x7A8391);
      t.accent = QColor(0xE9EDF2);
      t.trouble = QColor(0xE45B44);
      t.good = QColor(0x76C79F);
      break;
    case Look::Light:
      t.ground = QColor(0xFAFAF8);
      t.panel = QColor(0xF1F1EE);
      t.well = QColor(0xE6E6E2);
      t.line = QColor(0xCFCFCA);
      t.text = QColor(0x1A1D21);
      t.soft = QColor(0x565D66);
      t.faint = QColor(0x747B84);
      t.accent = QColor(0x1A1D21);
      t.trouble = QColor(0xB91712);
      t.good = QColor(0x1C7A52);
      break;
    case Look::Contrast:
      t.ground = QColor(Qt::black);
      t.panel = QColor(Qt::black);
      t.well = QColor(0x303030);
      t.line = QColor(0x9C9C9C);
      t.text = QColor(0xFFFFFF);
      t.soft = QColor(0xE6E6E6);
      t.faint = QColor(0xC2C2C2);
      t.accent = QColor(0xFFFFFF);
      t.trouble = QColor(0xF97671);
      t.good = QColor(0x94F3BD);
      break;
  }
  return t;
}

Theme Theme::of(const QPalette& palette) {
  const QColor window = palette.color(QPalette::Window);
  // Only a high-contrast theme has a pure black window.
  if (window.rgb() == qRgb(0, 0, 0)) return make(Look::Contrast);
  return make(window.lightnessF() < 0.5f);
}

QPalette Theme::palette() const {
  QPalette p;
  p.setColor(QPalette::Window, panel);
  p.setColor(QPalette::WindowText, text);
  const bool stark = look == Look::Contrast;
  p.setColor(QPalette::Base, stark ? ground : dark ? well : QColor(Qt::white));
  p.setColor(QPalette::AlternateBase, panel);
  p.setColor(QPalette::Text, text);
  p.setColor(QPalette::Button, dark ? well : panel);
  p.setColor(QPalette::ButtonText, text);
  p.setColor(QPalette::BrightText, trouble);
  // In high contrast the selection is inverse.
  p.setColor(QPalette::Highlight, stark ? text : dark ? QColor(0x3A6EA5) : QColor(0x2F6DB0));
  p.setColor(QPalette::HighlightedText, stark ? ground : QColor(Qt::white));
  p.setColor(QPalette::ToolTipBase, panel);
  p.setColor(QPalette::ToolTipText, text);
  p.setColor(QPalette::PlaceholderText, faint);
  p.setColor(QPalette::Link, accent);
  p.setColor(QPalette::Light, mix(panel, text, 0.2));
  p.setColor(QPalette::Midlight, mix(panel, text, 0.12));
  p.setColor(QPalette::Mid, line);
  p.setColor(QPalette::Dark, stark ? line : mix(panel, Qt::black, 0.3));
  p.setColor(QPalette::Shadow, stark ? line : QColor(Qt::black));
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    p.setColor(QPalette::Disabled, role, faint);
  }
  return p;
}

QColor Theme::matrix(analysis::Matrix m) const {
  return QColor::fromRgb(kMatrices[static_cast<std::size_t>(look)][static_cast<std::size_t>(m)]);
}

QColor Theme::warp(std::uint32_t warp) const {
  const Warps& set = kWarps[static_cast<std::size_t>(look)];
  return QColor::fromRgb(set[warp % set.size()]);
}

QColor Theme::lane(std::uint32_t w, std::uint32_t lane) const {
  // Lane 0 is the darkest shade on a dark ground and the lightest on a light one, so that lanes
  // gain contrast with their number.
  const double share = 0.62 * (1.0 - static_cast<double>(lane % 32) / 31.0);
  return mix(warp(w), ground, share);
}

QColor Theme::evenLane(std::uint32_t w, std::uint32_t lane) const {
  // Computed once: pictures of blocks with a thousand threads use each of them.
  using Lanes = std::array<std::array<QColor, 32>, std::tuple_size_v<Warps>>;
  static const std::array<Lanes, kWarps.size()> all = [] {
    std::array<Lanes, kWarps.size()> made;
    for (std::size_t set = 0; set < kWarps.size(); ++set) {
      for (std::size_t hue = 0; hue < kWarps[set].size(); ++hue) {
        for (std::size_t i = 0; i < 32; ++i) {
          const double share = 0.55 * (1.0 - static_cast<double>(i) / 31.0);
          made[set][hue][i] = greyed(QColor::fromRgb(kWarps[set][hue]), share);
        }
      }
    }
    return made;
  }();
  return all[static_cast<std::size_t>(look)][w % std::tuple_size_v<Warps>][lane % 32];
}

double Theme::contrast(const QColor& one, const QColor& other) {
  const double a = luminance(one) + 0.05, b = luminance(other) + 0.05;
  return std::max(a, b) / std::min(a, b);
}

QColor Theme::under(const QColor& ink, const QColor& background) {
  constexpr double kReadable = 4.5, kStep = 0.04;
  const QColor away = luminance(ink) > 0.5 ? QColor(Qt::black) : QColor(0xFFFFFF);
  QColor moved = background;
  for (double share = kStep; share < 1 && contrast(ink, moved) < kReadable; share += kStep)
    moved = mix(background, away, share);
  return moved;
}

QColor Theme::ink(const QColor& background) {
  constexpr double kEven = 0.1791;  // equal contrast with black and with white
  return luminance(background) > kEven ? QColor(Qt::black) : QColor(0xFFFFFF);
}

QColor Theme::faded(QColor color, double alpha) {
  color.setAlphaF(static_cast<float>(alpha));
  return color;
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
  const auto scaled = [&base](double factor) { return scaledFont(base, factor); };
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
  f.mono.setStyleHint(QFont::Monospace, base.styleStrategy());
  return f;
}

}  // namespace tileloom
