import Flights
import PosterCodec

extension RenderJobs {
    /// The memory charged to queued variants, in bytes: for the largest of them, and for the original's bytes unless
    /// planes serve all.
    func weight(of members: [Book.Member]) -> Int {
        if let (planes, served) = self.served(members), served.count == members.count {
            return served.map { member in
                let job = planes.job([RenderJob.Target(member.target)])
                return (try? planes.memory(for: job, limits: self.renderer.limits))?.bytes ?? 0
            }.max() ?? 0
        }
        return (members.map(\.plan.workingBytes).max() ?? 0)
            + (members.map(\.original.bytes.loadingByteCount).max() ?? 0)
    }

    /// The variants that planes in memory serve.
    /// - Returns: `nil` if there are none, or if others are more urgent: those are decoded first.
    func served(_ members: [Book.Member]) -> (RetainedPlanes, [Book.Member])? {
        guard let first = members.first, let planes = self.planes.planes(of: first.key.digest) else { return nil }
        let served = members.filter { planes.serves($0.target, limits: self.renderer.limits) }
        guard !served.isEmpty, served.map(\.level).max() == members.map(\.level).max() else { return nil }
        return (planes, served)
    }

    /// The work of rendering as many variants from planes as fit in memory, the most urgent first.
    /// - Returns: `nil` if there is no memory for even one.
    func work(
        from planes: RetainedPlanes, for members: [Book.Member], _ permit: WeightedSemaphore.Permit
    ) -> Work? {
        var members = members
        while !members.isEmpty {
            let job = planes.job(members.map { RenderJob.Target($0.target, urgency: UInt8($0.level.rawValue)) })
            if let memory = try? planes.memory(for: job, limits: self.renderer.limits),
                permit.resize(to: memory.bytes)
            {
                return Work(job: job, members: members, memory: memory, planes: planes)
            }
            members.removeLast()
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
    func keep(_ planes: RetainedPlanes, of member: Book.Member) {
        guard self.planes.insert(planes, of: member.key.digest, for: member.key.id) else { return }
        // Checked after the insertion: an original removed from here on takes its planes along.
        if !self.library.isCurrent(member.original)
            || !self.library.metadata.isKept(member.key.id, since: member.epoch)
        {
            self.planes.remove(member.key.digest)
        }
    }
}
