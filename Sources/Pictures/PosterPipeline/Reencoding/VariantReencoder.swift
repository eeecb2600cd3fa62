import Flights
import NIOCore
import PosterCodec

/// Encodes a variant again from what is there: planes in memory, or the original on disk. Nothing is fetched.
struct VariantReencoder: Sendable {
    let renderer: VariantRenderer
    let planes: PlaneCache
    let library: OriginalLibrary
    /// Of this alone: their priority is lowered.
    let threads: BoundedThreadPool

    /// The part of the memory of all renders that one encoding may take.
    private static let leastWeightCount = 4

    /// What a variant is made of.
    private struct Input: Sendable {
        enum Source: Sendable {
            case planes(RetainedPlanes)
            case original(Original)
        }

        let source: Source
        let job: RenderJob
        /// The memory that it takes, in bytes.
        let weight: Int
    }

    /// A variant, made on a thread of the lowest priority.
    ///
    /// - Parameter charge: Called with the CPU time that it took, in nanoseconds, also when it was stopped.
    /// - Returns: It and that time; nil when there is nothing to make it of.
    /// - Throws: `CodecError`, of which ``CodecError/stopped`` also while renders need the memory; what the store does;
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
            ThreadPriority.lower()
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
            return Input(source: .planes(planes), job: job, weight: try planes.memory(for: job, limits: limits).bytes)
        }
        guard let location = try await self.library.locator.knownLocation(of: id),
            let original = try await self.library.store.original(id, from: location)?.original,
            original.digest == facts.digest
        else { return nil }
        let plan = try RenderPlan(original.header, target: target, limits: limits, encoding: encoding)
        // A decode that has taken too much CPU time for a request takes as much here.
        if let failure = self.renderer.failure(of: plan, of: original) { throw failure }
        var job = RenderJob(
            source: original.header, byteCount: original.bytes.count, targets: [RenderJob.Target(target)],
            scale: plan.scale)
        job.encoding = encoding
        return Input(
            source: .original(original), job: job, weight: VariantRenderer.weight(of: plan, original))
    }

    /// Decodes and encodes, on the calling thread. Without the metrics of renders: at a low priority, their durations say
    /// nothing of what clients wait for.
    private func poster(_ input: Input, key: VariantKey, control: JobControl) throws -> Poster {
        let limits = self.renderer.limits
        let decoded =
            switch input.source {
            case .planes(let planes):
                try self.renderer.decode(input.job, from: planes, control: control, isBackground: true)
            case .original(let original):
                try self.renderer.decoded(input.job, of: original, control: control, isBackground: true)
            }
        guard let picture = decoded.pictures.next() else { throw CodecError.stopped }
        let file = try picture.encode(limits: limits, control: control)
        return Poster(file.takeBytes(), of: picture, key: key)
    }
}
