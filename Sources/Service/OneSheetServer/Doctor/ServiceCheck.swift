/// A check of `onesheet doctor`: examines one thing without changing it.
package struct ServiceCheck: Sendable {
    /// Time limit of a check.
    package static let timeLimit = Duration.seconds(10)

    let name: String
    /// The object of the result of a check that takes too long.
    let subject: String
    private let work: @Sendable () async throws -> [CheckResult]

    package init(
        _ name: String, _ subject: String = "", _ work: @escaping @Sendable () async throws -> [CheckResult]
    ) {
        self.name = name
        self.subject = subject
        self.work = work
    }

    /// This check, and another one that begins after its end. The other's time limit includes the wait.
    func followed(by next: ServiceCheck) -> [ServiceCheck] {
        let (end, continuation) = AsyncStream.makeStream(of: Void.self)
        let work = self.work
        return [
            ServiceCheck(self.name, self.subject) {
                defer { continuation.finish() }
                return try await work()
            },
            ServiceCheck(next.name, next.subject) {
                for await _ in end {}
                return try await next.work()
            },
        ]
    }

    /// Runs the check.
    ///
    /// A check that exceeds the limit is abandoned, not awaited: a thread that waits for a hanging file system cannot
    /// be interrupted.
    ///
    /// - Throws: `CancellationError`.
    func results(within limit: Duration = ServiceCheck.timeLimit) async throws -> [CheckResult] {
        let (outcomes, continuation) = AsyncStream.makeStream(of: [CheckResult].self)
        let (subject, work) = (self.subject, self.work)
        let task = Task {
            do {
                continuation.yield(try await work())
            } catch {
                continuation.yield([CheckResult(.failure, subject, "The check failed: \(error).")])
            }
        }
        let deadline = Task {
            try await Task.sleep(for: limit)
            let seconds = limit.components.seconds
            continuation.yield([
                CheckResult(
                    .failure, subject, "There was no result within \(seconds) s: see whether the disk or network hangs."
                )
            ])
        }
        defer {
            task.cancel()
            deadline.cancel()
        }
        for await results in outcomes {
            return results.map { result in
                var result = result
                result.check = self.name
                // Errors of libraries may have line breaks and tabs.
                result.text = result.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
                return result
            }
        }
        throw CancellationError()
    }
}

/// Runs checks concurrently.
package struct ServiceChecks: Sendable {
    /// Maximum number of checks in progress.
    package static let concurrency = 4

    let checks: [ServiceCheck]

    package init(_ checks: [ServiceCheck]) {
        self.checks = checks
    }

    /// - Parameters:
    ///   - limit: The time limit of each check.
    ///   - report: Called with the results of each check, in the order of the checks.
    /// - Returns: All results.
    /// - Throws: `CancellationError`, and errors of `report`.
    package func run(
        within limit: Duration = ServiceCheck.timeLimit, report: ([CheckResult]) throws -> Void = { _ in }
    ) async throws -> [CheckResult] {
        var all: [CheckResult] = []
        try await withThrowingTaskGroup(of: (Int, [CheckResult]).self) { group in
            var (begun, shown) = (0, 0)
            var waiting: [Int: [CheckResult]] = [:]
            func begin() {
                guard begun < self.checks.count else { return }
                let (index, check) = (begun, self.checks[begun])
                begun += 1
                group.addTask { (index, try await check.results(within: limit)) }
            }
            for _ in 0..<Self.concurrency { begin() }
            while let (index, results) = try await group.next() {
                begin()
                waiting[index] = results
                while let next = waiting.removeValue(forKey: shown) {
                    shown += 1
                    all += next
                    try report(next)
                }
            }
        }
        return all
    }
}
