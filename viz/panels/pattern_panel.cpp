// SPDX-License-Identifier: GPL-3.0-or-later
#include "viz/panels/pattern_panel.h"

#include <QComboBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "kernels/own/cute_text.h"
#include "viz/base/text/labels.h"
#include "viz/base/text/text.h"
#include "viz/base/widgets/choice_box.h"
#include "viz/base/widgets/flow_layout.h"
#include "viz/memory/pattern_examples.h"
#include "viz/memory/pattern_view.h"
#include "viz/memory/pattern_words.h"
#include "viz/panels/number_box.h"

namespace tileloom {
namespace {

constexpr std::array<std::uint32_t, 5> kByteSizes = {1, 2, 4, 8, 16};
constexpr std::size_t kLongestPatternWord = 40;  // of padding and swizzle, as sessions keep them

// The place of a size in its box; -1: it has none.
int placeOfSize(std::uint32_t bytes) {
  const auto found = std::ranges::find(kByteSizes, bytes);
  return found == kByteSizes.end() ? -1 : static_cast<int>(found - kByteSizes.begin());
}

}  // namespace

PatternPanel::PatternPanel(QWidget* parent)
    : QWidget(parent),
      m_field(new QLineEdit),
      m_examples(new QToolButton),
      m_controls(new FlowRow),
      m_usePadding(new QPushButton),
      m_useSwizzle(new QPushButton),
      m_trouble(new Prose),
      m_units(new Prose),
      m_verdict(new Prose),
      m_hint(new Prose),
      m_view(new PatternView) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 4, 0, 4);
  column->setSpacing(4);
  makeField(*column);
  m_trouble->setObjectName(QStringLiteral("patternTrouble"));
  m_units->setObjectName(QStringLiteral("patternUnits"));
  m_verdict->setObjectName(QStringLiteral("patternVerdict"));
  m_hint->setObjectName(QStringLiteral("patternHint"));
  m_view->setObjectName(QStringLiteral("pattern"));
  for (Prose* words : {m_trouble, m_units, m_verdict, m_hint})
    words->setContentsMargins(12, 0, 12, 0);
  column->addWidget(m_trouble);
  makeControls(*column);
  column->addWidget(m_units);
  column->addWidget(m_view, 1);
  column->addWidget(m_verdict);
  column->addWidget(m_hint);
  restyle();
  showChoice();
  count();
}

void PatternPanel::makeField(QBoxLayout& column) {
  auto* line = new QHBoxLayout;
  line->setContentsMargins(12, 0, 12, 0);
  m_field->setObjectName(QStringLiteral("patternField"));
  m_field->setAccessibleName(tr("Access pattern"));
  m_field->setMaxLength(static_cast<int>(own::kLongestPattern));
  m_field->setPlaceholderText(QStringLiteral("lane -> (lane % 8) * 33 + lane / 8"));
  m_field->setToolTip(
      tr("An expression of lane, warp, step and thread, a layout of CuTe such as "
         "(8,4):(33,1), or a list of 32 indices or addresses"));
  line->addWidget(m_field, 1);
  m_examples->setObjectName(QStringLiteral("patternExamples"));
  m_examples->setText(tr("Examples"));
  m_examples->setPopupMode(QToolButton::InstantPopup);
  m_examples->setFocusPolicy(Qt::TabFocus);
  auto* menu = new QMenu(m_examples);
  for (const PatternExample& example : patternExamples()) {
    connect(menu->addAction(example.title), &QAction::triggered, this,
            [this, choice = example.choice] { take(choice); });
  }
  m_examples->setMenu(menu);
  line->addWidget(m_examples);
  column.addLayout(line);
  connect(m_field, &QLineEdit::textChanged, this, &PatternPanel::takeFields);
}

QComboBox* PatternPanel::makeBox(const char* id, const QString& name, const QStringList& entries) {
  auto* box = new ChoiceBox;
  box->setObjectName(QLatin1String(id));
  box->setAccessibleName(name);
  box->addItems(entries);
  connect(box, &QComboBox::currentIndexChanged, this, &PatternPanel::takeFields);
  return box;
}

QSpinBox* PatternPanel::makeNumber(const char* id, const QString& name, int most) {
  auto* box = new NumberBox;
  box->setObjectName(QLatin1String(id));
  box->setAccessibleName(name);
  box->setRange(0, most);
  connect(box, &QSpinBox::valueChanged, this, &PatternPanel::takeFields);
  return box;
}

QLineEdit* PatternPanel::makeLine(const char* id, const QString& name, const QString& example,
                                  int letters) {
  auto* line = new QLineEdit;
  line->setObjectName(QLatin1String(id));
  line->setAccessibleName(name);
  line->setPlaceholderText(example);
  line->setMaxLength(static_cast<int>(kLongestPatternWord));
  line->setProperty("letters", letters);
  connect(line, &QLineEdit::textChanged, this, &PatternPanel::takeFields);
  return line;
}

