// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/panels/transport_bar.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QSpinBox>
#include <QStyle>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <optional>

#include "kernels/analysis/recording.h"
#include "kernels/analysis/tensor/warp_product.h"
#include "viz/base/widgets/choice_box.h"
#include "viz/panels/number_box.h"
#include "viz/panels/scrub_bar.h"

namespace tileloom {
namespace {

QToolButton* button(const QString& name, const QString& text, const QString& tip) {
  auto* b = new QToolButton;
  b->setObjectName(name);
  b->setText(text);
  b->setToolTip(tip);
  b->setAccessibleName(tip);
  b->setAutoRaise(true);
  b->setFocusPolicy(Qt::TabFocus);
  return b;
}

// Its last value is the epilogue. Rungs without shared memory have no K tiles: their parts of K are
// named by the values of k, as in the loom.
class TileBox : public NumberBox {
 public:
  // The number of values of k in a part, and in all; 0: K tiles, which have numbers.
  void setDepth(int depth, int k) {
    if (depth == m_depth && k == m_k) return;
    m_depth = depth;
    m_k = k;
    updateGeometry();
  }

  // The last part has the longest words; QSpinBox measures the first one and the epilogue.
  QSize sizeHint() const override { return widened(NumberBox::sizeHint()); }
  QSize minimumSizeHint() const override { return widened(NumberBox::minimumSizeHint()); }

 protected:
  QString textFromValue(int value) const override {
    if (value == maximum()) return QStringLiteral("–");
    if (m_depth == 0) return QSpinBox::textFromValue(value);
    const int first = (value - 1) * m_depth, last = std::min(value * m_depth, m_k) - 1;
    return last <= first ? QString::number(first) : QStringLiteral("%1–%2").arg(first).arg(last);
  }
  QValidator::State validate(QString& text, int& at) const override {
    if (text.endsWith(textFromValue(maximum()))) return QValidator::Acceptable;
    if (m_depth == 0) return QSpinBox::validate(text, at);
    return partOf(text) ? QValidator::Acceptable : QValidator::Intermediate;
  }
  int valueFromText(const QString& text) const override {
    if (text.endsWith(textFromValue(maximum()))) return maximum();
    return m_depth == 0 ? QSpinBox::valueFromText(text) : partOf(text).value_or(value());
  }

 private:
  // The part that contains the first k of "k = 32–63" or "32".
  std::optional<int> partOf(QString text) const {
    if (text.startsWith(prefix())) text.remove(0, prefix().size());
    bool number = false;
    const int k = text.section(u'–', 0, 0).trimmed().toInt(&number);
    const int part = number && k >= 0 ? k / m_depth + 1 : 0;
    return part >= minimum() && part < maximum() ? std::optional(part) : std::nullopt;
  }

  QSize widened(const QSize& size) const {
    if (m_depth == 0 || maximum() - 1 <= minimum()) return size;
    const int asked = std::max(fontMetrics().horizontalAdvance(textFromValue(minimum())),
                               fontMetrics().horizontalAdvance(textFromValue(maximum())));
    const int longest = fontMetrics().horizontalAdvance(textFromValue(maximum() - 1));
    return {size.width() + std::max(0, longest - asked), size.height()};
  }

