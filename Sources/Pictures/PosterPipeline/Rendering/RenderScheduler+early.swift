import Flights
import PosterCodec

extension RenderScheduler {
    /// The work of a job with an early decode, which began before its original was complete.
    /// - Returns: `nil` without an early decode for these variants, or if there is no memory for their encoding.
    func earlyWork(for members: [Book.Member], _ permit: WeightedSemaphore.Permit) -> Work? {
        guard let first = members.first, let early = self.early.take(first.key.id, digest: first.key.digest) else {
            return nil
        }
        let decode = early.decode
        guard let members = self.members(of: decode, members), permit.resize(to: decode.memory.encodingBytes) else {
            decode.control.stop.raise()
            early.render.end()
            return nil
        }
        return Work(job: decode.job, members: members, memory: decode.memory, opened: members.first, early: early)
    }

    /// One member per target of an early decode, in their order; targets without a member in the job are dropped.
    /// - Returns: `nil` if all targets are dropped.
    private func members(of decode: EarlyRender.Decode, _ members: [Book.Member]) -> [Book.Member]? {
        let found = decode.job.targets.enumerated().map { index, target in
            // A request may have asked again for a dropped target; the decode no longer serves it.
            decode.control.isWanted(index) ? members.first { $0.target == target.target } : nil
        }
        guard let like = found.lazy.compactMap(\.self).first else { return nil }
        var aligned: [Book.Member] = []
        for (index, target) in decode.job.targets.enumerated() {
            if let member = found[index] {
                aligned.append(member)
                continue
            }
            guard
                let key = try? VariantKey(id: like.key.id, facts: like.original.facts, target: target.target),
                let plan = try? decode.job.plan(index, limits: self.renderer.limits)
            else { return nil }
            decode.control.drop(index)
            aligned.append(
                Book.Member(
                    key: key, target: target.target, plan: plan, original: like.original, epoch: like.epoch,
                    level: .warming))
        }
        return aligned
    }
}
