import BoundedCache
import Glibc
import Logging
import PosterCodec
import PosterPipeline
import RebuildableDatabase
import Synchronization

/// The files and the index of a store: lookups, placement and verification. Calls block, each for at most one original.
final class OriginalFileStore: Sendable {
    /// Maximum number of files recorded as verified, some 300 bytes each.
    private static let verifiedLimit = 100_000

    /// A file that matched its digest when it had this stamp.
    struct VerifiedFile: Sendable {
        let digest: Digest
        let stamp: FileStamp
        let picture: ImageHeader
    }

    let layout: OriginalFileLayout
    let index: RebuildableIndex
    let accessTimes: AccessTimes
    let unstored: UnstoredOriginalBudget
    let pending: PendingOriginals
    let writeFaults: FaultLog
    let readFaults: FaultLog
    let removalFaults: FaultLog
    let verifier: OriginalVerifier
    /// Threads that read files while they are sent.
    let threads: BoundedThreadPool
    let logger: Logger
    let secondsSince1970: @Sendable () -> Int64
    /// Requests a maintenance round ahead of schedule.
    let wish: @Sendable () -> Void
    let byteBudget: Int64
    let openLimit: Int
    let openCount = Atomic<Int>(0)
    let locks = StripedLock()
    /// Files verified since the start, by the digest of their ids.
    let verified = BoundedCache<Digest, VerifiedFile>(countLimit: OriginalFileStore.verifiedLimit)
    let counters: Mutex<DiskCounters>
    /// Held from a change of rows until its totals are recorded.
    private let totalsLock = Mutex(())

    init(
        layout: OriginalFileLayout, index: RebuildableIndex, configuration: DiskOriginalStore.Configuration,
        verifier: OriginalVerifier, threads: BoundedThreadPool, logger: Logger,
        secondsSince1970: @escaping @Sendable () -> Int64, wish: @escaping @Sendable () -> Void
    ) {
        self.layout = layout
        self.index = index
        self.accessTimes = AccessTimes(
            after: index.attempt { try $0.lastUse() }.flatMap { $0 } ?? 0, secondsSince1970: secondsSince1970)
        self.unstored = UnstoredOriginalBudget(limit: configuration.unstoredLimit)
        self.pending = PendingOriginals(
            countLimit: min(configuration.pendingLimit, configuration.openLimit / 4))
        self.writeFaults = FaultLog(
            "Originals cannot be stored; they are served from memory", logger: logger,
            secondsSince1970: secondsSince1970)
        self.readFaults = FaultLog(
            "Stored originals cannot be read", logger: logger, secondsSince1970: secondsSince1970)
        self.removalFaults = FaultLog(
            "Originals cannot be deleted to make room", logger: logger, secondsSince1970: secondsSince1970)
        self.verifier = verifier
        self.threads = threads
        self.logger = logger
        self.secondsSince1970 = secondsSince1970
        self.wish = wish
        self.byteBudget = Int64(configuration.byteBudget)
        self.openLimit = configuration.openLimit
        self.counters = Mutex(DiskCounters())
        self.recordTotals { try $0.totals() }
    }

    var calls: FileSystemCalls { self.layout.calls }

    /// The open file of a stored original.
    struct Found: Sendable {
        let id: PosterID
        let key: Digest
        let file: OriginalFile
        let digest: Digest
        fileprivate let row: OriginalRow??
    }

    enum Lookup: Sendable {
        case stored(StoredOriginal)
        /// The bytes must be verified first.
        case unchecked(Found)
    }

    /// The stored original; `nil` if there is none, it came from another location, or it is damaged (which removes it).
    /// - Throws: `PosterError.storageFailed`; `PosterError.overloaded` if too many originals are open.
    func find(_ id: PosterID, from location: OriginalLocation) throws(PosterError) -> Lookup? {
        let key = Digest(of: id.description)
        if let (stored, origin) = self.pending.original(key) {
            return origin == location.identity ? .stored(stored) : nil
        }
        guard self.openCount.load(ordering: .relaxed) < self.openLimit else { throw .overloaded(retryAfter: 1) }
        let known = self.index.attempt { try $0.row(key) }
        do throws(OriginalFile.Failure) {
            let file = try OriginalFile(self.layout.path(of: key))
            self.readFaults.end()
            let header = file.header
            guard header.id == id.description else {
                throw .damaged(reason: "the header belongs to another original", stamp: file.stamp)
            }
            // The origin was reconfigured, or the packaged poster replaced: the next fetch overwrites this file.
            guard header.location == location.identity else { return nil }
            guard let digest = Digest(hexadecimal: header.digest) else {
                throw .damaged(reason: "the header has a malformed digest", stamp: file.stamp)
            }
            let found = Found(id: id, key: key, file: file, digest: digest, row: known)
            guard let verified = self.verified.value(for: key), verified.digest == digest,
                verified.stamp == file.stamp
            else { return .unchecked(found) }
            return .stored(self.stored(found, verified.picture))
        } catch {
            return try self.handle(error, for: id, key, hasRow: known.flatMap { $0 } != nil)
        }
    }

