import Flights
import PosterCodec

/// The rules by which requests share renders: one flight for each variant, which belongs to a job of its original. A
/// plain value without a lock or a clock; `Caller` is a waiter.
///
/// Requests announce their targets before the original is known, and join the flight of their variant afterwards. A job
/// gathers flights until a thread takes it; then it is sealed, also takes announced targets, and later variants gather
/// for the next job. A flight of a queued job ends with its last caller; one of a running job ends if its target is not
/// announced either; that is usually decided by ``withdraw(_:of:level:)``, since a request withdraws its target after it
/// has left. A job ends with its last flight.
struct RenderTable<Caller: Identifiable & Sendable>: Sendable {
    typealias JobID = UInt64

    /// The key by which jobs gather flights.
    struct Source: Hashable {
        let id: PosterID
        let digest: Digest
    }

    /// A variant that is made once for all requests that wait for it.
    struct Flight: Sendable {
        let key: VariantKey
        let target: RenderTarget
        /// The plan for rendering the variant alone.
        let plan: RenderPlan
        /// The original as found by the request; an opened one, once a request has it and no thread has taken the job.
        var original: Original
        /// The variant is not cached if the original was forgotten since.
        let epoch: OriginalMetadataCache.Epoch
        var level: Urgency.Level
        /// The requests that wait; none if its target is only announced, or rendered ahead.
        var callers: [Caller] = []
        /// Index among the job's targets; `nil` until it begins.
        var index: Int?

        /// Whether a request waits for it.
        var isAwaited: Bool { !self.callers.isEmpty }
    }

    /// A job that waits for a thread.
    struct Queued: Sendable {
        let id: JobID
        let urgency: Urgency
        /// The first variants, at least one.
        let flights: [Flight]
    }

    private struct Job {
        let source: Source
        var urgency: Urgency
        var flights: [Flight]
        /// Whether no thread has taken the job yet.
        var isGathering = true
        /// Whether the job renders ahead of requests.
        var isAhead = false
        /// `nil` until the job begins.
        var control: JobControl?
        var task: Task<Void, Never>?
    }

    /// The announced targets of requests.
    private(set) var wanted = WantedTargets()
    private var lastID: JobID = 0
    private var jobs: [JobID: Job] = [:]
    /// The job that new variants of an original join.
    private var gathering: [Source: JobID] = [:]
    /// The jobs of a poster that no longer gather.
    private var sealed: [PosterID: [JobID]] = [:]
    /// The job of each variant.
    private var places: [VariantKey: JobID] = [:]

    var jobCount: Int { self.jobs.count }
    var callerCount: Int { self.jobs.values.reduce(0) { $0 + $1.flights.reduce(0) { $0 + $1.callers.count } } }

    // MARK: Requests

    /// Records a request until ``withdraw(_:of:level:)``: a job of the poster that is sealed meanwhile serves it, too.
    /// - Returns: The recorded targets, for ``withdraw(_:of:level:)``; see ``WantedTargets/limitPerPoster``.
    mutating func announce(_ targets: [RenderTarget], of id: PosterID, level: Urgency.Level) -> [RenderTarget] {
        targets.filter { self.wanted.announce($0, of: id, level: level) }
    }

    /// Removes an announced request, and drops the flights that only it wanted.
    /// - Returns: The number of dropped flights.
    mutating func withdraw(_ targets: [RenderTarget], of id: PosterID, level: Urgency.Level) -> Int {
        for target in targets { self.wanted.withdraw(target, of: id, level: level) }
        return self.dropUnwanted(of: id)
    }

    struct Joining {
        /// A new job, for ``setTask(_:of:)``.
        var begun: Queued?
        /// The urgency of a job that was joined, for the caller to raise to the request's level.
        var raised: Urgency?
        /// Whether other requests wait for the same variant.
        var isShared = false
    }

    /// - Parameter flight: How to make the variant, if it has no flight yet.
    mutating func join(_ caller: Caller, _ flight: Flight) -> Joining {
        if let (id, index) = self.place(of: flight.key) {
            let isShared = !self.jobs[id]!.flights[index].callers.isEmpty
            self.jobs[id]!.flights[index].callers.append(caller)
            if self.jobs[id]!.isGathering, flight.original.isOpened {
                self.jobs[id]!.flights[index].original = flight.original
            }
            self.raise(index, of: id, to: flight.level)
            return Joining(raised: self.jobs[id]!.urgency, isShared: isShared)
        }
        var flight = flight
        flight.callers = [caller]
        let source = Source(id: flight.key.id, digest: flight.key.digest)
        guard let id = self.gathering[source], self.jobs[id]!.flights.count < RenderJob.targetLimit else {
            return Joining(begun: self.gather([flight], of: source))
        }
        self.places[flight.key] = id
        self.jobs[id]!.flights.append(flight)
        return Joining(raised: self.jobs[id]!.urgency)
    }

