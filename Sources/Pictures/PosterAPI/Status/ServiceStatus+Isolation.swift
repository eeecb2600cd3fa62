extension ServiceStatus {
    /// Where originals are decoded. Counts are since the start.
    package struct Isolation: Sendable, Encodable {
        /// `process` or `thread`: as it is, not as it was configured.
        package var mode: String
        /// What of the confinement of workers the kernel lacks, such as `Landlock`; empty when nothing is missing.
        package var missing: [String]
        /// Worker processes, and those of them that have a job.
        package var workers: Int
        package var busy: Int
        /// Workers that were started.
        package var started: Int
        package var jobs: Int
        /// Workers that have ended during a job, or were ended for what they did.
        package var failures: Int
        /// Workers that were ended because a job that was stopped went on.
        package var killed: Int
        /// Workers that were replaced for their age or size.
        package var replaced: Int
        /// Originals that are refused, and how often one was.
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