void PatternPanel::makeControls(QBoxLayout& column) {
  m_controls->flow().setContentsMargins(12, 0, 12, 0);
  m_controls->flow().setSpacing(10);
  const auto add = [&](const QString& label, std::initializer_list<QWidget*> fields) {
    auto* group = new QWidget;
    auto* inner = new QHBoxLayout(group);
    inner->setContentsMargins(0, 0, 0, 0);
    inner->setSpacing(4);
    if (!label.isEmpty()) {
      auto* name = new QLabel(label);
      name->setBuddy(*fields.begin());
      inner->addWidget(name);
    }
    for (QWidget* field : fields) inner->addWidget(field);
    m_controls->flow().addWidget(group);
  };
  QStringList kinds, sizes, units;
  for (const std::string_view name : own::kPatternKindNames) kinds << toQString(name);
  for (const std::uint32_t size : kByteSizes) sizes << QString::number(size);
  m_kind = makeBox("patternKind", tr("Kind of the access"), kinds);
  m_memory = makeBox("patternMemory", tr("Memory"), {tr("shared"), tr("global")});
  add(tr("Access"), {m_kind});
  add({}, {m_memory});
  m_bytes = makeBox("patternBytes", tr("Bytes per lane"), sizes);
  add(tr("bytes per lane"), {m_bytes});
  m_element = makeBox("patternElement", tr("Bytes of an element, which the pattern counts"),
                      QStringList{tr("usual")} + sizes);
  m_element->setToolTip(
      tr("What the pattern counts. Usual: elements as large as the access, 2 bytes "
         "for ldmatrix, and bytes for a list of addresses such as 0x40"));
  add(tr("per element"), {m_element});
  m_padding = makeLine("patternPadding", tr("Padding: row and padding elements"), tr("32,1"), 6);
  m_padding->setToolTip(tr("ROW,PAD: PAD elements of padding after each ROW elements"));
  add(tr("Padding"), {m_padding});
  m_swizzle = makeLine("patternSwizzle", tr("Swizzle"), QStringLiteral("Swizzle<3,3,3>"), 15);
  m_swizzle->setToolTip(tr("A swizzle as CuTe writes it, applied after the padding"));
  m_unit = makeBox("patternUnit", tr("What the swizzle counts"),
                   {tr("of elements"), tr("of words"), tr("of bytes")});
  add(tr("Swizzle"), {m_swizzle});
  add({}, {m_unit});
  m_warp = makeNumber("patternWarp", tr("Warp of the pattern"),
                      static_cast<int>(own::kMostPatternWarps) - 1);
  add(tr("warp"), {m_warp});
  m_step = makeNumber("patternStep", tr("Step of the pattern"),
                      static_cast<int>(own::kMostPatternSteps) - 1);
  add(tr("step"), {m_step});
  m_usePadding->setObjectName(QStringLiteral("patternUsePadding"));
  m_useSwizzle->setObjectName(QStringLiteral("patternUseSwizzle"));
  for (QPushButton* button : {m_usePadding, m_useSwizzle}) {
    button->setFocusPolicy(Qt::TabFocus);
    m_controls->flow().addWidget(button);
  }
  connect(m_usePadding, &QPushButton::clicked, this, [this] {
    if (!m_shown || !m_shown->hint.padding) return;
    PatternChoice choice = m_choice;
    choice.padding = QStringLiteral("%1,%2")
                         .arg(m_shown->hint.padding->row)
                         .arg(m_shown->hint.padding->pad)
                         .toStdString();
    choice.swizzle.clear();
    take(choice);
  });
  connect(m_useSwizzle, &QPushButton::clicked, this, [this] {
    if (!m_shown || !m_shown->hint.swizzle) return;
    PatternChoice choice = m_choice;
    const std::uint32_t element = m_shown->pattern.request.element;
    const auto elements = own::inUnitsOf(*m_shown->hint.swizzle, 1, element);
    choice.swizzle = own::swizzleText(elements.value_or(*m_shown->hint.swizzle));
    choice.unit = elements ? own::SwizzleUnit::Element : own::SwizzleUnit::Byte;
    choice.padding.clear();
    take(choice);
  });
  column.addWidget(m_controls);
}

QString PatternPanel::trouble() const {
  return m_trouble->text();
}

void PatternPanel::choose(const PatternChoice& choice) {
  m_choice = choice;
  m_shown.reset();  // the picture of another session would be wrong
  m_view->clear();
  showChoice();
  count();
}

