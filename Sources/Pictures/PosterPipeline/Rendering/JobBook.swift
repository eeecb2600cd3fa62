import Flights
import PosterCodec

/// The jobs of all originals: the variants that each makes, and the tasks that wait for them. A plain value without a
/// lock or a clock; `Caller` is a waiter.
///
/// A job gathers variants until a thread takes it; then it is sealed, and later variants gather for the next job. It
/// ends with its last variant.
struct JobBook<Caller: Identifiable & Sendable>: Sendable {
    typealias ID = UInt64

    /// The key by which jobs gather variants.
    struct Source: Hashable {
        let id: PosterID
        let digest: Digest
    }

    struct Member: Sendable {
        let key: VariantKey
        let target: RenderTarget
        /// The plan for rendering it alone.
        let plan: RenderPlan
        /// The original as found by the request.
        let original: Original
        /// The variant is not cached if the original was forgotten since.
        let epoch: OriginalMetadataCache.Epoch
        var level: Urgency.Level
        var waiters: [Caller] = []
        /// Index among the job's targets; `nil` until it begins.
        var index: Int?
    }

    /// A job that waits for a thread.
    struct Queued: Sendable {
        let id: ID
        let urgency: Urgency
        /// The first variants, at least one.
        let members: [Member]
    }

    private struct Job {
        let source: Source
        var urgency: Urgency
        var members: [Member]
        /// Whether no thread has taken the job yet.
        var isGathering = true
        /// Whether the job renders ahead of requests.
        var isAhead = false
        /// `nil` until the job begins.
        var control: JobControl?
        var task: Task<Void, Never>?
    }

    private var lastID: ID = 0
    private var jobs: [ID: Job] = [:]
    /// The job that new variants of an original join.
    private var gathering: [Source: ID] = [:]
    /// The jobs of a poster that no longer gather.
    private var sealed: [PosterID: [ID]] = [:]
    /// The job of each variant.
    private var places: [VariantKey: ID] = [:]

    var count: Int { self.jobs.count }
    var waiterCount: Int { self.jobs.values.reduce(0) { $0 + $1.members.reduce(0) { $0 + $1.waiters.count } } }

    // MARK: Waiters

    /// - Parameter member: How to make the variant, if no job makes it yet.
    /// - Returns: A new job, for ``setTask(_:of:)``; otherwise the urgency of the joined job, for the caller to raise.
    mutating func join(_ waiter: Caller, _ member: Member) -> (begun: Queued?, raised: Urgency?) {
        if let (id, index) = self.place(of: member.key) {
            self.jobs[id]!.members[index].waiters.append(waiter)
            return (nil, self.raise(member.key, to: member.level))
        }
        var member = member
        member.waiters = [waiter]
        let source = Source(id: member.key.id, digest: member.key.digest)
        guard let id = self.gathering[source], self.jobs[id]!.members.count < RenderJob.targetLimit else {
            return (self.gather([member], of: source), nil)
        }
        self.places[member.key] = id
        self.jobs[id]!.members.append(member)
        return (nil, self.jobs[id]!.urgency)
    }

    /// - Returns: The waiter, if it was found; and the task of a queued job that has lost its last variant, to be
    ///   cancelled.
    mutating func leave(
        _ waiter: Caller.ID, of key: VariantKey
    ) -> (waiter: Caller?, cancelled: Task<Void, Never>?) {
        guard let (id, index) = self.place(of: key),
            let position = self.jobs[id]!.members[index].waiters.firstIndex(where: { $0.id == waiter })
        else { return (nil, nil) }
        let left = self.jobs[id]!.members[index].waiters.remove(at: position)
        guard self.jobs[id]!.isGathering, self.jobs[id]!.members[index].waiters.isEmpty else { return (left, nil) }
        return (left, self.remove(index, of: id)?.task)
    }

    /// - Returns: The urgency of its job, for the caller to raise.
    mutating func raise(_ key: VariantKey, to level: Urgency.Level) -> Urgency? {
        guard let (id, index) = self.place(of: key) else { return nil }
        if level > self.jobs[id]!.members[index].level {
            self.jobs[id]!.members[index].level = level
            if let target = self.jobs[id]!.members[index].index {
                self.jobs[id]!.control?.raise(target, to: UInt8(level.rawValue))
            }
        }
        return self.jobs[id]!.urgency
    }

    // MARK: The life of a job

    /// Stores the task that waits for a thread for a job.
    mutating func setTask(_ task: Task<Void, Never>, of id: ID) {
        self.jobs[id]?.task = task
    }

    /// Replaces the urgency that is raised with the variants of a job.
    mutating func setUrgency(_ urgency: Urgency, of id: ID) {
        self.jobs[id]?.urgency = urgency
    }

    /// Ends the gathering of a job.
    /// - Parameter announced: Further wanted variants; added if no job makes them and there is room.
    /// - Returns: The job's variants, the most urgent first; none if all waiters have left.
    mutating func seal(_ id: ID, announced: [Member]) -> [Member] {
        guard let source = self.jobs[id]?.source else { return [] }
        if self.gathering[source] == id { self.gathering[source] = nil }
        self.jobs[id]!.isGathering = false
        self.sealed[source.id, default: []].append(id)
        for member in announced where self.places[member.key] == nil {
            guard self.jobs[id]!.members.count < RenderJob.targetLimit else { break }
            self.places[member.key] = id
            self.jobs[id]!.members.append(member)
        }
        let members = self.jobs[id]!.members
        return Urgency.Level.allCases.reversed().flatMap { level in members.filter { $0.level == level } }
    }

