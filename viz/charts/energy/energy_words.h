// SPDX-License-Identifier: GPL-3.0-or-later
// The energy chart in words and as a table. Private to viz/charts, except for the caption.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

#include "viz/charts/energy/energy_data.h"

namespace tileloom::charts {

// In a list of texts the fullest is first: the first that fits is shown.

// The headline: "Loading A and B into the SMs takes about 13 % of the energy: 9 % from L2, 4 % from
// DRAM".
QStringList energyHeadlines(const EnergyData& data);
// The problem, the assumed power, device and day.
QStringList energySources(const EnergyData& data);
// Why the present rung is not marked; empty: it is marked.
QStringList energyNotes(const EnergyData& data);

QString loadsName(model::Loads loads);  // "A only"
// The text in the bar: its energy above "no loads"; for "no loads" the ceiling.
QStringList loadsLabels(const model::EnergyCall& call, model::Loads loads);
QString rungName(const EnergyRung& rung, bool titled);    // "T13", "T13 clusters …"
QString rungNumbers(const EnergyRung& rung);              // "96.4, 95.9 %"
QStringList whatIfTitles(const model::EnergyCall& call);  // above the what-ifs
QStringList rungTitles();                                 // above the rungs
// How the sums by place and by matrix compare.
QStringList sumsSentences(const model::EnergyCall& call);
QString jouleText(double joules);  // "1.113"

QString energyToolTip(const EnergyData& data, const EnergySpot& spot);  // several lines

QByteArray energyCsv(const EnergyData& data);   // empty without data
QByteArray energyJson(const EnergyData& data);  // "tileloom.energies/1"

}  // namespace tileloom::charts
