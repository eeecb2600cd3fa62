#ifndef SANDBOX_FAULTS_H
#define SANDBOX_FAULTS_H

#include <stdint.h>

/// What a process that was taken over could try, of which Swift has no declarations.
/// - Returns: Less than 0 when it was refused.
int32_t fault_trace_parent(void);
int32_t fault_fork(void);

/// Fills memory that has a descriptor, maps it and closes the descriptor, again and again, up to 4 GiB.
int32_t fault_map_files(void);

#endif