    /// Begins a job with some of its variants.
    /// - Parameter keys: In the order of the job's targets, `nil` for a dropped target. The other variants leave the
    ///   job.
    /// - Returns: A new job of the other variants, if any of them has waiters.
    mutating func begin(_ id: ID, _ keys: [VariantKey?], _ control: JobControl) -> Queued? {
        let rest = self.giveBack(id) { !keys.contains($0.key) }
        for (target, key) in keys.enumerated() {
            guard let index = self.jobs[id]?.members.firstIndex(where: { $0.key == key }) else { continue }
            self.jobs[id]!.members[index].index = target
            control.raise(target, to: UInt8(self.jobs[id]!.members[index].level.rawValue))
        }
        self.jobs[id]?.control = control
        return rest
    }

    /// Begins a job of one variant ahead of requests. Requests may join it; it is not dropped without waiters.
    /// - Returns: `nil` if another job makes the variant.
    mutating func beginAhead(_ member: Member, _ control: JobControl) -> ID? {
        guard self.places[member.key] == nil else { return nil }
        self.lastID += 1
        let source = Source(id: member.key.id, digest: member.key.digest)
        var member = member
        member.index = 0
        self.jobs[self.lastID] = Job(
            source: source, urgency: Urgency(member.level), members: [member], isGathering: false, isAhead: true,
            control: control)
        self.sealed[source.id, default: []].append(self.lastID)
        self.places[member.key] = self.lastID
        return self.lastID
    }

    /// Removes the matching variants from a job.
    /// - Returns: A new job of those with waiters, if there are any.
    mutating func giveBack(_ id: ID, where isGiven: (Member) -> Bool) -> Queued? {
        guard let job = self.jobs[id] else { return nil }
        let given = job.members.filter(isGiven)
        for member in given { self.remove(member.key, of: id) }
        let members = given.filter { !$0.waiters.isEmpty }
        return members.isEmpty ? nil : self.gather(members, of: job.source)
    }

    /// The variants of a poster's running jobs that have lost all waiters.
    func idleMembers(of id: PosterID) -> [Member] {
        (self.sealed[id] ?? []).compactMap { self.jobs[$0] }.filter { $0.control != nil && !$0.isAhead }
            .flatMap { $0.members.filter(\.waiters.isEmpty) }
    }

    /// Drops variants that are in a running job and have no waiters.
    /// - Returns: The number of dropped variants.
    mutating func drop(_ keys: [VariantKey]) -> Int {
        var count = 0
        for key in keys {
            guard let (id, index) = self.place(of: key), self.jobs[id]!.members[index].waiters.isEmpty,
                let control = self.jobs[id]!.control, let target = self.jobs[id]!.members[index].index
            else { continue }
            control.drop(target)
            self.remove(index, of: id)
            count += 1
        }
        return count
    }

    /// Removes a variant that is finished or has failed.
    /// - Returns: Its waiters.
    mutating func finish(_ id: ID, _ key: VariantKey) -> [Caller] {
        guard let index = self.jobs[id]?.members.firstIndex(where: { $0.key == key }) else { return [] }
        let member = self.jobs[id]!.members[index]
        // So that the job is stopped with its last other variant.
        if let target = member.index { self.jobs[id]!.control?.drop(target) }
        self.remove(index, of: id)
        return member.waiters
    }

    /// - Returns: The waiters of all its variants.
    mutating func end(_ id: ID) -> [Caller] {
        let members = self.jobs[id]?.members ?? []
        for member in members { self.remove(member.key, of: id) }
        return members.flatMap(\.waiters)
    }

    // MARK: Parts

    private func place(of key: VariantKey) -> (ID, Int)? {
        guard let id = self.places[key], let index = self.jobs[id]?.members.firstIndex(where: { $0.key == key }) else {
            return nil
        }
        return (id, index)
    }

    private mutating func gather(_ members: [Member], of source: Source) -> Queued {
        self.lastID += 1
        let id = self.lastID
        let urgency = Urgency(members.map(\.level).max() ?? .warming)
        self.jobs[id] = Job(
            source: source, urgency: urgency,
            members: members.map { member in
                var member = member
                member.index = nil
                return member
            })
        for member in members { self.places[member.key] = id }
        self.gathering[source] = id
        return Queued(id: id, urgency: urgency, members: members)
    }

    private mutating func remove(_ key: VariantKey, of id: ID) {
        guard let index = self.jobs[id]?.members.firstIndex(where: { $0.key == key }) else { return }
        self.remove(index, of: id)
    }

    /// - Returns: The job, if it has lost its last variant.
    @discardableResult
    private mutating func remove(_ index: Int, of id: ID) -> Job? {
        let member = self.jobs[id]!.members.remove(at: index)
        self.places[member.key] = nil
        guard self.jobs[id]!.members.isEmpty else { return nil }
        let job = self.jobs.removeValue(forKey: id)!
        if self.gathering[job.source] == id { self.gathering[job.source] = nil }
        if !job.isGathering {
            self.sealed[job.source.id]?.removeAll { $0 == id }
            if self.sealed[job.source.id]?.isEmpty == true { self.sealed[job.source.id] = nil }
        }
        return job
    }
}