  int m_depth = 0, m_k = 0;
};

QSpinBox* spin(const QString& name, const QString& prefix, const QString& tip,
               QSpinBox* s = new NumberBox) {
  s->setObjectName(name);
  s->setPrefix(prefix);
  s->setToolTip(tip);
  s->setAccessibleName(tip);
  s->setKeyboardTracking(false);
  s->setFocusPolicy(Qt::StrongFocus);
  return s;
}

}  // namespace

TransportBar::TransportBar(QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(10, 2, 10, 2);
  column->setSpacing(0);
  m_scrub = new ScrubBar;
  column->addWidget(m_scrub);
  m_rows = new QHBoxLayout;
  m_rows->setSpacing(8);
  column->addLayout(m_rows);
  auto* moves = new QHBoxLayout;
  auto* places = new QHBoxLayout;
  for (QHBoxLayout* row : {moves, places}) {
    row->setSpacing(8);
    m_rows->addLayout(row);
  }

  auto* first =
      button(QStringLiteral("first"), QStringLiteral("|◀"), tr("To the first instruction (Home)"));
  auto* back =
      button(QStringLiteral("back"), QStringLiteral("◀"), tr("One instruction back (Left)"));
  m_play = button(QStringLiteral("play"), QStringLiteral("▶  Play"), tr("Play or pause (Space)"));
  auto* forth =
      button(QStringLiteral("forth"), QStringLiteral("▶"), tr("One instruction forward (Right)"));
  m_play->setAutoRaise(false);
  m_pace = new ChoiceBox;
  m_pace->setObjectName(QStringLiteral("pace"));
  m_pace->setAccessibleName(tr("Pace"));
  m_pace->setToolTip(tr(
      "Playing speed: a K tile takes the same time on every rung; single instructions are slower"));
  for (std::size_t i = 0; i < kPaceNames.size(); ++i) {
    const auto pace = static_cast<Pace>(i);
    const double rate = instructionsPerSecond(pace);
    m_pace->addItem(rate > 0 ? tr("%1 instructions per second").arg(rate)
                             : tr("%1 s per K tile").arg(secondsPerTile(pace)));
  }
  setPace(kUsualPace);
  m_warp = spin(QStringLiteral("warp"), tr("warp "), tr("Watched warp (W)"));
  m_tile = spin(QStringLiteral("ktile"), tr("K tile "),
                tr("K tile (Page Up, Page Down); –: the epilogue, after all of them"), new TileBox);
  m_dot = spin(QStringLiteral("dot"), tr("k "), tr("k within the K tile (Up, Down)"));
  m_dot->setSpecialValueText(tr("k –"));
  m_index = spin(QStringLiteral("instruction"), tr("instruction "), tr("Instruction of the warp"));
  m_of = new QLabel;

  for (QWidget* widget : std::initializer_list<QWidget*>{first, back, m_play, forth, m_pace})
    moves->addWidget(widget);
  moves->addStretch();
  for (QWidget* widget : std::initializer_list<QWidget*>{m_warp, m_tile, m_dot, m_index, m_of})
    places->addWidget(widget);
  arrange();

  connect(first, &QToolButton::clicked, this, [this] { emit indexAsked(0); });
  connect(back, &QToolButton::clicked, this, [this] { emit stepped(-1); });
  connect(forth, &QToolButton::clicked, this, [this] { emit stepped(1); });
  connect(m_play, &QToolButton::clicked, this, &TransportBar::playToggled);
  connect(m_scrub, &ScrubBar::scrubbed, this, &TransportBar::indexAsked);
  connect(m_pace, &QComboBox::currentIndexChanged, this, [this] { emit paceChanged(pace()); });
  connect(m_warp, &QSpinBox::valueChanged, this, [this](int v) {
    if (!m_updating) emit warpAsked(v);
  });
  connect(m_tile, &QSpinBox::valueChanged, this, [this](int v) {
    if (!m_updating) emit placeAsked(v - 1, dot(m_dot->value()));
  });
  connect(m_dot, &QSpinBox::valueChanged, this, [this](int v) {
    if (!m_updating) emit placeAsked(m_tile->value() - 1, dot(v));
  });
  connect(m_index, &QSpinBox::valueChanged, this, [this](int v) {
    if (!m_updating) emit indexAsked(v);
  });
}

QSize TransportBar::minimumSizeHint() const {
  const int widest =
      std::max(m_rows->itemAt(0)->minimumSize().width(), m_rows->itemAt(1)->minimumSize().width());
  const QMargins margins = layout()->contentsMargins();
  return {widest + margins.left() + margins.right(), layout()->minimumSize().height()};
}

void TransportBar::arrange() {
  // Both names get equal width, so that nothing beside the button moves.
  const QFontMetrics metrics = m_play->fontMetrics();
  m_play->setMinimumWidth(metrics.horizontalAdvance(QStringLiteral("❚❚  Pause")) + 24);
  int wanted = m_rows->spacing();
  for (int i = 0; i < m_rows->count(); ++i) wanted += m_rows->itemAt(i)->sizeHint().width();
  // The layout's own rectangle is still the one before this resize.
  const QMargins around = layout()->contentsMargins();
  const int room = width() - around.left() - around.right();
  const auto direction = wanted <= room ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom;
  // Before the first layout there is no width to judge by.
  if (isVisible() && direction != m_rows->direction()) m_rows->setDirection(direction);
}

void TransportBar::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  arrange();
}

