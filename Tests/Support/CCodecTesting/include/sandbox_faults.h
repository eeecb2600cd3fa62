#ifndef SANDBOX_FAULTS_H
#define SANDBOX_FAULTS_H

#include <stdint.h>

/// System calls of a compromised process that are not available in Swift.
/// - Returns: A negative value if the call was refused.
int32_t fault_trace_parent(void);
int32_t fault_fork(void);

/// Fills, maps and closes memory files repeatedly, up to 4 GiB.
int32_t fault_map_files(void);

#endif
