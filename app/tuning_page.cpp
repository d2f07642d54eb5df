// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/tuning_page.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "kernels/tuning/rates.h"
#include "viz/charts/tile_lines_view.h"
#include "viz/charts/tile_list_model.h"
#include "viz/charts/tile_map_view.h"
#include "viz/text.h"

namespace tileloom {
namespace {

QComboBox* box(const QString& name, const QString& words) {
  auto* made = new QComboBox;
  made->setObjectName(name);
  made->setAccessibleName(words);
  made->setToolTip(words);
  made->setFocusPolicy(Qt::TabFocus);
  made->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  return made;
}

// "NVIDIA H100 80GB HBM3" says more than it needs to where two stand side by side.
QString shortDevice(const std::string& device) {
  QString text = QString::fromStdString(device);
  if (text.startsWith(QLatin1String("NVIDIA "))) text.remove(0, 7);
  return text;
}

}  // namespace

TuningPage::TuningPage(QWidget* parent) : QWidget(parent) {
  m_column = new QVBoxLayout(this);
  m_column->setContentsMargins(0, 2, 0, 0);
  m_column->setSpacing(2);
  m_column->addWidget(makeControls());
  m_map = new TileMapView;
  m_lines = new TileLinesView;
  m_list = new TileListModel(this);
  m_order = new QSortFilterProxyModel(this);
  m_order->setSourceModel(m_list);
  m_order->setSortRole(TileListModel::kSortRole);
  m_table = new QTableView;
  m_table->setObjectName(QStringLiteral("tileList"));
  m_table->setModel(m_order);
  m_table->setSortingEnabled(true);
  m_table->sortByColumn(TileListModel::Place, Qt::AscendingOrder);
  m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
  m_table->setSelectionMode(QAbstractItemView::SingleSelection);
  m_table->verticalHeader()->hide();
  m_table->setShowGrid(false);
  m_table->horizontalHeader()->setStretchLastSection(true);
  m_stack = new QStackedWidget;
  m_stack->addWidget(m_map);
  m_stack->addWidget(m_lines);
  m_stack->addWidget(m_table);
  m_column->addWidget(m_stack, 1);
  connect(m_map, &TileMapView::picked, this, &TuningPage::picked);
  connect(m_lines, &TileLinesView::picked, this, &TuningPage::picked);
  connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
    const auto row = static_cast<std::size_t>(m_order->mapToSource(index).row());
    emit picked(m_list->figures()[row].tile);
  });
  connect(m_table, &QTableView::clicked, m_table, &QTableView::activated);
  connect(&m_forecasts, &TileForecasts::answered, this, &TuningPage::takeForecasts);
}

QWidget* TuningPage::makeControls() {
  auto* row = new QWidget;
  auto* across = new QHBoxLayout(row);
  across->setContentsMargins(8, 0, 8, 0);
  across->setSpacing(6);
  m_form = box(QStringLiteral("tuningForm"), tr("How the tiles are shown"));
  m_form->addItems({tr("Map"), tr("Lines"), tr("List")});
  across->addWidget(m_form);
  m_mapControls = new QWidget;
  auto* knobs = new QHBoxLayout(m_mapControls);
  knobs->setContentsMargins(0, 0, 0, 0);
  knobs->setSpacing(6);
  m_knobY = box(QStringLiteral("tuningKnobY"), tr("Knob upwards"));
  m_knobX = box(QStringLiteral("tuningKnobX"), tr("Knob to the right"));
  knobs->addWidget(new QLabel(tr("of")));
  knobs->addWidget(m_knobY);
  knobs->addWidget(new QLabel(tr("over")));
  knobs->addWidget(m_knobX);
  m_others = box(QStringLiteral("tuningOthers"), tr("What becomes of the other knobs"));
  m_others->addItems({tr("other knobs as they are"), tr("other knobs at their best")});
  knobs->addWidget(m_others);
  across->addWidget(m_mapControls);
  across->addStretch(1);
  m_device = box(QStringLiteral("tuningDevice"), tr("Device whose runs are shown"));
  across->addWidget(m_device);
  m_beside = box(QStringLiteral("tuningBeside"), tr("Another device beside it"));
  across->addWidget(m_beside);
  connect(m_form, &QComboBox::currentIndexChanged, this, [this](int form) {
    m_stack->setCurrentIndex(form);
    m_mapControls->setVisible(form == static_cast<int>(Form::Map));
    refresh();
  });
  for (QComboBox* each : {m_knobX, m_knobY, m_others, m_device, m_beside}) {
    connect(each, &QComboBox::currentIndexChanged, this, [this, each] {
      if (m_filling) return;
      // The same knob on both axes is a swap.
      if (m_knobX->currentIndex() == m_knobY->currentIndex() && m_knobX->count() > 1) {
        QComboBox* other = each == m_knobX ? m_knobY : m_knobX;
        const QSignalBlocker quiet(other);
        other->setCurrentIndex((each->currentIndex() + 1) % each->count());
      }
      refresh();
    });
  }
  return row;
}

