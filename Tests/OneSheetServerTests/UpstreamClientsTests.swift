import HTTPFetch
import Logging
import MovieDomain
import OneSheetConfiguration
import Testing
import UpstreamClient

@testable import OneSheetServer

struct UpstreamClientsTests {
    private static let keys = Dictionary(
        uniqueKeysWithValues: ["omdb", "mdblist", "kobis", "kmdb", "kakao"].map { ("\($0)-key", ["k"]) })

    private static func quotas(_ options: [String: [String]]) async throws -> [MovieSource: Int] {
        let configuration = try ConfigurationSource(commandLine: options, environment: [:]).read().configuration
        let fetcher = try Fetcher(configuration: configuration.fetch)
        defer { fetcher.shutdown() }
        let clients = UpstreamClients(
            configuration.sources,
            in: UpstreamClient.Environment(
                transport: FetchTransport(fetcher), store: nil, now: { Instant(secondsSince1970: 0) },
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }))
        defer { clients.close() }
        return try await Dictionary(uniqueKeysWithValues: clients.usage().map { ($0.source, $0.limit ?? 0) })
    }

    @Test func aSourcesQuotaIsTheConfiguredOneOrThatOfAFreeKey() async throws {
        let own: [MovieSource: Int] = [.omdb: 1000, .mdblist: 1000, .kobis: 3000, .kmdb: 1000, .kakao: 30_000]
        #expect(try await Self.quotas(Self.keys) == own)
        for (number, source) in own.keys.enumerated() {
            let option = ["daily-requests": ["\(source.rawValue)=\(number + 7)"]]
            let expected = own.merging([source: number + 7]) { $1 }
            #expect(try await Self.quotas(Self.keys.merging(option) { $1 }) == expected)
        }
    }
}
