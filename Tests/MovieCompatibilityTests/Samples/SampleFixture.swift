import MovieDomain
import MovieHTTP
import MovieSources
import MovieTesting
import PosterAPI
import PosterTesting
import ServiceTesting
import Testing
import UpstreamClient

@testable import MovieCompatibility
@testable import OneSheetServer

/// The service with the adapters of KOBIS, iTunes and Kakao, connected to an upstream that replays recorded responses.
struct SampleFixture: Sendable {
    /// 2026-05-28T20:26:40Z.
    private static let now = Instant(secondsSince1970: 1_780_000_000)
    private static let signingKey = "0123456789abcdef0123456789abcdef"

    let kobis, iTunes, kakao: UpstreamClient

    init(_ upstream: ReplayingUpstream) throws {
        let environment = try UpstreamClient.Environment.replaying { Self.now }
        let base = upstream.baseURL
        self.kobis = .kobis(key: "key-of-kobis", baseURL: base, in: environment)
        self.iTunes = .iTunes(baseURL: base, in: environment)
        self.kakao = .kakao(key: "key-of-kakao", baseURL: base, in: environment)
    }

    /// Runs the service with keys, so that it passes on the services' responses. It signs picture URLs.
    ///
    /// - Parameter found: Results of searches in the catalogue.
    func runPassingOn(
        found: [MovieQuery: [MovieSummary]] = [:], _ body: @escaping @Sendable (LiveServer) async throws -> Void
    ) async throws {
        let settings = LiveServer.Settings.compatible(
            documents: CompatibleUpstreams(
                kobis: ClientDocuments(self.kobis), iTunes: ClientDocuments(self.iTunes),
                kakao: ClientDocuments(self.kakao)))
        var policy = settings.pictures.policy
        policy.signingKeys = try SigningKeys(Self.signingKey)
        settings.pictures.replace(policy)
        let fixture = try MovieServicesFixture()
        for (query, films) in found { fixture.catalogue.set(films, for: .search(query)) }
        try await fixture.run(settings, body)
    }

    /// Runs the service without responses to pass on: it generates them from the adapters' results.
    func runWriting(_ body: @escaping @Sendable (LiveServer) async throws -> Void) async throws {
        var fixture = try MovieServicesFixture()
        fixture.services.boxOffice = KOBISBoxOffice(self.kobis)
        fixture.services.store = ITunesAppStore(self.iTunes)
        fixture.services.now = { Self.now }
        try await fixture.run(.compatible(), body)
    }
}

// MARK: Documents that are written from the domain

extension SampleFixture {
    private static let languages = (korean: LanguagePreference([.korean]), english: LanguagePreference([.english]))

    /// The details of a KOBIS film.
    func film(_ code: String) async throws -> OrderedJSON {
        let (films, languages) = (KOBISMovies(self.kobis), Self.languages)
        let id = try #require(MovieID(source: .kobis, key: code))
        let korean = try #require(try await films.movie(id, language: languages.korean))
        let english = try #require(try await films.movie(id, language: languages.english))
        let koreanCredits = try #require(try await films.credits(of: id, language: languages.korean))
        let englishCredits = try #require(try await films.credits(of: id, language: languages.english))
        let film = KOBISFilmDocument(
            korean: korean, english: english, koreanCredits: koreanCredits, englishCredits: englishCredits)
        return KOBISFilmDocument.document(film, code: code)
    }

    func apps(_ numbers: [Int]) async throws -> OrderedJSON {
        let store = ITunesAppStore(self.iTunes)
        var rows: [OrderedJSON] = []
        for number in numbers {
            let id = try #require(StoreAppID(source: .itunes, key: String(number)))
            let app = try #require(try await store.app(id, language: Self.languages.english))
            rows.append(Self.rows.row(app))
        }
        return ["resultCount": .integer(rows.count), "results": .array(rows)]
    }

    func storeFilms(_ numbers: [Int]) async throws -> OrderedJSON {
        let store = ITunesMovies(self.iTunes)
        var rows: [OrderedJSON] = []
        for number in numbers {
            let id = try #require(MovieID(source: .itunes, key: String(number)))
            let film = try #require(try await store.movie(id, language: Self.languages.english))
            rows.append(Self.rows.row(film.summary, in: .unitedStates))
        }
        return ["resultCount": .integer(rows.count), "results": .array(rows)]
    }

    private static var rows: ITunesRows {
        let urls = PipelinePictureURLs(policies: ReloadablePicturePolicy(), urls: PosterURLBuilder(), pipeline: nil)
        return ITunesRows(
            pictures: ITunesPictures(urls: urls) { "http://localhost\($0)" }, page: { "http://localhost\($0)" })
    }
}
