import Flights
import NIOCore
import PosterCodec
import Synchronization

extension RenderScheduler {
    /// The memory charged to queued variants, in bytes: for the largest of them, and for the original's bytes unless
    /// planes serve all.
    func weight(of flights: [Table.Flight]) -> Int {
        if let (planes, served) = self.served(flights), served.count == flights.count {
            return served.map { flight in
                let job = planes.job([RenderJob.Target(flight.target)])
                guard let memory = try? planes.memory(for: job, limits: self.renderer.limits) else { return 0 }
                return self.weight(of: job, from: planes, memory)
            }.max() ?? 0
        }
        return (flights.map(\.plan.workingBytes).max() ?? 0)
            + (flights.map(\.original.bytes.loadingByteCount).max() ?? 0)
    }

    private func weight(of job: RenderJob, from planes: RetainedPlanes, _ memory: JobMemoryEstimate) -> Int {
        memory.bytes
            + self.renderer.decoder.copiedByteCount(of: planes, for: job, memory: memory, isBackground: false)
    }

    /// The variants that planes in memory serve.
    /// - Returns: `nil` if there are none with callers, or if others are more urgent: those are decoded first.
    func served(_ flights: [Table.Flight]) -> (RetainedPlanes, [Table.Flight])? {
        guard let first = flights.first, let planes = self.planes.planes(of: first.key.digest) else { return nil }
        let served = flights.filter { planes.serves($0.target, limits: self.renderer.limits) }
        guard served.contains(where: \.isAwaited), served.map(\.level).max() == flights.map(\.level).max() else {
            return nil
        }
        return (planes, served)
    }

    /// The work of rendering as many variants from planes as fit in memory, the most urgent first.
    /// - Returns: `nil` if there is no memory for even one.
    func work(
        from planes: RetainedPlanes, for flights: [Table.Flight], _ permit: WeightedSemaphore.Permit
    ) -> Work? {
        var flights = flights
        while !flights.isEmpty {
            let job = planes.job(flights.map { RenderJob.Target($0.target, urgency: UInt8($0.level.rawValue)) })
            if let memory = try? planes.memory(for: job, limits: self.renderer.limits),
                permit.resize(to: self.weight(of: job, from: planes, memory))
            {
                return Work(job: job, flights: flights, memory: memory, planes: planes)
            }
            flights.removeLast()
        }
        return nil
    }

    /// A decode that retains planes for later widths; `nil` if cached planes serve as many widths, or none can be
    /// retained.
    func retaining(_ decode: DecodeSharing.Decode, digest: Digest) -> DecodeSharing.Decode? {
        guard let costFactor = self.planes.costFactor(for: digest) else { return nil }
        let retaining = decode.retaining(
            ladder: self.targets.ladder, byteLimit: self.planes.entryLimit, costFactor: costFactor,
            limits: self.renderer.limits)
        // A larger scale may have exceeded the CPU-time limit recently.
        guard let widest = retaining.job.retention?.servedWidth,
            !self.renderer.hasFailed(at: retaining.job.scale, digest)
        else { return nil }
        if let known = self.planes.planes(of: digest), known.serves(RenderTarget(width: widest, format: .jpeg)) {
            return nil
        }
        return retaining
    }

    /// Caches planes, unless their original was purged, withdrawn or replaced since its request found it.
    func keep(_ planes: RetainedPlanes, of flight: Table.Flight) {
        guard self.planes.insert(planes, of: flight.key.digest, for: flight.key.id) else { return }
        // Checked after the insertion: an original removed from here on takes its planes along.
        if !self.library.isCurrent(flight.original)
            || !self.library.metadata.isKept(flight.key.id, since: flight.epoch)
        {
            self.planes.remove(flight.key.digest)
        }
    }
}

// MARK: Rendering ahead

extension RenderScheduler {
    /// Renders at targets that are frequent among other posters, from the planes of a job that a client has waited for:
    /// on the same thread, one variant after another, until other work needs a thread.
    ///
    /// A request for the variant being rendered joins the render.
    func renderAhead(after encoding: JobEncoding, _ permit: WeightedSemaphore.Permit) {
        guard let ahead, let planes = encoding.planes,
            let asked = encoding.flights.first(where: { $0.level == .interactive })
        else { return }
        var count = 0
        for target in self.targets.recent(besides: asked.key.id)
        where planes.serves(target, limits: self.renderer.limits) {
            // Also `nil` for a cached variant.
            guard let flight = self.flight(WantedTargets.Wanted(target: target, level: .warming), like: asked) else {
                continue
            }
            guard count < LadderAhead.targetLimit, self.renderer.threads.hasSpareTime, ahead.isAllowed(),
                self.library.isCurrent(asked.original),
                self.library.metadata.isKept(asked.key.id, since: asked.epoch),
                let work = self.work(from: planes, for: [flight], permit)
            else { return }
            count += 1
            self.render(flight, work, from: planes, ahead)
        }
    }

    private func render(
        _ flight: Table.Flight, _ work: Work, from planes: RetainedPlanes, _ ahead: LadderAhead
    ) {
        let control = self.renderer.control(of: work.job)
        guard let id = self.table.withLock({ $0.beginAhead(flight, control) }) else { return }
        let start = self.renderer.cpuTime()
        defer { ahead.charge(nanoseconds: self.renderer.cpuTime() &- start) }
        do throws(CodecError) {
            let decoded = try self.renderer.decoder.decode(
                work.job, from: planes, memory: work.memory, control: control, isBackground: false)
            let encoding = JobEncoding(
                scheduler: self, id: id, flights: [flight], pictures: decoded.pictures, control: control,
                planes: planes,
                decodeNanoseconds: self.stored == nil ? 0 : self.renderer.cpuTime() &- start)
            guard let picture = decoded.pictures.next() else {
                throw CodecError.internalError(reason: "a decode of one target without a picture")
            }
            if let (rendered, wasAwaited) = encoding.make(picture) {
                // A variant that is not cached occupies no memory.
                let byteCount = rendered.isCached ? rendered.poster.bytes.storageCapacity : 0
                ahead.note(flight.key, byteCount: byteCount, wasAwaited: wasAwaited)
            }
        } catch {
            self.renderer.noteEnd(error, of: flight.key.digest)
            // Requests that have joined get the error; later ones try again.
            self.end(id, PosterError(error))
        }
    }
}
