import Flights
import PosterPipeline

/// A pending change of the shared store for one original.
struct UploadJob: Hashable {
    enum Work: Hashable {
        /// With `onlyIfAbsent`, an object of another node is not replaced.
        case upload(onlyIfAbsent: Bool)
        /// Removes the object with these bytes; `nil` for any bytes.
        case removal(Digest?)

        var suffix: String {
            switch self {
            case .upload(onlyIfAbsent: true): ".new"
            case .upload(onlyIfAbsent: false): ".replace"
            case .removal: ".remove"
            }
        }

        static let suffixes = [".new", ".replace", ".remove"]

        var isRemoval: Bool { if case .removal = self { true } else { false } }
    }

    /// The digest of the id.
    let key: Digest
    let work: Work
    let byteCount: Int
    /// Increases with each job.
    let number: UInt64
    var refusals = 0
}

/// The jobs of a queue, in memory.
struct UploadQueueState {
    /// Maximum pause of a repeatedly refused job, in rounds: about four minutes.
    static let longestPause: UInt64 = 256

    var lastNumber: UInt64 = 0
    var jobs: [Digest: UploadJob] = [:]
    var order = (removals: JobOrder(), uploads: JobOrder())
    /// Keys of claimed jobs that are not finished, including those in ``failed``.
    var running: Set<Digest> = []
    /// Failed jobs, with the rounds in which they are retried.
    private(set) var failed: [Digest: UInt64] = [:]
    private var round: UInt64 = 0
    var uploadCount = 0
    var uploadBytes = 0
    var change = Gate()
    /// Opened when a key has no pending or running job.
    var ends: [Digest: Gate] = [:]
    var dropped = 0

    mutating func insert(_ job: UploadJob) {
        self.jobs[job.key] = job
        if !job.work.isRemoval {
            self.uploadCount += 1
            self.uploadBytes += job.byteCount
        }
        if !self.running.contains(job.key) { self.enqueue(job) }
    }

    mutating func enqueue(_ job: UploadJob) {
        if job.work.isRemoval {
            self.order.removals.append(job.key)
        } else {
            self.order.uploads.append(job.key)
        }
    }

    mutating func take(_ key: Digest) {
        // The replacement does not wait for the failed job's round.
        if self.failed.removeValue(forKey: key) != nil { self.running.remove(key) }
        guard let job = self.jobs.removeValue(forKey: key), !job.work.isRemoval else { return }
        self.uploadCount -= 1
        self.uploadBytes -= job.byteCount
    }

    /// Pauses a job: for one round, or for twice as many after each refusal.
    mutating func fail(_ key: Digest, isRefused: Bool) {
        var pause: UInt64 = 1
        if isRefused, let refusals = self.jobs[key]?.refusals {
            self.jobs[key]?.refusals += 1
            pause = refusals < 8 ? 1 << UInt64(refusals) : Self.longestPause
        }
        self.failed[key] = self.round + pause
    }

    /// Begins a round.
    /// - Returns: The jobs with elapsed pauses, oldest first.
    mutating func takeFailed() -> [Digest] {
        self.round += 1
        let due = self.failed.filter { $0.value <= self.round }.map { ($0.key, self.jobs[$0.key]?.number ?? 0) }
        for (key, _) in due { self.failed[key] = nil }
        return due.sorted { $0.1 < $1.1 }.map(\.0)
    }

    /// - Returns: `nil` if a key has no pending or running job.
    mutating func end(of key: Digest) -> Gate? {
        guard self.jobs[key] != nil || self.running.contains(key) else { return nil }
        let gate = self.ends[key] ?? Gate()
        self.ends[key] = gate
        return gate
    }

    /// - Returns: The gate to open, if a key has no pending or running job.
    mutating func takeEnd(of key: Digest) -> Gate? {
        guard self.jobs[key] == nil, !self.running.contains(key) else { return nil }
        return self.ends.removeValue(forKey: key)
    }

    mutating func renewGate() -> Gate {
        defer { self.change = Gate() }
        return self.change
    }
}

/// A FIFO queue of keys without duplicates.
struct JobOrder {
    private var keys: [Digest] = []
    private var start = 0
    private var present: Set<Digest> = []

    mutating func append(_ key: Digest) {
        if self.present.insert(key).inserted { self.keys.append(key) }
    }

    mutating func pop() -> Digest? {
        guard self.start < self.keys.count else { return nil }
        let key = self.keys[self.start]
        self.present.remove(key)
        self.start += 1
        // Moving the rest only at this point costs O(1) per key, amortised.
        if self.start * 2 > self.keys.count {
            self.keys.removeFirst(self.start)
            self.start = 0
        }
        return key
    }
}