bool TransportBar::event(QEvent* event) {
  // Words and fonts change the width of the rows.
  if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show) arrange();
  return QWidget::event(event);
}

void TransportBar::setPace(Pace pace) {
  m_pace->setCurrentIndex(static_cast<int>(pace));
}

Pace TransportBar::pace() const {
  return static_cast<Pace>(m_pace->currentIndex());
}

void TransportBar::setPlaying(bool playing) {
  m_play->setText(playing ? tr("❚❚  Pause") : tr("▶  Play"));
}

int TransportBar::dot(int shown) const {
  if (m_depth == 1) return shown;
  return shown < 1 ? -1 : (shown - 1) * m_depth;
}

void TransportBar::setScene(const Scene& scene) {
  if (!scene.ready()) return;
  const auto& trace = scene.recording->trace;
  const auto& instruction = scene.moment.instruction;
  m_updating = true;
  m_scrub->setScene(scene);
  m_warp->setRange(0, static_cast<int>(trace.warps) - 1);
  m_warp->setValue(static_cast<int>(scene.moment.warp));
  // Rungs without K tiles are stepped through in parts of equal size.
  const bool tiled = trace.features().sharedTiles;
  static_cast<TileBox*>(m_tile)->setDepth(tiled ? 0 : static_cast<int>(trace.stepK),
                                          trace.problem.k);
  m_tile->setPrefix(!tiled                ? tr("k = ")
                    : scene.beforeTiles() ? tr("before K tile ")
                                          : tr("K tile "));
  const auto tiles = static_cast<int>(trace.kTilesTraced);
  m_tile->setRange(1, tiles + 1);
  m_tile->setValue(scene.afterTiles() ? tiles + 1 : static_cast<int>(scene.kTile()) + 1);
  // On tensor cores a step along K covers several columns of A: steps are counted from 1.
  m_depth = static_cast<int>(analysis::dotDepth(trace));
  m_dot->setPrefix(m_depth > 1 ? tr("k step ") : tr("k "));
  m_dot->setSpecialValueText(m_depth > 1 ? tr("k step –") : tr("k –"));
  m_dot->setToolTip(m_depth > 1 ? tr("Step of %1 along K within the K tile (Up, Down)").arg(m_depth)
                                : tr("k within the K tile (Up, Down)"));
  const int first = m_depth > 1 ? 1 : 0;
  // Only rungs without K tiles can end within a part.
  const int left = tiled ? static_cast<int>(trace.stepK)
                         : trace.problem.k - static_cast<int>(scene.kTile() * trace.stepK);
  m_dot->setRange(first - 1,
                  std::clamp(left, 1, static_cast<int>(trace.stepK)) / m_depth - 1 + first);
  m_dot->setValue(instruction.dot == emulator::kNoDot ? first - 1
                                                      : instruction.dot / m_depth + first);
  const auto length = static_cast<int>(trace.length(scene.moment.warp));
  m_index->setRange(0, length - 1);
  m_index->setValue(static_cast<int>(scene.moment.index));
  m_of->setText(tr("of %1").arg(QLocale(QLocale::English).toString(length)));
  m_updating = false;
}

}  // namespace tileloom
