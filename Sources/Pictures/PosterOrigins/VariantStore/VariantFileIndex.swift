import BoundedCache
import PosterPipeline

/// Which variants are stored, in memory, and which go first when there is no room. A plain value without a lock.
///
/// What saves most CPU time for each byte of the disk stays; see `GreedyDual`. How often variants were used is lost with the
/// process.
struct VariantFileIndex {
    /// A variant that is stored, or about to be.
    struct Entry {
        let name: VariantFileName
        /// Different for any two entries.
        let number: UInt64
        /// Whether the file has its name.
        var isWritten: Bool
    }

    /// The most variants, some 350 bytes of memory each. A variant counts as that part of the budget at least.
    static let countLimit = 100_000

    /// The most space of all files, in bytes.
    let byteBudget: Int
    /// Of all files, in bytes.
    private(set) var byteCount = 0

    private var entries: [VariantID: Entry] = [:]
    private var variants: [UInt64: [VariantID]] = [:]
    private var policy: GreedyDual<VariantID>
    private var lastNumber: UInt64 = 0

    /// - Parameter byteBudget: In bytes; 0 keeps nothing.
    init(byteBudget: Int) {
        self.byteBudget = max(0, byteBudget)
        self.policy = GreedyDual(costLimit: self.byteBudget)
    }

    /// The number of variants.
    var count: Int { self.entries.count }

    func entry(_ id: VariantID) -> Entry? { self.entries[id] }

    func contains(_ id: VariantID) -> Bool { self.entries.index(forKey: id) != nil }

    /// Notes a use of a variant.
    mutating func noteUse(of id: VariantID) { self.policy.use(id) }

    /// Adds a variant in place of the one with the same id.
    /// - Returns: Its number; nil when it is not kept, because all others save more or it is larger than the budget. The entry
    ///   that it replaces, and those that make room for it.
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

    /// Notes that the file of an entry has its name.
    /// - Returns: Whether the entry is still there.
    mutating func markWritten(_ id: VariantID, number: UInt64) -> Bool {
        guard self.entries[id]?.number == number else { return false }
        self.entries[id]?.isWritten = true
        return true
    }

    mutating func remove(_ id: VariantID) -> Entry? {
        self.policy.remove(id)
        return self.forget(id)
    }

    /// Removes the variants of a poster that are made of certain originals.
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
