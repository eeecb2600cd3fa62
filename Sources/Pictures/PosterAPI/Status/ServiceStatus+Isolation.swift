extension ServiceStatus {
    /// The isolation of decoding. Counts are since the start.
    package struct Isolation: Sendable, Encodable {
        /// `process` or `thread`: the actual mode, not the configured one.
        package var mode: String
        /// Confinement features that the kernel lacks, such as `Landlock`; empty if it has all.
        package var missing: [String]
        /// The number of worker processes, and how many of them have a job.
        package var workers: Int
        package var busy: Int
        package var started: Int
        package var jobs: Int
        /// Workers that ended during a job, or were killed for misbehaviour.
        package var failures: Int
        /// Workers killed because a cancelled job kept running.
        package var killed: Int
        /// Workers replaced for their age or size.
        package var replaced: Int
        /// The number of refused originals, and of refusals.
        package var quarantined: Int
        package var refusals: Int

        package init(
            mode: String, missing: [String] = [], workers: Int = 0, busy: Int = 0, started: Int = 0, jobs: Int = 0,
            failures: Int = 0, killed: Int = 0, replaced: Int = 0, quarantined: Int = 0, refusals: Int = 0
        ) {
            self.mode = mode
            self.missing = missing
            self.workers = workers
            self.busy = busy
            self.started = started
            self.jobs = jobs
            self.failures = failures
            self.killed = killed
            self.replaced = replaced
            self.quarantined = quarantined
            self.refusals = refusals
        }
    }
}
