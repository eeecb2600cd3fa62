import Flights
import PosterCodec
import Synchronization

extension RenderScheduler {
    /// No request of a job has opened the original, and the planes that were to serve are gone.
    struct Unopened: Error {}

    /// The variants that a job makes in one decode, and their source.
    struct Work {
        var job: RenderJob
        /// In the order of the job's targets.
        let flights: [Table.Flight]
        let memory: JobMemoryEstimate
        /// A flight with an original that can be read; `nil` if planes serve.
        var opened: Table.Flight?
        /// The planes to render from; `nil` for a decode.
        var planes: RetainedPlanes?
        /// The decode, if it began while the original arrived.
        var early: EarlyRenderRegistry.Taken?
    }

    /// Decodes for as many variants of a job as can share the decode and fit in memory; the others form the next job.
    /// Called on a codec thread.
    /// - Returns: The variants to encode; `nil` if none is wanted.
    /// - Throws: `CodecError` or ``OriginalBytes/Unreadable`` about the original, ``Unopened``; the caller ends the job.
    func decode(_ queued: Table.Queued, _ permit: WeightedSemaphore.Permit) throws -> JobEncoding? {
        let flights = self.seal(queued)
        let work = try self.work(for: flights, permit)
        let control = work?.early?.decode.control ?? self.renderer.control(of: work?.job)
        // A target dropped by an early decode may have the key of an awaited variant.
        let keys = (work?.flights ?? []).enumerated().map { control.isWanted($0.offset) ? $0.element.key : nil }
        self.table.withLock { table in
            let rest = table.begin(queued.id, keys, control)
            self.start(rest, in: &table)
        }
        guard let work else { return nil }
        // An early decode is charged to its own budget until it is done.
        defer { work.early?.render.end() }
        // Requests may have left after the job was sealed.
        let droppedCount = self.table.withLock { $0.dropUnwanted(of: work.flights[0].key.id) }
        self.counters.count(.dropped, by: droppedCount)
        let start = self.storingCPUTime()
        let decoded = try self.decoded(work, queued.id, control)
        // An early decode took most of its time before `start`.
        let decodeTime =
            work.early == nil
            ? self.storingCPUTime() &- start : decoded.decodeTimings.decode + decoded.decodeTimings.resample
        // The decoder and the original's bytes have been freed.
        _ = permit.resize(to: work.memory.encodingBytes)
        return JobEncoding(
            scheduler: self, id: queued.id, flights: work.flights, pictures: decoded.pictures, control: control,
            planes: work.planes ?? decoded.planes, decodeNanoseconds: decodeTime / UInt64(max(1, work.flights.count)))
    }

    /// The CPU time of the calling thread in nanoseconds; 0 without a variant store, which decides by it.
    func storingCPUTime() -> UInt64 { self.stored == nil ? 0 : self.renderer.cpuTime() }

    /// Ends the gathering of a job, and delivers variants that other jobs have made meanwhile.
    /// - Returns: The variants to make, the most urgent first.
    private func seal(_ queued: Table.Queued) -> [Table.Flight] {
        let first = queued.flights[0]
        // For replaced bytes, only awaited variants are made.
        let targets = self.library.isCurrent(first.original) ? self.table.wantedTargets(of: first.key.id) : []
        let announced = targets.compactMap { self.flight($0, like: first) }
        return self.table.withLock { $0.seal(queued.id, announced: announced) }.filter { flight in
            if let poster = self.variants.poster(for: flight.key) {
                self.finish(queued.id, flight.key, .success(self.cached(poster, of: flight.original)))
                return false
            }
            if let failure = self.renderer.failure(of: flight.plan, of: flight.original) {
                self.finish(queued.id, flight.key, .failure(failure))
                return false
            }
            return true
        }
    }

