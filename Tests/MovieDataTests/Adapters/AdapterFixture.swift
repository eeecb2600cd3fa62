import HTTPFetch
import Logging
import MovieData
import MovieDomain
import PosterTesting
import Synchronization

/// Clients of one replaying upstream, whoever it plays, at noon of 15 January 2023 in Seoul.
struct AdapterFixture {
    /// 2023-01-15T03:00:00Z
    static let noon = Instant(secondsSince1970: 1_673_751_600)
    /// Until midnight in Seoul, and in Greenwich.
    static let secondsLeftInSeoul = 12 * 3600
    static let secondsLeftInGreenwich = 21 * 3600

    let upstream: ReplayingUpstream
    /// Noon at first.
    let time = TimeOfDay(Self.noon)
    private let transport: FetchTransport
    private let store: AnswerStore
    private let logger = Logger(label: "adapters") { _ in SwiftLogNoOpLogHandler() }

    fileprivate init(_ upstream: ReplayingUpstream) throws {
        var configuration = FetchConfiguration()
        configuration.allowPrivateAddresses = true
        configuration.retry.maxRetries = 0
        self.upstream = upstream
        self.transport = FetchTransport(try Fetcher(configuration: configuration))
        self.store = try AnswerStore()
    }

    var kobis: UpstreamClient {
        .kobis(
            key: "key-of-kobis", baseURL: self.upstream.baseURL, transport: self.transport, store: self.store,
            now: self.time.now, logger: self.logger)
    }

    var kmdb: UpstreamClient {
        .kmdb(
            key: "key-of-kmdb", baseURL: self.upstream.baseURL, transport: self.transport, store: self.store,
            now: self.time.now, logger: self.logger)
    }

    var kakao: UpstreamClient {
        .kakao(
            key: "key-of-kakao", baseURL: self.upstream.baseURL, transport: self.transport, store: self.store,
            now: self.time.now, logger: self.logger)
    }

    var iTunes: UpstreamClient {
        .iTunes(
            baseURL: self.upstream.baseURL, transport: self.transport, store: self.store, now: self.time.now,
            logger: self.logger)
    }

    var omdb: UpstreamClient {
        .omdb(
            key: "key-of-omdb", baseURL: self.upstream.baseURL, transport: self.transport, store: self.store,
            now: self.time.now, logger: self.logger)
    }
}

/// A time that stands still until a test moves it.
final class TimeOfDay: Sendable {
    private let seconds: Atomic<Int64>

    init(_ instant: Instant) { self.seconds = Atomic(instant.secondsSince1970) }

    var now: @Sendable () -> Instant {
        { Instant(secondsSince1970: self.seconds.load(ordering: .relaxed)) }
    }

    func advance(seconds: Int64) { self.seconds.add(seconds, ordering: .relaxed) }
}

/// Runs `body` with an upstream that knows nothing yet.
func withAdapters(_ body: (AdapterFixture) async throws -> Void) async throws {
    try await withUpstream { upstream in try await body(AdapterFixture(upstream)) }
}

/// Recorded answers, when they are there.
enum Samples {
    static let all = UpstreamSamples()
    static let note: String = "there are no recorded answers beside the repository"

    static func bytes(_ name: String) throws -> [UInt8] { try self.all?.bytes(name) ?? [] }
}

extension LanguagePreference {
    static let korean = LanguagePreference([.korean])
    static let english = LanguagePreference([.english])
}
