// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/base/text/colour_names.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "kernels/emulator/trace.h"

namespace tileloom {
namespace {

struct Words {
  Q_DECLARE_TR_FUNCTIONS(tileloom::ColourNames)
};

constexpr std::uint32_t kWarpHues = 8;  // the next warps begin again

std::array<double, 3> channels(const QColor& c) {
  return {static_cast<double>(c.red()), static_cast<double>(c.green()),
          static_cast<double>(c.blue())};
}

// The share of `hue` in a mix with `base` that gives this colour. std::nullopt: it is not such a
// mix.
std::optional<double> shareOf(const QColor& colour, const QColor& base, const QColor& hue) {
  constexpr double kOff = 0.75;  // of 255, in any channel: both ends were rounded
  const auto c = channels(colour), b = channels(base), h = channels(hue);
  std::size_t widest = 0;
  for (std::size_t i = 1; i < 3; ++i) {
    if (std::abs(h[i] - b[i]) > std::abs(h[widest] - b[widest])) widest = i;
  }
  if (std::abs(h[widest] - b[widest]) < 24) return std::nullopt;
  const double exact = (c[widest] - b[widest]) / (h[widest] - b[widest]);
  // Painters mostly mix whole per cents.
  for (const double share : {std::round(exact * 100) / 100, exact}) {
    if (share < 0.03 || share > 0.97) continue;
    bool fits = true;
    for (std::size_t i = 0; i < 3; ++i)
      fits = fits && std::abs(b[i] + (h[i] - b[i]) * share - c[i]) <= kOff;
    if (fits) return share;
  }
  return std::nullopt;
}

QString percent(double share) {
  return QString::number(std::lround(share * 100));
}

}  // namespace

std::vector<NamedColour> namedColours(const Theme& t) {
  using analysis::Matrix;
  std::vector<NamedColour> all = {
      {QStringLiteral("A"), t.matrix(Matrix::A), Words::tr("matrix A")},
      {QStringLiteral("B"), t.matrix(Matrix::B), Words::tr("matrix B")},
      {QStringLiteral("C"), t.matrix(Matrix::C), Words::tr("matrix C")},
  };
  for (std::uint32_t w = 0; w < kWarpHues; ++w)
    all.push_back({QStringLiteral("warp-%1").arg(w), t.warp(w),
                   Words::tr("warps %1, %2, …").arg(w).arg(w + kWarpHues)});
  all.insert(all.end(),
             {{QStringLiteral("trouble"), t.trouble, Words::tr("conflicts and errors")},
              {QStringLiteral("good"), t.good, Words::tr("better values")},
              {QStringLiteral("ground"), t.ground, Words::tr("background")},
              {QStringLiteral("panel"), t.panel, Words::tr("background of panels and charts")},
              {QStringLiteral("well"), t.well, Words::tr("empty parts")},
              {QStringLiteral("line"), t.line, Words::tr("thin lines")},
              {QStringLiteral("text"), t.text, Words::tr("text and selection")},
              {QStringLiteral("soft"), t.soft, Words::tr("secondary text")},
              {QStringLiteral("faint"), t.faint, Words::tr("ticks and notes")},
              {QStringLiteral("accent"), t.accent, Words::tr("selection")},
              {QStringLiteral("white"), QColor(Qt::white), Words::tr("white")},
              {QStringLiteral("black"), QColor(Qt::black), Words::tr("black")}});
  return all;
}

ColourNames::ColourNames(const Theme& theme) : m_theme(theme), m_all(namedColours(theme)) {
  for (std::size_t i = 0; i < m_all.size(); ++i) {
    if (!m_all[i].name.startsWith(QLatin1String("warp-"))) continue;
    const auto warp = m_all[i].name.mid(5).toUInt();
    for (std::uint32_t lane = 0; lane < emulator::kWarpSize; ++lane)
      m_lanes.push_back({QStringLiteral("%1-lane-%2").arg(m_all[i].name).arg(lane),
                         theme.evenLane(warp, lane), i});
  }
}

ColourNames::Name ColourNames::find(const QColor& colour) const {
  for (std::size_t i = 0; i < m_all.size(); ++i) {
    if (m_all[i].colour.rgb() == colour.rgb()) return {m_all[i].name, i, 1};
  }
  for (const Hue& lane : m_lanes) {
    if (lane.colour.rgb() == colour.rgb()) return {lane.name, lane.base, 0.999};
  }
  const std::pair<QString, QColor> grounds[] = {{QString(), m_theme.ground},
                                                {QStringLiteral("panel"), m_theme.panel},
                                                {QStringLiteral("well"), m_theme.well},
                                                {QStringLiteral("text"), m_theme.text}};
  for (const auto& [ground, base] : grounds) {
    for (std::size_t i = 0; i < m_all.size(); ++i) {
      const auto share = shareOf(colour, base, m_all[i].colour);
      if (!share) continue;
      const QString name = QStringLiteral("%1-%2").arg(m_all[i].name, percent(*share));
      return {ground.isEmpty() ? name : QStringLiteral("%1-on-%2").arg(name, ground), i, *share};
    }
  }
  for (const Hue& lane : m_lanes) {
    if (const auto share = shareOf(colour, m_theme.ground, lane.colour))
      return {QStringLiteral("%1-%2").arg(lane.name, percent(*share)), lane.base, *share};
  }
  return alike(colour);
}

// For mixes of more than two colours and for colour scales: the nearest hue.
ColourNames::Name ColourNames::alike(const QColor& colour) const {
  constexpr double kGrey = 0.08;
  constexpr int kNear = 25;  // degrees
  std::size_t best = m_all.size();
  int least = kNear;
  if (colour.hsvSaturationF() > kGrey) {
    for (std::size_t i = 0; i < m_all.size(); ++i) {
      if (m_all[i].colour.hsvSaturationF() <= 2 * kGrey) continue;
      const int apart = std::abs(m_all[i].colour.hsvHue() - colour.hsvHue());
      if (std::min(apart, 360 - apart) >= least) continue;
      least = std::min(apart, 360 - apart);
      best = i;
    }
    if (best < m_all.size()) return {m_all[best].name + QStringLiteral("-like"), best, 0.01};
  }
  return {QStringLiteral("other"), m_all.size(), 0.01};
}

const ColourNames::Name& ColourNames::of(const QColor& colour) {
  const QRgb rgb = colour.rgb() | 0xFF000000;
  if (const auto known = m_known.find(rgb); known != m_known.end()) return known->second;
  Name name = find(QColor::fromRgb(rgb));
  const int before = m_taken[name.name]++;
  const bool numbered = name.share < 0.02;
  if (numbered) {
    name.name += QStringLiteral("-%1").arg(before + 1);
  } else if (before > 0) {
    name.name += QStringLiteral(".%1").arg(before + 1);
    name.name.replace(u'.', u'_');
  }
  return m_known.emplace(rgb, name).first->second;
}

std::vector<ColourNames::Line> ColourNames::used() const {
  std::vector<Line> lines;
  std::vector<bool> has(m_all.size() + 1, false), own(m_all.size() + 1, false);
  for (const auto& [rgb, name] : m_known) {
    lines.push_back({name, QColor::fromRgb(rgb)});
    has[name.base] = true;
    own[name.base] = own[name.base] || name.share >= 1;
  }
  for (std::size_t i = 0; i < m_all.size(); ++i) {
    if (has[i] && !own[i]) lines.push_back({{m_all[i].name, i, 1}, m_all[i].colour});
  }
  std::ranges::stable_sort(lines, [](const Line& a, const Line& b) {
    return a.name.base != b.name.base ? a.name.base < b.name.base : a.name.share > b.name.share;
  });
  return lines;
}

}  // namespace tileloom
