#ifndef POSTER_HEAP_H
#define POSTER_HEAP_H

/// Configures malloc for a process that renders for weeks (mallopt(3)). Call it once, before threads are started.
///
/// - Blocks of 128 KiB and more, such as those for decoding, are mapped, and returned to the system when they are
///   freed. By default glibc raises that threshold to the size of the last freed block, up to 32 MiB; such blocks then
///   lie in the heap between long-lived variants, and the holes they leave accumulate.
/// - At most 4 arenas: glibc's default is eight per core, each with its own holes.
void poster_heap_settle(void);

/// Returns free whole pages to the system, including pages between blocks in use (malloc_trim(3)).
void poster_heap_trim(void);

#endif
