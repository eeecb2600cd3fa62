import HTTPSemantics
import HTTPServer
import HTTPTypes
import Hummingbird
import Logging
import MovieDomain
import MovieHTTP

/// `/compat/kobis/kobisopenapi/webservice/rest/…`: box offices and films in KOBIS' format. Faults have status 200.
struct KOBISController: Sendable {
    private static let base = CompatibleAPI.kobis.base + "/kobisopenapi/webservice/rest"
    private static let caching = EncodedResponse.CachePolicy.shared(seconds: CacheLifetime.yesterday, stale: 0)

    private let context: CompatibilityContext

    init(_ context: CompatibilityContext) {
        self.context = context
    }

    func register(on router: Router<ServerRequestContext>) {
        for format in KOBISFormat.allCases {
            self.get("boxoffice/searchDailyBoxOfficeList", format, on: router) {
                try await self.boxOffice($0, isDaily: true)
            }
            self.get("boxoffice/searchWeeklyBoxOfficeList", format, on: router) {
                try await self.boxOffice($0, isDaily: false)
            }
            self.get("movie/searchMovieInfo", format, on: router) { try await self.film($0) }
            self.get("movie/searchMovieList", format, on: router) { try await self.films($0) }
        }
        UnknownPaths.register(of: .kobis, on: router) { _, context in
            let isXML = context.target.segments.last?.hasSuffix(".\(KOBISFormat.xml.rawValue)") == true
            return self.response(KOBISFault.resource.document, isXML ? .xml : .json, status: .notFound)
        }
    }

    private func get(
        _ path: String, _ format: KOBISFormat, on router: Router<ServerRequestContext>,
        _ make: @escaping @Sendable (CompatibleRequest) async throws -> OrderedJSON
    ) {
        router.get(RouterPath("\(Self.base)/\(path).\(format.rawValue)")) { request, context in
            do {
                let parameters = try CompatibleRequest(request)
                guard self.context.keys.accepts(parameters["key"], of: .kobis) else { throw KOBISFault.key }
                return try await self.context.shared(request, context) {
                    let (document, recorder) = try await self.context.recorded(context) { try await make(parameters) }
                    return self.response(document, format, caching: Self.caching, recorder: recorder)
                }
            } catch let fault as KOBISFault {
                return self.response(fault.document, format)
            } catch is CompatibleRequest.Malformed {
                return self.response(KOBISFault.missing("인코딩은", "query").document, format)
            } catch let failure as SourceFailure {
                return self.response(of: failure, format, context)
            }
        }
    }

    private func response(
        _ document: OrderedJSON, _ format: KOBISFormat, status: HTTPResponse.Status = .ok,
        caching: EncodedResponse.CachePolicy = .none, recorder: FreshnessRecorder? = nil,
        fields: [HTTPField.Name: String?] = [:]
    ) -> Response {
        .compatible(
            format.bytes(document), type: format.mediaType, status: status, caching: caching, recorder: recorder,
            variance: self.context.variance(of: .kobis), fields: fields)
    }

    /// KOBIS has faults for an exhausted quota and a rejected key, but none for a failing server.
    private func response(
        of failure: SourceFailure, _ format: KOBISFormat, _ context: ServerRequestContext
    ) -> Response {
        context.logger.notice(
            "A request to the KOBIS-compatible API failed",
            metadata: ["movie.source": "\(failure.source.rawValue)", "error.type": "\(failure)"])
        let retry = failure.problem.retryAfterSeconds.map { String($0) }
        switch failure {
        case .busy: return self.response(KOBISFault.quota.document, format, fields: [.retryAfter: retry])
        case .keyRefused: return self.response(KOBISFault.key.document, format)
        default:
            let fault = KOBISFault(code: "320900", message: "시스템 에러가 발생하였습니다.")
            return self.response(fault.document, format, status: .serviceUnavailable, fields: [.retryAfter: retry])
        }
    }
}

// MARK: Documents

extension KOBISController {
    private static let languages = (korean: LanguagePreference([.korean]), english: LanguagePreference([.english]))

    private func boxOffice(_ parameters: CompatibleRequest, isDaily: Bool) async throws -> OrderedJSON {
        let request = try KOBISBoxOfficeRequest(parameters, isDaily: isDaily)
        let document = KOBISBoxOfficeDocument(request)
        if let upstream = self.context.upstreams.kobis {
            let own = try await upstream.json(request.upstream(now: self.context.services.now()), from: .kobis) {
                document.limited($0)
            }
            return own ?? document.document([]) { $0.description }
        }
        let source = self.context.services.boxOffice
        var filter = request.filter
        // Unsupported filters are ignored, as KOBIS would return rows: embedded films have no area or registration.
        if !source.filters.contains(.area) { filter.area = nil }
        if !source.filters.contains(.films) { filter.films = nil }
        if !source.filters.contains(.origin) { filter.origin = nil }
        var entries: [BoxOfficeEntry] = []
        do {
            let period = request.period
            entries = try await self.context.useCases.showBoxOffice(
                period.span, date: period.from, matching: filter, language: Self.languages.korean
            ).entries
        } catch ShowBoxOffice.Failure.noFigures {
            // KOBIS returns a list without rows.
        }
        return document.document(entries, openings: try await self.openings(of: entries)) { Self.code(of: $0) }
    }

