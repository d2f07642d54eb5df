// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/services/measuring/listings.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/commands/common/parse.h"
#include "kernels/own/own_kernel.h"
#include "kernels/runs/unrecorded.h"
#include "kernels/sass/read_listing.h"
#include "kernels/sass/recorded.h"
#include "kernels/tile/placement.h"
#include "kernels/tile/subject.h"
#include "viz/base/text/text.h"

namespace tileloom {
namespace {

QString capitalised(const QString& text) {
  return text.left(1).toUpper() + text.mid(1);
}

QString sentence(const QString& text) {
  return capitalised(text) + u'.';
}

constexpr int kSettleMs = 150;           // a slider that rests this long has been let go
constexpr std::size_t kRemembered = 24;  // listings

Subject placeOf(const sass::MachineCode& code) {
  return code;
}

Subject placeOf(const runs::StallSamples& samples) {
  return samples;
}

QString samplesTag(const QString& listing) {
  return listing + QStringLiteral(" samples");
}

void keep(std::deque<std::shared_ptr<const SassFacts>>& all,
          std::shared_ptr<const SassFacts> facts) {
  if (all.size() >= kRemembered) all.pop_front();
  all.push_back(std::move(facts));
}

}  // namespace

Listings::Listings(Lab& lab, QObject* parent) : QObject(parent), m_lab(lab) {
  m_now.tag = QStringLiteral("listing");
  m_baseline.tag = QStringLiteral("listing of the baseline");
  m_settle.setSingleShot(true);
  m_settle.setInterval(kSettleMs);
  connect(&m_settle, &QTimer::timeout, this, &Listings::ask);
  WorkerClient& client = m_lab.client();
  connect(&client, &WorkerClient::ready, this, [this] {
    // Perhaps another machine.
    m_missing.clear();
    m_live.clear();
    m_sampled.clear();
    for (Wish* wish : {&m_now, &m_baseline}) {
      forgetListing(*wish);
      forgetSamples(*wish);
      wish->unsampled = false;
    }
    m_settle.start();
    emit changed();
  });
}

void Listings::choose(const Subject& place, const Problem& problem) {
  set(m_now, place, problem);
  // Both are sampled at the size of the window.
  if (m_baseline.place.rung() != nullptr) set(m_baseline, m_baseline.place, problem);
}

void Listings::watch(const Subject& place) {
  set(m_baseline, place, m_now.problem);
}

void Listings::set(Wish& wish, const Subject& place, const Problem& problem) {
  const bool same = wish.place == place;
  if (same && wish.problem == problem) return;
  forgetSamples(wish);
  wish.unsampled = false;
  wish.problem = problem;
  if (!same) forgetListing(wish);
  wish.place = place;
  wish.trouble.clear();
  if (m_viewers.empty()) return;
  m_settle.start();
  emit changed();
}

void Listings::forgetListing(Wish& wish) {
  if (std::exchange(wish.asked, false)) m_lab.client().cancel(wish.tag);
}

void Listings::forgetSamples(Wish& wish) {
  if (std::exchange(wish.sampling, false)) m_lab.client().cancel(samplesTag(wish.tag));
}

void Listings::setWanted(const QObject* view, bool wanted) {
  if (wanted) {
    if (!m_viewers.insert(view).second || m_viewers.size() > 1) return;
  } else {
    m_viewers.erase(view);
    return;
  }
  m_settle.start();
  emit changed();
}

bool Listings::canAsk() const {
  return m_missing.isEmpty() && m_lab.client().info() && m_lab.client().info()->canCompile();
}

void Listings::ask() {
  if (m_viewers.empty() || !canAsk()) return;
  askFor(m_now);
  askFor(m_baseline);
  askForSamples(m_now);
  askForSamples(m_baseline);
  emit changed();
}

void Listings::askFor(Wish& wish) {
  const Subject& place = wish.place;
  if (place.rung() == nullptr || !place.rung()->isRung() || wish.asked || !wish.trouble.isEmpty())
    return;
  const Facts known = find(place);
  if (known && !known->code.recorded) return;
  wish.asked = true;
  m_lab.client().disassemble(
      {{place, m_lab.arch()}}, wish.tag, this,
      [this, &wish](const Result<sass::MachineCode>& code) { take(wish, code); });
}

// Once the listing is there that they belong to.
void Listings::askForSamples(Wish& wish) {
  const Subject& place = wish.place;
  if (!m_lab.measures(place) || wish.sampling || wish.unsampled) return;
  const Facts known = find(place);
  if (!known || known->code.recorded) return;
  const Stalls stalls = stallsOf(place, wish.problem);
  if (stalls && !stalls->samples.recorded) return;
  worker::SampleRequest request;
  request.subject() = place;
  request.problem = wish.problem;
  wish.sampling = true;
  m_lab.client().sample(
      request, samplesTag(wish.tag), this,
      [this, &wish](const Result<runs::StallSamples>& samples) { takeSamples(wish, samples); });
}

void Listings::takeSamples(Wish& wish, const Result<runs::StallSamples>& samples) {
  wish.sampling = false;
  if (!samples) {
    wish.unsampled = samples.error().trouble != Trouble::Cancelled;
    return;
  }
  // The answer may be of another kernel.
  const Facts listing = find(wish.place);
  Stalls stalls =
      listing && samples->problem == wish.problem ? StallFacts::of(*samples, *listing) : nullptr;
  if (stalls == nullptr) {
    wish.unsampled = true;
    return;
  }
  if (m_sampled.size() >= kRemembered) m_sampled.pop_front();
  m_sampled.push_back(std::move(stalls));
  emit changed();
}

std::shared_ptr<const StallFacts> Listings::stallsOf(const Subject& place,
                                                     const Problem& problem) const {
  const auto live = std::find_if(m_sampled.rbegin(), m_sampled.rend(), [&](const Stalls& each) {
    return placeOf(each->samples) == place && each->samples.problem == problem;
  });
  if (live != m_sampled.rend()) return *live;
  if (!place.rung()->isRung()) return nullptr;
  // Samples of one GPU say nothing about another: only those of this architecture.
  const runs::StallSamples* recorded = runs::recordedSamples(place, problem, m_lab.arch().name);
  if (recorded == nullptr) return nullptr;
  const auto known = std::ranges::find_if(m_shipped, [&](const Stalls& each) {
    return placeOf(each->samples) == place && each->samples.problem == recorded->problem;
  });
  if (known != m_shipped.end()) return *known;
  const auto code = sass::recordedListing(place, recorded->arch);
  if (!code) return nullptr;
  Stalls stalls = StallFacts::of(*recorded, *SassFacts::of(*code));
  if (stalls) m_shipped.push_back(stalls);
  return stalls;
}

void Listings::take(Wish& wish, const Result<sass::MachineCode>& code) {
  wish.asked = false;
  if (!code) {
    const Error& error = code.error();
    if (error.trouble == Trouble::Cancelled) return;
    (error.trouble == Trouble::Missing ? m_missing : wish.trouble) =
        QString::fromStdString(error.text);
  } else if (placeOf(*code) == wish.place && code->arch == m_lab.arch().name) {
    keep(m_live, SassFacts::of(*code));
    askForSamples(wish);
  } else {
    // The answer may be of another kernel.
    wish.trouble = tr("the worker answered with the machine code of another kernel");
  }
  emit changed();
}

Listings::Facts Listings::find(const Subject& place) const {
  if (place.rung() == nullptr) return nullptr;
  if (const auto* own = own::OwnKernel::of(*place.rung())) return ownFacts(place, *own);
  const auto here = [&](const std::deque<Facts>& all, std::string_view arch) -> Facts {
    const auto found = std::find_if(all.rbegin(), all.rend(), [&](const Facts& facts) {
      return placeOf(facts->code) == place && facts->code.arch == arch;
    });
    return found != all.rend() ? *found : nullptr;
  };
  const Architecture arch = m_lab.arch();
  if (auto live = here(m_live, arch.name)) return live;
  // Better of another architecture than none: the view says which.
  for (const std::string_view name : {arch.name, defaultArchitecture().name}) {
    if (auto recorded = here(m_recorded, name)) return recorded;
    if (auto code = sass::recordedListing(place, name)) {
      keep(m_recorded, SassFacts::of(std::move(*code)));
      return m_recorded.back();
    }
  }
  return nullptr;
}

// It is read from the file that was opened.
Listings::Facts Listings::ownFacts(const Subject& place, const own::OwnKernel& kernel) const {
  const auto known = std::ranges::find_if(
      m_own, [&](const Facts& facts) { return facts->code.rung() == place.rung(); });
  if (known != m_own.end()) return *known;
  auto listing = sass::readListing(*kernel.input().module, kernel.image());
  if (!listing) return nullptr;
  sass::MachineCode code;
  code.subject() = place;
  code.arch = fmt::format("sm_{}", kernel.input().module->capability);
  code.tool = sass::kThisProgram;
  code.registers = kernel.image().info.registers;
  code.listing = std::move(*listing);
  keep(m_own, SassFacts::of(std::move(code)));
  return m_own.back();
}

// `why` none can be made here; empty: the reason is unknown.
QString Listings::whyNone(const Subject& place, const QString& why) const {
  const Stage& stage = *place.rung();
  const QString tile = QString::fromStdString(app::tileText(stage, place.tile));
  const QString way = why.isEmpty()
                          ? tr("With NVRTC of the CUDA Toolkit, that of every tile can be shown")
                          : capitalised(why);
  if (place.format == stage.usualFormat())
    return tr("No machine code is recorded for %1 with %2; only default tiles are. %3.")
        .arg(toQString(stage.id), tile, way);
  return tr("No machine code is recorded for %1 with %2 in %3; only default tiles in %4 are. %5.")
      .arg(toQString(stage.id), tile, toQString(rowOf(place.format).name),
           toQString(rowOf(stage.usualFormat()).name), way);
}

void Listings::setAdvising(bool advising) {
  if (advising == m_advising) return;
  m_advising = advising;
  emit changed();
}

SassSide Listings::sideOf(const Wish& wish) const {
  SassSide side;
  const Subject& place = wish.place;
  if (place.rung() == nullptr) return side;
  side.facts = find(place);
  if (!place.rung()->isRung()) {
    if (side.facts == nullptr) side.note = tr("Tileloom cannot read all of this machine code.");
    return side;
  }
  if (side.facts) {
    const Stalls stalls = stallsOf(place, wish.problem);
    // The shown listing may come from another compiler than the sampled one.
    if (stalls && stalls->byInstruction.size() == static_cast<std::size_t>(side.facts->size()) &&
        stalls->samples.cuda == side.facts->code.nvrtc &&
        stalls->samples.arch == side.facts->code.arch)
      side.stalls = stalls;
  }
  if (side.facts && !side.facts->code.recorded) return side;
  side.waiting = canAsk() && wish.trouble.isEmpty();
  if (side.waiting) {
    side.note = tr("Compiling the kernel and reading its machine code …");
    return side;
  }
  QString why = !wish.trouble.isEmpty() ? wish.trouble : m_missing;
  const auto& info = m_lab.client().info();
  if (why.isEmpty() && info && !info->canCompile()) {
    why = tr("install NVRTC of the CUDA Toolkit to see the machine code of any tile");
  }
  if (side.facts == nullptr && !sass::hasRecordedListing(*place.rung())) {
    side.note = sentence(toQString(runs::notRecordedYet(*place.rung(), runs::Evidence::Listings)));
    if (!why.isEmpty()) side.note += u' ' + sentence(why);
  } else if (side.facts == nullptr) {
    side.note = whyNone(place, why);
  } else if (!why.isEmpty() && m_advising) {
    side.note = tr("recorded, for %1").arg(why);
  }
  return side;
}

}  // namespace tileloom
