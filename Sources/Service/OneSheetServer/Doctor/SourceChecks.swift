import Flights
import HTTPFetch
import Logging
import MovieDomain
import OneSheetConfiguration
import UpstreamClient

/// Sends each configured source of films one small request.
struct SourceChecks {
    static let name = "keys"

    let settings: SourceSettings
    let fetcher: Fetcher

    /// - Returns: A check per configured source, and one that names the others.
    var checks: [ServiceCheck] {
        let clock = AnchoredClock.make()
        let clients = UpstreamClients(
            self.settings,
            in: UpstreamClient.Environment(
                transport: FetchTransport(self.fetcher), store: nil,
                now: { Instant(secondsSince1970: clock()) },
                logger: Logger(label: "onesheet.doctor") { _ in SwiftLogNoOpLogHandler() }))
        let probes = clients.probes
        var checks = probes.map { source, run in
            ServiceCheck(Self.name, source.name) {
                do {
                    return [try await run() ? Self.success(source) : Self.unconfirmed(source)]
                } catch let failure as SourceFailure {
                    return [Self.result(failure)]
                }
            }
        }
        let off = MovieAdapters.off(self.settings).filter { source, _ in !probes.contains { $0.source == source } }
        if !off.isEmpty {
            let names = off.sorted { $0.key.rawValue < $1.key.rawValue }.map { "\($0.key.name) (\($0.value))" }
            checks.append(
                ServiceCheck(Self.name) {
                    [CheckResult(.skipped, "", "Not asked, because they are off: \(names.joined(separator: ", ")).")]
                })
        }
        return checks
    }

    private static func success(_ source: MovieSource) -> CheckResult {
        let text = source == .itunes ? "The source answers; it needs no key." : "The source accepts the key."
        return CheckResult(.ok, source.name, text)
    }

    /// The result for a response without the requested object.
    private static func unconfirmed(_ source: MovieSource) -> CheckResult {
        let option = SourceOptions.keyOptions[source].map { "the key in --\($0)" } ?? "its settings"
        return CheckResult(
            .warning, source.name,
            "Not confirmed: the source answers, but without the requested object, which may mean a rejected key: "
                + "check \(option).")
    }

    private static func result(_ failure: SourceFailure) -> CheckResult {
        let name = failure.source.name
        let option = SourceOptions.keyOptions[failure.source].map { "--\($0)" } ?? "--\(SourceSettings.storeOption)"
        return switch failure {
        case .keyRefused:
            CheckResult(.failure, name, "The source rejects the key: set \(option) to a valid one.")
        case .busy(_, let seconds):
            CheckResult(
                .warning, name, "The source has no quota left, or pauses, for \(seconds) s: the key was not examined.")
        case .tooSlow:
            CheckResult(.failure, name, "The source did not respond in time: the key was not examined.")
        case .unavailable(_, let reason):
            CheckResult(
                .failure, name, "The source cannot be asked (\(reason)): check the network, then the key in \(option).")
        case .badAnswer(_, let reason):
            CheckResult(
                .failure, name, "The source's response is not usable (\(reason)): check the key in \(option).")
        case .off: CheckResult(.skipped, name, "Not asked: set \(option).")
        }
    }
}
