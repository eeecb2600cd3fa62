import Flights
import Glibc
import PosterPipeline
import Synchronization

/// Pending jobs for the shared store, at most one per original, in files, so that they survive a restart.
///
/// In the folder `uploads`, `<digest of the id>.new` or `.replace` is an upload: a hard link to the original's file,
/// which may therefore be evicted meanwhile. `.remove` is a removal; it contains the digest of the bytes, unless it
/// applies to all. If a crash leaves several files of one original, the removal takes precedence.
///
/// Files change under the lock of their key, and their state in memory right afterwards, under a separate lock.
final class UploadQueue: Sendable {
    struct Limits: Hashable {
        /// Maximum number of uploads; further originals are uploaded when they are next fetched or revalidated.
        var uploads = 10_000
        /// Maximum disk space of uploads, in addition to ``DiskOriginalStore/Configuration/byteBudget``, in bytes; 1
        /// GiB.
        var bytes = 1 << 30
        /// Maximum number of removals; further purges fail.
        var removals = 100_000
    }

    enum Claim {
        case job(UploadJob)
        /// No job is pending; the gate opens when the queue changes.
        case none(Gate)
    }

    let folder: String
    let limits: Limits
    private let locks: StripedLock
    let calls: FileSystemCalls
    let state = Mutex(UploadQueueState())

    /// Prepares the folder `uploads` in a data directory, and restores the jobs of an earlier process.
    init(
        in data: DataDirectory, limits: Limits = Limits(), locks: StripedLock, calls: FileSystemCalls
    ) throws(FileError) {
        self.folder = data.path + "/uploads"
        self.limits = limits
        self.locks = locks
        self.calls = calls
        try DataDirectory.create(self.folder)
        try self.load()
    }

    /// The number of pending and running jobs, the bytes of uploads among them, and the number of dropped uploads.
    var usage: (count: Int, bytes: Int, dropped: Int) {
        self.state.withLock { ($0.jobs.count, $0.uploadBytes, $0.dropped) }
    }

    /// The pending or running job of an original.
    func work(for key: Digest) -> UploadJob.Work? { self.state.withLock { $0.jobs[key]?.work } }

    // MARK: Adding

    /// Adds an upload of an original's current file; replaces its pending job.
    ///
    /// Without room for the file nothing is uploaded. An upload of the `.replace` kind, which it would have replaced,
    /// becomes a removal then, as the object in the store may be a purged one; if there is no room for that either, it
    /// stays.
    /// - Parameter path: The original's file; without one nothing is uploaded.
    /// - Throws: ``FileError`` if the file cannot be linked, or the removal not stored.
    func addUpload(_ key: Digest, onlyIfAbsent: Bool, from path: String) throws(FileError) {
        try self.locks.withLock(of: key) { () throws(FileError) in
            guard let length = FileStamp(at: path)?.length else { return }
            let current = self.state.withLock { $0.jobs[key] }
            var work = UploadJob.Work.upload(onlyIfAbsent: onlyIfAbsent)
            if let current, current.work != work { work = .upload(onlyIfAbsent: false) }
            guard self.hasRoom(for: length, inPlaceOf: current) else {
                self.state.withLock { $0.dropped += 1 }
                guard let current, !current.work.isRemoval else { return }
                if current.work == .upload(onlyIfAbsent: true) {
                    try self.forget(current)
                } else {
                    _ = try self.putRemoval(key, digest: nil)
                }
                return
            }
            try self.link(path, as: self.path(key, work.suffix))
            try self.removeFiles(of: key, but: work)
            self.put(key, work, byteCount: length)
        }
    }

    /// Replaces the original's pending job by a removal, unless it uploads other bytes. Durable on return. A removal
    /// that replaces an upload of the `.replace` kind applies to all bytes.
    /// - Parameter digest: The digest of the bytes to remove; `nil` for any bytes.
    /// - Returns: Whether there was room for the removal.
    func addRemoval(_ key: Digest, digest: Digest?) throws(FileError) -> Bool {
        try self.locks.withLock(of: key) { () throws(FileError) in
            let current = self.state.withLock { $0.jobs[key] }
            var digest = digest
            if let wanted = digest, let current {
                switch current.work {
                case .upload(let onlyIfAbsent):
                    if let uploaded = self.digest(of: current), uploaded != wanted {
                        try self.replace(current)
                        return true
                    }
                    // The object that the upload would have replaced is older, and must not be read again.
                    if !onlyIfAbsent { digest = nil }
                case .removal(let other): digest = other == wanted ? wanted : nil
                }
            }
            return try self.putRemoval(key, digest: digest)
        }
    }

