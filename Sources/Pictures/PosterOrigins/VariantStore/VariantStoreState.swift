import Flights
import NIOCore
import PosterCodec
import PosterPipeline

/// What a ``DiskVariantStore`` has and has to do; a plain value under its lock.
struct VariantStoreState {
    /// A variant that waits to be written.
    struct Pending {
        let head: [UInt8]
        let variant: StoredVariant
        var number: UInt64 = 0

        var byteCount: Int { self.head.count + self.variant.poster.bytes.readableBytes }
    }

    /// Whose variants are removed.
    enum Removal {
        case poster(UInt64)
        case original(poster: UInt64, original: UInt64)
        case sources(Set<UInt64>)
        case all
    }

    /// What is done between two writes.
    struct Request {
        enum Kind {
            /// All folders are listed.
            case list
            case remove(Removal)
            /// Nothing; what was to be written before is written by then.
            case settle
        }

        let kind: Kind
        /// Opened when it is done.
        var done: Gate?
    }

    /// The next thing to do.
    enum Step {
        case request(Request)
        case delete([VariantFileName])
        case write(VariantFileName, Pending)
        case settled(Gate)
    }

    /// The most files that one step deletes.
    static let deletionLimit = 64

    var index: VariantFileIndex
    /// Of each folder.
    var isListed = [Bool](repeating: false, count: 256)
    /// At first all folders are listed: nothing is written or deleted before.
    var requests = [Request(kind: .list)]
    /// Files without an entry, to be deleted before anything is written.
    var deletions: [VariantFileName] = []
    /// Files without an entry that could not be deleted.
    var undeleted: [VariantFileName] = []
    var isWorking = false
    var isClosed = false
    var counters = VariantDiskCounters()

    private var pending: [VariantID: Pending] = [:]
    private var pendingBytes = 0
    /// In the order of arrival; those that are not pending any more are passed over.
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

    /// What waits to be written.
    func pending(_ id: VariantID) -> StoredVariant? { self.pending[id]?.variant }

    /// Queues a variant in place of the one with its id, unless that one was encoded again and this one not, and gives up
    /// those of other bytes of the poster's original.
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
        // Those that were removed or replaced while they waited.
        if self.queue.count > 2 * self.queueLimit {
            self.queue.removeAll { self.pending[$0.id]?.number != $0.number }
        }
    }

    /// Removes what the index knows at once, and has the rest removed.
    mutating func remove(_ removal: Removal, _ done: Gate? = nil) {
        self.removeKnown(removal)
        guard done != nil || self.isListed.contains(false) else { return }
        self.requests.append(Request(kind: .remove(removal), done: done))
    }

    mutating func removeKnown(_ removal: Removal) {
        switch removal {
        case .poster(let poster): self.discard(self.index.remove(poster: poster) { _ in true })
        case .original(let poster, let original):
            self.discard(self.index.remove(poster: poster) { $0 == original })
        case .sources(let sources): self.discard(self.index.remove(sources: sources))
        case .all: self.discard(self.index.removeAll())
        }
    }

    /// Removes an entry whose file is not to be served.
    mutating func remove(_ id: VariantID, number: UInt64) {
        guard self.index.entry(id)?.number == number, let entry = self.index.remove(id) else { return }
        self.discard([entry])
    }

    /// Deletes a file that was found unusable, with its entry.
    mutating func removeFile(_ name: VariantFileName, isDamaged: Bool) {
        if isDamaged { self.counters.damaged += 1 }
        if let entry = self.index.entry(name.id), entry.name == name {
            // One that is just being replaced by a file of the same name is written afterwards.
            if entry.isWritten { _ = self.index.remove(name.id) } else { return }
        }
        self.deletions.append(name)
    }

    /// Adds the files of a folder.
    mutating func addListed(_ names: [VariantFileName], folder: UInt8) {
        guard !self.isListed[Int(folder)] else { return }
        self.isListed[Int(folder)] = true
        for name in names {
            if let known = self.index.entry(name.id) {
                // What is about to be written replaces it; of two the one that was encoded again is better.
                guard known.name != name else { continue }
                guard known.isWritten, name.encoding.rawValue > known.name.encoding.rawValue,
                    name.version == VariantFileName.currentVersion
                else {
                    self.deletions.append(name)
                    continue
                }
            }
            guard name.version == VariantFileName.currentVersion else {
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

    /// Takes what is to be done next: removals before writes, so that there is room.
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

    /// Takes files that are to be deleted, not too many for one step; nil when there are none.
    mutating func takeDeletions() -> [VariantFileName]? {
        guard !self.deletions.isEmpty else { return nil }
        let batch = Array(self.deletions.suffix(Self.deletionLimit))
        self.deletions.removeLast(batch.count)
        return batch
    }

    /// Ends the write of a variant.
    /// - Parameter isWritten: Whether its file has its name.
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
    /// Whether it waits for writes.
    fileprivate var isSettling: Bool {
        if case .settle = self.kind { return true }
        return false
    }
}