    /// Verifies the bytes of a file, which are read into memory.
    /// - Returns: The original; `nil` if the bytes have changed, which removes the file.
    func original(_ found: Found) throws(PosterError) -> StoredOriginal? {
        do throws(OriginalFile.Failure) {
            return self.stored(found, try self.check(found))
        } catch {
            return try self.handle(error, for: found.id, found.key, hasRow: found.row.flatMap { $0 } != nil)
        }
    }

    private func stored(_ found: Found, _ picture: ImageHeader) -> StoredOriginal {
        let original = Original(
            id: found.id, digest: found.digest, header: picture,
            bytes: .stored(OpenOriginal(found.file, of: found.id, fileStore: self)))
        var row = found.row.flatMap { $0 }
        // The row is missing, or belongs to another file: reads both again under their lock.
        if found.row != nil, row?.digest != original.digest { row = self.reconcile(found.key) }
        if row?.digest != original.digest { row = nil }
        if self.accessTimes.note(found.key) { self.wish() }
        let header = found.file.header
        return StoredOriginal(
            original: original, validators: row?.validators ?? header.validators,
            freshness: (row?.freshness ?? header.freshness).settled(at: self.secondsSince1970()),
            storedAt: header.fetchedAt)
    }

    func count(_ change: (inout DiskCounters) -> Void) {
        self.counters.withLock { change(&$0) }
    }

    /// Changes or reads the index and records its totals, one call at a time: older totals never replace newer ones.
    /// - Returns: The totals; `nil` if that failed, which has been logged.
    @discardableResult
    func recordTotals(_ body: (OriginalIndex) throws -> OriginalIndex.Totals) -> OriginalIndex.Totals? {
        self.totalsLock.withLock { _ in
            guard let totals = self.index.attempt(body) else { return nil }
            self.count { counters in
                counters.count = totals.count
                counters.bytes = totals.bytes
            }
            return totals
        }
    }

    private func check(_ found: Found) throws(OriginalFile.Failure) -> ImageHeader {
        let (bytes, isUnchanged) = try found.file.contents()
        guard bytes.withUnsafeBytes({ Digest(of: $0) }) == found.digest else {
            throw .damaged(reason: "the bytes do not match the digest", stamp: found.file.stamp)
        }
        do throws(PosterError) {
            let picture = try self.verifier.verify(bytes)
            if isUnchanged {
                self.verified.insert(
                    VerifiedFile(digest: found.digest, stamp: found.file.stamp, picture: picture), for: found.key)
            }
            return picture
        } catch {
            // Stored by a less strict version, or with other limits.
            throw OriginalFile.Failure(error, stamp: found.file.stamp)
        }
    }

    private func handle<Value>(
        _ failure: OriginalFile.Failure, for id: PosterID, _ key: Digest, hasRow: Bool
    ) throws(PosterError) -> Value? {
        switch failure {
        case .absent:
            if hasRow { _ = self.reconcile(key) }
            return nil
        case .damaged(let reason, let stamp):
            self.drop(key, id: id.description, stamp: stamp, because: reason)
            return nil
        case .refused(let error): throw error
        case .unreadable(let error):
            self.readFaults.begin(error)
            throw .storageFailed(reason: "a stored original could not be read")
        }
    }
}

/// Counts of a store since its start, and current totals.
public struct DiskCounters: Hashable, Sendable {
    package var stored = 0
    /// Originals served from memory because they could not be stored.
    package var unstored = 0
    package var evicted = 0
    /// Total space of the evicted originals, in bytes.
    package var evictedBytes: Int64 = 0
    /// Files removed because they were torn, changed or invalid.
    package var damaged = 0
    /// Files added to the index that it did not contain.
    package var adopted = 0
    /// Number of originals according to the index.
    package var count: Int64 = 0
    package var bytes: Int64 = 0
}

/// Locks for keys; many keys share one. A file and its row change together under the lock of their key.
///
/// Held during disk I/O, therefore only on threads that may block; no caller takes a second one.
final class StripedLock: Sendable {
    private final class Lock: Sendable {
        let mutex = Mutex(())
    }

    private let locks = (0..<256).map { _ in Lock() }

    func withLock<Value, Failure: Error>(
        of key: Digest, _ body: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        // Not by the first byte: keys of one folder, which a sweep visits in sequence, would share a lock.
        try self.locks[Int(key.bytes[31])].mutex.withLock { _ throws(Failure) in try body() }
    }
}
