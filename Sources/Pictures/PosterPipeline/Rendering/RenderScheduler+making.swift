import Flights
import PosterCodec
import Synchronization

extension RenderScheduler {
    /// The variants that a job makes in one decode, and their source.
    struct Work {
        var job: RenderJob
        /// In the order of the job's targets.
        let members: [Book.Member]
        let memory: JobMemoryEstimate
        /// A member with an original that can be read; `nil` if planes serve.
        var opened: Book.Member?
        /// The planes to render from; `nil` for a decode.
        var planes: RetainedPlanes?
        /// The decode, if it began while the original arrived.
        var early: EarlyRenderRegistry.Taken?
    }

    /// Decodes for as many variants of a job as can share the decode and fit in memory; the others form the next job.
    /// Called on a codec thread.
    /// - Returns: The variants to encode; `nil` if none is wanted.
    /// - Throws: `CodecError` or ``OriginalBytes/Unreadable`` about the original; the caller ends the job.
    func decode(_ queued: Book.Queued, _ permit: WeightedSemaphore.Permit) throws -> JobEncoding? {
        let members = self.seal(queued)
        let work = try self.work(for: members, permit)
        let control = work?.early?.decode.control ?? self.renderer.control(of: work?.job)
        // A target dropped by an early decode may have the key of an awaited variant.
        let keys = (work?.members ?? []).enumerated().map { control.isWanted($0.offset) ? $0.element.key : nil }
        self.book.withLock { book in
            let rest = book.begin(queued.id, keys, control)
            self.start(rest, in: &book)
        }
        guard let work else { return nil }
        // An early decode is charged to its own budget until it is done.
        defer { work.early?.render.end() }
        // Requests may have left after the job was sealed.
        self.dropUnwanted(of: work.members[0].key.id)
        let start = self.storingCPUTime()
        let decoded = try self.decode(work, queued.id, control)
        // An early decode took most of its time before `start`.
        let decodeTime =
            work.early == nil
            ? self.storingCPUTime() &- start : decoded.decodeTimings.decode + decoded.decodeTimings.resample
        // The decoder and the original's bytes have been freed.
        _ = permit.resize(to: work.memory.encodingBytes)
        return JobEncoding(
            jobs: self, id: queued.id, members: work.members, pictures: decoded.pictures, control: control,
            planes: work.planes ?? decoded.planes, decodeNanoseconds: decodeTime / UInt64(max(1, work.members.count)))
    }

    /// The CPU time of the calling thread in nanoseconds; 0 without a variant store, which decides by it.
    func storingCPUTime() -> UInt64 { self.stored == nil ? 0 : self.renderer.cpuTime() }

    /// Ends the gathering of a job, and delivers variants that other jobs have made meanwhile.
    /// - Returns: The variants to make, the most urgent first.
    private func seal(_ queued: Book.Queued) -> [Book.Member] {
        let first = queued.members[0]
        // For replaced bytes, only awaited variants are made.
        let targets = self.library.isCurrent(first.original) ? self.wanted.targets(of: first.key.id) : []
        let announced = targets.compactMap { self.member($0, like: first) }
        return self.book.withLock { $0.seal(queued.id, announced: announced) }.filter { member in
            if let poster = self.variants.poster(for: member.key) {
                let rendered = RenderedPoster(
                    poster: poster, timings: .init(), isStored: true,
                    isCurrent: self.library.isCurrent(member.original))
                self.finish(queued.id, member.key, .success(rendered))
                return false
            }
            if let failure = self.renderer.failure(of: member.plan, of: member.original) {
                self.finish(queued.id, member.key, .failure(failure))
                return false
            }
            return true
        }
    }

    /// The member for an announced target of the same original; `nil` if its variant is cached, may be in the variant
    /// store, or cannot be made, which its own request reports.
    func member(_ wanted: WantedTargets.Wanted, like other: Book.Member) -> Book.Member? {
        let original = other.original
        guard let key = try? VariantKey(id: original.id, facts: original.facts, target: wanted.target),
            !self.variants.contains(key), self.stored?.mayContain(key) != true,
            let plan = try? self.renderer.plan(wanted.target, of: original)
        else { return nil }
        return Book.Member(
            key: key, target: wanted.target, plan: plan, original: original, epoch: other.epoch, level: wanted.level)
    }

    /// The most urgent variants that can share one decode, with as many others as fit in memory.
    /// - Returns: `nil` if there is no memory for even one variant, which is then queued again with the weight it
    ///   needs.
    /// - Throws: ``OriginalBytes/Unreadable`` if planes were to serve and have been evicted.
    private func work(for members: [Book.Member], _ permit: WeightedSemaphore.Permit) throws -> Work? {
        guard let first = members.first else { return nil }
        if let work = self.earlyWork(for: members, permit) { return work }
        if let (planes, served) = self.served(members) {
            return self.work(from: planes, for: served, permit)
        }
        guard let opened = members.first(where: \.original.isOpened) else { throw OriginalBytes.Unreadable() }
        let original = opened.original
        let loading = original.bytes.loadingByteCount
        var members = members
        while !members.isEmpty {
            let sharing = DecodeSharing(
                members.map { RenderJob.Target($0.target, urgency: UInt8($0.level.rawValue)) }, of: original.header,
                byteCount: original.bytes.count, limits: self.renderer.limits,
                memoryLimit: max(1, self.renderer.threads.weightLimit - loading))
            guard let decode = sharing.jobs.first else { break }
            members = decode.members.map { members[$0.index] }
            // A single variant is charged as in the queue, where it may have exceeded the whole limit.
            let own = (members.count == 1 ? members[0].plan.workingBytes : decode.memory.bytes) + loading
            let retaining = self.retaining(decode, digest: first.key.digest)
            if let retaining, permit.resize(to: max(own, retaining.memory.bytes + loading)) {
                // After the decode, retained planes count against the plane cache's budget.
                return Work(job: retaining.job, members: members, memory: decode.memory, opened: opened)
            }
            if permit.resize(to: own) {
                return Work(job: decode.job, members: members, memory: decode.memory, opened: opened)
            }
            members.removeLast()
        }
        return nil
    }

    private func decode(_ work: Work, _ id: Book.ID, _ control: JobControl) throws -> DecodedJob {
        if let planes = work.planes {
            self.counters.count(.planeHit)
            self.planes.noteUse()
            do {
                return try self.renderer.decode(work.job, from: planes, control: control)
            } catch {
                self.renderer.noteEnd(error, of: work.members[0].key.digest)
                throw error
            }
        }
        guard let member = work.opened else { throw OriginalBytes.Unreadable() }
        // An early decode was counted as `decoded` when it began.
        self.counters.count(work.early == nil ? .decoded : .decodedEarly)
        if self.planes.byteBudget > 0 { self.counters.count(.planeMiss) }
        do {
            let decoded =
                if let early = work.early {
                    try self.renderer.finish(early.decode, digest: member.key.digest)
                } else {
                    try self.renderer.decode(work.job, of: member.original, control: control, pool: self.planes.pool)
                }
            self.planes.noteDecode(of: member.key.digest)
            if let planes = decoded.planes { self.keep(planes, of: member) }
            return decoded
        } catch let error as CodecError {
            if case .overLimit(.cpuTime, _, _) = error {
                // At a smaller scale the decode may take less time.
                self.book.withLock { book in
                    let smaller = book.giveBack(id) { $0.plan.scale != work.job.scale }
                    self.start(smaller, in: &book)
                }
            }
            throw error
        }
    }
}
