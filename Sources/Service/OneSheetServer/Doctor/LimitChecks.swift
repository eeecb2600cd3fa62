import Glibc
import OneSheetConfiguration

/// Compares the limits of this process with the configured budgets. The service may have other limits, for example of
/// its unit or container.
struct LimitChecks {
    static let name = "limits"
    /// Threads of the service beside its workers, and processes of the same user, estimated.
    static let otherTasks = 64

    /// The limits of a process; `nil` values are unlimited.
    struct Limits: Equatable {
        var descriptors: DescriptorLimit
        /// In bytes.
        var memory: Int?
        var tasks: Int?

        /// The limits of this process. Raises the soft limit of descriptors, as `serve` does.
        static var current: Limits {
            var limit = rlimit()
            var tasks = TaskLimit.current()
            // No limit is the largest number.
            if getrlimit(__rlimit_resource_t(__RLIMIT_NPROC.rawValue), &limit) == 0, limit.rlim_cur < .max {
                tasks = min(tasks ?? .max, Int(clamping: limit.rlim_cur))
            }
            return Limits(descriptors: .raise(), memory: MemoryLimit.current(), tasks: tasks)
        }
    }

    let configuration: ServeConfiguration

    var check: ServiceCheck {
        ServiceCheck(Self.name) { self.results(.current) }
    }

    func results(_ limits: Limits) -> [CheckResult] {
        [self.files(limits.descriptors), self.memory(limits.memory), self.tasks(limits.tasks)]
    }

    private func files(_ limit: DescriptorLimit) -> CheckResult {
        let subject = "open files"
        let wanted = self.configuration.maxConnections
        do {
            let count = try limit.connections(wanted: wanted, openOriginals: self.configuration.openOriginals)
            guard count < wanted else {
                return CheckResult(.ok, subject, "\(limit.current) open files are enough for \(wanted) connections.")
            }
            return CheckResult(
                .warning, subject,
                "\(limit.current) open files allow only \(count) of \(wanted) connections: raise the hard limit "
                    + "(ulimit -Hn, LimitNOFILE= in a unit), or lower --max-connections.")
        } catch {
            return CheckResult(.failure, subject, "\(error).")
        }
    }

    private func memory(_ limit: Int?) -> CheckResult {
        let subject = "memory"
        let total = MemoryBudgets(self.configuration).total
        let text = "The budgets may use \(ByteCount.describe(total)) together"
        guard let limit else { return CheckResult(.skipped, subject, "\(text); the machine's memory is not known.") }
        let allowed = ByteCount.describe(limit)
        if self.configuration.memoryBudget >= limit {
            return CheckResult(
                .failure, subject,
                "--memory-budget alone is more than the \(allowed) that this process may use: set it to 25%.")
        }
        guard total > limit else { return CheckResult(.ok, subject, "\(text), of \(allowed).") }
        return CheckResult(
            .warning, subject,
            "\(text), more than the \(allowed) that this process may use: lower the largest ones that "
                + "'onesheet config' lists, for example --memory-budget 25% --render-memory-budget 128MiB.")
    }

    private func tasks(_ limit: Int?) -> CheckResult {
        let subject = "processes"
        let workers = self.configuration.workerCount
        let needed = workers + 2 * self.configuration.codecThreads + Self.otherTasks
        guard let limit, limit < needed else {
            return CheckResult(
                .ok, subject,
                "\(workers) worker processes and the threads fit within \(limit.map(String.init) ?? "no limit").")
        }
        return CheckResult(
            limit < workers ? .failure : .warning, subject,
            "\(workers) worker processes and the threads need about \(needed) tasks, and \(limit) are allowed: raise "
                + "TasksMax= or pids.max and ulimit -u, or lower --codec-threads.")
    }
}
