// SPDX-License-Identifier: GPL-3.0-or-later
// The memory of this process, in MB; 0 if the system does not report it.
#pragma once

namespace tileloom::app {

double residentMb();
// Memory that was allocated and not freed. Resident memory is more by what the allocator keeps.
double allocatedMb();

}  // namespace tileloom::app
