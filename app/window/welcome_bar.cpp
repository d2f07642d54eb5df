// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/welcome_bar.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "viz/base/text/labels.h"
#include "viz/base/text/last_word.h"
#include "viz/base/theme.h"
#include "viz/base/widgets/flow_layout.h"
#include "viz/base/widgets/painted_view.h"
#include "viz/lecture/mark.h"

namespace tileloom {
namespace {

constexpr int kEdge = 12;  // pixels

QPushButton* button(const char* name, const QString& text) {
  auto* made = new QPushButton(text);
  made->setObjectName(QLatin1String(name));
  made->setFocusPolicy(Qt::StrongFocus);
  made->setAutoDefault(true);  // Enter presses it, too
  return made;
}

}  // namespace

WelcomeBar::WelcomeBar(QWidget* parent) : QWidget(parent) {
  setObjectName(QStringLiteral("welcome"));
  setAccessibleName(tr("Welcome"));
  m_column = new QVBoxLayout(this);
  m_column->setContentsMargins(kEdge, kEdge / 2, kEdge, kEdge / 2);
  m_shown = makeWays();
  m_column->addWidget(m_shown);
}

QWidget* WelcomeBar::makeWays() {
  auto* ways = new QWidget;
  auto* column = new QVBoxLayout(ways);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(kEdge / 2);
  auto* head = new Heading(tr("Tileloom shows how a GPU multiplies two matrices: C = A · B"));
  head->setWordWrap(true);
  column->addWidget(head);
  auto* line = new Prose;
  line->setText(tr("Every picture is a recording of a real kernel. No GPU is needed."));
  setInk(*line, Ink::Soft);
  column->addWidget(line);
  auto* row = new FlowRow;
  auto* tour = button("welcomeTour", tr("Take the tour (two minutes)"));
  auto* kernel = button("welcomeKernel", tr("Look at a kernel"));
  auto* open = button("welcomeOpen", tr("Open a file…"));
  open->setToolTip(tr("A session or a lecture"));
  connect(tour, &QPushButton::clicked, this, &WelcomeBar::tourAsked);
  connect(kernel, &QPushButton::clicked, this, &WelcomeBar::kernelAsked);
  connect(open, &QPushButton::clicked, this, &WelcomeBar::openAsked);
  for (QPushButton* way : {tour, kernel, open}) row->flow().addWidget(way);
  // The default button: Enter and the space bar press it.
  QFont bold = tour->font();
  bold.setBold(true);
  tour->setFont(bold);
  column->addWidget(row);
  m_notes = new Prose;
  m_notes->setObjectName(QStringLiteral("welcomeNotes"));
  m_notes->setTextFormat(Qt::RichText);
  m_notes->hide();
  column->addWidget(m_notes);
  return ways;
}

QString WelcomeBar::areaName(std::size_t area) {
  const QString names[] = {tr("Ladder"), tr("Loom"), tr("Pages"), tr("Tile")};
  static_assert(std::size(names) == std::size(kAreas));
  return QStringLiteral("%1  %2").arg(area + 1).arg(names[area]);
}

QWidget* WelcomeBar::makeAreas() {
  auto* areas = new QWidget;
  auto* row = new QHBoxLayout(areas);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(2 * kEdge);
  const QString words[] = {
      tr("The kernels, from the simplest to the fastest. Click one."),
      tr("The elements that blocks, warps and threads compute. Space plays, the wheel zooms."),
      tr("Memory, time, code, tiles, speed: each page answers one question."),
      tr("The tile parameters. Move a slider: all other areas follow.")};
  static_assert(std::size(words) == std::size(kAreas));
  for (std::size_t i = 0; i < std::size(kAreas); ++i) {
    const QString& text = words[i];
    auto* column = new QVBoxLayout;
    column->setSpacing(2);
    column->addWidget(new Heading(areaName(i)));
    auto* prose = new Prose;
    prose->setText(text);
    column->addWidget(prose);
    column->addStretch(1);
    row->addLayout(column, 1);
  }
  auto* done = button("welcomeDone", tr("Got it"));
  connect(done, &QPushButton::clicked, this, &WelcomeBar::closed);
  row->addWidget(done, 0, Qt::AlignTop);
  return areas;
}

void WelcomeBar::setNotes(const QString& notes) {
  if (m_notes == nullptr || notes == m_notes->text()) return;
  m_notes->setText(notes);
  m_notes->setVisible(!notes.isEmpty());
}

void WelcomeBar::showAreas() {
  m_notes = nullptr;
  retire(*m_shown);
  m_shown = makeAreas();
  m_column->addWidget(m_shown);
  m_shown->show();
}

void WelcomeBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme theme = Theme::of(palette());
  painter.fillRect(rect(), theme.panel);
  painter.setPen(hairline(theme.line));
  painter.drawLine(rect().bottomLeft(), rect().bottomRight());
}

}  // namespace tileloom
