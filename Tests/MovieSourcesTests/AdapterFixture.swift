import Flights
import HTTPFetch
import Logging
import MovieDomain
import MovieTesting
import PosterTesting
import UpstreamClient

@testable import MovieSources

/// Clients of a replaying upstream that serves as any source, at noon of 15 January 2023 in Seoul.
struct AdapterFixture {
    /// 2023-01-15T03:00:00Z
    static let noon = Instant(secondsSince1970: 1_673_751_600)
    /// Seconds until midnight, in Seoul and in Greenwich.
    static let secondsLeftInSeoul = 12 * 3600
    static let secondsLeftInGreenwich = 21 * 3600

    let upstream: ReplayingUpstream
    /// Starts at noon.
    let time = ManualTimeOfDay(Self.noon)
    private let environment: UpstreamClient.Environment

    /// - Parameters:
    ///   - store: `nil` for one in memory.
    ///   - sleep: The time that responses wait for supplements; it never ends by default.
    init(
        _ upstream: ReplayingUpstream, store: ResponseStore? = nil,
        sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in try await Gate().wait() }
    ) throws {
        var configuration = FetchConfiguration()
        configuration.allowPrivateAddresses = true
        configuration.retry.maxRetries = 0
        self.upstream = upstream
        self.environment = UpstreamClient.Environment(
            transport: FetchTransport(try Fetcher(configuration: configuration)), store: try store ?? ResponseStore(),
            now: self.time.now, logger: Logger(label: "adapters") { _ in SwiftLogNoOpLogHandler() },
            sleep: sleep)
    }

    func tmdb(key: String = "key-of-tmdb", posterLanguage: Language = .korean) -> TMDB {
        TMDB(
            key: key, posterLanguage: posterLanguage, baseURL: self.upstream.baseURL + "/3", in: self.environment)
    }

    var kobis: UpstreamClient {
        .kobis(key: "key-of-kobis", baseURL: self.upstream.baseURL, in: self.environment)
    }

    var kmdb: UpstreamClient {
        .kmdb(key: "key-of-kmdb", baseURL: self.upstream.baseURL, in: self.environment)
    }

    var kakao: UpstreamClient {
        .kakao(key: "key-of-kakao", baseURL: self.upstream.baseURL, in: self.environment)
    }

    var iTunes: UpstreamClient {
        .iTunes(baseURL: self.upstream.baseURL, in: self.environment)
    }

    var omdb: UpstreamClient {
        .omdb(key: "key-of-omdb", baseURL: self.upstream.baseURL, in: self.environment)
    }

    func mdblist(dailyRequests: Int = UpstreamClient.mdblistDailyRequests) -> UpstreamClient {
        .mdblist(
            key: "key-of-mdblist", baseURL: self.upstream.baseURL, dailyRequests: dailyRequests, in: self.environment)
    }
}

/// Runs `body` with an upstream that has no responses.
func withAdapters(_ body: (AdapterFixture) async throws -> Void) async throws {
    try await withUpstream { upstream in try await body(AdapterFixture(upstream)) }
}

/// Recorded responses, if available.
enum Samples {
    static let all = UpstreamSamples()
    static let note: String = "there are no recorded answers beside the repository"

    static func bytes(_ name: String) throws -> [UInt8] { try self.all?.bytes(name) ?? [] }
}

extension LanguagePreference {
    static let korean = LanguagePreference([.korean])
    static let english = LanguagePreference([.english])
}
