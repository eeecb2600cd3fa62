import Flights
import NIOCore
import PosterCodec

/// Encodes a variant again, from planes in memory or the stored original; fetches nothing.
struct VariantReencoder: Sendable {
    let renderer: VariantRenderer
    let planes: PlaneCache
    let library: OriginalLibrary
    /// Threads of their own, with the lowest priority.
    let threads: BoundedThreadPool

    /// One encoding may use at most this fraction of the memory of all renders.
    private static let leastWeightCount = 4

    private struct Input: Sendable {
        enum Source: Sendable {
            case planes(RetainedPlanes, JobMemoryEstimate)
            case original(Original)
        }

        let source: Source
        let job: RenderJob
        /// Estimated memory in bytes.
        let weight: Int
    }

    /// Renders a variant on one of ``threads``.
    ///
    /// - Parameter charge: Called with the CPU time spent, in nanoseconds, also after a stop.
    /// - Returns: The variant and its CPU time; `nil` if neither planes nor a stored original with these facts exist.
    /// - Throws: `CodecError`, including ``CodecError/stopped`` while renders need the memory; the store's errors;
    ///   ``OriginalBytes/Unreadable``.
    func poster(
        _ key: VariantKey, _ target: RenderTarget, _ encoding: EncodingEffort, _ facts: OriginalFacts,
        control: JobControl, charge: @escaping @Sendable (UInt64) -> Void
    ) async throws -> (poster: Poster, cpuNanoseconds: UInt64)? {
        guard let input = try await self.input(for: target, encoding, of: key.id, facts) else { return nil }
        let limit = self.renderer.threads.weightLimit / Self.leastWeightCount
        guard input.weight <= limit else {
            throw CodecError.overLimit(.workingMemory, value: input.weight, limit: limit)
        }
        guard let memory = self.renderer.threads.holdFreeWeight(input.weight) else { throw CodecError.stopped }
        defer { memory.release() }
        return try await self.threads.run(urgency: Urgency(.warming)) {
            let start = self.renderer.cpuTime()
            let poster = Result { try self.poster(input, key: key, control: control) }
            if case .failure(let error as CodecError) = poster { self.renderer.noteEnd(error, of: key.digest) }
            let nanoseconds = self.renderer.cpuTime() &- start
            charge(nanoseconds)
            return (try poster.get(), nanoseconds)
        }
    }

    private func input(
        for target: RenderTarget, _ encoding: EncodingEffort, of id: PosterID, _ facts: OriginalFacts
    ) async throws -> Input? {
        let limits = self.renderer.limits
        if let planes = self.planes.planes(of: facts.digest), planes.serves(target, limits: limits) {
            var job = planes.job([RenderJob.Target(target)])
            job.encoding = encoding
            let memory = try planes.memory(for: job, limits: limits)
            let copied = self.renderer.decoder.copiedByteCount(
                of: planes, for: job, memory: memory, isBackground: true)
            return Input(source: .planes(planes, memory), job: job, weight: memory.bytes + copied)
        }
        guard let location = try await self.library.locator.knownLocation(of: id),
            let original = try await self.library.store.original(id, from: location)?.original,
            original.digest == facts.digest
        else { return nil }
        let plan = try RenderPlan(original.header, target: target, limits: limits, encoding: encoding)
        // A decode that took too much CPU time for a request would do so here.
        if let failure = self.renderer.failure(of: plan, of: original) { throw failure }
        var job = RenderJob(
            source: original.header, byteCount: original.bytes.count, targets: [RenderJob.Target(target)],
            scale: plan.scale)
        job.encoding = encoding
        return Input(
            source: .original(original), job: job, weight: VariantRenderer.weight(of: plan, original))
    }

    /// Decodes and encodes on the calling thread. Records no render metrics: at a low priority, durations do not
    /// reflect clients' waiting times.
    private func poster(_ input: Input, key: VariantKey, control: JobControl) throws -> Poster {
        let limits = self.renderer.limits
        let decoded =
            switch input.source {
            case .planes(let planes, let memory):
                try self.renderer.decoder.decode(
                    input.job, from: planes, memory: memory, control: control, isBackground: true)
            case .original(let original):
                try self.renderer.decoder.decode(
                    input.job, of: original, control: control, pool: nil, isBackground: true)
            }
        guard let picture = decoded.pictures.next() else { throw CodecError.stopped }
        let file = try picture.encode(limits: limits, control: control)
        return Poster(file.takeBytes(), of: picture, key: key)
    }
}
