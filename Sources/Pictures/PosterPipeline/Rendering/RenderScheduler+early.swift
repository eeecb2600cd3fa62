import Flights
import PosterCodec

extension RenderScheduler {
    /// The work of a job with an early decode, which began before its original was complete.
    /// - Returns: `nil` without an early decode for these variants, or if there is no memory for their encoding.
    func earlyWork(for flights: [Table.Flight], _ permit: WeightedSemaphore.Permit) -> Work? {
        guard let first = flights.first, let early = self.early.take(first.key.id, digest: first.key.digest) else {
            return nil
        }
        let decode = early.decode
        guard let flights = self.flights(of: decode, flights), permit.resize(to: decode.memory.encodingBytes) else {
            decode.control.stop.raise()
            early.render.end()
            return nil
        }
        return Work(job: decode.job, flights: flights, memory: decode.memory, opened: flights.first, early: early)
    }

    /// One flight per target of an early decode, in their order; targets without a flight in the job are dropped.
    /// - Returns: `nil` if all targets are dropped.
    private func flights(of decode: EarlyRender.Decode, _ flights: [Table.Flight]) -> [Table.Flight]? {
        let found = decode.job.targets.enumerated().map { index, target in
            // A request may have asked again for a dropped target; the decode no longer serves it.
            decode.control.isWanted(index) ? flights.first { $0.target == target.target } : nil
        }
        guard let like = found.lazy.compactMap(\.self).first else { return nil }
        var aligned: [Table.Flight] = []
        for (index, target) in decode.job.targets.enumerated() {
            if let flight = found[index] {
                aligned.append(flight)
                continue
            }
            guard
                let key = try? VariantKey(id: like.key.id, facts: like.original.facts, target: target.target),
                let plan = try? decode.job.plan(index, limits: self.renderer.limits)
            else { return nil }
            decode.control.drop(index)
            aligned.append(
                Table.Flight(
                    key: key, target: target.target, plan: plan, original: like.original, epoch: like.epoch,
                    level: .warming))
        }
        return aligned
    }
}
