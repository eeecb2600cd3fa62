/// The operator's view of the service, and changes of it.
package protocol SiteAdministration: Sendable {
    /// - Throws: `CancellationError`.
    func report() async throws -> AdminReport

    /// Deletes the originals, variants and cached failures of posters.
    ///
    /// - Parameter ids: `[source:]key` each.
    /// - Returns: The outcome as text.
    /// - Throws: ``HTTPSemantics/Problem`` that names the invalid id; `CancellationError`.
    func purge(_ ids: [String]) async throws -> String

    /// Queues posters for rendering ahead of requests.
    ///
    /// - Parameter widths: In pixels; empty for the usual one.
    /// - Returns: The outcome as text.
    /// - Throws: ``HTTPSemantics/Problem`` that names the invalid value; `CancellationError`.
    func warm(_ ids: [String], widths: [Int]) async throws -> String
}

/// The state of the service. Counts are since its start.
package struct AdminReport: Sendable {
    /// Maximum number of rows of each list.
    package static let rowLimit = 20

    /// Items within a budget.
    package struct Store: Sendable {
        let count: Int
        let bytes: Int
        let byteBudget: Int

        package init(count: Int, bytes: Int, byteBudget: Int) {
            (self.count, self.bytes, self.byteBudget) = (count, bytes, byteBudget)
        }
    }

    package struct Source: Sendable {
        let name: String
        /// The option that enables it; `nil` if it is on.
        let option: String?
        /// Requests today, and the daily budget; `nil` without a budget.
        let requests: Int?
        let limit: Int?
        let isKeyRefused: Bool
        /// Seconds until its pause ends; `nil` if there is none.
        let pauseSeconds: Int?

        package init(
            name: String, option: String? = nil, requests: Int? = nil, limit: Int? = nil, isKeyRefused: Bool = false,
            pauseSeconds: Int? = nil
        ) {
            self.name = name
            self.option = option
            self.requests = requests
            self.limit = limit
            self.isKeyRefused = isKeyRefused
            self.pauseSeconds = pauseSeconds
        }
    }

    package struct Origin: Sendable {
        let name: String
        /// The moving mean of its transfers; `nil` before the first.
        let milliseconds: Int?
        let attempts: Int
        let failures: Int
        let waiting: Int
        /// Why fetches are refused at present, and its last failure; `nil` without one.
        let trouble: String?

        package init(
            name: String, milliseconds: Int?, attempts: Int, failures: Int, waiting: Int, trouble: String? = nil
        ) {
            self.name = name
            self.milliseconds = milliseconds
            self.attempts = attempts
            self.failures = failures
            self.waiting = waiting
            self.trouble = trouble
        }
    }

    /// A refused original, a lasting fault, or an entry of the log.
    package struct Event: Sendable {
        let text: String
        let detail: String
        /// `nil` if the time is not known.
        let secondsAgo: Int64?

        package init(_ text: String, detail: String = "", secondsAgo: Int64? = nil) {
            (self.text, self.detail, self.secondsAgo) = (text, detail, secondsAgo)
        }
    }

    /// The node's name and version.
    package var node = ""
    package var startedSecondsAgo: Int64 = 0
    /// Why the service is not ready; empty if it is.
    package var reasons: [String] = []
    /// Requests for variants, and the number that memory answered.
    package var requests = 0
    package var hits = 0
    package var renders = 0
    package var variants = Store(count: 0, bytes: 0, byteBudget: 0)
    package var variantsOnDisk = Store(count: 0, bytes: 0, byteBudget: 0)
    package var originals = Store(count: 0, bytes: 0, byteBudget: 0)
    package var sources: [Source] = []
    /// The slowest first.
    package var origins: [Origin] = []
    package var quarantine: [Event] = []
    /// The number of refused originals; ``quarantine`` has the latest of them.
    package var quarantineCount = 0
    package var faults: [Event] = []
    /// The latest warnings and errors of the log, the newest first.
    package var errors: [Event] = []
    /// Variants queued for rendering ahead.
    package var warming = 0

    package init() {}
}
