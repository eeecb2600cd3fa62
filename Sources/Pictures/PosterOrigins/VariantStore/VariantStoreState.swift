import Flights
import NIOCore
import PosterCodec
import PosterPipeline

/// The index and pending steps of a ``DiskVariantStore``; a plain value under its lock.
struct VariantStoreState {
    struct Pending {
        let head: [UInt8]
        let variant: StoredVariant
        var number: UInt64 = 0

        var byteCount: Int { self.head.count + self.variant.poster.bytes.readableBytes }
    }

    enum Removal {
        case poster(UInt64)
        case original(poster: UInt64, original: UInt64)
        case sources(Set<UInt64>)
        case all
    }

    /// A request performed between two writes.
    struct Request {
        enum Kind {
            /// Removes incomplete files, and lists all folders.
            case start
            /// Lists the remaining folders.
            case list
            /// Waits for all earlier writes.
            case settle
        }

        let kind: Kind
        var done: Gate?
    }

    enum Step {
        case request(Request)
        case delete([VariantFileName])
        case write(VariantFileName, Pending)
        case settled(Gate)
    }

    /// Maximum number of files deleted in one step.
    static let deletionLimit = 64
    /// Maximum number of removals that apply to folders that are not listed; beyond it, these lose all variants.
    static let removalLimit = 1000

    var index: VariantFileIndex
    /// One value per folder.
    var isListed = [Bool](repeating: false, count: 256)
    /// Begins with listing all folders: nothing is written or deleted before.
    var requests = [Request(kind: .start)]
    /// Removals that files in folders that are not listed have missed.
    private var missedRemovals: [Removal] = []
    /// Files without an entry, to be deleted before the next write.
    var deletions: [VariantFileName] = []
    /// Files without an entry that could not be deleted.
    var undeleted: [VariantFileName] = []
    var isWorking = false
    var isClosed = false
    var counters = VariantDiskCounters()

    private var pending: [VariantID: Pending] = [:]
    private var pendingBytes = 0
    /// Queued writes in the order of arrival; removed and replaced ones are skipped.
    private var queue: [(id: VariantID, number: UInt64)] = []
    private let queueLimit: Int
    private let queueByteLimit: Int

    init(_ configuration: DiskVariantStore.Configuration) {
        self.index = VariantFileIndex(byteBudget: configuration.byteBudget)
        self.queueLimit = configuration.queueLimit
        self.queueByteLimit = configuration.queueByteLimit
    }

    var totals: VariantDiskCounters {
        var totals = self.counters
        totals.count = self.index.count
        totals.bytes = self.index.byteCount
        totals.pending = self.pending.count
        return totals
    }

    var unlistedFolders: [UInt8] { (UInt8.min...UInt8.max).filter { !self.isListed[Int($0)] } }

    func pending(_ id: VariantID) -> StoredVariant? { self.pending[id]?.variant }

    /// Queues a variant, and removes variants of other bytes of its original. Replaces a variant with the same id,
    /// unless only that one is re-encoded.
    mutating func add(_ name: VariantFileName, _ new: Pending) {
        if let known = self.index.entry(name.id)?.name, known.owner == name.owner,
            known.encoding.rawValue > name.encoding.rawValue
        {
            return
        }
        guard !self.isClosed, self.pending.count < self.queueLimit,
            new.byteCount <= self.queueByteLimit - self.pendingBytes
        else {
            self.counters.refusals += 1
            return
        }
        self.discard(self.index.remove(poster: name.owner.poster) { $0 != name.owner.original })
        let (number, replaced, evicted) = self.index.insert(name, isWritten: false)
        if let replaced { self.discard([replaced]) }
        self.discard(evicted)
        self.counters.evictions += evicted.count
        guard let number else {
            self.counters.refusals += 1
            return
        }
        var new = new
        new.number = number
        self.pending[name.id] = new
        self.pendingBytes += new.byteCount
        self.queue.append((name.id, number))
        // Drops entries that were removed or replaced while they waited.
        if self.queue.count > 2 * self.queueLimit {
            self.queue.removeAll { self.pending[$0.id]?.number != $0.number }
        }
    }

    /// Removes indexed variants at once, and the others when their folders are listed, which is requested.
    mutating func remove(_ removal: Removal, _ done: Gate? = nil) {
        self.removeKnown(removal)
        if self.isListed.contains(false) {
            if self.missedRemovals.count >= Self.removalLimit { self.missedRemovals = [.all] }
            self.missedRemovals.append(removal)
        } else if done == nil {
            return
        }
        self.requests.append(Request(kind: .list, done: done))
    }

