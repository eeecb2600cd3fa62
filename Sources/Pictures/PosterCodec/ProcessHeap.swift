import CPosterCodecs

/// Settings of the process's `malloc`.
public enum ProcessHeap {
    /// Limits fragmentation, so that memory does not grow with the number of pictures rendered (`poster-bench soak`).
    ///
    /// Call it once, before the process has threads.
    public static func configure() {
        poster_heap_settle()
    }

    /// Returns free memory to the system. Takes some milliseconds, during which other threads may wait for memory.
    public static func trim() {
        poster_heap_trim()
    }
}
