// SPDX-License-Identifier: GPL-3.0-or-later
// A program for the headers that tests have in common: see CMakeLists.txt.
int main() {}
