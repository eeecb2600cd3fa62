import BoundedCache
import Flights
package import Logging
package import ObjectStorage
public import PosterPipeline
import RebuildableDatabase
import Synchronization

/// Stores originals on the local disk, backed by an S3-compatible store that all nodes share.
///
/// The disk is then a bounded cache. Originals missing on it are read from the shared store, verified and written to
/// the disk; originals from an origin are uploaded in the background. A slow or failing shared store costs a lookup at
/// most ``S3Client/Configuration/answerTimeout``, until it has failed a few times in a row, and nothing from then on:
/// originals come from disk or origin as without it.
public final class SharedOriginalStore: OriginalStore {
    /// Number of concurrent uploads, each with its original in memory.
    package static let uploadsAtOnce = SharedStoreUploader.jobsAtOnce
    /// Maximum time that ``flush()`` waits for uploads.
    private static let flushTime = Duration.seconds(10)
    /// Maximum number of originals recorded as absent from the store.
    private static let absentLimit = 10_000

    let disk: DiskOriginalStore
    let client: S3Client
    let queue: UploadQueue
    let counters = Mutex(SharedStoreStatus.Counters())
    let logger: Logger
    private let faults: FaultLog
    private let queueFaults: FaultLog
    private let uploader: SharedStoreUploader
    /// Objects that must not be read, although the store may still contain them.
    private let refusals = SharedObjectRefusals()
    /// Originals that the store lacked at the last lookup.
    private let absent = BoundedCache<Digest, Bool>(countLimit: SharedOriginalStore.absentLimit)

