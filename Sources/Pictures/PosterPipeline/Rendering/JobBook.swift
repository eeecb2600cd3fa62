import Flights
import PosterCodec

/// The jobs of all originals: which variants each makes, and which tasks wait for them. A value without a lock or a
/// clock; `Caller` is what waits.
///
/// A job gathers variants until a thread takes it; then it is sealed, and what comes later gathers for the next. It ends
/// with its last variant.
struct JobBook<Caller: Identifiable & Sendable>: Sendable {
    /// Different for any two jobs.
    typealias ID = UInt64

    /// What jobs are gathered by.
    struct Source: Hashable {
        let id: PosterID
        let digest: Digest
    }

    /// A variant of a job.
    struct Member: Sendable {
        let key: VariantKey
        let target: RenderTarget
        /// What it needs if it is rendered alone.
        let plan: RenderPlan
        /// What it is made of, as the request has found it.
        let original: Original
        /// Since when the original must not have been forgotten.
        let epoch: OriginalMetadataCache.Epoch
        var level: Urgency.Level
        var waiters: [Caller] = []
        /// In the targets of the job; nil until it begins.
        var index: Int?
    }

    /// A job for which a thread is to be found.
    struct Queued: Sendable {
        let id: ID
        let urgency: Urgency
        /// The variants that it begins with, at least one.
        let members: [Member]
    }

    private struct Job {
        let source: Source
        var urgency: Urgency
        var members: [Member]
        /// Whether variants may join.
        var isGathering = true
        /// Whether it is made without having been asked for.
        var isAhead = false
        /// nil until it begins.
        var control: JobControl?
        var task: Task<Void, Never>?
    }

    private var lastID: ID = 0
    private var jobs: [ID: Job] = [:]
    /// The job that variants of an original join.
    private var gathering: [Source: ID] = [:]
    /// The jobs of a poster that do not gather any more.
    private var sealed: [PosterID: [ID]] = [:]
    /// Which job makes a variant.
    private var places: [VariantKey: ID] = [:]

    /// The number of jobs.
    var count: Int { self.jobs.count }
    /// The number of waiters of all jobs.
    var waiterCount: Int { self.jobs.values.reduce(0) { $0 + $1.members.reduce(0) { $0 + $1.waiters.count } } }

    // MARK: Waiters

    /// Adds a waiter for a variant.
    /// - Parameter member: How the variant is made, if it is in no job yet.
    /// - Returns: The job that it begins, for ``setTask(_:of:)``; nil when it has joined one, which is as urgent then.
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

    /// Removes a waiter.
    /// - Returns: It, if it was there; and the task to cancel of a queued job that has lost its last waiter.
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

    /// Raises the level of a variant.
    /// - Returns: The urgency of its job, to be raised, too.
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

    /// Notes the task that finds a thread for a job.
    mutating func setTask(_ task: Task<Void, Never>, of id: ID) {
        self.jobs[id]?.task = task
    }

    /// Notes what is to be raised with the variants of a job from now on.
    mutating func setUrgency(_ urgency: Urgency, of id: ID) {
        self.jobs[id]?.urgency = urgency
    }

    /// Ends the gathering of a job.
    /// - Parameter announced: Variants that are wanted, too; taken while they are in no job and there is room.
    /// - Returns: Its variants, the most urgent first; none when all waiters have left.
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
    /// - Parameter keys: In the order of the job's targets, nil for one that is not made. The others are given back.
    /// - Returns: The job of the others, if there are any.
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

    /// Begins a job of one variant that has not been asked for. Requests may join it, and it is not dropped without them.
    /// - Returns: nil if another job makes the variant.
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

    /// Moves the variants that are waited for to a new job, and removes the others.
    mutating func giveBack(_ id: ID, where isGiven: (Member) -> Bool) -> Queued? {
        guard let job = self.jobs[id] else { return nil }
        let given = job.members.filter(isGiven)
        for member in given { self.remove(member.key, of: id) }
        let members = given.filter { !$0.waiters.isEmpty }
        return members.isEmpty ? nil : self.gather(members, of: job.source)
    }

    /// The variants of a poster's running jobs that no task waits for, though one did.
    func idleMembers(of id: PosterID) -> [Member] {
        (self.sealed[id] ?? []).compactMap { self.jobs[$0] }.filter { $0.control != nil && !$0.isAhead }
            .flatMap { $0.members.filter(\.waiters.isEmpty) }
    }

    /// Drops those of these variants that run and that no task waits for.
    /// - Returns: How many those are.
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

    /// Removes a variant that is made or cannot be.
    /// - Returns: Its waiters.
    mutating func finish(_ id: ID, _ key: VariantKey) -> [Caller] {
        guard let index = self.jobs[id]?.members.firstIndex(where: { $0.key == key }) else { return [] }
        let member = self.jobs[id]!.members[index]
        // So that the job is stopped with the last of the others.
        if let target = member.index { self.jobs[id]!.control?.drop(target) }
        self.remove(index, of: id)
        return member.waiters
    }

    /// Ends a job.
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

    /// - Returns: The job, if that was its last variant.
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
