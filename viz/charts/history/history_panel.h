// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of one history panel as QCustomPlot lays them out. Private to viz/charts.
#pragma once

#include <qcustomplot.h>

#include <optional>
#include <vector>

#include "viz/charts/history/history_bins.h"
#include "viz/charts/history/history_words.h"

namespace tileloom::charts {

// The state that all panels show; the widget owns it.
struct HistoryState {
  std::vector<HistoryPoint> points;
  int current = -1;                      // of the present tile
  std::optional<HistoryPoint> baseline;  // drawn as a line across
  int hovered = -1;                      // under the mouse
  int cursor = -1;                       // chosen with the keys
  HistoryWindow window;
  HistoryDensity density = HistoryDensity::Roomy;  // of what is visible
  Theme theme;
  Fonts fonts;

  int count() const { return static_cast<int>(points.size()); }
  const HistoryPoint& at(int index) const { return points[static_cast<std::size_t>(index)]; }
  // Of all points: speeds of two formats have no common scale.
  Format format() const { return points.empty() ? Format::Fp32 : points.front().format; }
  std::span<const HistoryPoint> visible() const;
  // The points that an axis has to include.
  std::vector<HistoryPoint> drawn() const;
  // The point whose values the headlines show; -1: there are no points.
  int shown() const;
};

// Title, large figure and notes.
class PanelHeader : public QCPLayoutElement {
 public:
  PanelHeader(QCustomPlot* plot, const HistoryState& state, HistoryPanel panel);
  // Compact: one line, for small heights. Else three lines.
  void setCompact(bool compact);
  static int heightFor(const Fonts& fonts, bool compact);

 protected:
  void draw(QCPPainter* painter) override;
  void applyDefaultAntialiasingHint(QCPPainter* painter) const override;

 private:
  void drawTitle(QCPPainter& painter, const QRectF& line) const;
  void drawFull(QCPPainter& painter, const QRectF& below) const;
  void drawCompact(QCPPainter& painter, const QRectF& line) const;

  const HistoryState& m_state;
  HistoryPanel m_panel;
  bool m_compact = false;
};

// Draws everything inside and around the axes.
class PanelMarks : public QCPLayerable {
 public:
  PanelMarks(QCPAxisRect* rect, const HistoryState& state, HistoryPanel panel);
  void setRungsNamed(bool named) { m_rungsNamed = named; }
  // Whether a line below the numbers names each move.
  void setMovesNamed(bool named) { m_movesNamed = named; }
  QPointF positionOf(int index, double value) const;
  // Where the point's mark is; the foot of its column if it has no value.
  QPointF markOf(int index) const;

 protected:
  void draw(QCPPainter* painter) override;
  void applyDefaultAntialiasingHint(QCPPainter* painter) const override;

 private:
  double xOf(double move) const;
  double yOf(double value) const;
  double pointWidth() const;
  HistoryDensity density() const { return m_state.density; }
  double radius() const;
  bool isPointed(int index) const;
  bool standsOut(int index) const;
  std::vector<HistoryBin> bins(int most, const ValueOf& value) const;
  void drawColumns(QCPPainter& p) const;
  // Returns the places of their names.
  std::vector<QRectF> drawRungs(QCPPainter& p, bool through) const;
  void drawReferences(QCPPainter& p) const;
  void drawBaseline(QCPPainter& p) const;
  void drawReference(QCPPainter& p, double value, const QString& label) const;
  void drawBands(QCPPainter& p) const;
  void drawLines(QCPPainter& p) const;
  void drawMedians(QCPPainter& p) const;
  void drawBars(QCPPainter& p) const;
  void drawInterval(QCPPainter& p, int index, const Sample& sample) const;
  void drawMarks(QCPPainter& p) const;
  void drawNumbers(QCPPainter& p, const std::vector<QRectF>& taken) const;
  void drawMoveWord(QCPPainter& p) const;
  void drawMoveNames(QCPPainter& p) const;
  QString numberOf(int index, int before) const;

  QCPAxisRect* m_rect;
  const HistoryState& m_state;
  HistoryPanel m_panel;
  bool m_rungsNamed = false;
  bool m_movesNamed = false;
};

// The legend of the marks, below all panels.
class HistoryLegend : public QCPLayoutElement {
 public:
  HistoryLegend(QCustomPlot* plot, const HistoryState& state);

 protected:
  void draw(QCPPainter* painter) override;
  void applyDefaultAntialiasingHint(QCPPainter* painter) const override;

 private:
  void drawLines(QCPPainter& painter, QRectF line) const;

  const HistoryState& m_state;
};

// All moves at once in a low strip, with a frame around those that the panels show; visible while
// the panels do not show all. A press scrolls the panels there.
class HistoryOverview : public QCPLayoutElement {
 public:
  HistoryOverview(QCustomPlot* plot, const HistoryState& state);
  static int heightFor(const Fonts& fonts);
  // The strip without its text, and the frame in it.
  QRectF strip() const;
  QRectF frame() const;
  // The move at this place. std::nullopt: not in the strip.
  std::optional<double> moveAt(const QPointF& at) const;
  double moveNear(double x) const;

 protected:
  void draw(QCPPainter* painter) override;
  void applyDefaultAntialiasingHint(QCPPainter* painter) const override;

 private:
  QString words() const;

  const HistoryState& m_state;
};

// The sentence that is shown while there are no points.
class PlainSentence : public QCPLayerable {
 public:
  PlainSentence(QCustomPlot* plot, const HistoryState& state);

 protected:
  void draw(QCPPainter* painter) override;
  void applyDefaultAntialiasingHint(QCPPainter* painter) const override;

 private:
  const HistoryState& m_state;
};

}  // namespace tileloom::charts
