// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/pages/tuning/tuning_view.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "kernels/model/prediction/rates.h"
#include "kernels/runs/run_index.h"
#include "kernels/runs/statistics.h"
#include "kernels/tile/parameters.h"
#include "kernels/tuning/space.h"
#include "kernels/tuning/tune_session.h"
#include "viz/base/text/figure_text.h"
#include "viz/base/text/library_text.h"
#include "viz/base/text/text.h"
#include "viz/base/widgets/choice_box.h"
#include "viz/base/widgets/flow_layout.h"
#include "viz/charts/tiles/tile_lines_view.h"
#include "viz/charts/tiles/tile_list_model.h"
#include "viz/charts/tiles/tile_map_view.h"

namespace tileloom {
namespace {

QComboBox* box(const QString& name, const QString& words) {
  auto* made = new ChoiceBox;
  made->setObjectName(name);
  made->setAccessibleName(words);
  made->setToolTip(words);
  made->setFocusPolicy(Qt::TabFocus);
  return made;
}

// Items that stay the same are not touched: the user may be choosing one of them. Devices have
// short names, and an empty one means none.
void fill(QComboBox* box, const QStringList& items, const QString& present) {
  QStringList now;
  for (int i = 0; i < box->count(); ++i) now += box->itemData(i).toString();
  if (now != items) {
    box->clear();
    for (const QString& item : items)
      box->addItem(item.isEmpty() ? TuningView::tr("no other device") : figures::deviceText(item),
                   item);
  }
  box->setCurrentIndex(std::max(0, static_cast<int>(items.indexOf(present))));
}

}  // namespace

TuningView::TuningView(QWidget* parent) : QWidget(parent) {
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
  m_table->viewport()->installEventFilter(this);
  m_table->horizontalHeader()->setMinimumSectionSize(24);
  m_stack = new QStackedWidget;
  m_stack->addWidget(m_map);
  m_stack->addWidget(m_lines);
  m_stack->addWidget(m_table);
  m_column->addWidget(m_stack, 1);
  connect(m_map, &TileMapView::picked, this, [this](const TileShape& tile, bool measured) {
    emit picked(measured ? tile : nearPresent(tile));
  });
  connect(m_lines, &TileLinesView::picked, this, &TuningView::picked);
  connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
    const auto row = static_cast<std::size_t>(m_order->mapToSource(index).row());
    emit picked(TileShape(m_list->figures()[row].tile));
  });
  connect(m_table, &QTableView::clicked, m_table, &QTableView::activated);
  connect(&m_forecasts, &TileForecasts::answered, this, &TuningView::takeForecasts);
}

QWidget* TuningView::makeControls() {
  auto* row = new FlowRow;
  FlowLayout* across = &row->flow();
  across->setContentsMargins(8, 0, 8, 0);
  across->setSpacing(6);
  m_form = box(QStringLiteral("tuningForm"), tr("How the tiles are shown"));
  m_form->addItems({tr("Map"), tr("Lines"), tr("List")});
  across->addWidget(m_form);
  m_parameterY = box(QStringLiteral("tuningKnobY"), tr("Tile parameter of the rows"));
  m_parameterX = box(QStringLiteral("tuningKnobX"), tr("Tile parameter of the columns"));
  // A tile parameter wraps to the next line together with the word before it.
  const auto addParameter = [&](const QString& word, QComboBox* parameter) {
    auto* both = new QWidget;
    auto* parameters = new QHBoxLayout(both);
    parameters->setContentsMargins(0, 0, 0, 0);
    parameters->setSpacing(6);
    parameters->addWidget(new QLabel(word));
    parameters->addWidget(parameter);
    across->addWidget(both);
    m_mapControls.push_back(both);
  };
  addParameter(tr("of"), m_parameterY);
  addParameter(tr("over"), m_parameterX);
  m_others = box(QStringLiteral("tuningOthers"), tr("Values of the other tile parameters"));
  m_others->addItems({tr("others as they are"), tr("others at their best")});
  across->addWidget(m_others);
  m_mapControls.push_back(m_others);
  m_device = box(QStringLiteral("tuningDevice"), tr("Device whose runs are shown"));
  across->addWidget(m_device);
  m_beside = box(QStringLiteral("tuningBeside"), tr("Another device beside it"));
  across->addWidget(m_beside);
  for (QComboBox* each : {m_form, m_parameterX, m_parameterY, m_others, m_device, m_beside}) {
    connect(each, &QComboBox::currentIndexChanged, this, [this, each] {
      if (!m_filling) takeControls(each);
    });
  }
  return row;
}

