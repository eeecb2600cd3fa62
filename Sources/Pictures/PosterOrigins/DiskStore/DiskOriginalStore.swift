import Flights
import Glibc
package import Logging
import NIOCore
public import PosterPipeline
import RebuildableDatabase
import Synchronization

/// Originals in files, one each, fanned out over folders by the digest of their ids, with an index beside them.
///
/// A file is written under a temporary name and verified; then it is served, while it is made durable, renamed and
/// indexed. After that failed once, the next ones are made durable first. At the first use after a start a file's bytes
/// are checked against its digest, so that one that was torn or changed is never served.
/// Nothing is counted or compared at a start; that is done by ``run()``, while originals are served.
public final class DiskOriginalStore: OriginalStore {
    /// Limits of a store.
    public struct Configuration: Hashable, Sendable {
        /// Of the originals on disk, in bytes; 10 GiB by default. Beyond it, the least recently used are evicted.
        package var byteBudget = 10 << 30
        /// Of all originals kept in memory because the disk does not take them, in bytes; 256 MiB by default.
        package var unstoredLimit = 256 << 20
        /// Of originals open at once, for rendering or sending, with a descriptor each; 1280 by default. Beyond it,
        /// lookups throw `PosterError.overloaded`.
        package var openLimit = 1280
        /// Of originals that are served before they are durable; 256 by default, and at most a quarter of ``openLimit``.
        /// Beyond it, they are made durable first.
        package var pendingLimit = 256

        package init() {}
    }

    let fileStore: OriginalFileStore
    private let maintenance: DiskMaintenance
    let threads: BoundedThreadPool
    private let lastDraft = Atomic<Int>(0)

    /// Prepares the folder `originals` in a data directory, and opens its index.
    /// - Parameter untilNextRound: Returns when the next maintenance round is due; every five seconds by default.
    package init(
        in data: DataDirectory, configuration: Configuration = Configuration(), verifier: OriginalVerifier,
        threads: BoundedThreadPool, logger: Logger, secondsSince1970: @escaping @Sendable () -> Int64,
        untilNextRound: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(5)) },
        calls: FileSystemCalls = .system
    ) throws(DataDirectory.Failure) {
        let layout = OriginalFileLayout(path: data.path + "/originals")
        do throws(FileError) {
            try DataDirectory.create(layout.incoming)
            for path in [layout.path, layout.incoming] {
                guard access(path, R_OK | W_OK | X_OK) == 0 else { throw FileError("write to", path) }
            }
        } catch {
            throw .unusable(error)
        }
        let index = try RebuildableIndex(path: layout.index, logger: logger, secondsSince1970: secondsSince1970)
        // One pending request suffices: a round does all there is to do.
        let (wishes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let wish: @Sendable () -> Void = { continuation.yield() }
        self.threads = threads
        self.fileStore = OriginalFileStore(
            layout: layout, calls: calls, index: index, configuration: configuration, verifier: verifier,
            threads: threads, logger: logger, secondsSince1970: secondsSince1970, wish: wish)
        self.maintenance = DiskMaintenance(
            fileStore: self.fileStore, threads: threads, wishes: wishes, wish: wish, untilNextRound: untilNextRound)
    }

    /// Counts since the start, and current totals.
    package var counters: DiskCounters { self.fileStore.counters.withLock { $0 } }

    /// Originals that are served, or about to be, and not durable yet.
    package var pending: (count: Int, bytes: Int) { self.fileStore.pending.usage }

    /// Whether an earlier process may have stored originals.
    package var mayHoldOriginals: Bool {
        self.counters.count > 0
            || (UInt8.min...UInt8.max).contains { FileStamp(at: self.fileStore.layout.folder($0)) != nil }
    }

    /// Whether the last fetched original could be stored.
    package var isWritable: Bool { !self.fileStore.writeFaults.isOn }

    /// The stored original, verified; nil when there is none, or another location's.
    /// - Throws: `PosterError`, `CancellationError`.
    public func original(_ id: PosterID, from location: OriginalLocation) async throws -> StoredOriginal? {
        switch try await self.threads.run({ try self.fileStore.find(id, from: location) }) {
        case nil: nil
        case .stored(let stored): stored
        case .unchecked(let found):
            // All of it is read into memory.
            try await self.threads.run(weight: found.file.header.length) { try self.fileStore.original(found) }
        }
    }

    /// A place for the bytes of an original that is about to arrive: a file, or memory when the disk takes none.
    public func makeDraft(for id: PosterID, from location: OriginalLocation) async throws -> any OriginalDraft {
        self.makeDiskDraft(for: id, from: location)
    }

    /// - Parameter whenPlaced: Called on a thread of the store once the file is durable and has its name; may block for a disk.
    func makeDiskDraft(
        for id: PosterID, from location: OriginalLocation, whenPlaced: @escaping @Sendable () -> Void = {}
    ) -> DiskOriginalDraft {
        let number = self.lastDraft.add(1, ordering: .relaxed).newValue
        return DiskOriginalDraft(
            id: id, location: location, temporary: self.fileStore.layout.temporary(number), fileStore: self.fileStore,
            threads: self.threads, whenPlaced: whenPlaced)
    }

    /// Notes in the index that an original of that digest is current until later.
    public func refresh(_ id: PosterID, digest: Digest, validators: Validators, freshness: Freshness) async {
        do {
            try await self.fileStore.pending.settle(Digest(of: id.description))
            try await self.threads.run {
                self.fileStore.refresh(id, digest: digest, validators: validators, freshness: freshness)
            }
        } catch {
            // The queue is full, or the caller has left: it is stale at the next request, and asked for again.
        }
    }

    /// Removes an original if it still has that digest.
    public func remove(_ id: PosterID, digest: Digest) async {
        // A task of its own: the removal goes on when the caller is cancelled.
        await Task {
            do {
                try await self.fileStore.pending.settle(Digest(of: id.description))
                try await self.threads.run(urgency: Urgency(.interactive)) {
                    try self.fileStore.remove(id, digest: digest)
                }
            } catch {
                // Its origin is asked, or its bytes are looked at, again at its next use.
                self.fileStore.logger.notice(
                    "Original not removed", metadata: ["poster.id": "\(id.loggedText)", "error.message": "\(error)"])
            }
        }.value
    }

    /// Removes whatever is stored of an original.
    /// - Returns: Whether there was something.
    /// - Throws: `PosterError`, `CancellationError`.
    public func purge(_ id: PosterID) async throws -> Bool {
        try await self.fileStore.pending.settle(Digest(of: id.description))
        return try await self.threads.run {
            do throws(FileError) {
                return try self.fileStore.purge(id)
            } catch {
                self.fileStore.logger.error("Cannot remove an original", metadata: ["error.message": "\(error)"])
                throw PosterError.storageFailed(reason: "an original could not be removed")
            }
        }
    }

    /// Runs the store's maintenance until it is cancelled: writes access times, evicts, removes leftovers of a crash.
    /// To be called once.
    package func run() async throws {
        try await self.maintenance.run()
    }

    /// Compares files and index, and repairs what differs; ``run()`` does so by itself.
    /// - Throws: ``FileError``, `PosterError`, `CancellationError`; what was done until then stays.
    package func sweep() async throws {
        try await self.maintenance.sweep()
    }

    /// Deletes the originals that were not used for longest if there are more than the budget; ``run()`` does so by
    /// itself.
    func evict() async throws {
        try await self.maintenance.evict()
    }

    /// Reads every original, while others are served, and repairs what is wrong.
    /// - Parameters:
    ///   - repairing: Whether files that are damaged, rows without a file and leftovers go; otherwise they are only
    ///     counted.
    ///   - progress: Called after each file, one call after another.
    /// - Throws: ``FileError``, `PosterError`, `CancellationError`; what was done until then stays.
    package func verify(
        repairing: Bool = true, progress: @escaping @Sendable (StoreCheck.Progress) -> Void = { _ in }
    ) async throws -> StoreCheck.Report {
        try await StoreCheck(maintenance: self.maintenance, isRepairing: repairing).run(progress)
    }

    /// Returns when what was committed until now is durable, or known not to be.
    /// - Throws: `CancellationError`.
    func settle() async throws {
        try await self.fileStore.pending.settle()
    }

    /// Makes durable what was committed, writes what is only in memory, and closes the index, also when the task is
    /// cancelled. The store serves files without it from then on.
    package func close() async {
        self.fileStore.pending.close()
        // A task of its own: access times are written even when the caller is cancelled.
        await Task {
            do {
                try await self.settle()
                try await self.maintenance.flush()
            } catch {
                self.fileStore.logger.debug("Last uses not written", metadata: ["error.message": "\(error)"])
            }
            self.fileStore.index.close()
        }.value
    }
}

