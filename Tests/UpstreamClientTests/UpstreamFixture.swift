import Flights
import HTTPFetch
import Logging
import MovieDomain
import MovieTesting
import PosterTesting

@testable import UpstreamClient

/// A client of a replaying upstream over HTTP, with its components.
struct UpstreamFixture {
    static let key = "s3cr3tkey"

    let upstream: ReplayingUpstream
    let clock = ManualTimeOfDay(1_700_000_000)
    let fetcher: Fetcher
    let store: ResponseStore?
    /// The time that responses wait for supplements; it never ends by default.
    var sleep: @Sendable (Duration) async throws -> Void = { _ in try await Gate().wait() }

    init(
        _ upstream: ReplayingUpstream, store: ResponseStore?, _ change: (inout FetchConfiguration) -> Void = { _ in }
    ) throws {
        var configuration = FetchConfiguration()
        configuration.allowPrivateAddresses = true
        configuration.retry.maxRetries = 0
        change(&configuration)
        self.upstream = upstream
        self.fetcher = try Fetcher(configuration: configuration)
        self.store = store
    }

    /// Uses a store in memory.
    init(_ upstream: ReplayingUpstream) throws {
        try self.init(upstream, store: ResponseStore())
    }

    func client(
        lifetimes: UpstreamLifetimes = UpstreamLifetimes(), budget: DailyBudget? = nil,
        credentials: [UpstreamCredential] = [.query(name: "api_key", value: UpstreamFixture.key)],
        decoding: DecodingPool = DecodingPool(),
        classify: @escaping UpstreamClient.Classifier = { _ in .byStatus }
    ) -> UpstreamClient {
        UpstreamClient(
            source: .tmdb, baseURL: self.upstream.baseURL, credentials: credentials, lifetimes: lifetimes,
            budget: budget,
            in: .init(
                transport: FetchTransport(self.fetcher), store: self.store, now: self.clock.now, logger: .silent,
                sleep: self.sleep, decoding: decoding),
            classify: classify)
    }
}

extension UpstreamClient {
    /// Returns once no background work remains.
    func settle() async throws {
        try await eventually { self.revalidations.count == 0 && self.lateSupplements.count == 0 }
    }
}

extension Logger {
    static var silent: Logger { Logger(label: "test") { _ in SwiftLogNoOpLogHandler() } }
}

extension UpstreamClient {
    /// The response as text. `decoded` counts decodings.
    func text(
        _ path: String, query: [(name: String, value: String)] = [], language: Language? = nil,
        lifetime: Duration? = nil, decoded: Counter = Counter()
    ) async throws -> String? {
        try await self.get(UpstreamRequest(path, query: query, language: language, lifetime: lifetime)) { answer in
            decoded.increment()
            guard answer.body.first == UInt8(ascii: "{") else {
                throw UnreadableResponse(reason: "is not a JSON object")
            }
            return String(decoding: answer.body, as: UTF8.self)
        }
    }

    /// The failure of a request for a text.
    func failure(_ path: String) async -> SourceFailure? {
        do {
            _ = try await self.text(path)
            return nil
        } catch {
            return error as? SourceFailure
        }
    }
}