void TuningView::takeControls(const QComboBox* moved) {
  TuningChoice now = m_choice;
  // The list that replaces a map for a rung with one tile parameter was not chosen.
  if (moved == m_form || form() == m_choice.form)
    now.form = static_cast<TuningForm>(m_form->currentIndex());
  now.others = static_cast<tuning::Others>(m_others->currentIndex());
  if (moved == m_parameterX || moved == m_parameterY) {
    const MapAxes before = axes();
    const auto up = parameterNamed(m_parameterY->currentText().toStdString());
    const auto right = parameterNamed(m_parameterX->currentText().toStdString());
    // The same tile parameter on both axes means a swap.
    if (up && right && *up == *right)
      now.axes = {before.right, before.up};
    else if (up && right)
      now.axes = {*up, *right};
  }
  if (moved == m_device) now.device = m_device->currentData().toString().toStdString();
  if (moved == m_beside) now.beside = m_beside->currentData().toString().toStdString();
  choose(now);
}

void TuningView::choose(const TuningChoice& choice) {
  m_choice = choice;
  if (m_stage != nullptr) fillControls();
  refresh();
}

bool TuningView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == m_table->viewport() && event->type() == QEvent::Resize) tightenColumns();
  return QWidget::eventFilter(watched, event);
}

// A list that replaces a map does not scroll sideways: if the columns do not fit, all but the
// tile's shrink in proportion. A list that the user has chosen keeps all of its words and scrolls.
void TuningView::tightenColumns() {
  const bool replaces = form() != m_choice.form;
  m_table->setHorizontalScrollBarPolicy(replaces ? Qt::ScrollBarAlwaysOff : Qt::ScrollBarAsNeeded);
  if (!replaces) return;
  QHeaderView& header = *m_table->horizontalHeader();
  const int tile = m_table->columnWidth(TileListModel::Tile);
  const int room = m_table->viewport()->width() - tile, others = header.length() - tile;
  constexpr int kLeast = 120;  // pixels; a table that is not laid out yet has less
  if (room < kLeast || others <= room) return;
  for (int column = 0; column < header.count(); ++column) {
    if (column != TileListModel::Tile && !m_table->isColumnHidden(column))
      m_table->setColumnWidth(column, m_table->columnWidth(column) * room / others - 1);
  }
}

TuningForm TuningView::form() const {
  const bool flat = m_stage != nullptr && m_stage->parameters.size() < 2;
  return flat && m_choice.form == TuningForm::Map ? TuningForm::List : m_choice.form;
}

MapAxes TuningView::axes() const {
  const auto has = [this](Parameter parameter) {
    return std::ranges::find(m_stage->parameters, parameter, &ParameterSpec::parameter) !=
           m_stage->parameters.end();
  };
  if (m_choice.axes && has(m_choice.axes->up) && has(m_choice.axes->right)) return *m_choice.axes;
  return {m_stage->parameters[0].parameter, m_stage->parameters[1].parameter};
}