    /// - Parameters:
    ///   - renewedCredentials: The current credentials, called periodically; `nil` if they are unchanged.
    ///   - untilNextRound: Suspends until the next round is due; one second by default.
    /// - Throws: ``FileError`` if the queue of uploads cannot be used.
    package convenience init(
        disk: DiskOriginalStore, in data: DataDirectory, client: S3Client, logger: Logger,
        secondsSince1970: @escaping @Sendable () -> Int64,
        renewedCredentials: @escaping @Sendable () -> S3Credentials? = { nil },
        untilNextRound: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(1)) }
    ) throws(FileError) {
        try self.init(
            disk: disk, in: data, client: client, limits: UploadQueue.Limits(), logger: logger,
            secondsSince1970: secondsSince1970, renewedCredentials: renewedCredentials, untilNextRound: untilNextRound)
    }

    init(
        disk: DiskOriginalStore, in data: DataDirectory, client: S3Client, limits: UploadQueue.Limits, logger: Logger,
        secondsSince1970: @escaping @Sendable () -> Int64,
        renewedCredentials: @escaping @Sendable () -> S3Credentials? = { nil },
        untilNextRound: @escaping @Sendable () async throws -> Void
    ) throws(FileError) {
        self.disk = disk
        self.client = client
        self.logger = logger
        self.queue = try UploadQueue(
            in: data, limits: limits, locks: disk.fileStore.locks, calls: disk.fileStore.calls)
        self.faults = FaultLog(
            "The shared store of originals cannot be read", logger: logger, secondsSince1970: secondsSince1970)
        self.queueFaults = FaultLog(
            "Originals cannot be queued for the shared store", logger: logger, secondsSince1970: secondsSince1970)
        self.uploader = SharedStoreUploader(
            disk: disk, client: client, queue: self.queue,
            faults: FaultLog(
                "Originals cannot be written to the shared store", logger: logger, secondsSince1970: secondsSince1970),
            readFaults: self.faults, logger: logger,
            renewedCredentials: renewedCredentials, untilNextRound: untilNextRound)
    }

    package var status: SharedStoreStatus {
        let usage = self.queue.usage
        var counters = self.counters.withLock { $0 }
        let done = self.uploader.counts
        (counters.uploaded, counters.removed, counters.dropped) = (done.uploaded, done.removed, usage.dropped)
        return SharedStoreStatus(
            name: self.client.configuration.address.text, breaker: self.client.health.state, waiting: usage.count,
            waitingBytes: usage.bytes, counters: counters,
            fault: [self.faults, self.queueFaults, self.uploader.faults].compactMap(\.fault).min { $0.since < $1.since }
        )
    }

    /// The original from the disk, or else from the shared store.
    /// - Throws: The errors of the disk's store.
    public func original(_ id: PosterID, from location: OriginalLocation) async throws -> StoredOriginal? {
        if let stored = try await self.disk.original(id, from: location) { return stored }
        guard location.isShared else { return nil }
        return try await self.load(id, from: location)
    }

    /// Creates a draft on the disk, which is uploaded once it is durable.
    public func makeDraft(for id: PosterID, from location: OriginalLocation) async throws -> any OriginalDraft {
        guard location.isShared else { return self.disk.makeDiskDraft(for: id, from: location) }
        let key = Digest(of: id.description)
        // For this draft only: a later replacement is newer than the object that the store then has.
        let onlyIfAbsent = self.absent.remove(key)
        return self.disk.makeDiskDraft(for: id, from: location) { self.addUpload(key, onlyIfAbsent: onlyIfAbsent) }
    }

    /// Updates the disk's index, and uploads the original with its new freshness.
    public func refresh(_ id: PosterID, digest: Digest, validators: Validators, freshness: Freshness) async {
        await self.disk.refresh(id, digest: digest, validators: validators, freshness: freshness)
        let key = Digest(of: id.description)
        do {
            try await self.disk.threads.runStep { self.addUpload(key, onlyIfAbsent: false) }
        } catch {
            // The caller was cancelled: other nodes revalidate the original themselves.
        }
    }

    /// Removes an original from the disk, and from the shared store in the background; the object is not read
    /// meanwhile.
    public func remove(_ id: PosterID, digest: Digest) async {
        await self.disk.remove(id, digest: digest)
        let key = Digest(of: id.description)
        // In a separate task, so that the removal continues if the caller is cancelled.
        await Task {
            do {
                let isAdded = try await self.disk.threads.runStep {
                    try self.queue.addRemoval(key, digest: digest)
                }
                if !isAdded {
                    throw PosterError.storageFailed(reason: "too many removals are pending for the shared store")
                }
                self.queueFaults.end()
            } catch {
                self.queueFaults.begin(error)
            }
        }.value
    }

    /// Removes an original from the disk at once, and from the shared store as soon as that is available, even after a
    /// restart; the object is not read meanwhile.
    /// - Returns: Whether the disk had it; the shared store is not asked.
    /// - Throws: `PosterError`, `CancellationError`.
    public func purge(_ id: PosterID) async throws -> Bool {
        // Rejects an object that is being read at present, even if the removal is done before it has arrived.
        self.refusals.note(.purged(id), at: self.disk.fileStore.secondsSince1970())
        let wasThere = try await self.disk.purge(id)
        try await self.addRemoval(Digest(of: id.description))
        return wasThere
    }

    private func addRemoval(_ key: Digest) async throws {
        let isAdded = try await self.disk.threads.runStep {
            do throws(FileError) {
                return try self.queue.addRemoval(key, digest: nil)
            } catch {
                self.queueFaults.begin(error)
                throw PosterError.storageFailed(reason: "the removal of an original could not be stored")
            }
        }
        guard isAdded else {
            throw PosterError.storageFailed(reason: "too many removals are pending for the shared store")
        }
        self.queueFaults.end()
    }

    /// Removes an original from the disk; replaces a pending upload by a removal.
    public func purgeHere(_ id: PosterID) async throws -> Bool {
        let key = Digest(of: id.description)
        self.absent.remove(key)
        // First, so that a file that is becoming durable has been queued for upload.
        let wasThere = try await self.disk.purge(id)
        // A running upload may end after the other node's removal.
        if case .upload = self.queue.work(for: key) { try await self.addRemoval(key) }
        return wasThere
    }

    /// Refuses objects that are older than an event on another node.
    public func refuseShared(before event: OriginalEvent, at moment: Int64) {
        self.refusals.note(event, at: moment)
    }

    /// Uploads, removes and probes until it is cancelled. Call it once.
    package func run() async throws {
        try await self.uploader.run()
    }

    /// Performs pending jobs in a process that does not call ``run()``, for at most ``flushTime``; the rest is left to
    /// the next process.
    package func flush() async throws {
        do {
            try await withTimeout(Self.flushTime, throwing: StoreFailure.unavailable("the flush timed out")) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    defer { group.cancelAll() }
                    group.addTask { try await self.run() }
                    group.addTask { try await self.settle() }
                    try await group.next()
                }
            }
        } catch let failure as StoreFailure {
            self.logger.warning(
                "Uploads and removals are pending for the shared store", metadata: ["error.message": "\(failure)"])
        }
    }

    /// Ends running requests; pending jobs are performed after the next start.
    package func close() {
        self.client.shutdown()
    }

    /// Waits until committed originals are durable and uploaded, and removed ones are deleted.
    /// - Throws: `CancellationError`.
    func settle() async throws {
        try await self.disk.settle()
        try await self.queue.waitUntilEmpty()
    }

    /// Waits until the latest committed bytes of an original can be read by other nodes, or their upload was dropped.
    /// - Returns: false, at once, while the shared store is unavailable.
    /// - Throws: `CancellationError`.
    package func waitForUpload(of id: PosterID) async throws -> Bool {
        let key = Digest(of: id.description)
        try await self.disk.fileStore.pending.settle(key)
        guard self.isAvailable else { return false }
        try await self.queue.waitForEnd(of: key)
        return true
    }

    private func addUpload(_ key: Digest, onlyIfAbsent: Bool) {
        do throws(FileError) {
            try self.queue.addUpload(key, onlyIfAbsent: onlyIfAbsent, from: self.disk.fileStore.layout.path(of: key))
            self.queueFaults.end()
        } catch {
            self.queueFaults.begin(error)
        }
    }

    // MARK: Reading

    private func load(_ id: PosterID, from location: OriginalLocation) async throws -> StoredOriginal? {
        let key = Digest(of: id.description)
        let withdrawn: Digest?
        switch self.queue.work(for: key) {
        case nil, .upload(onlyIfAbsent: true): withdrawn = nil
        case .removal(let digest?): withdrawn = digest
        // The store's object is older than this node's, or removed.
        case .removal(nil), .upload(onlyIfAbsent: false): return nil
        }
        let draft = self.disk.makeDiskDraft(for: id, from: location)
        let refusals = self.refusals
        let sink = ObjectSink(draft) { object in
            object.isOf(id, from: location) && object.digest != withdrawn && !refusals.refuse(object, key)
        }
        self.absent.remove(key)
        do {
            let head = try await self.client.get(
                OriginalObject.key(of: key), into: sink, urgency: Urgency.current ?? Urgency(.interactive))
            self.faults.end()
            guard head != nil else {
                self.absent.insert(true, for: key)
                self.counters.withLock { $0.misses += 1 }
                await draft.discard()
                return nil
            }
            let object = sink.object
            let stored = try await self.commit(draft, as: object, key: key)
            // An event that arrived during the read found nothing on the disk.
            guard let object, stored != nil, self.refusals.refuse(object, key) else { return stored }
            await self.disk.remove(id, digest: object.digest)
            return nil
        } catch let failure as StoreFailure {
            await draft.discard()
            self.note(failure)
            return nil
        } catch {
            await draft.discard()
            throw error
        }
    }

    private func commit(
        _ draft: DiskOriginalDraft, as object: OriginalObject?, key: Digest
    ) async throws -> StoredOriginal? {
        do {
            guard let object, draft.digest == object.digest else {
                throw PosterError.badOriginal(reason: "the bytes do not match the object's metadata")
            }
            let stored = try await draft.commit(
                validators: object.validators, freshness: object.freshness, declaredLength: object.length,
                fetchedAt: object.fetchedAt)
            self.counters.withLock { $0.hits += 1 }
            return stored
        } catch let error as PosterError {
            // The original is fetched from its origin, which replaces the object.
            await draft.discard()
            self.counters.withLock { $0.damaged += 1 }
            self.logger.warning(
                "Ignored a damaged original of the shared store",
                metadata: ["object.key": "\(OriginalObject.key(of: key))", "error.message": "\(error)"])
            return nil
        }
    }

    private func note(_ failure: StoreFailure) {
        switch failure {
        // Not an original, another location's, or withdrawn: the origin's bytes replace it.
        case .unwanted: self.counters.withLock { $0.misses += 1 }
        case .suspended, .busy: self.counters.withLock { $0.failures += 1 }
        case .unavailable, .refused, .unintelligible:
            self.counters.withLock { $0.failures += 1 }
            self.faults.begin(failure)
        }
    }
}
