// SPDX-License-Identifier: GPL-3.0-or-later
// The colours and fonts of the program: A, B and C have one hue each, a warp has a hue from another
// set, a lane a shade of its warp's hue. Trouble is a pattern and a number, never colour alone.
#pragma once

#include <QBrush>
#include <QColor>
#include <QFont>
#include <QPalette>
#include <array>
#include <optional>
#include <string_view>

#include "kernels/analysis/recording.h"

namespace tileloom {

enum class Look { Dark, Light, Contrast };
// Names on the command line and in sessions.
inline constexpr std::array<std::string_view, 3> kLookNames = {"dark", "light", "contrast"};
std::string_view nameOf(Look look);
std::optional<Look> lookNamed(std::string_view name);

struct Theme {
  Look look = Look::Dark;
  bool dark = true;  // light on dark, which high contrast is too
  QColor ground;     // behind the views
  QColor panel;      // docks and cards
  QColor well;       // sunken parts: empty cells, slider grooves
  QColor line;       // hairlines
  QColor text;
  QColor soft;     // secondary text
  QColor faint;    // tertiary text and ticks
  QColor accent;   // selection and handles
  QColor trouble;  // conflicts, illegal values
  QColor good;

  // The theme of this palette; for a desktop palette, the closest one.
  static Theme of(const QPalette& palette);
  static Theme make(Look look);
  static Theme make(bool dark) { return make(dark ? Look::Dark : Look::Light); }
  QPalette palette() const;

  QColor matrix(analysis::Matrix m) const;
  // The hue of a warp. Warps beyond the set repeat the hues, so their number is shown too.
  QColor warp(std::uint32_t warp) const;
  QColor lane(std::uint32_t warp, std::uint32_t lane) const;
  // The lane's shade if brightness has another meaning: as bright as the warp's hue, and less
  // saturated for lower lanes.
  QColor evenLane(std::uint32_t warp, std::uint32_t lane) const;
  // The contrast of two colours as WCAG 2 defines it, from 1 to 21.
  static double contrast(const QColor& one, const QColor& other);
  // `background`, changed until text in this ink, black or white, has a contrast of at least 4.5 on
  // it.
  static QColor under(const QColor& ink, const QColor& background);
  // Black or white, whichever has the greater contrast with `background`.
  static QColor ink(const QColor& background);
  static QColor faded(QColor color, double alpha);                    // alpha 0 to 1
  static QColor mix(const QColor& a, const QColor& b, double share);  // share of b, 0 to 1
  QBrush troublePattern() const;
};

// Fonts by role, all derived from the widget's own font.
struct Fonts {
  QFont body;
  QFont small;
  QFont title;
  QFont number;  // large figures
  QFont mono;
  static Fonts of(const QFont& base);
};

}  // namespace tileloom