void TuningView::fillControls() {
  m_filling = true;
  m_form->setCurrentIndex(static_cast<int>(form()));
  // A map needs two tile parameters.
  const Qt::ItemFlags usual = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  m_form->setItemData(
      static_cast<int>(TuningForm::Map),
      QVariant(static_cast<int>(m_stage->parameters.size() > 1 ? usual : Qt::NoItemFlags)),
      Qt::UserRole - 1);
  m_others->setCurrentIndex(static_cast<int>(m_choice.others));
  QStringList parameters;
  for (const ParameterSpec& spec : m_stage->parameters)
    parameters += toQString(name(spec.parameter));
  const bool square = parameters.size() > 1;
  fill(m_parameterX, parameters, square ? toQString(name(axes().right)) : QString());
  fill(m_parameterY, parameters, square ? toQString(name(axes().up)) : QString());
  const auto nameOf = [](const Sweep* sweep) {
    return sweep == nullptr ? QString() : QString::fromStdString(sweep->device);
  };
  QStringList others = devices();
  others.removeAll(nameOf(first()));
  fill(m_device, devices(), nameOf(first()));
  fill(m_beside, QStringList(QString()) + others, nameOf(beside()));
  for (QWidget* each : m_mapControls) each->setVisible(form() == TuningForm::Map);
  m_device->setVisible(m_sweeps.size() > 1);
  m_beside->setVisible(m_sweeps.size() > 1 && form() != TuningForm::Lines);
  m_stack->setCurrentIndex(static_cast<int>(form()));
  m_filling = false;
}

void TuningView::show(const Stage& stage, const TileShape& tile, const Problem& problem,
                      Format format, const Architecture& arch, const Known& known) {
  const bool sameRung = m_stage == &stage && m_format == format;
  const bool sameSize = sameRung && m_problem == problem && m_arch.name == arch.name;
  m_stage = &stage;
  m_tile = tile;
  m_problem = problem;
  m_format = format;
  m_arch = arch;
  if (!sameSize) {
    m_foretold.clear();
    const auto rates = model::ratesOf(stage, arch.name);
    m_rates = rates ? std::optional(*rates) : std::nullopt;
    m_unpredicted = model::isPredicted(stage)
                        ? QString()
                        : QString::fromStdString(model::noPredictionSentence());
  }
  if (!sameSize || m_revision != known.revision) {
    m_sweeps.clear();
    for (const std::string& device : tuning::devicesOf(known.runs, stage, problem, format))
      m_sweeps.push_back({device, tuning::figuresOf(known.runs, stage, problem, device, format),
                          tuning::cublasOf(known.runs, problem, device, format)});
    fillControls();
  }
  m_revision = known.revision;
  refresh();
}

QStringList TuningView::devices() const {
  QStringList names;
  for (const Sweep& sweep : m_sweeps) names += QString::fromStdString(sweep.device);
  return names;
}

const TuningView::Sweep* TuningView::named(const std::string& device, const Sweep* but) const {
  const auto is = [&](const Sweep& sweep) { return &sweep != but && sweep.device == device; };
  const auto has = [&](const Sweep& sweep) {
    return &sweep != but && runs::isDevice(sweep.device, device);
  };
  // An exact name before a part of another one: "RTX 4070" and "RTX 4070 Ti".
  auto found = std::ranges::find_if(m_sweeps, is);
  if (found == m_sweeps.end()) found = std::ranges::find_if(m_sweeps, has);
  return found == m_sweeps.end() ? nullptr : &*found;
}

const TuningView::Sweep* TuningView::first() const {
  const Sweep* chosen = named(m_choice.device, nullptr);
  return chosen == nullptr && !m_sweeps.empty() ? &m_sweeps.front() : chosen;
}

const TuningView::Sweep* TuningView::beside() const {
  return m_choice.beside.empty() ? nullptr : named(m_choice.beside, first());
}

std::optional<TileShape> TuningView::mended(const tuning::MapValues& values, int x, int y) {
  const Mended::Key key{m_stage, m_arch.name, values.x, values.y};
  if (!(m_mended.key == key)) m_mended = {key, {}};
  const auto [known, isNew] = m_mended.tiles.try_emplace({x, y});
  if (isNew) {
    const TileShape like = m_stage->standardTile().with(values.x, x).with(values.y, y);
    known->second = tuning::legalTileLike(*m_stage, like, std::array{values.x, values.y}, m_arch);
  }
  return known->second;
}

