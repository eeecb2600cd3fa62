import Flights
import Glibc
package import Logging
import NIOCore
public import PosterPipeline
import RebuildableDatabase
import Synchronization

/// Stores each original in a file, fanned out over folders by the digest of its id, with an index beside the files.
///
/// A file is written under a temporary name and verified; then the original is served while the file is made durable,
/// renamed and indexed. After a failure, further files are made durable first. At its first use after a start, a file's
/// bytes are checked against its digest, so that a torn or changed file is never served. A start neither counts nor
/// compares files; ``run()`` does that while originals are served.
public final class DiskOriginalStore: OriginalStore {
    /// Limits of a store.
    public struct Configuration: Hashable, Sendable {
        /// Maximum space of originals on disk, in bytes; 10 GiB by default. Beyond it, the least recently used are
        /// evicted.
        package var byteBudget = 10 << 30
        /// Maximum memory of originals that the disk rejects, in bytes; 256 MiB by default.
        package var unstoredLimit = 256 << 20
        /// Maximum number of originals open for rendering or sending, with a descriptor each; 1280 by default. Beyond
        /// it, lookups throw `PosterError.overloaded`.
        package var openLimit = 1280
        /// Maximum number of originals that are served before they are durable; 256 by default, and at most a quarter
        /// of ``openLimit``. Beyond it, originals are made durable first.
        package var pendingLimit = 256

        package init() {}
    }

    let fileStore: OriginalFileStore
    private let maintenance: DiskMaintenance
    let threads: BoundedThreadPool
    private let lastDraft = Atomic<Int>(0)