/// The bytes of a verified original in an open file, read on demand; the file is closed with this object.
///
/// A file that is evicted or replaced meanwhile is served to its end. One that was written to or cut short is dropped
/// from the store when a read finds that.
final class OpenOriginal: StoredBytes {
    private let file: OriginalFile
    private let id: PosterID
    private let fileStore: OriginalFileStore

    init(_ file: OriginalFile, of id: PosterID, fileStore: OriginalFileStore) {
        self.file = file
        self.id = id
        self.fileStore = fileStore
        fileStore.openCount.add(1, ordering: .relaxed)
    }

    deinit {
        self.fileStore.openCount.subtract(1, ordering: .relaxed)
    }

    var count: Int { self.file.header.length }

    func read(from offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(OriginalBytes.Unreadable) {
        do throws(FileError) {
            try self.file.read(from: offset, into: buffer)
        } catch {
            self.fileStore.dropUnreadable(self.file, of: self.id, because: error)
            throw OriginalBytes.Unreadable()
        }
    }

    func withDescriptor<Result>(_ body: (_ descriptor: Int32, _ offset: Int) throws -> Result) throws -> Result? {
        let outcome: Swift.Result<Result, any Error>
        do {
            outcome = .success(try body(self.file.descriptor, OriginalFileHeader.length))
        } catch is OriginalBytes.Unreadable {
            self.fileStore.dropUnreadable(self.file, of: self.id, because: self.file.failure("read", EIO))
            throw OriginalBytes.Unreadable()
        } catch {
            outcome = .failure(error)
        }
        guard self.file.isIntact else {
            self.fileStore.dropUnreadable(self.file, of: self.id, because: self.file.failure("read", ESTALE))
            throw OriginalBytes.Unreadable()
        }
        return try outcome.get()
    }

    func piece(_ part: Range<Int>) async throws -> ByteBuffer {
        // At most one at once for each response that is being sent.
        try await self.fileStore.threads.runStep {
            var buffer = ByteBufferAllocator().buffer(capacity: part.count)
            try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: part.count) { room in
                try self.read(
                    from: part.lowerBound, into: UnsafeMutableRawBufferPointer(rebasing: room.prefix(part.count)))
                return part.count
            }
            return buffer
        }
    }
}