TileShape TuningView::nearPresent(const TileShape& tile) const {
  const auto [y, x] = axes();
  const TileShape like = m_tile.with(x, tile[x]).with(y, tile[y]);
  return tuning::legalTileLike(*m_stage, like, std::array{x, y}, m_arch).value_or(tile);
}

void TuningView::refresh() {
  if (m_stage == nullptr) return;
  static const Sweep kNothing;
  const Sweep* left = first() == nullptr ? &kNothing : first();
  const Sweep* right = beside();
  if (form() == TuningForm::Lines)
    return m_lines->setFigures(*m_stage, left->figures, m_tile,
                               figures::deviceText(toQString(left->device)));
  if (form() == TuningForm::List) {
    TileListModel::Other other;
    if (right != nullptr) other = {figures::deviceText(toQString(right->device)), right->figures};
    m_list->setFigures(*m_stage, left->figures, std::move(other));
    for (const int column : {TileListModel::Beside, TileListModel::Ratio})
      m_table->setColumnHidden(column, right == nullptr);
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() * 3 / 2);
    m_table->resizeColumnsToContents();
    tightenColumns();
    return;
  }
  const auto [y, x] = axes();
  const auto others = m_choice.others;
  std::vector<const Sweep*> shown = {left};
  if (right != nullptr) shown.push_back(right);
  std::vector<std::span<const tuning::TileFigure>> figures;
  for (const Sweep* sweep : shown) figures.push_back(sweep->figures);
  const auto values = tuning::mapValues(*m_stage, m_tile, x, y, others, figures);
  const auto mend = [&](int atX, int atY) { return mended(values, atX, atY); };
  std::vector<TileMapData> maps;
  TileForecasts::Question question{m_stage, m_problem, m_arch, {}, {}};
  for (const Sweep* sweep : shown) {
    TileMapData made{
        tuning::tileMap(*m_stage, m_tile, values, others, sweep->figures, m_arch, mend),
        sweep->figures, figures::deviceText(toQString(sweep->device)),
        m_rates ? figures::deviceText(toQString(m_rates->device)) : QString()};
    if (sweep->device.empty()) made.title = tr("not measured at this size");
    made.cublas = sweep->cublas;
    made.library = figures::libraryName(m_format);
    if (!m_unpredicted.isEmpty()) made.unpredicted = m_unpredicted;
    // With the others at their best, a prediction of one tile would not be comparable.
    if (others == tuning::Others::AsNow && m_unpredicted.isEmpty()) foretell(made, question);
    maps.push_back(std::move(made));
  }
  m_map->setMaps(std::move(maps), m_tile, m_problem);
  if (question.tiles.empty() || !isVisible() || !m_rates) return;
  question.rates = *m_rates;
  m_forecasts.ask(std::move(question));
}

// Fills what is not measured with predictions, and checks them where it is. Adds to the question
// what is not predicted yet.
void TuningView::foretell(TileMapData& made, TileForecasts::Question& question) const {
  std::vector<double> off;
  for (tuning::TileCell& cell : made.map.cells) {
    if (cell.kind == tuning::TileCell::Kind::Illegal) continue;
    const auto known =
        std::ranges::find(m_foretold, cell.tile, &decltype(m_foretold)::value_type::first);
    if (known == m_foretold.end()) {
      if (std::ranges::find(question.tiles, cell.tile) == question.tiles.end())
        question.tiles.push_back(cell.tile);
    } else if (known->second.known()) {
      if (cell.figure) {
        off.push_back(known->second.median / made.figures[*cell.figure].gflops.median - 1);
        continue;
      }
      cell.kind = tuning::TileCell::Kind::Known;
      cell.figure = made.figures.size();
      made.figures.push_back(
          {cell.tile, known->second, tuning::TileFigure::Kind::Predicted, -1, 0});
    }
  }
  if (!off.empty()) made.bias = {runs::median(off), static_cast<int>(off.size())};
}