    /// Whether a request waits for the variant.
    func isAwaited(_ key: VariantKey) -> Bool {
        self.place(of: key).map { id, index in !self.jobs[id]!.flights[index].callers.isEmpty } ?? false
    }

    struct Leaving {
        /// `nil` if it had been resumed.
        var caller: Caller?
        /// Whether it was the last one of its flight.
        var isLast = false
        /// The task of a queued job that has lost its last flight, to be cancelled.
        var cancelled: Task<Void, Never>?
        /// The number of flights dropped from running jobs: none while the request's own target is announced, which ends
        /// after it has left.
        var droppedCount = 0
    }

    mutating func leave(_ caller: Caller.ID, of key: VariantKey) -> Leaving {
        guard let (id, index) = self.place(of: key),
            let position = self.jobs[id]!.flights[index].callers.firstIndex(where: { $0.id == caller })
        else { return Leaving() }
        var leaving = Leaving(caller: self.jobs[id]!.flights[index].callers.remove(at: position))
        guard self.jobs[id]!.flights[index].callers.isEmpty else { return leaving }
        leaving.isLast = true
        if self.jobs[id]!.isGathering {
            leaving.cancelled = self.remove(index, of: id)?.task
        } else {
            leaving.droppedCount = self.dropUnwanted(of: key.id)
        }
        return leaving
    }

    private mutating func raise(_ index: Int, of id: JobID, to level: Urgency.Level) {
        guard level > self.jobs[id]!.flights[index].level else { return }
        self.jobs[id]!.flights[index].level = level
        if let target = self.jobs[id]!.flights[index].index {
            self.jobs[id]!.control?.raise(target, to: UInt8(level.rawValue))
        }
    }

    /// Drops the flights of a poster's running jobs without callers and without an announced target.
    /// - Returns: Their number.
    mutating func dropUnwanted(of poster: PosterID) -> Int {
        var count = 0
        for id in self.sealed[poster] ?? [] {
            guard let job = self.jobs[id], let control = job.control, !job.isAhead else { continue }
            for flight in job.flights
            where flight.callers.isEmpty && !self.wanted.contains(flight.target, of: poster) {
                guard let target = flight.index else { continue }
                control.drop(target)
                self.remove(flight.key, of: id)
                count += 1
            }
        }
        return count
    }

    // MARK: The life of a job

    /// Stores the task that waits for a thread for a job.
    mutating func setTask(_ task: Task<Void, Never>, of id: JobID) {
        self.jobs[id]?.task = task
    }

    /// Replaces the urgency that is raised with the variants of a job.
    mutating func setUrgency(_ urgency: Urgency, of id: JobID) {
        self.jobs[id]?.urgency = urgency
    }

    /// Ends the gathering of a job.
    /// - Parameter announced: Further wanted variants; added if no job makes them and there is room.
    /// - Returns: The job's variants: those with callers, the most urgent first, then announced ones; none if all callers
    ///   have left.
    mutating func seal(_ id: JobID, announced: [Flight]) -> [Flight] {
        guard let source = self.jobs[id]?.source else { return [] }
        if self.gathering[source] == id { self.gathering[source] = nil }
        self.jobs[id]!.isGathering = false
        self.sealed[source.id, default: []].append(id)
        for flight in announced where self.places[flight.key] == nil {
            guard self.jobs[id]!.flights.count < RenderJob.targetLimit else { break }
            self.places[flight.key] = id
            self.jobs[id]!.flights.append(flight)
        }
        let flights = self.jobs[id]!.flights
        return [true, false].flatMap { isAwaited in
            Urgency.Level.allCases.reversed().flatMap { level in
                flights.filter { $0.level == level && $0.isAwaited == isAwaited }
            }
        }
    }

