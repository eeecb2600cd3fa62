/// What a store has done since its start, and what it holds.
public struct DiskCounters: Hashable, Sendable {
    /// Originals that were stored.
    public var stored = 0
    /// Originals that were served from memory because they could not be stored.
    public var unstored = 0
    /// Originals that made room for others.
    public var evicted = 0
    /// What they took of the disk, in bytes.
    public var evictedBytes: Int64 = 0
    /// Files that were dropped because they were torn or changed, and files that were nobody's.
    public var damaged = 0
    /// Files that the index did not know and knows now.
    public var adopted = 0
    /// How many originals there are, as far as the index knows.
    public var count: Int64 = 0
    /// What they take of the disk, in bytes.
    public var bytes: Int64 = 0

    /// All zero.
    public init() {}
}