void TuningView::paintTo(QPainter& painter, const QSizeF& size) const {
  switch (form()) {
    case TuningForm::Map:
      return m_map->paintTo(painter, size);
    case TuningForm::Lines:
      return m_lines->paintTo(painter, size);
    case TuningForm::List:
      listPicture().paint(painter, size, Theme::of(palette()), presentRow());
  }
}

TablePicture TuningView::listPicture() const {
  std::vector<int> hidden;
  for (int column = 0; column < TileListModel::kColumns; ++column) {
    if (m_table->isColumnHidden(column)) hidden.push_back(column);
  }
  return TablePicture(*m_order, source(), font(), hidden);
}

int TuningView::presentRow() const {
  const auto& figures = m_list->figures();
  const auto found = std::ranges::find(figures, m_tile, &tuning::TileFigure::tile);
  if (found == figures.end()) return -1;
  const auto row = static_cast<int>(found - figures.begin());
  return m_order->mapFromSource(m_list->index(row, 0)).row();
}

double TuningView::pictureWidth() const {
  return form() == TuningForm::List ? listPicture().size().width() : 0;
}

QString TuningView::description() const {
  if (form() == TuningForm::Lines)
    return tr("measured tiles, one line per tile, over all tile parameters");
  if (form() == TuningForm::List) {
    const int column = m_order->sortColumn();
    const bool usual = column == TileListModel::Place && m_order->sortOrder() == Qt::AscendingOrder;
    return usual ? tr("measured tiles, fastest first")
                 : tr("measured tiles, sorted by %1")
                       .arg(m_list->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString());
  }
  if (m_stage == nullptr || m_stage->parameters.size() < 2)
    return tr("this rung has one tile parameter, so it has no map: see the list");
  return m_choice.others == tuning::Others::Best
             ? tr("speed of %1 over %2, other tile parameters at their best")
                   .arg(toQString(name(axes().up)), toQString(name(axes().right)))
             : tr("speed of %1 over %2, other tile parameters as in %3")
                   .arg(toQString(name(axes().up)), toQString(name(axes().right)),
                        figures::tileText(m_stage, m_tile));
}

QString TuningView::source() const {
  if (first() == nullptr || first()->figures.empty())
    return m_unpredicted.isEmpty() ? tr("predicted; this size was not measured")
                                   : tr("this size was not measured, and %1").arg(m_unpredicted);
  const auto words = [](const Sweep& sweep) {
    const auto isLive = [](const tuning::TileFigure& f) {
      return f.kind == tuning::TileFigure::Kind::Live;
    };
    const bool live = std::ranges::any_of(sweep.figures, isLive);
    const bool recorded = !std::ranges::all_of(sweep.figures, isLive);
    return (live && recorded ? tr("live and recorded on %1")
            : live           ? tr("live on %1")
                             : tr("recorded on %1"))
        .arg(QString::fromStdString(sweep.device));
  };
  const bool two = beside() != nullptr && form() != TuningForm::Lines;
  return two ? tr("%1, and %2").arg(words(*first()), words(*beside())) : words(*first());
}

void TuningView::takeForecasts(const TileForecasts::Question& question,
                               const std::vector<double>& gflops) {
  if (question.stage != m_stage || !(question.problem == m_problem) ||
      question.arch.name != m_arch.name)
    return;
  const model::Band& band = question.rates.withoutCode;
  if (m_foretold.size() + gflops.size() > kMostForetold) m_foretold.clear();
  for (std::size_t i = 0; i < gflops.size(); ++i)
    m_foretold.push_back(
        {question.tiles[i], {gflops[i], gflops[i] / band.high, gflops[i] / band.low}});
  refresh();
  emit changed();
}

}  // namespace tileloom
