import MovieDomain

/// The view model of the operator's page. Names, causes and entries of the log are in English, as the log is.
struct AdminModel {
    /// The outcome of a form.
    struct Done {
        var text = ""
        var isAlarm = false
    }

    private let request: PageRequest
    private let report: AdminReport
    private let token: String
    private let done: Done?

    init(_ request: PageRequest, _ report: AdminReport, token: String, done: Done?) {
        self.request = request
        self.report = report
        self.token = token
        self.done = done
    }

    private var formats: PageFormats { self.request.formats }

    var model: Model {
        let report = self.report
        let links = self.request.links
        return [
            "node": report.node, "started": self.formats("adminStarted", ["ago": self.ago(report.startedSecondsAgo)]),
            "reasons": report.reasons.isEmpty ? nil : report.reasons.joined(separator: ", "),
            "done": self.done.map { done in
                [
                    "isAlarm": done.isAlarm, "lines": done.text.split(whereSeparator: \.isNewline).map(String.init),
                ] as Model
            },
            "refreshURL": links.url("/admin"), "signOutURL": links.url("/admin/sign-out"),
            "purgeURL": links.url("/admin/purge"), "warmURL": links.url("/admin/warm"), "token": self.token,
            "figures": self.figures, "sources": report.sources.map(self.source),
            "origins": Self.rows(report.origins.map(self.origin)),
            "quarantineCount": report.quarantineCount > 0 ? self.formats.count(report.quarantineCount) : nil,
            "quarantine": Self.rows(report.quarantine.map(self.event)),
            "errors": Self.rows((report.faults + report.errors).map(self.event)),
        ]
    }

    /// `nil` without rows, which omits the list.
    private static func rows(_ rows: [Model]) -> Model? { rows.isEmpty ? nil : ["rows": rows] }

    private var figures: [Model] {
        let report = self.report
        let ratio = report.requests > 0 ? 100 * Double(report.hits) / Double(report.requests) : nil
        let figures = [
            ("adminHitRatio", ratio.map { "\(self.formats.score($0)) %" } ?? "–"),
            ("adminRequests", self.formats.count(report.requests)),
            ("adminRenders", self.formats.count(report.renders)),
            ("adminWarming", self.formats.count(report.warming)),
            ("adminVariants", self.text(report.variants)), ("adminVariantsOnDisk", self.text(report.variantsOnDisk)),
            ("adminOriginals", self.text(report.originals)),
        ]
        return figures.map { key, value in ["name": self.formats(key), "value": value] }
    }

    private func text(_ store: AdminReport.Store) -> String {
        self.formats(
            "adminStore",
            [
                "number": self.formats.count(store.count), "used": self.mebibytes(store.bytes),
                "budget": self.mebibytes(store.byteBudget),
            ])
    }

    private func mebibytes(_ bytes: Int) -> String { "\(self.formats.count((bytes + 1 << 19) >> 20)) MiB" }

    private func source(_ source: AdminReport.Source) -> Model {
        var states: [String] = []
        if let option = source.option { states.append(self.formats("adminSourceOff", ["option": option])) }
        if let requests = source.requests, let limit = source.limit {
            states.append(
                self.formats(
                    "adminBudget",
                    ["number": self.formats.count(requests), "limit": self.formats.count(limit)]))
        }
        if let seconds = source.pauseSeconds { states.append(self.formats("adminPaused", count: seconds)) }
        if states.isEmpty { states.append(self.formats("adminSourceOn")) }
        return [
            "name": source.name, "state": self.formats.list(states),
            "alarm": source.isKeyRefused ? self.formats("adminKeyRefused") : nil,
        ]
    }

    private func origin(_ origin: AdminReport.Origin) -> Model {
        var states: [String] = []
        if let milliseconds = origin.milliseconds {
            states.append(self.formats("adminMean", ["number": self.formats.count(milliseconds)]))
        }
        states.append(
            self.formats(
                "adminAttempts",
                ["number": self.formats.count(origin.attempts), "failures": self.formats.count(origin.failures)]))
        if origin.waiting > 0 {
            states.append(self.formats("adminWaiting", ["number": self.formats.count(origin.waiting)]))
        }
        return ["name": origin.name, "state": self.formats.list(states), "alarm": origin.trouble]
    }

    private func event(_ event: AdminReport.Event) -> Model {
        ["text": event.text, "detail": event.detail, "ago": event.secondsAgo.map(self.ago)]
    }

    private func ago(_ seconds: Int64) -> String { self.formats.ago(seconds: max(0, seconds)) }
}
