import PosterCodec

/// Renders all variants of a ladder from one original: each separately, or in as few decodes as planned.
struct LadderRender {
    let ladder: Ladder

    struct Files {
        /// By target.
        var bytes: [[UInt8]]
        var decodes: Int
    }

    /// Nanoseconds of CPU time of each variant, rendered separately as for a client's request.
    func timesAlone(_ input: borrowing MappedFile) throws -> [UInt64] {
        try self.ladder.targets.map { target in
            let start = Clock.cpu()
            let header = try inspect(input.bytes.bytes, limits: .init())
            let plan = try RenderPlan(header, target: target)
            _ = try renderFile(input.bytes.bytes, plan: plan, control: RenderControl(now: Clock.now))
            return Clock.cpu() - start
        }
    }

    func filesAlone(_ input: borrowing MappedFile) throws -> Files {
        let header = try inspect(input.bytes.bytes, limits: .init())
        let files = try self.ladder.targets.map { target in
            try renderFile(input.bytes.bytes, plan: RenderPlan(header, target: target)).bytes
                .withUnsafeBytes { Array($0) }
        }
        return Files(bytes: files, decodes: files.count)
    }

    /// Renders the variants together and frees each one after its delivery.
    /// - Returns: Nanoseconds of CPU time, and the total bytes of the variants.
    func runTogether(_ input: borrowing MappedFile) throws -> (nanoseconds: UInt64, byteCount: Int) {
        let start = Clock.cpu()
        var byteCount = 0
        _ = try self.together(input) { _, file in byteCount += file.count }
        return (Clock.cpu() - start, byteCount)
    }

    func filesTogether(_ input: borrowing MappedFile) throws -> Files {
        var files = Files(bytes: Array(repeating: [], count: self.ladder.targets.count), decodes: 0)
        files.decodes = try self.together(input) { index, file in
            files.bytes[index] = file.withUnsafeBytes { Array($0) }
        }
        return files
    }

    /// - Returns: The number of decodes.
    private func together(
        _ input: borrowing MappedFile, deliver: (Int, borrowing EncodedBytes) -> Void
    ) throws -> Int {
        let bytes = input.bytes.bytes
        let header = try inspect(bytes, limits: .init())
        let sharing = DecodeSharing(
            self.ladder.targets.map { RenderJob.Target($0, urgency: 2) }, of: header, byteCount: bytes.byteCount)
        if let error = sharing.failures.values.first { throw error }
        for part in sharing.jobs {
            var failure: CodecError?
            let control = JobControl(targetCount: part.job.targets.count, now: Clock.now)
            try renderFiles(bytes, job: part.job, control: control) { index, result in
                do throws(CodecError) {
                    let file = try result.get()
                    deliver(part.members[index].index, file.bytes)
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
        }
        return sharing.jobs.count
    }
}
