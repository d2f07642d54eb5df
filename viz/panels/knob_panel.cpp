// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/panels/knob_panel.h"

#include <QGridLayout>
#include <QHelpEvent>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QStringList>
#include <QVBoxLayout>
#include <algorithm>
#include <set>

#include "kernels/tile/constraints.h"
#include "kernels/tile/knobs.h"
#include "viz/base/labels.h"
#include "viz/base/last_word.h"
#include "viz/base/note_tip.h"
#include "viz/base/text.h"
#include "viz/panels/knob_note.h"
#include "viz/panels/knob_slider.h"
#include "viz/panels/number_box.h"

namespace tileloom {
namespace {

QString knobName(Knob knob) {
  return toQString(name(knob));
}

// Legal values, and the powers of two that people would expect to find.
std::vector<KnobSlider::Mark> marksOf(const Stage& stage, const TileShape& tile,
                                      const KnobSpec& spec) {
  const std::vector<int> legal = legalValues(stage, tile, spec.knob);
  std::set<int> values(legal.begin(), legal.end());
  // The whole range, always: a knob keeps its scale whatever the others do.
  values.insert(spec.min);
  values.insert(spec.max);
  for (int v = 1; v < spec.max; v *= 2) {
    if (v > spec.min) values.insert(v);
  }
  std::vector<KnobSlider::Mark> marks;
  for (const int v : values)
    marks.push_back({v, std::binary_search(legal.begin(), legal.end(), v)});
  return marks;
}

QString changesBetween(const Stage& stage, const TileShape& from, const TileShape& to) {
  QStringList changes;
  for (const KnobSpec& spec : stage.knobs) {
    if (from[spec.knob] != to[spec.knob]) {
      changes += QStringLiteral("%1 = %2").arg(knobName(spec.knob)).arg(to[spec.knob]);
    }
  }
  return changes.join(QStringLiteral(", "));
}

constexpr int kAnything = 99999;  // spin boxes take what the person types; the table judges it

}  // namespace

KnobPanel::KnobPanel(QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  m_grid = new QGridLayout;
  m_grid->setColumnStretch(1, 1);
  m_grid->setVerticalSpacing(2);
  column->addLayout(m_grid);
  m_message = new Prose;
  m_message->setObjectName(QStringLiteral("verdict"));
  column->addWidget(m_message);
  m_note = new Prose;
  m_note->setObjectName(QStringLiteral("knobNote"));
  m_note->setFont(Fonts::of(font()).small);
  m_note->hide();
  column->addWidget(m_note);
  m_offers = new QVBoxLayout;
  m_offers->setSpacing(4);
  column->addLayout(m_offers);
}

void KnobPanel::setStage(const Stage& stage) {
  // While they go, the old rows are those of the old stage.
  for (const Row& row : m_rows) {
    for (QWidget* widget : {static_cast<QWidget*>(row.label), static_cast<QWidget*>(row.slider),
                            static_cast<QWidget*>(row.box)}) {
      m_grid->removeWidget(widget);
      retire(*widget);
    }
  }
  m_rows.clear();
  m_stage = &stage;
  int line = 0;
  for (const KnobSpec& spec : stage.knobs) {
    Row row{spec.knob, new QLabel(knobName(spec.knob)), new KnobSlider, new NumberBox};
    row.slider->setObjectName(QStringLiteral("slider-") + knobName(spec.knob));
    row.slider->setAccessibleName(tr("%1: %2").arg(knobName(spec.knob), whatItIs(spec.knob)));
    row.box->setObjectName(QStringLiteral("box-") + knobName(spec.knob));
    row.box->setAccessibleName(knobName(spec.knob));
    row.box->setRange(-kAnything, kAnything);
    row.box->setKeyboardTracking(false);
    row.box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    row.box->setAlignment(Qt::AlignRight);
    const Knob which = spec.knob;
    row.slider->setExplanation([this, which] { return knobNote(*m_stage, m_tile, which); });
    for (QWidget* widget : {static_cast<QWidget*>(row.label), static_cast<QWidget*>(row.box)})
      widget->installEventFilter(this);
    place(row, line);
    const Knob knob = spec.knob;
    connect(row.slider, &KnobSlider::moved, this, [this, knob](int v) { change(knob, v); });
    connect(row.box, &QSpinBox::valueChanged, this, [this, knob](int v) { change(knob, v); });
    m_rows.push_back(row);
    fitRow(row);
    ++line;
  }
  m_lastLegal = stage.standardTile();
  setTile(stage.standardTile());
  beginHere();
}

bool KnobPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    for (const Row& row : m_rows) {
      if (watched != row.label && watched != row.box) continue;
      NoteTip::showBeside(static_cast<QHelpEvent*>(event)->globalPos(),
                          knobNote(*m_stage, m_tile, row.knob), *static_cast<QWidget*>(watched));
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void KnobPanel::fitRow(const Row& row) const {
  row.label->setFont(Fonts::of(font()).mono);
  const QFontMetrics metrics(font());
  // Any legal value has room, and where there is more, what may be typed.
  row.box->setMinimumWidth(metrics.horizontalAdvance(QStringLiteral("0000")) + 12);
  row.box->setMaximumWidth(metrics.horizontalAdvance(QStringLiteral("000000")) + 18);
}

void KnobPanel::place(const Row& row, int line) {
  m_grid->addWidget(row.label, 2 * line, 0);
  m_grid->addWidget(row.box, 2 * line, 2);
  if (m_narrow) {
    m_grid->addWidget(row.slider, 2 * line + 1, 0, 1, 3);
  } else {
    m_grid->addWidget(row.slider, 2 * line, 1);
  }
}

void KnobPanel::arrange() {
  const int gaps = 2 * std::max(0, m_grid->horizontalSpacing());
  int label = 0, slider = 0, box = 0;
  for (const Row& row : m_rows) {
    label = std::max(label, row.label->sizeHint().width());
    slider = std::max(slider, row.slider->minimumSizeHint().width());
    box = std::max(box, row.box->minimumWidth());
  }
  const bool narrow = label + slider + box + gaps > width();
  if (narrow == m_narrow) return;
  m_narrow = narrow;
  int line = 0;
  for (const Row& row : m_rows) {
    for (QWidget* widget : {static_cast<QWidget*>(row.label), static_cast<QWidget*>(row.slider),
                            static_cast<QWidget*>(row.box)})
      m_grid->removeWidget(widget);
    place(row, line++);
  }
}

QSize KnobPanel::minimumSizeHint() const {
  int widest = 0;
  for (const Row& row : m_rows) {
    const int above = row.label->sizeHint().width() + row.box->minimumWidth() +
                      2 * std::max(0, m_grid->horizontalSpacing());
    widest = std::max({widest, above, row.slider->minimumSizeHint().width()});
  }
  return {widest, QWidget::minimumSizeHint().height()};
}

void KnobPanel::resizeEvent(QResizeEvent*) {
  arrange();
}

bool KnobPanel::event(QEvent* event) {
  // Letters have another size, or knobs another name.
  if (event->type() == QEvent::LayoutRequest) arrange();
  return QWidget::event(event);
}

void KnobPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::FontChange) return;
  for (const Row& row : m_rows) fitRow(row);
  m_note->setFont(Fonts::of(font()).small);
}

