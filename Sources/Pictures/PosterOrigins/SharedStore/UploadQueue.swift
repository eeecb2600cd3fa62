import Flights
import Glibc
import PosterPipeline
import Synchronization

/// What waits to be done at a shared store, one thing for each original, in files, so that a restart goes on with it.
///
/// The folder `uploads` has `<digest of the id>.new` or `.replace` for an upload, a hard link to the original's file, which
/// therefore may be evicted meanwhile; and `.remove`, with the digest of the bytes in it unless it applies to any. Of several,
/// which a crash may leave, a removal counts.
///
/// Files change under the lock of their key, and the memory of them right after it, under one of its own.
final class UploadQueue: Sendable {
    /// The most that waits.
    struct Limits: Hashable {
        /// Originals; further ones are not uploaded before they are fetched or revalidated again.
        var uploads = 10_000
        /// What they may take of the disk beside ``DiskOriginalStore/Configuration/byteBudget``, in bytes; 1 GiB.
        var bytes = 1 << 30
        /// Removals; a purge beyond that fails.
        var removals = 100_000
    }

    enum Claim {
        case job(UploadJob)
        /// There is none; the gate opens when something changes.
        case none(Gate)
    }

    let folder: String
    let limits: Limits
    private let locks: StripedLock
    let calls: FileSystemCalls
    let state = Mutex(UploadQueueState())

    /// Prepares the folder `uploads` in a data directory, and takes up what an earlier process has left there.
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

    /// Jobs that wait or run, the bytes of uploads among them, and how many uploads were given up.
    var usage: (count: Int, bytes: Int, dropped: Int) {
        self.state.withLock { ($0.jobs.count, $0.uploadBytes, $0.dropped) }
    }

    /// What waits or runs for an original.
    func work(for key: Digest) -> UploadJob.Work? { self.state.withLock { $0.jobs[key]?.work } }

    // MARK: Adding

    /// Adds an upload of the file that an original has now, in place of what waits for it.
    /// - Parameter path: The original's file; without one there is nothing to upload.
    /// - Throws: ``FileError`` when it could not be linked.
    func addUpload(_ key: Digest, onlyIfAbsent: Bool, from path: String) throws(FileError) {
        try self.locks.withLock(of: key) { () throws(FileError) in
            guard let length = FileStamp(at: path)?.length else { return }
            let current = self.state.withLock { $0.jobs[key] }
            var work = UploadJob.Work.upload(onlyIfAbsent: onlyIfAbsent)
            if let current, current.work != work { work = .upload(onlyIfAbsent: false) }
            guard self.hasRoom(for: length, inPlaceOf: current) else {
                self.state.withLock { $0.dropped += 1 }
                if let current, !current.work.isRemoval { try self.forget(current) }
                return
            }
            let name = self.path(key, work.suffix)
            _ = try self.remove(name)
            guard link(path, name) == 0 else { throw FileError("link", name) }
            try self.removeFiles(of: key, but: work)
            self.put(key, work, byteCount: length)
        }
    }

    /// Adds a removal in place of what waits for an original, but not of an upload of other bytes. It is durable then. In place of
    /// an upload that replaces an object it applies to any bytes.
    /// - Parameter digest: Of the bytes; nil for any.
    /// - Returns: false when too many wait.
    func addRemoval(_ key: Digest, digest: Digest?) throws(FileError) -> Bool {
        try self.locks.withLock(of: key) { () throws(FileError) in
            let (current, removals) = self.state.withLock { ($0.jobs[key], $0.jobs.count - $0.uploadCount) }
            var digest = digest
            if let wanted = digest, let current {
                switch current.work {
                case .upload(let onlyIfAbsent):
                    if let uploaded = self.digest(of: current), uploaded != wanted {
                        try self.replace(current)
                        return true
                    }
                    // What it would have replaced is older, and not to be read again.
                    if !onlyIfAbsent { digest = nil }
                case .removal(let other): digest = other == wanted ? wanted : nil
                }
            }
            guard removals < self.limits.removals || current?.work.isRemoval == true else { return false }
            let work = UploadJob.Work.removal(digest)
            try self.write(digest.map { Array($0.description.utf8) } ?? [], to: self.path(key, work.suffix))
            try self.removeFiles(of: key, but: work)
            self.put(key, work, byteCount: 0)
            return true
        }
    }

    private func hasRoom(for byteCount: Int, inPlaceOf current: UploadJob?) -> Bool {
        self.state.withLock { state in
            let isOther = current.map(\.work.isRemoval) ?? true
            return state.uploadCount + (isOther ? 1 : 0) <= self.limits.uploads
                && state.uploadBytes - (current?.byteCount ?? 0) + byteCount <= self.limits.bytes
        }
    }

    /// Lets an upload replace the object that is there.
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

    /// The next job, to be given to ``finish(_:isDropped:)`` or ``putBack(_:isRefused:)``; removals come first.
    func claim() -> Claim {
        self.state.withLock { state in
            while let key = state.order.removals.pop() ?? state.order.uploads.pop() {
                // What runs comes again when it has ended.
                guard let job = state.jobs[key], !state.running.contains(key) else { continue }
                state.running.insert(key)
                return .job(job)
            }
            return .none(state.change)
        }
    }

    /// Ends a job that is done or hopeless. What has taken its place meanwhile is next.
    func finish(_ job: UploadJob, isDropped: Bool = false) throws(FileError) {
        defer { self.end(job.key, droppedCount: isDropped && !job.work.isRemoval ? 1 : 0) }
        try self.locks.withLock(of: job.key) { () throws(FileError) in
            guard self.state.withLock({ $0.jobs[job.key]?.number }) == job.number else { return }
            try self.forget(job)
        }
    }

    /// Puts a job back that has failed, to be tried again after ``retryFailed()``; one that was refused after more and more of
    /// those, ``UploadQueueState/longestPause`` at most.
    /// - Parameter isRefused: Whether it failed for a reason of its own.
    func putBack(_ job: UploadJob, isRefused: Bool = false) {
        let isReplaced = self.state.withLock { state in
            guard state.jobs[job.key]?.number == job.number else { return true }
            state.fail(job.key, isRefused: isRefused)
            return false
        }
        if isReplaced { self.end(job.key) }
    }

    /// Begins a round: puts the jobs that have failed, and whose pauses are over, behind the others.
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
        // If that fails, it is done once more after the next start.
        _ = try self.remove(self.path(of: job))
    }

    /// Returns when nothing waits or runs for an original.
    /// - Throws: `CancellationError`.
    func waitForEnd(of key: Digest) async throws {
        try await self.state.withLock { $0.end(of: key) }?.wait()
    }

    /// Returns when nothing waits or runs.
    /// - Throws: `CancellationError`.
    func waitUntilEmpty() async throws {
        while true {
            let (isEmpty, change) = self.state.withLock { ($0.jobs.isEmpty && $0.running.isEmpty, $0.change) }
            if isEmpty { return }
            try await change.wait()
        }
    }
}
