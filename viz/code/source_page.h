// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of a stage's source. The margin shows what each line costs the block, and the executing
// line is highlighted.
#pragma once

#include <QStringList>
#include <array>
#include <vector>

#include "kernels/analysis/line_figures.h"
#include "kernels/tile/knobs.h"
#include "kernels/timeline/wait_places.h"
#include "viz/base/painted_view.h"
#include "viz/base/scene.h"
#include "viz/code/source_text.h"
#include "viz/code/stall_facts.h"

namespace tileloom {

// What the margin counts, from left to right.
enum class LineFigure { Instructions, Fmas, Wavefronts, Conflicts, Sectors };
inline constexpr int kLineFigures = 5;

class SourcePage : public PaintedView {
  Q_OBJECT
 public:
  explicit SourcePage(QWidget* parent = nullptr);

  void setScene(const Scene& scene);
  // Where the warps of the shown kernel wait; nullptr: nobody has sampled it.
  void setStalls(std::shared_ptr<const StallFacts> stalls);
  const std::shared_ptr<const StallFacts>& stalls() const { return m_stalls; }
  int lines() const { return static_cast<int>(m_lines.size()); }
  int current() const { return m_current; }  // the executing line, from 1; 0: none
  int cursor() const { return m_cursor; }    // line of the cursor, from 1; 0: none
  QRectF rowOf(int line) const;
  int lineAt(const QPointF& at) const;
  // The figure as the margin shows it; empty if the line has none.
  QString figureText(int line, LineFigure figure) const;
  double headHeight() const;
  // In which all columns and the longest line are whole.
  double widthNeeded() const { return m_widthNeeded; }
  // `hint`: also says what a click does, which makes no sense in a picture.
  void paintHead(QPainter& p, const QRectF& head, double left, bool hint = true) const;
  // Paints the headings and as many lines as fit, beginning with `first`, for a picture as wide as
  // this widget.
  void paintTo(QPainter& p, double height, int first) const;
  // What the headings mean, for a tool tip.
  QString headWords() const;
  // The line with the most samples, from 1; 0: nobody has sampled the kernel.
  int hottest() const;
  // What is to be seen first: the executing line if somebody chose its instruction, else hottest().
  int openingLine() const;
  // How many lines fit into such a picture, and the first line of a picture that has the opening
  // line in the middle.
  int linesIn(double height) const;
  int firstAround(double height) const;

  bool wantsArrows() const override { return true; }

 signals:
  void lineAsked(int line);
  void cursorMoved(int line);

 protected:
  bool event(QEvent* event) override;
  void restyle() override;
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  const analysis::LineFigures* figuresOf(int line) const;
  void paintLine(QPainter& p, int line) const;
  void paintFigures(QPainter& p, const QRectF& row, const analysis::LineFigures& figures) const;
  void paintSampled(QPainter& p, const QRectF& row, int line) const;
  void findWaits();
  QString waitWords(int line) const;
  bool sampled() const { return m_stalls != nullptr && !m_stalls->byLine.empty(); }
  QRectF sampledCell(const QRectF& row, double left) const;
  double numbersLeft() const;
  double numberWidth() const;
  static QString headOf(LineFigure figure);
  // Empty for a figure whose column is left out.
  QRectF cellOf(LineFigure figure, const QRectF& row, double left) const;
  double figureWidth(LineFigure figure) const;
  void chooseColumns();
  double codeLeft() const;
  void measure();
  void moveCursor(int line);
  void describe();

  // A view that is hidden keeps no recording: what it paints of it are values.
  std::weak_ptr<const analysis::Recording> m_recording;
  const Stage* m_stage = nullptr;  // nullptr: nothing is shown yet
  TileShape m_tile;
  std::uint32_t m_kTiles = 0, m_kTilesTraced = 0;
  QStringList m_lines;
  std::vector<std::vector<CodePiece>> m_pieces;
  std::vector<analysis::LineFigures> m_figures;
  std::shared_ptr<const StallFacts> m_stalls;
  timeline::WaitPlaces m_places;            // of the recording, where there are samples
  double m_idle = 0;                        // the share of the samples that are of idle warps
  std::uint32_t m_opening = 0;              // the instruction at which the recording was opened
  bool m_chosen = false;                    // somebody chose another one
  std::array<bool, kLineFigures> m_left{};  // columns that are left out, as the width is small
  double m_widthNeeded = 0;
  int m_current = 0;
  int m_cursor = 0;
  int m_hovered = 0;
};

}  // namespace tileloom
