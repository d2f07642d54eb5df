// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/panels/parameter_panel.h"

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
#include "kernels/tile/parameters.h"
#include "viz/base/text/labels.h"
#include "viz/base/text/last_word.h"
#include "viz/base/text/text.h"
#include "viz/base/widgets/note_tip.h"
#include "viz/panels/number_box.h"
#include "viz/panels/parameter_note.h"
#include "viz/panels/parameter_slider.h"

namespace tileloom {
namespace {

QString parameterName(Parameter parameter) {
  return toQString(name(parameter));
}

// Legal values, and the powers of two that users would expect.
std::vector<ParameterSlider::Mark> marksOf(const Stage& stage, const TileShape& tile,
                                           const ParameterSpec& spec) {
  const std::vector<int> legal = legalValues(stage, tile, spec.parameter);
  std::set<int> values(legal.begin(), legal.end());
  // Always the whole range: a parameter keeps its scale when others change.
  values.insert(spec.min);
  values.insert(spec.max);
  for (int v = 1; v < spec.max; v *= 2) {
    if (v > spec.min) values.insert(v);
  }
  std::vector<ParameterSlider::Mark> marks;
  for (const int v : values)
    marks.push_back({v, std::binary_search(legal.begin(), legal.end(), v)});
  return marks;
}

QString changesBetween(const Stage& stage, const TileShape& from, const TileShape& to) {
  QStringList changes;
  for (const ParameterSpec& spec : stage.parameters) {
    if (from[spec.parameter] != to[spec.parameter]) {
      changes +=
          QStringLiteral("%1 = %2").arg(parameterName(spec.parameter)).arg(to[spec.parameter]);
    }
  }
  return changes.join(QStringLiteral(", "));
}

constexpr int kAnything = 99999;  // spin boxes take any input; the constraint table judges it

}  // namespace

ParameterPanel::ParameterPanel(QWidget* parent) : QWidget(parent) {
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
  m_note->setObjectName(QStringLiteral("parameterNote"));
  m_note->setFont(Fonts::of(font()).small);
  m_note->hide();
  column->addWidget(m_note);
  m_offers = new QVBoxLayout;
  m_offers->setSpacing(4);
  column->addLayout(m_offers);
}

void ParameterPanel::setStage(const Stage& stage) {
  // During their deletion the old rows are of the old stage.
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
  for (const ParameterSpec& spec : stage.parameters) {
    Row row{spec.parameter, new QLabel(parameterName(spec.parameter)), new ParameterSlider,
            new NumberBox};
    row.slider->setObjectName(QStringLiteral("slider-") + parameterName(spec.parameter));
    row.slider->setAccessibleName(
        tr("%1: %2").arg(parameterName(spec.parameter), whatItIs(spec.parameter)));
    row.box->setObjectName(QStringLiteral("box-") + parameterName(spec.parameter));
    row.box->setAccessibleName(parameterName(spec.parameter));
    row.box->setRange(-kAnything, kAnything);
    row.box->setKeyboardTracking(false);
    row.box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    row.box->setAlignment(Qt::AlignRight);
    const Parameter which = spec.parameter;
    row.slider->setExplanation([this, which] { return parameterNote(*m_stage, m_tile, which); });
    for (QWidget* widget : {static_cast<QWidget*>(row.label), static_cast<QWidget*>(row.box)})
      widget->installEventFilter(this);
    place(row, line);
    const Parameter parameter = spec.parameter;
    connect(row.slider, &ParameterSlider::moved, this,
            [this, parameter](int v) { change(parameter, v); });
    connect(row.box, &QSpinBox::valueChanged, this,
            [this, parameter](int v) { change(parameter, v); });
    m_rows.push_back(row);
    fitRow(row);
    ++line;
  }
  m_lastLegal = stage.standardTile();
  setTile(stage.standardTile());
  beginHere();
}

bool ParameterPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    for (const Row& row : m_rows) {
      if (watched != row.label && watched != row.box) continue;
      NoteTip::showBeside(static_cast<QHelpEvent*>(event)->globalPos(),
                          parameterNote(*m_stage, m_tile, row.parameter),
                          *static_cast<QWidget*>(watched));
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void ParameterPanel::fitRow(const Row& row) const {
  row.label->setFont(Fonts::of(font()).mono);
  const QFontMetrics metrics(font());
  // Room for any legal value and, if possible, for any input.
  row.box->setMinimumWidth(metrics.horizontalAdvance(QStringLiteral("0000")) + 12);
  row.box->setMaximumWidth(metrics.horizontalAdvance(QStringLiteral("000000")) + 18);
}

void ParameterPanel::place(const Row& row, int line) {
  m_grid->addWidget(row.label, 2 * line, 0);
  m_grid->addWidget(row.box, 2 * line, 2);
  if (m_narrow) {
    m_grid->addWidget(row.slider, 2 * line + 1, 0, 1, 3);
  } else {
    m_grid->addWidget(row.slider, 2 * line, 1);
  }
}

void ParameterPanel::arrange() {
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

QSize ParameterPanel::minimumSizeHint() const {
  int widest = 0;
  for (const Row& row : m_rows) {
    const int above = row.label->sizeHint().width() + row.box->minimumWidth() +
                      2 * std::max(0, m_grid->horizontalSpacing());
    widest = std::max({widest, above, row.slider->minimumSizeHint().width()});
  }
  return {widest, QWidget::minimumSizeHint().height()};
}

void ParameterPanel::resizeEvent(QResizeEvent*) {
  arrange();
}

bool ParameterPanel::event(QEvent* event) {
  // The text size or the names have changed.
  if (event->type() == QEvent::LayoutRequest) arrange();
  return QWidget::event(event);
}

void ParameterPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::FontChange) return;
  for (const Row& row : m_rows) fitRow(row);
  m_note->setFont(Fonts::of(font()).small);
}

void ParameterPanel::setTile(const TileShape& tile, std::optional<Parameter> moved) {
  m_tile = tile;
  showMarks(moved);
  showVerdict(moved);
  tellStep();
}

void ParameterPanel::tellStep() {
  // A broken rule has its own words; the next legal tile is compared with the last one.
  if (!isLegal(*m_stage, m_tile)) {
    m_note->clear();
    m_note->hide();
    return;
  }
  if (m_tile == m_lastLegal) return;
  m_note->setText(parameterStep(*m_stage, m_lastLegal, m_tile));
  setInk(*m_note, Ink::Soft);
  m_note->show();
  m_lastLegal = m_tile;
}

void ParameterPanel::beginHere() {
  if (isLegal(*m_stage, m_tile)) m_lastLegal = m_tile;
  m_note->clear();
  m_note->hide();
}

QString ParameterPanel::note() const {
  return m_note->text();
}

void ParameterPanel::setCliffs(
    const std::map<Parameter, std::vector<ParameterSlider::Cliff>>& cliffs) {
  for (const Row& row : m_rows) {
    const auto found = cliffs.find(row.parameter);
    row.slider->setCliffs(found != cliffs.end() ? found->second
                                                : std::vector<ParameterSlider::Cliff>());
  }
}

void ParameterPanel::showMarks(std::optional<Parameter> moved) {
  m_updating = true;
  const auto violation = firstViolation(*m_stage, m_tile);
  const auto blamed = [&](Parameter parameter) {
    if (!violation) return false;
    return parameter == moved || std::ranges::count(violation->row->parameters, parameter) > 0;
  };
  for (const Row& row : m_rows) {
    row.slider->setCliffs({});
    row.slider->setMarks(marksOf(*m_stage, m_tile, *m_stage->spec(row.parameter)),
                         m_tile[row.parameter], blamed(row.parameter));
    if (row.box->value() != m_tile[row.parameter]) row.box->setValue(m_tile[row.parameter]);
  }
  m_updating = false;
}

void ParameterPanel::change(Parameter parameter, int value) {
  if (m_updating || m_tile[parameter] == value) return;
  m_tile[parameter] = value;
  emit edited(m_tile, parameter);  // first, so that tracing starts while the panel updates
  showMarks(parameter);
  showVerdict(parameter);
  tellStep();
}

QString ParameterPanel::verdict() const {
  return m_message->text();
}

ParameterSlider* ParameterPanel::slider(Parameter parameter) const {
  const auto row = std::find_if(m_rows.begin(), m_rows.end(),
                                [parameter](const Row& r) { return r.parameter == parameter; });
  return row == m_rows.end() ? nullptr : row->slider;
}

QSpinBox* ParameterPanel::spinBox(Parameter parameter) const {
  const auto row = std::find_if(m_rows.begin(), m_rows.end(),
                                [parameter](const Row& r) { return r.parameter == parameter; });
  return row == m_rows.end() ? nullptr : row->box;
}

void ParameterPanel::showVerdict(std::optional<Parameter> moved) {
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
  // The values in the sentence.
  if (const auto parameter = mendingParameter(*m_stage, m_tile, moved)) {
    const Nearest nearest = nearestValues(*m_stage, m_tile, *parameter);
    if (nearest.below) offer(m_tile.with(*parameter, *nearest.below));
    if (nearest.above) offer(m_tile.with(*parameter, *nearest.above));
  }
  if (const auto near = nearestTile(*m_stage, m_tile, moved)) offer(*near);
  for (const TileOffer& o : offers) {
    auto* button = new QPushButton(tr("Use %1").arg(o.label));
    button->setObjectName(QStringLiteral("offer"));
    connect(button, &QPushButton::clicked, this, [this, o] {
      Parameter changed = m_stage->parameters.front().parameter;
      for (const ParameterSpec& spec : m_stage->parameters) {
        if (o.tile[spec.parameter] != m_tile[spec.parameter]) changed = spec.parameter;
      }
      setTile(o.tile);
      emit edited(o.tile, changed);
    });
    m_offers->addWidget(button);
  }
}

}  // namespace tileloom
