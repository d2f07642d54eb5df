// SPDX-License-Identifier: GPL-3.0-or-later
// Shows the lines of a stage's source. The margin shows what each line costs the block, and the
// executing line is highlighted.
#pragma once

#include <QStringList>
#include <array>
#include <vector>

#include "kernels/analysis/counts/line_figures.h"
#include "kernels/tile/parameters.h"
#include "kernels/timeline/wait_places.h"
#include "viz/base/scene.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/code/source_text.h"
#include "viz/code/stall_facts.h"

namespace tileloom {

// The figures in the margin, from left to right.
enum class LineFigure { Instructions, Fmas, Wavefronts, Conflicts, Sectors };
inline constexpr int kLineFigures = 5;

class SourcePage : public PaintedView {
  Q_OBJECT
 public:
  explicit SourcePage(QWidget* parent = nullptr);

  void setScene(const Scene& scene);
  // Samples of the shown kernel's waiting warps; nullptr: not sampled.
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
  // The width at which all columns and the longest line are complete.
  double widthNeeded() const { return m_widthNeeded; }
  // `hint`: also says what a click does; false for pictures.
  void paintHead(QPainter& p, const QRectF& head, double left, bool hint = true) const;
  // Paints the headings and as many lines as fit, beginning with `first`, for a picture as wide as
  // this widget.
  void paintTo(QPainter& p, double height, int first) const;
  // The meaning of the headings, for a tool tip.
  QString headWords() const;
  // The line with the most samples, from 1; 0: the kernel is not sampled.
  int hottest() const;
  // The line to open at: the executing line if the user chose its instruction, else hottest().
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
  // Empty: the column of this figure is left out.
  QRectF cellOf(LineFigure figure, const QRectF& row, double left) const;
  double figureWidth(LineFigure figure) const;
  void chooseColumns();
  double codeLeft() const;
  void measure();
  void moveCursor(int line);
  void describe();

  // A hidden view does not keep the recording alive: it paints copied values.
  std::weak_ptr<const analysis::Recording> m_recording;
  const Stage* m_stage = nullptr;  // nullptr: nothing is shown yet
  TileShape m_tile;
  std::uint32_t m_kTiles = 0, m_kTilesTraced = 0;
  QStringList m_lines;
  std::vector<std::vector<CodePiece>> m_pieces;
  std::vector<analysis::LineFigures> m_figures;
  std::shared_ptr<const StallFacts> m_stalls;
  timeline::WaitPlaces m_places;            // of the recording, if there are samples
  double m_idle = 0;                        // share of samples from idle warps
  std::uint32_t m_opening = 0;              // the instruction at which the recording was opened
  bool m_chosen = false;                    // the user chose another instruction
  std::array<bool, kLineFigures> m_left{};  // columns that are left out in a narrow page
  double m_widthNeeded = 0;
  int m_current = 0;
  int m_cursor = 0;
  int m_hovered = 0;
};

}  // namespace tileloom