void KnobPanel::setTile(const TileShape& tile, std::optional<Knob> moved) {
  m_tile = tile;
  showMarks(moved);
  showVerdict(moved);
  tellStep();
}

void KnobPanel::tellStep() {
  // What breaks a rule has its own words; the next legal tile is told against the last one.
  if (!isLegal(*m_stage, m_tile)) {
    m_note->clear();
    m_note->hide();
    return;
  }
  if (m_tile == m_lastLegal) return;
  m_note->setText(knobStep(*m_stage, m_lastLegal, m_tile));
  setInk(*m_note, Ink::Soft);
  m_note->show();
  m_lastLegal = m_tile;
}

void KnobPanel::beginHere() {
  if (isLegal(*m_stage, m_tile)) m_lastLegal = m_tile;
  m_note->clear();
  m_note->hide();
}

QString KnobPanel::note() const {
  return m_note->text();
}

void KnobPanel::setCliffs(const std::map<Knob, std::vector<KnobSlider::Cliff>>& cliffs) {
  for (const Row& row : m_rows) {
    const auto found = cliffs.find(row.knob);
    row.slider->setCliffs(found != cliffs.end() ? found->second : std::vector<KnobSlider::Cliff>());
  }
}

void KnobPanel::showMarks(std::optional<Knob> moved) {
  m_updating = true;
  const auto violation = firstViolation(*m_stage, m_tile);
  const auto blamed = [&](Knob knob) {
    if (!violation) return false;
    return knob == moved || std::ranges::count(violation->row->knobs, knob) > 0;
  };
  for (const Row& row : m_rows) {
    row.slider->setCliffs({});
    row.slider->setMarks(marksOf(*m_stage, m_tile, *m_stage->spec(row.knob)), m_tile[row.knob],
                         blamed(row.knob));
    if (row.box->value() != m_tile[row.knob]) row.box->setValue(m_tile[row.knob]);
  }
  m_updating = false;
}

