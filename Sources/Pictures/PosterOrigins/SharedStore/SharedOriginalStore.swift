import BoundedCache
import Flights
package import Logging
package import ObjectStorage
public import PosterPipeline
import RebuildableDatabase
import Synchronization

/// Originals on the local disk, with those of all nodes in an S3-compatible store behind them.
///
/// The disk is a bounded cache then. What it lacks is read from the store, verified, and put on the disk; what comes from an
/// origin is uploaded in the background. A store that is slow or fails costs a lookup at most
/// ``S3Client/Configuration/answerTimeout`` until it has failed a few times in a row, and nothing from then on: originals come
/// from disk or origin as without it.
public final class SharedOriginalStore: OriginalStore {
    /// Uploads at once, each with its original in memory.
    package static let uploadsAtOnce = SharedStoreUploader.jobsAtOnce
    /// How long a process that ends waits for its uploads.
    private static let flushTime = Duration.seconds(10)
    /// The most originals that are remembered as missing in the store.
    private static let absentLimit = 10_000

    let disk: DiskOriginalStore
    let client: S3Client
    let queue: UploadQueue
    let counters = Mutex(SharedStoreStatus.Counters())
    let logger: Logger
    private let faults: FaultLog
    private let queueFaults: FaultLog
    private let uploader: SharedStoreUploader
    /// What of the store is not read any more, though it may still be there.
    private let refusals = SharedObjectRefusals()
    /// Originals that the store did not have when it was asked last.
    private let absent = BoundedCache<Digest, Bool>(countLimit: SharedOriginalStore.absentLimit)

    /// - Parameters:
    ///   - renewedCredentials: The current credentials, called now and then; nil when they are as before.
    ///   - untilNextRound: Returns when it is time to look after the store; every second by default.
    /// - Throws: ``FileError`` when the queue of uploads cannot be used.
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
                "The shared store takes no originals", logger: logger, secondsSince1970: secondsSince1970),
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

    /// From the disk, else from the store.
    /// - Throws: What the disk's store throws.
    public func original(_ id: PosterID, from location: OriginalLocation) async throws -> StoredOriginal? {
        if let stored = try await self.disk.original(id, from: location) { return stored }
        guard location.isShared else { return nil }
        return try await self.load(id, from: location)
    }

    /// A draft on the disk, which is uploaded once it is durable.
    public func makeDraft(for id: PosterID, from location: OriginalLocation) async throws -> any OriginalDraft {
        guard location.isShared else { return self.disk.makeDiskDraft(for: id, from: location) }
        let key = Digest(of: id.description)
        // For this one: what replaces it later is newer than what the store has then.
        let onlyIfAbsent = self.absent.remove(key)
        return self.disk.makeDiskDraft(for: id, from: location) { self.addUpload(key, onlyIfAbsent: onlyIfAbsent) }
    }

    /// Notes it on the disk, and uploads the original with its new freshness.
    public func refresh(_ id: PosterID, digest: Digest, validators: Validators, freshness: Freshness) async {
        await self.disk.refresh(id, digest: digest, validators: validators, freshness: freshness)
        let key = Digest(of: id.description)
        do {
            try await self.disk.threads.runStep { self.addUpload(key, onlyIfAbsent: false) }
        } catch {
            // The caller has left: other nodes revalidate it themselves.
        }
    }

    /// Removes it from the disk, and from the store in the background; it is not read from there meanwhile.
    public func remove(_ id: PosterID, digest: Digest) async {
        await self.disk.remove(id, digest: digest)
        let key = Digest(of: id.description)
        // A task of its own: the removal goes on when the caller is cancelled.
        await Task {
            do {
                let isAdded = try await self.disk.threads.runStep {
                    try self.queue.addRemoval(key, digest: digest)
                }
                if !isAdded { throw PosterError.storageFailed(reason: "too many removals wait for the shared store") }
                self.queueFaults.end()
            } catch {
                self.queueFaults.begin(error)
            }
        }.value
    }

    /// Removes it from the disk at once, and from the store as soon as that takes it, also after a restart; it is not read from
    /// there meanwhile.
    /// - Returns: Whether the disk had it: the store is not asked.
    /// - Throws: `PosterError`, `CancellationError`.
    public func purge(_ id: PosterID) async throws -> Bool {
        // What is just being read from the store is not kept, though the removal may be done before it has arrived.
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
            throw PosterError.storageFailed(reason: "too many removals wait for the shared store")
        }
        self.queueFaults.end()
    }

    /// Removes it from the disk, and what waits to be uploaded.
    public func purgeHere(_ id: PosterID) async throws -> Bool {
        let key = Digest(of: id.description)
        self.absent.remove(key)
        // First: what is just being made durable is queued then.
        let wasThere = try await self.disk.purge(id)
        // An upload that is under way may come after the other node's removal.
        if case .upload = self.queue.work(for: key) { try await self.addRemoval(key) }
        return wasThere
    }

    /// Does not read objects of before.
    public func refuseShared(before event: OriginalEvent, at moment: Int64) {
        self.refusals.note(event, at: moment)
    }

    /// Uploads, removes and probes until it is cancelled. To be called once.
    package func run() async throws {
        try await self.uploader.run()
    }

    /// Does what waits, for a process that does not ``run()``; what is not done within ``flushTime`` is left to the next one.
    package func flush() async throws {
        do {
            try await withTimeout(Self.flushTime, throwing: StoreFailure.unavailable("it took too long")) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    defer { group.cancelAll() }
                    group.addTask { try await self.run() }
                    group.addTask { try await self.settle() }
                    try await group.next()
                }
            }
        } catch let failure as StoreFailure {
            self.logger.warning(
                "Uploads and removals wait for the shared store", metadata: ["error.message": "\(failure)"])
        }
    }

    /// Ends what is under way; what waits is done after the next start.
    package func close() {
        self.client.shutdown()
    }

    /// Returns when what was committed is durable and uploaded, and what was removed is gone.
    /// - Throws: `CancellationError`.
    func settle() async throws {
        try await self.disk.settle()
        try await self.queue.waitUntilEmpty()
    }

    /// Returns when what was committed last of an original is where other nodes read it, or was given up.
    /// - Returns: false at once while the store fails.
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
        // The store's are older than what this node had, or removed.
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
            // An event that came while it was read found nothing on the disk.
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
                throw PosterError.badOriginal(reason: "its bytes are not those that its fields name")
            }
            let stored = try await draft.commit(
                validators: object.validators, freshness: object.freshness, declaredLength: object.length,
                fetchedAt: object.fetchedAt)
            self.counters.withLock { $0.hits += 1 }
            return stored
        } catch let error as PosterError {
            // The origin is asked instead, and what it sends replaces the object.
            await draft.discard()
            self.counters.withLock { $0.damaged += 1 }
            self.logger.warning(
                "An original of the shared store is not used",
                metadata: ["object.key": "\(OriginalObject.key(of: key))", "error.message": "\(error)"])
            return nil
        }
    }

    private func note(_ failure: StoreFailure) {
        switch failure {
        // No original, another location's, or withdrawn: the origin's replaces it.
        case .unwanted: self.counters.withLock { $0.misses += 1 }
        case .suspended, .busy: self.counters.withLock { $0.failures += 1 }
        case .unavailable, .refused, .unintelligible:
            self.counters.withLock { $0.failures += 1 }
            self.faults.begin(failure)
        }
    }
}
