import ArgumentParser
import HTTPFetch
import HTTPServer
import NIOHTTP1
import OneSheetConfiguration
import OneSheetServer

/// `onesheet doctor`
struct DoctorCommand: ServiceAction {
    typealias ServerOptions = HTTPServerOptions

    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks the settings of 'serve', and what they need of the machine and the network.",
        discussion: """
            Takes the options, environment and file of 'serve', and changes nothing; a server may be running. Checks \
            files, ports, proxies, folders, disk, limits and clock, and asks each configured source, origin and shared \
            engine once. Run it as the service's user. Exits with 1 if a check fails; warnings do not count.
            """)

    @Flag(help: .jsonResult)
    var json = false

    private struct Report: Encodable {
        let checks: [CheckResult]
        let failures: Int
        let warnings: Int
        let skipped: Int

        init(_ results: [CheckResult]) {
            self.checks = results
            self.failures = results.count { $0.outcome == .failure }
            self.warnings = results.count { $0.outcome == .warning }
            self.skipped = results.count { $0.outcome == .skipped }
        }

        var summary: String {
            let good = self.checks.count - self.failures - self.warnings - self.skipped
            let warnings = "\(self.warnings) warning\(self.warnings == 1 ? "" : "s")"
            let failures = "\(self.failures) failure\(self.failures == 1 ? "" : "s")"
            return "\(good) ok, \(warnings), \(failures), \(self.skipped) not examined"
        }
    }

    func run(_ given: [String: [String]]) async throws {
        let text = DoctorText(width: TerminalSize.columns)
        do {
            let results = try await self.results(given) { results in
                guard !self.json else { return }
                for line in results.flatMap(text.lines) { try StandardOutput.write(line) }
            }
            let report = Report(results)
            try StandardOutput.write(self.json ? try JSONLine.encode(report) : "\n\(report.summary)")
            if report.failures > 0 { throw ExitCode.failure }
        } catch is CancellationError {
            throw ExitCode.failure
        } catch let error as FetchError {
            throw StandardError.failure("\(error)")
        }
    }

    /// Invalid options are a result too: the other checks need them all.
    private func results(
        _ given: [String: [String]], report: ([CheckResult]) throws -> Void
    ) async throws -> [CheckResult] {
        let checks: ServiceChecks
        do {
            let (settings, configuration) = try ConfigurationSource(commandLine: given).read()
            checks = try Doctor(settings, configuration, serverName: Self.serverName).checks
        } catch let error as FetchError {
            throw error
        } catch {
            let reason = "\(error)"
            checks = ServiceChecks([
                ServiceCheck("settings") { [CheckResult(.failure, "", "\(reason). Nothing else was examined.")] }
            ])
        }
        return try await checks.run(report: report)
    }

    /// Seconds that a server has for an answer.
    private static let probeTimeout = 2

    @Sendable
    private static func serverName(at place: ListenAddress) async -> String? {
        let head = try? await HealthProbe(place: place, timeout: Self.probeTimeout).head(of: "/healthz")
        return head.map { $0.headers.first(name: "Server") ?? "" }
    }
}

/// The lines of results for people.
struct DoctorText {
    /// Columns before the sentence.
    private static let (outcome, check) = (9, 10)
    private static let defaultWidth = 100

    let width: Int

    /// - Parameter width: In terminal cells; `nil` for the default.
    init(width: Int?) {
        self.width = max(40, width ?? Self.defaultWidth)
    }

    func lines(_ result: CheckResult) -> [String] {
        let subject = TerminalText.escaped(result.subject)
        let text = (subject.isEmpty ? "" : "\(subject): ") + TerminalText.escaped(result.text)
        let margin = Self.outcome + Self.check
        let head = Self.padded(result.outcome.rawValue, Self.outcome) + Self.padded(result.check, Self.check)
        let lines = WrappedText.lines(text, width: self.width - margin)
        return lines.enumerated().map { ($0 == 0 ? head : String(repeating: " ", count: margin)) + $1 }
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
