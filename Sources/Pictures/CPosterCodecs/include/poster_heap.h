#ifndef POSTER_HEAP_H
#define POSTER_HEAP_H

/// Settles malloc for a process that renders for weeks (mallopt(3)). To be called once, before there are threads.
///
/// - Blocks of 128 KiB and more, which pictures are decoded in, are mapped and go back to the system when they are freed.
///   Otherwise glibc raises that limit to whatever block was freed last, up to 32 MiB; then they lie in the heap between
///   variants that live long, and the holes that they leave only add up.
/// - No more than 4 arenas, where glibc has eight for each core, each with holes of its own.
void poster_heap_settle(void);

/// Gives whole pages that are free back to the system, also those between blocks that are in use (malloc_trim(3)).
void poster_heap_trim(void);

#endif
