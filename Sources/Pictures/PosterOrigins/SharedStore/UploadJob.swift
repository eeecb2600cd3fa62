import Flights
import PosterPipeline

/// Something to be done at a shared store for one original.
struct UploadJob: Hashable {
    enum Work: Hashable {
        /// Whether another node's object stays.
        case upload(onlyIfAbsent: Bool)
        /// Of an object with these bytes; nil for any.
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

    /// Of the id.
    let key: Digest
    let work: Work
    /// Of the original's file.
    let byteCount: Int
    /// Rises with each job.
    let number: UInt64
    /// Refusals so far.
    var refusals = 0
}

/// The jobs of a queue, in memory.
struct UploadQueueState {
    /// Of a job that is refused again and again, in rounds: about four minutes.
    static let longestPause: UInt64 = 256

    var lastNumber: UInt64 = 0
    var jobs: [Digest: UploadJob] = [:]
    var order = (removals: JobOrder(), uploads: JobOrder())
    /// Claimed and not finished, those that have failed included.
    var running: Set<Digest> = []
    /// With the rounds in which they are tried again.
    private(set) var failed: [Digest: UInt64] = [:]
    private var round: UInt64 = 0
    var uploadCount = 0
    var uploadBytes = 0
    var change = Gate()
    /// Opened when nothing waits or runs for a key any more.
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
        // What takes its place does not wait for its round.
        if self.failed.removeValue(forKey: key) != nil { self.running.remove(key) }
        guard let job = self.jobs.removeValue(forKey: key), !job.work.isRemoval else { return }
        self.uploadCount -= 1
        self.uploadBytes -= job.byteCount
    }

    /// Lets a job pause: for one round, or for twice as many after each refusal.
    mutating func fail(_ key: Digest, isRefused: Bool) {
        var pause: UInt64 = 1
        if isRefused, let refusals = self.jobs[key]?.refusals {
            self.jobs[key]?.refusals += 1
            pause = refusals < 8 ? 1 << UInt64(refusals) : Self.longestPause
        }
        self.failed[key] = self.round + pause
    }

    /// Begins a round.
    /// - Returns: The jobs whose pauses are over, oldest first.
    mutating func takeFailed() -> [Digest] {
        self.round += 1
        let due = self.failed.filter { $0.value <= self.round }.map { ($0.key, self.jobs[$0.key]?.number ?? 0) }
        for (key, _) in due { self.failed[key] = nil }
        return due.sorted { $0.1 < $1.1 }.map(\.0)
    }

    /// - Returns: nil when nothing waits or runs for a key.
    mutating func end(of key: Digest) -> Gate? {
        guard self.jobs[key] != nil || self.running.contains(key) else { return nil }
        let gate = self.ends[key] ?? Gate()
        self.ends[key] = gate
        return gate
    }

    /// - Returns: The gate to open when nothing waits or runs for a key.
    mutating func takeEnd(of key: Digest) -> Gate? {
        guard self.jobs[key] == nil, !self.running.contains(key) else { return nil }
        return self.ends.removeValue(forKey: key)
    }

    /// - Returns: The gate to open.
    mutating func renewGate() -> Gate {
        defer { self.change = Gate() }
        return self.change
    }
}

/// Keys of jobs, each once, first in, first out.
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
        // So that moving the rest costs O(1) for each.
        if self.start * 2 > self.keys.count {
            self.keys.removeFirst(self.start)
            self.start = 0
        }
        return key
    }
}
