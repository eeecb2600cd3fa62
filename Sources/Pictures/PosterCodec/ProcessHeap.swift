import CPosterCodecs

/// This process's malloc.
public enum ProcessHeap {
    /// Keeps memory from climbing when very many different pictures are rendered; `poster-bench soak` shows it.
    ///
    /// To be called once, first of all: before there are threads.
    public static func settle() {
        poster_heap_settle()
    }

    /// Gives back what lies free between blocks that are in use. Takes some milliseconds, in which others may have to wait
    /// for memory.
    public static func trim() {
        poster_heap_trim()
    }
}
