import Flights
import PosterCodec

/// The variants of a decoded job, which codec threads encode, cache and deliver, the most urgent first.
struct JobEncoding: Sendable {
    let scheduler: RenderScheduler
    let id: RenderScheduler.Table.JobID
    /// In the order of the job's targets.
    let flights: [RenderScheduler.Table.Flight]
    let pictures: PendingPictures
    let control: JobControl
    /// The planes that the variants were rendered from, or those retained by their decode; `nil` without any.
    let planes: RetainedPlanes?
    /// CPU time of the decode per variant.
    let decodeNanoseconds: UInt64

    private var threads: BoundedThreadPool { self.scheduler.renderer.threads }

    /// The level of the most urgent undelivered variant.
    var level: Urgency.Level {
        let wanted = self.flights.indices.filter { self.control.isWanted($0) }
        return wanted.compactMap { Urgency.Level(rawValue: Int(self.control.urgency(of: $0))) }.max() ?? .warming
    }

    /// Whether no variant is left for a thread to take; some may still be encoded.
    var isTaken: Bool { self.pictures.count == 0 }

    /// Encodes on this thread, and on idle ones if there is memory for more encoders, until no variant is left.
    ///
    /// Stops early if more urgent work waits for a thread: encoding takes most of the time of a job with several
    /// variants, and a warm-up must not delay a client for all of it.
    ///
    /// - Parameter isResumed: Whether it has stopped early before. It then makes a variant at least: the more urgent work
    ///   may wait for the memory of its pictures.
    func run(isResumed: Bool = false) {
        let encoders = self.flights.map(\.plan.encodingBytes).filter { $0 > 0 }
        for _ in 1..<max(1, min(encoders.count, self.threads.count)) {
            Task { await self.threads.runIfIdle(weight: encoders.max() ?? 0) { self.encode() } }
        }
        if isResumed, let picture = self.pictures.next() { self.make(picture) }
        self.encode()
    }

    private func encode() {
        while !self.threads.hasWaiting(above: self.level), let picture = self.pictures.next() {
            self.make(picture)
        }
    }

    /// Encodes, caches and delivers a variant.
    /// - Returns: The variant, and whether a request waited for it; `nil` if encoding failed.
    @discardableResult
    func make(_ picture: PendingPicture) -> (rendered: RenderedPoster, wasAwaited: Bool)? {
        let flight = self.flights[picture.index]
        do {
            let start = self.scheduler.storingCPUTime()
            var rendered = try self.scheduler.renderer.encode(picture, for: flight.key, control: self.control)
            self.scheduler.counters.count(.rendered)
            self.cache(&rendered, flight)
            self.scheduler.stored?.keep(
                rendered.poster, for: flight.key,
                cpuNanoseconds: self.decodeNanoseconds + (self.scheduler.storingCPUTime() &- start), encoding: .first,
                of: flight.original, since: flight.epoch)
            return (rendered, self.scheduler.finish(self.id, flight.key, .success(rendered)))
        } catch {
            self.scheduler.fail(self.id, flight, error)
            return nil
        }
    }

    /// Caches a variant and removes the same one of the previous bytes, unless the original was replaced or purged
    /// since the job began.
    private func cache(_ rendered: inout RenderedPoster, _ flight: RenderScheduler.Table.Flight) {
        let metadata = self.scheduler.library.metadata
        let original = flight.original
        let known = metadata.entry(for: original.id)
        rendered.isCurrent = known == nil || known?.facts.digest == original.digest
        guard rendered.isCurrent, !metadata.isForgotten(original.id, since: flight.epoch) else { return }
        rendered.isCached = self.scheduler.variants.insert(rendered.poster, for: flight.key)
        guard let previous = known?.previous,
            let old = try? VariantKey(id: original.id, facts: previous, target: flight.target)
        else { return }
        self.scheduler.variants.remove(old)
    }
}