    /// Prepares the folder `originals` in a data directory, and opens its index.
    /// - Parameter untilNextRound: Suspends until the next maintenance round is due; five seconds by default.
    package init(
        in data: DataDirectory, configuration: Configuration = Configuration(), verifier: OriginalVerifier,
        threads: BoundedThreadPool, logger: Logger, secondsSince1970: @escaping @Sendable () -> Int64,
        untilNextRound: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(5)) },
        calls: FileSystemCalls = .system
    ) throws(DataDirectory.Failure) {
        let layout = OriginalFileLayout(path: data.path + "/originals", calls: calls)
        do throws(FileError) {
            try DataDirectory.create(layout.incoming)
            for path in [layout.path, layout.incoming] {
                guard access(path, R_OK | W_OK | X_OK) == 0 else { throw FileError("write to", path) }
            }
        } catch {
            throw .unusable(error)
        }
        let index = try RebuildableIndex(path: layout.index, logger: logger, secondsSince1970: secondsSince1970)
        // One pending request suffices: a round does all outstanding work.
        let (wishes, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let wish: @Sendable () -> Void = { continuation.yield() }
        self.threads = threads
        self.fileStore = OriginalFileStore(
            layout: layout, index: index, configuration: configuration, verifier: verifier, threads: threads,
            logger: logger, secondsSince1970: secondsSince1970, wish: wish)
        self.maintenance = DiskMaintenance(
            fileStore: self.fileStore, threads: threads, wishes: wishes, wish: wish, untilNextRound: untilNextRound)
    }

    /// Counts since the start, and current totals.
    package var counters: DiskCounters { self.fileStore.counters.withLock { $0 } }

    /// The number and total size of originals that are not durable yet.
    package var pending: (count: Int, bytes: Int) { self.fileStore.pending.usage }

    /// Whether an earlier process may have stored originals.
    package var mayHoldOriginals: Bool {
        self.counters.count > 0
            || (UInt8.min...UInt8.max).contains { FileStamp(at: self.fileStore.layout.folder($0)) != nil }
    }

    /// Whether the last fetched original could be stored.
    package var isWritable: Bool { !self.fileStore.writeFaults.isOn }

    /// The stored original, verified; `nil` if there is none, or it came from another location.
    /// - Throws: `PosterError`, `CancellationError`.
    public func original(_ id: PosterID, from location: OriginalLocation) async throws -> StoredOriginal? {
        switch try await self.threads.run({ try self.fileStore.find(id, from: location) }) {
        case nil: nil
        case .stored(let stored): stored
        case .unchecked(let found):
            // The whole file is read into memory.
            try await self.threads.run(weight: found.file.header.length) { try self.fileStore.original(found) }
        }
    }

    /// Creates a draft for an original that is about to arrive: a file, or memory if the disk rejects it.
    public func makeDraft(for id: PosterID, from location: OriginalLocation) async throws -> any OriginalDraft {
        self.makeDiskDraft(for: id, from: location)
    }

    /// - Parameter whenPlaced: Called on a thread of the store once the file is durable under its final name; may block
    ///   for disk I/O.
    func makeDiskDraft(
        for id: PosterID, from location: OriginalLocation, whenPlaced: @escaping @Sendable () -> Void = {}
    ) -> DiskOriginalDraft {
        let number = self.lastDraft.add(1, ordering: .relaxed).newValue
        return DiskOriginalDraft(
            id: id, location: location, temporary: self.fileStore.layout.temporary(number), fileStore: self.fileStore,
            threads: self.threads, whenPlaced: whenPlaced)
    }

    /// Updates the validators and freshness in the index, if the original has this digest.
    public func refresh(_ id: PosterID, digest: Digest, validators: Validators, freshness: Freshness) async {
        do {
            try await self.fileStore.pending.settle(Digest(of: id.description))
            try await self.threads.run {
                self.fileStore.refresh(id, digest: digest, validators: validators, freshness: freshness)
            }
        } catch {
            // The queue is full, or the caller was cancelled: the original is stale at its next request, and
            // revalidated again.
        }
    }

    /// Removes an original if it has this digest.
    public func remove(_ id: PosterID, digest: Digest) async {
        // In a separate task, so that the removal continues if the caller is cancelled.
        await Task {
            do {
                try await self.fileStore.pending.settle(Digest(of: id.description))
                try await self.threads.run(urgency: Urgency(.interactive)) {
                    try self.fileStore.remove(id, digest: digest)
                }
            } catch {
                // Its next use revalidates or verifies it again.
                self.fileStore.logger.notice(
                    "Original not removed", metadata: ["poster.id": "\(id.loggedText)", "error.message": "\(error)"])
            }
        }.value
    }

    /// Removes an original.
    /// - Returns: Whether one was stored.
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

    /// Runs the store's maintenance until it is cancelled: writes access times, evicts, and repairs the results of a
    /// crash. Call it once.
    package func run() async throws {
        try await self.maintenance.run()
    }

    /// Compares files and index, and repairs differences; ``run()`` includes it.
    /// - Throws: ``FileError``, `PosterError`, `CancellationError`; completed steps are not undone.
    package func sweep() async throws {
        try await self.maintenance.sweep()
    }

    /// Deletes the least recently used originals if the store exceeds its budget; ``run()`` includes it.
    func evict() async throws {
        try await self.maintenance.evict()
    }

    /// Reads every original while others are served, and repairs faults.
    /// - Parameters:
    ///   - repairing: Whether damaged files, rows without a file and incomplete files are deleted, or only counted.
    ///   - progress: Called sequentially after each file.
    /// - Throws: ``FileError``, `PosterError`, `CancellationError`; completed steps are not undone.
    package func verify(
        repairing: Bool = true, progress: @escaping @Sendable (StoreCheck.Progress) -> Void = { _ in }
    ) async throws -> StoreCheck.Report {
        try await StoreCheck(maintenance: self.maintenance, isRepairing: repairing).run(progress)
    }

    /// Waits until all committed originals are durable or have failed.
    /// - Throws: `CancellationError`.
    func settle() async throws {
        try await self.fileStore.pending.settle()
    }

    /// Waits for pending files, writes access times, and closes the index, even if the task is cancelled. Afterwards
    /// the store serves files without an index.
    package func close() async {
        self.fileStore.pending.close()
        // In a separate task, so that access times are written even if the caller is cancelled.
        await Task {
            do {
                try await self.settle()
                try await self.maintenance.flush()
            } catch {
                self.fileStore.logger.debug("Access times not written", metadata: ["error.message": "\(error)"])
            }
            self.fileStore.index.close()
        }.value
    }
}

/// The bytes of a verified original in an open file, read on demand; the file is closed with this object.
///
/// A file that is evicted or replaced meanwhile is served to its end. A file that was written to or cut short is
/// dropped from the store when a read detects it.
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
        // Each response that is being sent has at most one such step at a time.
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
