import Flights
import Foundation
import HTTPServer
import PictureTesting
import PosterPipeline
import PosterTesting
import ServiceTesting
import Testing

/// The files that operators can use unchanged.
@Suite(.timeLimit(.hang))
struct DeployTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../deploy")
        .standardizedFileURL.path
    private static let dashboard = Self.folder + "/grafana/onesheet.json"
    private static let alerts = Self.folder + "/prometheus/alerts.yml"
    private static let alertTests = Self.folder + "/prometheus/alerts.test.yml"

    @Test func theDashboardAndTheAlertsReadWhatThereIs() async throws {
        let dashboard = try String(contentsOfFile: Self.dashboard, encoding: .utf8)
        _ = try JSONSerialization.jsonObject(with: Data(dashboard.utf8))
        let alerts = try String(contentsOfFile: Self.alerts, encoding: .utf8)
        let exported = try await Self.exportedMetrics()
        let read = Self.metrics(in: dashboard).union(Self.metrics(in: alerts))
        #expect(read.count > 40)
        #expect(read.subtracting(exported).sorted() == [])
    }

    @Test func theDashboardShowsAllThereIs() async throws {
        let shown = Self.metrics(in: try String(contentsOfFile: Self.dashboard, encoding: .utf8))
        // One of a histogram's three metrics is enough; mapped memory is of little use.
        let exported = try await Self.exportedMetrics().filter { !$0.hasSuffix("_sum") && !$0.hasSuffix("_count") }
        #expect(exported.subtracting(shown).sorted() == ["process_virtual_memory_bytes"])
    }

    @Test(.enabled(if: Promtool.isInstalled, "promtool is part of Debian's prometheus"))
    func prometheusAcceptsTheAlertsAndTheyAlert() async throws {
        for arguments in [["check", "rules", Self.alerts], ["test", "rules", Self.alertTests]] {
            let outcome = try await Promtool.run(arguments)
            #expect(outcome.status == 0, "\(outcome.text)")
        }
    }

    private static func metrics(in text: String) -> Set<String> {
        Set(text.matches(of: /\b(?:onesheet|process)_[a-z_]+\b/).map { String($0.output) })
    }

    private static func exportedMetrics() async throws -> Set<String> {
        try await withOrigin { origin in
            origin.on("/a.jpg", .image(TestPicture.jpeg(width: 60, height: 90)))
            let exported = Names()
            var settings = LiveServer.Settings()
            settings.policies.reencoding = ReencodingLimits()
            // Unreachable engines have all metrics, including errors.
            let keys = settings.folder.path + "/keys"
            try Data("aws_access_key_id = id\naws_secret_access_key = secret\n".utf8).write(to: URL(filePath: keys))
            let store = "http://127.0.0.1:\(try FreePort.find())"
            settings.options = [
                "originals": ["s3://posters"], "originals-endpoint": [store],
                "originals-credentials": [keys], "redis": ["redis://127.0.0.1:1"],
                "library": ["postgres://onesheet@127.0.0.1:1/onesheet"],
            ]
            settings.clients.rates = ClientRateLimiter(
                ClientRateLimiter.Limit(rate: 1000), isShared: true, now: Uptime.nanoseconds)
            try await LiveServer.run(origin: origin, settings) { server in
                _ = try await server.get("/poster/mine:a.jpg?w=46")
                exported.names = Set(
                    try await server.metrics().keys.map { String($0.prefix { $0 != "{" }) })
            }
            return exported.names
        }
    }

    private final class Names: @unchecked Sendable {
        // Unchecked: written once, before it is read.
        var names: Set<String> = []
    }
}
