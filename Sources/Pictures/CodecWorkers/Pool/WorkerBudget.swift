import PosterCodec

/// The limits of a worker by what its job is estimated to need.
enum WorkerBudget {
    /// What results take beside the estimate, in bytes: their copies while they are handed over.
    static let baseBytes = 8 << 20

    /// The longest result of a job that may use so much memory, in bytes.
    static func fileBytes(_ workingBytes: Int) -> Int { workingBytes + self.baseBytes }

    /// Of a job with an original.
    ///
    /// - Parameter mappedBytes: The original's, which a file system without mappings makes the worker copy.
    static func decoding(
        _ job: RenderJob, mappedBytes: Int, limits: CodecLimits
    ) throws(CodecError) -> WorkerProcess.Budget {
        let estimate = try job.memory(limits: limits).bytes
        // A picture alone is encoded, too, with a limit of its own.
        var budget = self.budget(
            estimate, mappedBytes: mappedBytes,
            cpuNanoseconds: limits.maxCPUNanoseconds * (job.targets.count == 1 ? 2 : 1))
        // Every other call looks at its time itself. That of a large AVIF takes long on a slow machine whatever the original is.
        let plan = try job.plan(0, limits: limits)
        budget.blamesOriginal = job.targets.count > 1 || plan.format != .avif || plan.size.allowsAutomaticAVIF
        return budget
    }

    static func budget(
        _ estimate: Int, mappedBytes: Int, cpuNanoseconds: UInt64
    ) -> WorkerProcess.Budget {
        WorkerProcess.Budget(
            dataBytes: estimate + mappedBytes + self.baseBytes, fileBytes: self.fileBytes(estimate),
            mappedBytes: mappedBytes, cpuNanoseconds: cpuNanoseconds)
    }
}
