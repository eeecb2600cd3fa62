import BoundedCache
import PosterPipeline

/// The stored variants, in memory, and their order of eviction. A plain value without a lock.
///
/// Variants that save the most CPU time per byte of disk stay; see `GreedyDual`. The numbers of uses are lost with the
/// process.
struct VariantFileIndex {
    /// A variant that is stored, or about to be.
    struct Entry {
        let name: VariantFileName
        /// Unique among all entries.
        let number: UInt64
        /// Whether the file has its final name.
        var isWritten: Bool
    }

    /// Maximum number of variants, some 350 bytes of memory each: a variant is charged at least this fraction of the
    /// budget.
    static let countLimit = 100_000

    /// Maximum space of all files, in bytes.
    let byteBudget: Int
    private(set) var byteCount = 0

    private var entries: [VariantID: Entry] = [:]
    private var variants: [UInt64: [VariantID]] = [:]
    private var policy: GreedyDual<VariantID>
    private var lastNumber: UInt64 = 0

    init(byteBudget: Int) {
        self.byteBudget = max(0, byteBudget)
        self.policy = GreedyDual(costLimit: self.byteBudget)
    }

    var count: Int { self.entries.count }

    func entry(_ id: VariantID) -> Entry? { self.entries[id] }

    func contains(_ id: VariantID) -> Bool { self.entries.index(forKey: id) != nil }

    mutating func noteUse(of id: VariantID) { self.policy.use(id) }

    /// Adds a variant, replacing the one with the same id.
    /// - Returns: The entry's number, `nil` if the variant is rejected because the others save more or it exceeds the
    ///   budget; the replaced entry; and the evicted entries.
    mutating func insert(
        _ name: VariantFileName, isWritten: Bool
    ) -> (number: UInt64?, replaced: Entry?, evicted: [Entry]) {
        let replaced = self.forget(name.id)
        let cost = max(name.space, self.byteBudget / Self.countLimit)
        let (isKept, dropped) = self.policy.insert(name.id, cost: cost, worth: name.worth)
        let evicted = dropped.compactMap { self.forget($0) }
        guard isKept else { return (nil, replaced, evicted) }
        self.lastNumber += 1
        self.byteCount += name.space
        self.entries[name.id] = Entry(name: name, number: self.lastNumber, isWritten: isWritten)
        self.variants[name.owner.poster, default: []].append(name.id)
        return (self.lastNumber, replaced, evicted)
    }

    /// Records that the file of an entry has its final name.
    /// - Returns: Whether the entry still exists.
    mutating func markWritten(_ id: VariantID, number: UInt64) -> Bool {
        guard self.entries[id]?.number == number else { return false }
        self.entries[id]?.isWritten = true
        return true
    }

    mutating func remove(_ id: VariantID) -> Entry? {
        self.policy.remove(id)
        return self.forget(id)
    }

    /// Removes a poster's variants of the matching originals.
    mutating func remove(poster: UInt64, where isGone: (_ original: UInt64) -> Bool) -> [Entry] {
        let ids = (self.variants[poster] ?? []).filter { id in
            self.entries[id].map { isGone($0.name.owner.original) } ?? false
        }
        return ids.compactMap { self.remove($0) }
    }

    mutating func remove(sources: Set<UInt64>) -> [Entry] {
        let ids = self.entries.filter { sources.contains($0.value.name.owner.source) }.map(\.key)
        return ids.compactMap { self.remove($0) }
    }

    mutating func removeAll() -> [Entry] { Array(self.entries.keys).compactMap { self.remove($0) } }

    private mutating func forget(_ id: VariantID) -> Entry? {
        guard let entry = self.entries.removeValue(forKey: id) else { return nil }
        self.byteCount -= entry.name.space
        let poster = entry.name.owner.poster
        self.variants[poster]?.removeAll { $0 == id }
        if self.variants[poster]?.isEmpty == true { self.variants[poster] = nil }
        return entry
    }
}