    private mutating func removeKnown(_ removal: Removal) {
        switch removal {
        case .poster(let poster): self.discard(self.index.remove(poster: poster) { _ in true })
        case .original(let poster, let original):
            self.discard(self.index.remove(poster: poster) { $0 == original })
        case .sources(let sources): self.discard(self.index.remove(sources: sources))
        case .all: self.discard(self.index.removeAll())
        }
    }

    /// Removes an entry and its file.
    mutating func remove(_ id: VariantID, number: UInt64) {
        guard self.index.entry(id)?.number == number, let entry = self.index.remove(id) else { return }
        self.discard([entry])
    }

    /// Deletes an unusable file and its entry.
    mutating func removeFile(_ name: VariantFileName, isDamaged: Bool) {
        if isDamaged { self.counters.damaged += 1 }
        if let entry = self.index.entry(name.id), entry.name == name {
            // A file about to be replaced by one with the same name is overwritten.
            if entry.isWritten { _ = self.index.remove(name.id) } else { return }
        }
        self.deletions.append(name)
    }

    mutating func addListed(_ names: [VariantFileName], folder: UInt8) {
        guard !self.isListed[Int(folder)] else { return }
        self.isListed[Int(folder)] = true
        defer { if !self.isListed.contains(false) { self.missedRemovals = [] } }
        for name in names {
            if let known = self.index.entry(name.id) {
                // A queued variant replaces the file, and the better of two files stays: only a re-encoded one
                // replaces the other.
                guard known.name != name else { continue }
                guard name.encoding.rawValue > known.name.encoding.rawValue else {
                    self.deletions.append(name)
                    continue
                }
            }
            guard name.version == VariantFileName.currentVersion, !self.missedRemovals.contains(where: name.isIn) else {
                self.deletions.append(name)
                continue
            }
            let (number, replaced, evicted) = self.index.insert(name, isWritten: true)
            if let replaced { self.discard([replaced]) }
            self.discard(evicted)
            self.counters.evictions += evicted.count
            if number == nil {
                self.deletions.append(name)
                self.counters.evictions += 1
            }
        }
    }

    /// Returns the next step: removals before writes, so that there is room.
    mutating func nextStep() -> Step? {
        if let index = self.requests.firstIndex(where: { !$0.isSettling }) {
            return .request(self.requests.remove(at: index))
        }
        if let names = self.takeDeletions() { return .delete(names) }
        while !self.queue.isEmpty {
            let (id, number) = self.queue.removeFirst()
            guard let pending = self.pending[id], pending.number == number, let name = self.index.entry(id)?.name else {
                continue
            }
            return .write(name, pending)
        }
        if !self.requests.isEmpty { return .settled(self.requests.removeFirst().done ?? Gate()) }
        self.isWorking = false
        return nil
    }

    /// Returns the next batch of files to delete, at most ``deletionLimit``; `nil` if there are none.
    mutating func takeDeletions() -> [VariantFileName]? {
        guard !self.deletions.isEmpty else { return nil }
        let batch = Array(self.deletions.suffix(Self.deletionLimit))
        self.deletions.removeLast(batch.count)
        return batch
    }

    /// Ends the write of a variant.
    /// - Parameter isWritten: Whether its file has its final name.
    /// - Returns: Whether the file belongs to an entry.
    mutating func finishWrite(_ id: VariantID, number: UInt64, isWritten: Bool) -> Bool {
        if self.pending[id]?.number == number { self.forgetPending(id) }
        guard isWritten else {
            if self.index.entry(id)?.number == number { _ = self.index.remove(id) }
            return false
        }
        self.counters.writes += 1
        return self.index.markWritten(id, number: number)
    }

    private mutating func discard(_ entries: [VariantFileIndex.Entry]) {
        for entry in entries {
            if self.pending[entry.name.id]?.number == entry.number { self.forgetPending(entry.name.id) }
            if entry.isWritten { self.deletions.append(entry.name) }
        }
    }

    private mutating func forgetPending(_ id: VariantID) {
        if let pending = self.pending.removeValue(forKey: id) { self.pendingBytes -= pending.byteCount }
    }
}

extension VariantStoreState.Request {
    /// Whether the request waits for writes.
    fileprivate var isSettling: Bool {
        if case .settle = self.kind { return true }
        return false
    }
}

extension VariantFileName {
    /// Whether a removal includes the variant.
    fileprivate func isIn(_ removal: VariantStoreState.Removal) -> Bool {
        switch removal {
        case .poster(let poster): self.owner.poster == poster
        case .original(let poster, let original): self.owner.poster == poster && self.owner.original == original
        case .sources(let sources): sources.contains(self.owner.source)
        case .all: true
        }
    }
}