void PatternPanel::take(const PatternChoice& choice) {
  if (m_choice == choice) return;
  m_choice = choice;
  showChoice();
  count();
  emit chosen(m_choice);
}

void PatternPanel::takeFields() {
  if (m_showing) return;
  PatternChoice choice = m_choice;
  // A pasted list has line breaks and tabs.
  choice.text = m_field->text().simplified() == toQString(m_choice.text).simplified()
                    ? m_choice.text
                    : m_field->text().toStdString();
  choice.kind = static_cast<own::PatternKind>(m_kind->currentIndex());
  choice.memory = static_cast<own::PatternMemory>(m_memory->currentIndex());
  if (const int at = m_bytes->currentIndex(); at >= 0 && !own::isLdmatrix(choice.kind))
    choice.bytes = kByteSizes[static_cast<std::size_t>(at)];
  if (const int at = m_element->currentIndex(); at >= 0)
    choice.element = at == 0 ? 0 : kByteSizes[static_cast<std::size_t>(at - 1)];
  choice.padding = m_padding->text().toStdString();
  choice.swizzle = m_swizzle->text().toStdString();
  choice.unit = static_cast<own::SwizzleUnit>(m_unit->currentIndex());
  choice.warp = static_cast<std::uint32_t>(m_warp->value());
  choice.step = static_cast<std::uint32_t>(m_step->value());
  take(choice);
}

void PatternPanel::showChoice() {
  m_showing = true;
  const auto write = [](QLineEdit* line, const std::string& text) {
    const QString shown = toQString(text);
    if (line->text() != shown) line->setText(shown);
  };
  write(m_field, m_choice.text);
  write(m_padding, m_choice.padding);
  write(m_swizzle, m_choice.swizzle);
  const bool rows = own::isLdmatrix(m_choice.kind);
  m_kind->setCurrentIndex(static_cast<int>(m_choice.kind));
  m_memory->setCurrentIndex(static_cast<int>(m_choice.memory));
  m_bytes->setCurrentIndex(placeOfSize(rows ? 16 : m_choice.bytes));
  m_bytes->setEnabled(!rows);
  m_element->setCurrentIndex(m_choice.element == 0 ? 0
                             : placeOfSize(m_choice.element) < 0
                                 ? -1
                                 : placeOfSize(m_choice.element) + 1);
  m_unit->setCurrentIndex(static_cast<int>(m_choice.unit));
  m_warp->setValue(static_cast<int>(m_choice.warp));
  m_step->setValue(static_cast<int>(m_choice.step));
  m_showing = false;
}

void PatternPanel::count() {
  auto shown = patternShown(m_choice);
  m_trouble->setText(shown ? QString() : toQString(shown.error()));
  m_trouble->setVisible(!shown);
  if (shown) {
    m_shown = std::move(*shown);
    m_view->setPattern(m_shown->pattern);
  }
  // The boxes say the rest.
  m_units->setText(m_shown && m_shown->pattern.swizzle
                       ? swizzleInUnits(*m_shown->pattern.swizzle, m_shown->pattern.request.element)
                       : QString());
  m_units->setVisible(!m_units->text().isEmpty());
  m_verdict->setText(m_shown ? patternVerdict(m_shown->pattern) : QString());
  m_hint->setText(m_shown ? patternHint(m_shown->pattern, m_shown->hint) : QString());
  m_hint->setVisible(!m_hint->text().isEmpty());
  const own::AccessHint hint = m_shown ? m_shown->hint : own::AccessHint{};
  m_usePadding->setVisible(hint.padding.has_value());
  m_useSwizzle->setVisible(hint.swizzle.has_value());
  if (hint.padding)
    m_usePadding->setText(tr("Pad %1,%2").arg(hint.padding->row).arg(hint.padding->pad));
  if (hint.swizzle) {
    const auto elements = own::inUnitsOf(*hint.swizzle, 1, m_shown->pattern.request.element);
    m_useSwizzle->setText(toQString(own::swizzleText(elements.value_or(*hint.swizzle))));
  }
  m_usePadding->setToolTip(tr("Try this padding instead of the present one"));
  m_useSwizzle->setToolTip(tr("Try this swizzle instead of the present one"));
}

void PatternPanel::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) restyle();
}

void PatternPanel::restyle() {
  m_field->setFont(Fonts::of(font()).mono);
  for (QLineEdit* line : {m_padding, m_swizzle}) {
    const int letters = line->property("letters").toInt() + 2;
    line->setFixedWidth(letters * QFontMetrics(font()).averageCharWidth() + 16);
  }
  QFont bold = font();
  bold.setWeight(QFont::DemiBold);
  m_verdict->setFont(bold);
  setInk(*m_units, Ink::Soft);
  setInk(*m_trouble, Ink::Trouble);
}

}  // namespace tileloom