    /// Begins a job with some of its variants.
    /// - Parameter keys: In the order of the job's targets, `nil` for a dropped target. The other variants leave the
    ///   job.
    /// - Returns: A new job of the other variants, if any of them has callers.
    mutating func begin(_ id: JobID, _ keys: [VariantKey?], _ control: JobControl) -> Queued? {
        let rest = self.giveBack(id) { !keys.contains($0.key) }
        for (target, key) in keys.enumerated() {
            guard let index = self.jobs[id]?.flights.firstIndex(where: { $0.key == key }) else { continue }
            self.jobs[id]!.flights[index].index = target
            control.raise(target, to: UInt8(self.jobs[id]!.flights[index].level.rawValue))
        }
        self.jobs[id]?.control = control
        return rest
    }

    /// Begins a job of one variant ahead of requests. Requests may join it; it is not dropped without callers.
    /// - Returns: `nil` if another job makes the variant.
    mutating func beginAhead(_ flight: Flight, _ control: JobControl) -> JobID? {
        guard self.places[flight.key] == nil else { return nil }
        self.lastID += 1
        let source = Source(id: flight.key.id, digest: flight.key.digest)
        var flight = flight
        flight.index = 0
        self.jobs[self.lastID] = Job(
            source: source, urgency: Urgency(flight.level), flights: [flight], isGathering: false, isAhead: true,
            control: control)
        self.sealed[source.id, default: []].append(self.lastID)
        self.places[flight.key] = self.lastID
        return self.lastID
    }

    /// Removes the matching variants from a job.
    /// - Returns: A new job of those with callers, if there are any.
    mutating func giveBack(_ id: JobID, where isGiven: (Flight) -> Bool) -> Queued? {
        guard let job = self.jobs[id] else { return nil }
        let given = job.flights.filter(isGiven)
        for flight in given { self.remove(flight.key, of: id) }
        let flights = given.filter { !$0.callers.isEmpty }
        return flights.isEmpty ? nil : self.gather(flights, of: job.source)
    }

    /// Removes a variant that is finished or has failed.
    /// - Returns: Its callers.
    mutating func finish(_ id: JobID, _ key: VariantKey) -> [Caller] {
        guard let index = self.jobs[id]?.flights.firstIndex(where: { $0.key == key }) else { return [] }
        let flight = self.jobs[id]!.flights[index]
        // So that the job is stopped with its last other variant.
        if let target = flight.index { self.jobs[id]!.control?.drop(target) }
        self.remove(index, of: id)
        return flight.callers
    }

    /// - Returns: The callers of all its variants.
    mutating func end(_ id: JobID) -> [Caller] {
        let flights = self.jobs[id]?.flights ?? []
        for flight in flights { self.remove(flight.key, of: id) }
        return flights.flatMap(\.callers)
    }

    // MARK: Parts

    private func place(of key: VariantKey) -> (JobID, Int)? {
        guard let id = self.places[key], let index = self.jobs[id]?.flights.firstIndex(where: { $0.key == key }) else {
            return nil
        }
        return (id, index)
    }

    private mutating func gather(_ flights: [Flight], of source: Source) -> Queued {
        self.lastID += 1
        let id = self.lastID
        let urgency = Urgency(flights.map(\.level).max() ?? .warming)
        self.jobs[id] = Job(
            source: source, urgency: urgency,
            flights: flights.map { flight in
                var flight = flight
                flight.index = nil
                return flight
            })
        for flight in flights { self.places[flight.key] = id }
        self.gathering[source] = id
        return Queued(id: id, urgency: urgency, flights: flights)
    }

    private mutating func remove(_ key: VariantKey, of id: JobID) {
        guard let index = self.jobs[id]?.flights.firstIndex(where: { $0.key == key }) else { return }
        self.remove(index, of: id)
    }

    /// - Returns: The job, if it has lost its last variant.
    @discardableResult
    private mutating func remove(_ index: Int, of id: JobID) -> Job? {
        let flight = self.jobs[id]!.flights.remove(at: index)
        self.places[flight.key] = nil
        guard self.jobs[id]!.flights.isEmpty else { return nil }
        let job = self.jobs.removeValue(forKey: id)!
        if self.gathering[job.source] == id { self.gathering[job.source] = nil }
        if !job.isGathering {
            self.sealed[job.source.id]?.removeAll { $0 == id }
            if self.sealed[job.source.id]?.isEmpty == true { self.sealed[job.source.id] = nil }
        }
        return job
    }
}