void TuningPage::setForm(Form form) {
  m_form->setCurrentIndex(static_cast<int>(form));
}
TuningPage::Form TuningPage::form() const {
  return static_cast<Form>(m_form->currentIndex());
}
void TuningPage::setKnobs(Knob x, Knob y) {
  m_filling = true;
  m_knobX->setCurrentText(toQString(name(x)));
  m_knobY->setCurrentText(toQString(name(y)));
  m_filling = false;
  refresh();
}
void TuningPage::setOthers(tuning::Others others) {
  m_others->setCurrentIndex(static_cast<int>(others));
}

void TuningPage::fillKnobs() {
  m_filling = true;
  const QString x = m_knobX->currentText(), y = m_knobY->currentText();
  for (QComboBox* each : {m_knobX, m_knobY}) {
    each->clear();
    for (const KnobSpec& spec : m_stage->knobs) each->addItem(toQString(name(spec.knob)));
  }
  // As before, where this rung has those knobs; else the block tile, rows upwards.
  const int atX = m_knobX->findText(x), atY = m_knobY->findText(y);
  m_knobX->setCurrentIndex(atX >= 0 ? atX : std::min(1, m_knobX->count() - 1));
  m_knobY->setCurrentIndex(atY >= 0 && atY != m_knobX->currentIndex() ? atY : 0);
  m_filling = false;
}

void TuningPage::fillDevices(const std::vector<std::string>& devices) {
  m_filling = true;
  const QString now = m_device->currentText(), beside = m_beside->currentText();
  m_device->clear();
  m_beside->clear();
  m_beside->addItem(tr("no other device"));
  for (const std::string& device : devices) {
    m_device->addItem(QString::fromStdString(device));
    m_beside->addItem(QString::fromStdString(device));
  }
  m_device->setCurrentIndex(std::max(0, m_device->findText(now)));
  m_beside->setCurrentIndex(std::max(0, m_beside->findText(beside)));
  m_device->setVisible(devices.size() > 1);
  m_beside->setVisible(devices.size() > 1);
  m_filling = false;
}

void TuningPage::show(const Stage& stage, const TileShape& tile, const Problem& problem,
                      const Architecture& arch, const Known& known) {
  const bool sameRung = m_stage == &stage;
  const bool sameSize = sameRung && m_problem == problem && m_arch.name == arch.name;
  m_stage = &stage;
  m_tile = tile;
  m_problem = problem;
  m_arch = arch;
  if (!sameRung) fillKnobs();
  if (!sameSize) {
    m_foretold.clear();
    const auto rates = tuning::ratesFor(arch.name);
    m_rates = rates ? std::optional(*rates) : std::nullopt;
  }
  if (!sameSize || m_revision != known.revision) {
    m_sweeps.clear();
    const auto devices = tuning::devicesOf(known.runs, stage, problem);
    for (const std::string& device : devices)
      m_sweeps.push_back({device, tuning::figuresOf(known.runs, stage, problem, device)});
    fillDevices(devices);
  }
  m_revision = known.revision;
  refresh();
}

void TuningPage::setDevice(const QString& device) {
  const int at = m_device->findText(device);
  if (at >= 0) m_device->setCurrentIndex(at);
}

const TuningPage::Sweep* TuningPage::sweepOf(const QComboBox& box) const {
  const std::string device = box.currentText().toStdString();
  const auto found = std::ranges::find(m_sweeps, device, &Sweep::device);
  return found == m_sweeps.end() ? nullptr : &*found;
}

