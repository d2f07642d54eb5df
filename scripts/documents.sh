#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Writes the generated parts of the documents: the ladders in README.md and docs/glossary.md. Tests compare them with the program.
# usage: scripts/documents.sh [PROGRAM]   (by default build/release/bin/tileloom)
source "$(dirname "$0")/prepare.sh"
program=${1:-build/release/bin/tileloom}

tables=$(mktemp)
trap 'rm -f "$tables"' EXIT
"$program" ladder --markdown >"$tables"
sed -i -e '/^<!-- tileloom ladder --markdown -->$/,/^<!-- end of tileloom ladder --markdown -->$/{//!d}' \
  -e "/^<!-- tileloom ladder --markdown -->\$/r $tables" README.md
"$program" glossary --markdown >docs/glossary.md
