import PosterCodec

/// Limits of a worker, derived from the estimate of its job.
enum WorkerBudget {
    /// Memory of results beside the estimate, in bytes: their copies during the transfer.
    static let baseBytes = 8 << 20

    /// Maximum size of a job's result, in bytes.
    static func fileBytes(_ workingBytes: Int) -> Int { workingBytes + self.baseBytes }

    /// The budget of a job with an original.
    ///
    /// - Parameter mappedBytes: The size of the original, which a worker copies if its file system has no mappings.
    static func decoding(
        _ job: RenderJob, mappedBytes: Int, limits: CodecLimits
    ) throws(CodecError) -> WorkerProcess.Budget {
        let estimate = try job.memory(limits: limits).bytes
        let plan = try job.plan(0, limits: limits)
        // A single picture is also encoded, with a CPU-time limit of its own.
        let encoding = job.targets.count == 1 ? plan.encodingLimits(limits).maxCPUNanoseconds : 0
        var budget = self.budget(
            estimate, mappedBytes: mappedBytes, cpuNanoseconds: limits.maxCPUNanoseconds + encoding)
        // Other calls check their CPU time themselves. Encoding a large AVIF is slow on a slow machine, whatever the
        // original.
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