    /// The flight for an announced target of the same original; `nil` if its variant is cached, may be in the variant
    /// store, or cannot be made, which its own request reports.
    func flight(_ wanted: WantedTargets.Wanted, like other: Table.Flight) -> Table.Flight? {
        let original = other.original
        guard let key = try? VariantKey(id: original.id, facts: original.facts, target: wanted.target),
            !self.variants.contains(key), self.stored?.mayContain(key) != true,
            let plan = try? self.renderer.plan(wanted.target, of: original)
        else { return nil }
        return Table.Flight(
            key: key, target: wanted.target, plan: plan, original: original, epoch: other.epoch, level: wanted.level)
    }

    /// The most urgent variants that can share one decode, with as many others as fit in memory. At least one of them has
    /// a caller: a job that fails again and again for announced variants alone would never end.
    /// - Returns: `nil` if there is no memory for even one variant, which is then queued again with the weight it
    ///   needs.
    /// - Throws: ``Unopened`` if planes were to serve and have been evicted.
    private func work(for flights: [Table.Flight], _ permit: WeightedSemaphore.Permit) throws -> Work? {
        guard let first = flights.first else { return nil }
        if let work = self.earlyWork(for: flights, permit) { return work }
        if let (planes, served) = self.served(flights) {
            return self.work(from: planes, for: served, permit)
        }
        guard let opened = flights.first(where: \.original.isOpened) else { throw Unopened() }
        let original = opened.original
        let loading = original.bytes.loadingByteCount
        var flights = flights
        while !flights.isEmpty {
            let sharing = DecodeSharing(
                flights.map { RenderJob.Target($0.target, urgency: UInt8($0.level.rawValue)) }, of: original.header,
                byteCount: original.bytes.count, limits: self.renderer.limits,
                memoryLimit: max(1, self.renderer.threads.weightLimit - loading))
            let awaited = sharing.jobs.first { decode in decode.members.contains { flights[$0.index].isAwaited } }
            guard let decode = awaited ?? sharing.jobs.first else { break }
            flights = decode.members.map { flights[$0.index] }
            // A single variant is charged as in the queue, where it may have exceeded the whole limit.
            let own = (flights.count == 1 ? flights[0].plan.workingBytes : decode.memory.bytes) + loading
            let retaining = self.retaining(decode, digest: first.key.digest)
            if let retaining, permit.resize(to: max(own, retaining.memory.bytes + loading)) {
                // After the decode, retained planes count against the plane cache's budget.
                return Work(job: retaining.job, flights: flights, memory: decode.memory, opened: opened)
            }
            if permit.resize(to: own) {
                return Work(job: decode.job, flights: flights, memory: decode.memory, opened: opened)
            }
            flights.removeLast()
        }
        return nil
    }

    /// The pictures of a job's variants, from its early decode, from planes, or from a decode of the original.
    private func decoded(_ work: Work, _ id: Table.JobID, _ control: JobControl) throws -> DecodedJob {
        if let planes = work.planes {
            self.counters.count(.planeHit)
            self.planes.noteUse()
            do {
                return try self.renderer.decoder.decode(
                    work.job, from: planes, memory: work.memory, control: control, isBackground: false)
            } catch {
                self.renderer.noteEnd(error, of: work.flights[0].key.digest)
                throw error
            }
        }
        guard let flight = work.opened else { throw Unopened() }
        // An early decode was counted as `decoded` when it began.
        self.counters.count(work.early == nil ? .decoded : .decodedEarly)
        if self.planes.byteBudget > 0 { self.counters.count(.planeMiss) }
        do {
            let decoded =
                if let early = work.early {
                    try self.renderer.finish(early.decode, digest: flight.key.digest)
                } else {
                    try self.renderer.decode(work.job, of: flight.original, control: control, pool: self.planes.pool)
                }
            self.planes.noteDecode(of: flight.key.digest)
            if let planes = decoded.planes { self.keep(planes, of: flight) }
            return decoded
        } catch let error as CodecError {
            if case .overLimit(.cpuTime, _, _) = error {
                // At a smaller scale the decode may take less time.
                self.table.withLock { table in
                    let smaller = table.giveBack(id) { $0.plan.scale != work.job.scale }
                    self.start(smaller, in: &table)
                }
            }
            throw error
        }
    }
}
