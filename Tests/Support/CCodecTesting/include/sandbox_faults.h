#ifndef SANDBOX_FAULTS_H
#define SANDBOX_FAULTS_H

#include <stdint.h>

/// What a process that was taken over could try, of which Swift has no declarations.
/// - Returns: Less than 0 when it was refused.
int32_t fault_trace_parent(void);
int32_t fault_fork(void);

#endif