    /// Replaces the original's pending job by a removal. The lock of the key is held.
    /// - Returns: Whether there was room for it.
    private func putRemoval(_ key: Digest, digest: Digest?) throws(FileError) -> Bool {
        let hasRoom = self.state.withLock { state in
            state.jobs.count - state.uploadCount < self.limits.removals || state.jobs[key]?.work.isRemoval == true
        }
        guard hasRoom else { return false }
        let work = try self.writeRemoval(key, digest: digest)
        self.put(key, work, byteCount: 0)
        return true
    }

    private func hasRoom(for byteCount: Int, inPlaceOf current: UploadJob?) -> Bool {
        self.state.withLock { state in
            let isOther = current.map(\.work.isRemoval) ?? true
            return state.uploadCount + (isOther ? 1 : 0) <= self.limits.uploads
                && state.uploadBytes - (current?.byteCount ?? 0) + byteCount <= self.limits.bytes
        }
    }

    /// Turns a pending upload into one that replaces the present object.
    private func replace(_ job: UploadJob) throws(FileError) {
        let work = UploadJob.Work.upload(onlyIfAbsent: false)
        guard job.work != work else { return }
        let name = self.path(job.key, work.suffix)
        guard rename(self.path(of: job), name) == 0 else { throw FileError("rename", name) }
        self.put(job.key, work, byteCount: job.byteCount)
    }

    private func digest(of job: UploadJob) -> Digest? {
        guard let file = try? OriginalFile(self.path(of: job)) else { return nil }
        return Digest(hexadecimal: file.header.digest)
    }

    private func put(_ key: Digest, _ work: UploadJob.Work, byteCount: Int) {
        let change = self.state.withLock { state in
            state.take(key)
            state.lastNumber += 1
            state.insert(UploadJob(key: key, work: work, byteCount: byteCount, number: state.lastNumber))
            return state.renewGate()
        }
        change.open()
    }

    // MARK: Doing

    /// Claims the next job, for ``finish(_:isDropped:)`` or ``putBack(_:isRefused:)``; removals come first.
    func claim() -> Claim {
        self.state.withLock { state in
            while let key = state.order.removals.pop() ?? state.order.uploads.pop() {
                // A key with a running job is queued again when that ends.
                guard let job = state.jobs[key], !state.running.contains(key) else { continue }
                state.running.insert(key)
                return .job(job)
            }
            return .none(state.change)
        }
    }

    /// Ends a job that is done or hopeless. A job that has replaced it meanwhile is queued. A hopeless upload of the
    /// `.replace` kind becomes a removal, if there is room for one, as the object in the store may be a purged one.
    func finish(_ job: UploadJob, isDropped: Bool = false) throws(FileError) {
        defer { self.end(job.key, droppedCount: isDropped && !job.work.isRemoval ? 1 : 0) }
        try self.locks.withLock(of: job.key) { () throws(FileError) in
            guard self.state.withLock({ $0.jobs[job.key]?.number }) == job.number else { return }
            let isReplacement = job.work == .upload(onlyIfAbsent: false)
            if isDropped, isReplacement, try self.putRemoval(job.key, digest: nil) { return }
            try self.forget(job)
        }
    }

    /// Returns a failed job to the queue. It is retried in the next round; a refused one after exponentially more
    /// rounds, at most ``UploadQueueState/longestPause``.
    /// - Parameter isRefused: Whether the store refused this job, rather than failed.
    func putBack(_ job: UploadJob, isRefused: Bool = false) {
        let isReplaced = self.state.withLock { state in
            guard state.jobs[job.key]?.number == job.number else { return true }
            state.fail(job.key, isRefused: isRefused)
            return false
        }
        if isReplaced { self.end(job.key) }
    }

    /// Begins a round: queues failed jobs with elapsed pauses behind the others.
    func retryFailed() {
        for key in self.state.withLock({ $0.takeFailed() }) { self.end(key) }
    }

    private func end(_ key: Digest, droppedCount: Int = 0) {
        let (change, end) = self.state.withLock { state in
            state.dropped += droppedCount
            state.running.remove(key)
            if let next = state.jobs[key] { state.enqueue(next) }
            return (state.renewGate(), state.takeEnd(of: key))
        }
        change.open()
        end?.open()
    }

    private func forget(_ job: UploadJob) throws(FileError) {
        let (change, end) = self.state.withLock { state in
            state.take(job.key)
            return (state.renewGate(), state.takeEnd(of: job.key))
        }
        change.open()
        end?.open()
        // If that fails, the job is repeated after the next start.
        _ = try self.remove(self.path(of: job))
    }

    /// Waits until an original has no pending or running job.
    /// - Throws: `CancellationError`.
    func waitForEnd(of key: Digest) async throws {
        try await self.state.withLock { $0.end(of: key) }?.wait()
    }

    /// - Throws: `CancellationError`.
    func waitUntilEmpty() async throws {
        while true {
            let (isEmpty, change) = self.state.withLock { ($0.jobs.isEmpty && $0.running.isEmpty, $0.change) }
            if isEmpty { return }
            try await change.wait()
        }
    }
}