    /// Films' first opening days, from their details. The embedded box office contains the day of a rerelease; apps
    /// would search for the poster of another film by its year.
    private func openings(of entries: [BoxOfficeEntry]) async throws -> [MovieID: CalendarDate] {
        var openings: [MovieID: CalendarDate] = [:]
        for id in entries.map(\.movieID) where id.source == .embedded {
            let source = try self.context.services.sources.repository(of: id.source)
            let film = try await source.movie(id, language: Self.languages.korean)
            openings[id] = film.flatMap { KOBISFilmDocument.opening(of: $0) }
        }
        return openings
    }

    private func film(_ parameters: CompatibleRequest) async throws -> OrderedJSON {
        guard let code = parameters["movieCd"] else { throw KOBISFault.missing("영화코드는", "movieCd") }
        if let upstream = self.context.upstreams.kobis {
            // Only valid codes are sent to KOBIS.
            guard MovieID(source: .kobis, key: code) != nil else {
                return KOBISFilmDocument.document(nil, code: code)
            }
            let request = DocumentRequest(
                "/movie/searchMovieInfo.json", query: [("movieCd", code)], lifetime: .seconds(86_400))
            return try await upstream.json(request, from: .kobis) ?? KOBISFilmDocument.document(nil, code: code)
        }
        guard let id = MovieID(code) else { return KOBISFilmDocument.document(nil, code: code) }
        return KOBISFilmDocument.document(try await self.film(id), code: code)
    }

    private func film(_ id: MovieID) async throws -> KOBISFilmDocument? {
        let source = try self.context.services.sources.repository(of: id.source)
        let languages = Self.languages
        guard let korean = try await source.movie(id, language: languages.korean),
            let english = try await source.movie(id, language: languages.english)
        else { return nil }
        let koreanCredits = try await source.credits(of: id, language: languages.korean)
        let englishCredits = try await source.credits(of: id, language: languages.english)
        return KOBISFilmDocument(
            korean: korean, english: english, koreanCredits: koreanCredits ?? korean.credits,
            englishCredits: englishCredits ?? english.credits)
    }

    private func films(_ parameters: CompatibleRequest) async throws -> OrderedJSON {
        let request = try KOBISListRequest(parameters)
        if let upstream = self.context.upstreams.kobis {
            return try await upstream.json(request.upstream(parameters), from: .kobis)
                ?? KOBISListDocument(films: [], total: 0).document { $0.key }
        }
        let (rows, total) = try await self.summaries(request)
        let films = try await withThrowingTaskGroup(of: (Int, Movie?).self) { group in
            for (place, row) in rows.enumerated() {
                let source = try self.context.services.sources.repository(of: row.id.source)
                group.addTask { (place, try await source.movie(row.id, language: Self.languages.korean)) }
            }
            return try await group.reduce(into: [Int: Movie]()) { $0[$1.0] = $1.1 }
        }
        return KOBISListDocument(films: rows.indices.compactMap { films[$0] }, total: total).document {
            Self.code(of: $0)
        }
    }

    private func summaries(_ request: KOBISListRequest) async throws -> (films: [MovieSummary], total: Int) {
        let catalogue = self.context.services.catalogue
        let start = (request.page - 1) * request.size + 1
        if !request.title.isEmpty, !request.isFiltered {
            // Pages after the last film that can be returned are empty, but contain the total number.
            let last = SearchMoviesByOffset.Query.starts.upperBound
            let query = SearchMoviesByOffset.Query(request.title, start: min(start, last), display: request.size)
            guard let query else { return ([], 0) }
            let found = try await SearchMoviesByOffset(catalogue: catalogue)(query, language: Self.languages.korean)
            return (start > last ? [] : found.movies, found.total)
        }
        var films: [MovieSummary] = []
        var page = 1
        let query = MovieQuery(request.title)
        while films.count < KOBISListRequest.filmLimit {
            let found =
                if let query {
                    try await catalogue.search(query, page: page, language: Self.languages.korean)
                } else {
                    try await catalogue.list(.popular, page: page, language: Self.languages.korean, region: nil)
                }
            films += found.results
            guard page < min(found.totalPages, catalogue.pageLimit), !found.results.isEmpty else { break }
            page += 1
        }
        let matching = films.filter { request.matches($0) }
        return (Array(matching.dropFirst(start - 1).prefix(request.size)), matching.count)
    }

    /// A film's code at KOBIS; the whole id for films of other sources.
    private static func code(of id: MovieID) -> String { id.source == .kobis ? id.key : id.description }
}
