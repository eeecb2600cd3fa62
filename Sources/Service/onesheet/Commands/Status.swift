import ArgumentParser
import ClusterState
import FoundationEssentials
import OneSheetConfiguration
import OneSheetServer

/// `onesheet status`
struct Status: ServiceAction {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Shows the state of the running server, or of all nodes.",
        discussion: """
            Asks the server that holds the data directory; fails if none does. --all lists all nodes that use the same \
            Redis; without Redis it lists the node itself, and the reason for missing nodes.
            """)

    @Flag(help: "All nodes that use the same Redis.")
    var all = false

    @Flag(help: .jsonResult)
    var json = false

    func run(_ given: [String: [String]]) async throws {
        let directory = try ServeConfiguration.read(given).dataDirectory
        do {
            var received: String?
            let isServed = try await ControlClient.send(.status(all: self.all), toServerOf: directory) { event in
                switch event {
                case .report(let json): received = json
                case .failed(let reason): throw StandardError.failure(reason)
                case .progress, .finished: throw ControlFailure.garbled
                }
            }
            guard isServed, let json = received else {
                throw StandardError.failure(
                    "no server holds the data directory \(directory); set --data-dir to the server's")
            }
            try StandardOutput.write(self.json ? json : try self.text(json))
        } catch let code as ExitCode {
            throw code
        } catch is CancellationError {
            throw ExitCode.failure
        } catch {
            throw StandardError.failure("\(error)")
        }
    }

    private func text(_ json: String) throws -> String {
        let report = try JSONDecoder().decode(StatusReport.self, from: Data(json.utf8))
        let text = StatusText(report)
        var lines = report.nodes.map { text.table(of: $0) } ?? text.facts
        if let reason = report.missingNodes {
            lines.append("Other nodes are not listed: \(TerminalText.escaped(reason))")
        }
        return lines.joined(separator: "\n")
    }
}

struct StatusText {
    let report: StatusReport

    init(_ report: StatusReport) {
        self.report = report
    }

    /// The lines about the server that answered.
    var facts: [String] {
        let node = self.report.node
        var facts = TerminalTable([("", .left), ("", .left)])
        facts.add(["Node", "\(node.name) at \(node.address)"])
        facts.add(["Version", node.version])
        facts.add(["Up", Self.duration(from: node.startedAt, to: node.seenAt)])
        facts.add(["Ready", Self.readiness(node)])
        if let events = node.events {
            var text = Self.events(events)
            if let position = events.position { text += ", at \(position)" }
            if events.pending > 0 { text += ", \(NumberText.grouped(events.pending)) wait for Redis" }
            facts.add(["Events", text])
        }
        for fault in node.faults ?? [] {
            facts.add([Self.name(ofEngine: fault.engine), Self.text(of: fault, in: node)])
        }
        if let uploads = node.counters.uploads, uploads > 0 {
            facts.add(["Uploads", "\(NumberText.grouped(uploads)) wait for the store of originals"])
        }
        facts.add(["Originals", "\(NumberText.grouped(node.counters.originals)) on disk"])
        facts.add(["Variants", "\(NumberText.grouped(node.counters.variants)) in memory"])
        facts.add(["Hits", NumberText.grouped(node.counters.hits)])
        facts.add(["Renders", NumberText.grouped(node.counters.renders)])
        // Drops the line of empty titles.
        return Array(facts.lines(limit: TerminalSize.columns).dropFirst())
    }

    func table(of nodes: [NodeRegistry.Listed]) -> [String] {
        var table = TerminalTable([
            ("Node", .left), ("Address", .left), ("Version", .left), ("Up", .right), ("Ready", .left),
            ("Faults", .left), ("Events", .left), ("Waiting", .right), ("Uploads", .right), ("Hits", .right),
            ("Renders", .right), ("Originals", .right),
        ])
        for node in nodes {
            guard let record = node.record else {
                let time = Self.duration(from: node.seenAt, to: self.report.writtenAt)
                table.add([node.name, "", "", "", "not seen for \(time)", "", "", "", "", "", "", ""])
                continue
            }
            table.add([
                node.name, record.address, record.version,
                Self.duration(from: record.startedAt, to: record.seenAt),
                Self.readiness(record),
                (record.faults ?? []).map { Self.name(ofEngine: $0.engine) }.joined(separator: ", "),
                record.events.map(Self.events) ?? "",
                NumberText.grouped(record.events?.pending ?? 0), NumberText.grouped(record.counters.uploads ?? 0),
                NumberText.grouped(record.counters.hits),
                NumberText.grouped(record.counters.renders), NumberText.grouped(record.counters.originals),
            ])
        }
        // A column of causes would be truncated.
        return table.lines(limit: TerminalSize.columns) + nodes.flatMap(self.faults)
    }

    private func faults(of node: NodeRegistry.Listed) -> [String] {
        guard let record = node.record else { return [] }
        return (record.faults ?? []).map { fault in
            TerminalText.escaped(
                "\(node.name): \(Self.name(ofEngine: fault.engine)) \(Self.text(of: fault, in: record))")
        }
    }

    /// Both times are by the node's clock.
    private static func text(of fault: NodeRecord.Fault, in node: NodeRecord) -> String {
        "fails for \(self.duration(from: fault.since, to: node.seenAt)): \(fault.cause)"
    }

    private static func name(ofEngine engine: String) -> String {
        switch engine {
        case "redis": "Redis"
        case "object-store": "Store"
        case "library": "Library"
        case "events": "Exchange"
        default: engine
        }
    }

    private static func readiness(_ node: NodeRecord) -> String {
        node.isReady ? "yes" : "no: \(node.reasons.joined(separator: ", "))"
    }

    private static func events(_ events: NodeRecord.Events) -> String {
        events.phase == "current" ? "current" : "\(events.phase) for \(NumberText.oneDigit(events.lagSeconds)) s"
    }

    /// Records of other nodes may contain any numbers.
    private static func duration(from start: Int64, to end: Int64) -> String {
        let (seconds, overflow) = end.subtractingReportingOverflow(start)
        return self.duration(overflow ? 0 : seconds)
    }

    /// A duration in its two largest units.
    static func duration(_ seconds: Int64) -> String {
        switch max(0, seconds) {
        case let seconds where seconds < 60: "\(seconds) s"
        case let seconds where seconds < 3600: "\(seconds / 60) min"
        case let seconds where seconds < 86_400: "\(seconds / 3600) h \(seconds / 60 % 60) min"
        case let seconds: "\(seconds / 86_400) d \(seconds / 3600 % 24) h"
        }
    }
}
