import PrometheusMetrics

extension MetricDescription {
    static let isolation = [
        Self("onesheet.codec.workers", "Worker processes that decode and encode; 0 with --isolation=thread."),
        Self("onesheet.codec.workers.busy", "Worker processes that have a job."),
        Self("onesheet.codec.workers.started", "Worker processes that were started."),
        Self("onesheet.codec.worker.jobs", "Jobs that worker processes have done."),
        Self(
            "onesheet.codec.worker.failures",
            "Worker processes that crashed during a job, or were ended for their behaviour."),
        Self("onesheet.codec.workers.killed", "Worker processes ended because a stopped job continued."),
        Self("onesheet.codec.workers.replaced", "Worker processes replaced for their age or size."),
        Self("onesheet.quarantine.originals", "Originals that are refused because they crashed two workers."),
        Self("onesheet.quarantine.refusals", "Refused renders of quarantined originals."),
    ]
}
