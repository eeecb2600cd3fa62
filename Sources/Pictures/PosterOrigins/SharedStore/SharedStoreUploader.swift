import Flights
import HTTPFetch
import Logging
import ObjectStorage
import PosterCodec
import PosterPipeline
import RebuildableDatabase
import Synchronization

/// Performs the jobs of an ``UploadQueue``, and monitors the store's health.
final class SharedStoreUploader: Sendable {
    /// Number of concurrent jobs, each with one original in memory.
    static let jobsAtOnce = 4
    /// Number of refusals that are retried; the next one drops an upload.
    private static let refusalLimit = 8
    /// Rounds between two probes that detect a failing store without requests.
    static let roundsPerCheck = 10
    /// Rounds between two renewals of the credentials.
    private static let roundsPerCredentials = 60

    private let disk: DiskOriginalStore
    private let client: S3Client
    private let queue: UploadQueue
    let faults: FaultLog
    /// The fault of reads: a store that answers a probe can be read again.
    private let readFaults: FaultLog
    private let logger: Logger
    private let renewedCredentials: @Sendable () -> S3Credentials?
    private let untilNextRound: @Sendable () async throws -> Void
    /// Opened, and replaced, at the end of a round.
    private let round = Mutex(Gate())
    private let done = Mutex((uploaded: 0, removed: 0))

    init(
        disk: DiskOriginalStore, client: S3Client, queue: UploadQueue, faults: FaultLog, readFaults: FaultLog,
        logger: Logger,
        renewedCredentials: @escaping @Sendable () -> S3Credentials?,
        untilNextRound: @escaping @Sendable () async throws -> Void
    ) {
        self.disk = disk
        self.client = client
        self.queue = queue
        self.faults = faults
        self.readFaults = readFaults
        self.logger = logger
        self.renewedCredentials = renewedCredentials
        self.untilNextRound = untilNextRound
    }

    var counts: (uploaded: Int, removed: Int) { self.done.withLock { $0 } }

    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await self.doRounds() }
            for _ in 0..<Self.jobsAtOnce { group.addTask { try await self.work() } }
            do {
                try await group.next()
            } catch is CancellationError {}
        }
    }

    // MARK: Rounds

    private func doRounds() async throws {
        var count = 0
        while true {
            try await self.untilNextRound()
            count += 1
            if count.isMultiple(of: Self.roundsPerCredentials), let credentials = self.renewedCredentials() {
                self.client.replaceCredentials(credentials)
            }
            if self.client.health.waitForProbe == .zero {
                try await self.probe()
            } else if count.isMultiple(of: Self.roundsPerCheck), self.client.health.isAvailable {
                try await self.check()
            }
            self.queue.retryFailed()
            let gate = self.round.withLock { round in
                defer { round = Gate() }
                return round
            }
            gate.open()
        }
    }

    /// Probes a suspended store; a success closes its circuit breaker.
    private func probe() async throws {
        do {
            try await self.client.probe()
            self.faults.end()
            self.readFaults.end()
        } catch let failure as StoreFailure {
            self.faults.begin(failure)
        }
    }

    /// Probes a store in use, and begins or ends the fault of reads.
    private func check() async throws {
        do {
            try await self.client.probe()
            self.readFaults.end()
        } catch StoreFailure.suspended {
            // Requests have detected the failure meanwhile.
        } catch StoreFailure.busy {
            // The store is in use.
        } catch let failure as StoreFailure {
            self.readFaults.begin(failure)
        }
    }

    // MARK: Jobs

    private func work() async throws {
        while true {
            try Task.checkCancellation()
            let round = self.round.withLock { $0 }
            guard self.client.health.isAvailable else {
                try await round.wait()
                continue
            }
            switch self.queue.claim() {
            case .none(let change): try await change.wait()
            case .job(let job): try await self.perform(job)
            }
        }
    }

    /// Performs a job, or returns it to the queue for a later round.
    private func perform(_ job: UploadJob) async throws {
        do {
            switch job.work {
            case .upload(let onlyIfAbsent): try await self.upload(job, onlyIfAbsent: onlyIfAbsent)
            case .removal(let digest): try await self.remove(job, digest: digest)
            }
            self.faults.end()
            self.done.withLock { done in
                if job.work.isRemoval { done.removed += 1 } else { done.uploaded += 1 }
            }
            try await self.finish(job)
        } catch let failure as StoreFailure {
            self.faults.begin(failure)
            let isRefused = if case .refused = failure { true } else { false }
            if isRefused, job.refusals >= Self.refusalLimit, !job.work.isRemoval {
                try await self.finish(job, isDropped: true)
            } else {
                self.queue.putBack(job, isRefused: isRefused)
            }
        } catch let error as CancellationError {
            self.queue.putBack(job)
            throw error
        } catch {
            // The file is gone or damaged; the store is not at fault.
            self.logger.warning(
                "An original is not uploaded to the shared store",
                metadata: [
                    "object.key": "\(OriginalObject.key(of: job.key))", "error.message": "\(error)",
                ])
            try await self.finish(job, isDropped: true)
        }
    }

    private func finish(_ job: UploadJob, isDropped: Bool = false) async throws {
        try await self.disk.threads.runStep {
            do throws(FileError) {
                try self.queue.finish(job, isDropped: isDropped)
            } catch {
                self.faults.begin(error)
            }
        }
    }

    private func upload(_ job: UploadJob, onlyIfAbsent: Bool) async throws {
        let (object, bytes, type) = try await self.disk.threads.runStep { try self.read(job) }
        _ = try await self.client.put(
            OriginalObject.key(of: job.key), bytes, digest: object.digest.description, contentType: type,
            metadata: object.fields, onlyIfAbsent: onlyIfAbsent)
    }

    /// Reads an original's file, with the index's validators and freshness.
    private func read(_ job: UploadJob) throws -> (OriginalObject, [UInt8], contentType: String) {
        let file = try OriginalFile(self.queue.path(of: job))
        let row = self.disk.fileStore.index.attempt { try $0.row(job.key) } ?? nil
        let header = row?.digest.description == file.header.digest ? row?.header ?? file.header : file.header
        guard
            let object = OriginalObject(
                file.header, validators: header.validators, freshness: header.freshness)
        else { throw OriginalFile.Failure.damaged(reason: "the header has a malformed digest", stamp: nil) }
        let bytes = try file.contents().bytes.withUnsafeBytes { Array($0) }
        guard bytes.withUnsafeBytes({ Digest(of: $0) }) == object.digest else {
            throw OriginalFile.Failure.damaged(reason: "the bytes do not match the digest", stamp: nil)
        }
        let format = file.header.format.flatMap(ImageFormat.init(rawValue:))
        return (object, bytes, format.map { "image/\($0.name)" } ?? "application/octet-stream")
    }

    private func remove(_ job: UploadJob, digest: Digest?) async throws {
        let key = OriginalObject.key(of: job.key)
        if let digest {
            let probe = ObjectHeadSink()
            do {
                guard try await self.client.get(key, into: probe, isUrgent: false) != nil else { return }
            } catch StoreFailure.unwanted {
                // The head suffices.
            }
            guard probe.object?.digest == digest else { return }
        }
        try await self.client.delete(key)
    }
}

/// Reads the fields of an object, and none of its bytes.
final class ObjectHeadSink: FetchSink {
    private let state = Mutex<OriginalObject?>(nil)

    var object: OriginalObject? { self.state.withLock { $0 } }

    func begin(_ head: FetchResponseHead) -> Bool {
        self.state.withLock { $0 = OriginalObject(fields: head.keptFields) }
        return false
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool { false }
}
