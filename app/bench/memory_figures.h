// SPDX-License-Identifier: GPL-3.0-or-later
// What this process holds, in MB; 0 where the system does not tell.
#pragma once

namespace tileloom::app {

double residentMb();
// What was allocated and not freed. Resident memory is more by what the allocator keeps.
double allocatedMb();

}  // namespace tileloom::app