void KnobPanel::change(Knob knob, int value) {
  if (m_updating || m_tile[knob] == value) return;
  m_tile[knob] = value;
  emit edited(m_tile, knob);  // first: tracing starts while the panel catches up
  showMarks(knob);
  showVerdict(knob);
  tellStep();
}

QString KnobPanel::verdict() const {
  return m_message->text();
}

KnobSlider* KnobPanel::slider(Knob knob) const {
  const auto row =
      std::find_if(m_rows.begin(), m_rows.end(), [knob](const Row& r) { return r.knob == knob; });
  return row == m_rows.end() ? nullptr : row->slider;
}

QSpinBox* KnobPanel::spinBox(Knob knob) const {
  const auto row =
      std::find_if(m_rows.begin(), m_rows.end(), [knob](const Row& r) { return r.knob == knob; });
  return row == m_rows.end() ? nullptr : row->box;
}

void KnobPanel::showVerdict(std::optional<Knob> moved) {
  while (QLayoutItem* item = m_offers->takeAt(0)) {
    if (QWidget* widget = item->widget()) retire(*widget);
    delete item;
  }
  const std::string reason = explainTile(*m_stage, m_tile, moved);
  m_message->setVisible(!reason.empty());
  m_message->setText(QString::fromStdString(reason));
  if (reason.empty()) return;
  setInk(*m_message, Ink::Trouble);

  std::vector<TileOffer> offers;
  const auto offer = [&](const TileShape& tile) {
    for (const TileOffer& known : offers) {
      if (known.tile == tile) return;
    }
    offers.push_back({changesBetween(*m_stage, m_tile, tile), tile});
  };
  // The values that the sentence names.
  if (const auto knob = mendingKnob(*m_stage, m_tile, moved)) {
    const Nearest nearest = nearestValues(*m_stage, m_tile, *knob);
    if (nearest.below) offer(m_tile.with(*knob, *nearest.below));
    if (nearest.above) offer(m_tile.with(*knob, *nearest.above));
  }
  if (const auto near = nearestTile(*m_stage, m_tile, moved)) offer(*near);
  for (const TileOffer& o : offers) {
    auto* button = new QPushButton(tr("Use %1").arg(o.label));
    button->setObjectName(QStringLiteral("offer"));
    connect(button, &QPushButton::clicked, this, [this, o] {
      Knob changed = m_stage->knobs.front().knob;
      for (const KnobSpec& spec : m_stage->knobs) {
        if (o.tile[spec.knob] != m_tile[spec.knob]) changed = spec.knob;
      }
      setTile(o.tile);
      emit edited(o.tile, changed);
    });
    m_offers->addWidget(button);
  }
}

}  // namespace tileloom