void TuningPage::refresh() {
  if (m_stage == nullptr) return;
  static const Sweep kNothing;
  const Sweep* first = sweepOf(*m_device);
  if (first == nullptr) first = &kNothing;
  if (form() == Form::Lines) return m_lines->setFigures(*m_stage, first->figures, m_tile);
  if (form() == Form::List) {
    m_list->setFigures(*m_stage, first->figures);
    m_table->resizeColumnsToContents();
    return;
  }
  if (m_stage->knobs.size() < 2) return m_map->setMaps({}, m_tile, m_problem);
  const Knob x = m_stage->knobs[static_cast<std::size_t>(m_knobX->currentIndex())].knob;
  const Knob y = m_stage->knobs[static_cast<std::size_t>(m_knobY->currentIndex())].knob;
  const auto others = static_cast<tuning::Others>(m_others->currentIndex());
  std::vector<const Sweep*> shown = {first};
  if (const Sweep* beside = sweepOf(*m_beside); beside != nullptr && beside != first)
    shown.push_back(beside);
  std::vector<TileMapData> maps;
  TileForecasts::Question question{m_stage, m_problem, m_arch, {}, {}};
  for (const Sweep* sweep : shown) {
    TileMapData made{tuning::tileMap(*m_stage, m_tile, x, y, others, sweep->figures, m_arch),
                     sweep->figures, shortDevice(sweep->device)};
    if (sweep->device.empty()) made.title = tr("not measured at this size");
    for (tuning::TileCell& cell : made.map.cells) {
      // With the others at their best a prediction of one tile would not be of the same kind.
      if (cell.kind != tuning::TileCell::Kind::Unknown || others != tuning::Others::AsNow) continue;
      const auto known =
          std::ranges::find(m_foretold, cell.tile, &decltype(m_foretold)::value_type::first);
      if (known == m_foretold.end()) {
        if (sweep == first) question.tiles.push_back(cell.tile);
      } else if (known->second.known()) {
        cell.kind = tuning::TileCell::Kind::Known;
        cell.figure = made.figures.size();
        made.figures.push_back(
            {cell.tile, known->second, tuning::TileFigure::Kind::Predicted, -1, 0});
      }
    }
    maps.push_back(std::move(made));
  }
  m_map->setMaps(std::move(maps), m_tile, m_problem);
  if (question.tiles.empty() || !isVisible() || !m_rates) return;
  question.rates = *m_rates;
  m_forecasts.ask(std::move(question));
}

void TuningPage::paintTo(QPainter& painter, const QSizeF& size) const {
  if (form() == Form::Map) return m_map->paintTo(painter, size);
  const Sweep* sweep = sweepOf(*m_device);
  if (m_stage != nullptr && sweep != nullptr) m_lines->setFigures(*m_stage, sweep->figures, m_tile);
  m_lines->paintTo(painter, size);
}

QString TuningPage::description() const {
  if (form() != Form::Map) return tr("measured tiles, a line each, over all knobs");
  return tr("TFLOP/s of %1 over %2, %3")
      .arg(m_knobY->currentText(), m_knobX->currentText(), m_others->currentText());
}

QString TuningPage::source() const {
  const Sweep* sweep = sweepOf(*m_device);
  if (sweep == nullptr || sweep->figures.empty()) return tr("predicted; nobody measured this size");
  const auto isLive = [](const tuning::TileFigure& f) {
    return f.kind == tuning::TileFigure::Kind::Live;
  };
  const bool live = std::ranges::any_of(sweep->figures, isLive);
  const bool recorded = !std::ranges::all_of(sweep->figures, isLive);
  return (live && recorded ? tr("live and recorded on %1")
          : live           ? tr("live on %1")
                           : tr("recorded on %1"))
      .arg(QString::fromStdString(sweep->device));
}

void TuningPage::takeForecasts(const TileForecasts::Question& question,
                               const std::vector<double>& gflops) {
  if (question.stage != m_stage || !(question.problem == m_problem)) return;
  const analysis::Band& band = question.rates.withoutCode;
  for (std::size_t i = 0; i < gflops.size(); ++i)
    m_foretold.push_back(
        {question.tiles[i], {gflops[i], gflops[i] / band.high, gflops[i] / band.low}});
  refresh();
  emit changed();
}

}  // namespace tileloom
