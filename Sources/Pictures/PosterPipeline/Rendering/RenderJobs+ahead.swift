import Flights
import NIOCore
import PosterCodec
import Synchronization

extension RenderJobs {
    /// Renders at targets that are frequent among other posters, from the planes of a job that a client has waited for:
    /// on the same thread, one variant after another, until other work needs a thread.
    ///
    /// A request for the variant being rendered joins the render.
    func renderAhead(after encoding: JobEncoding, _ permit: WeightedSemaphore.Permit) {
        guard let ahead, let planes = encoding.planes,
            let asked = encoding.members.first(where: { $0.level == .interactive })
        else { return }
        var count = 0
        for target in self.targets.recent(besides: asked.key.id)
        where planes.serves(target, limits: self.renderer.limits) {
            // Also `nil` for a cached variant.
            guard let member = self.member(WantedTargets.Wanted(target: target, level: .warming), like: asked) else {
                continue
            }
            guard count < LadderAhead.targetLimit, self.renderer.threads.hasSpareTime, ahead.isAllowed(),
                self.library.isCurrent(asked.original),
                self.library.metadata.isKept(asked.key.id, since: asked.epoch),
                let work = self.work(from: planes, for: [member], permit)
            else { return }
            count += 1
            self.render(member, work, from: planes, ahead)
        }
    }

    private func render(
        _ member: Book.Member, _ work: Work, from planes: RetainedPlanes, _ ahead: LadderAhead
    ) {
        let control = self.renderer.control(of: work.job)
        guard let id = self.book.withLock({ $0.beginAhead(member, control) }) else { return }
        let start = self.renderer.cpuTime()
        defer { ahead.charge(nanoseconds: self.renderer.cpuTime() &- start) }
        do {
            let decoded = try self.renderer.decode(work.job, from: planes, control: control)
            let encoding = JobEncoding(
                jobs: self, id: id, members: [member], pictures: decoded.pictures, control: control, planes: planes,
                decodeNanoseconds: self.stored == nil ? 0 : self.renderer.cpuTime() &- start)
            if let picture = decoded.pictures.next(), let (rendered, wasAwaited) = encoding.make(picture) {
                // A variant that is not cached occupies no memory.
                let byteCount = rendered.isStored ? rendered.poster.bytes.storageCapacity : 0
                ahead.note(member.key, byteCount: byteCount, wasAwaited: wasAwaited)
            }
            self.end(id, CancellationError())
        } catch {
            // Requests that have joined get the error; later ones try again.
            self.end(id, PosterError(error))
        }
    }
}
