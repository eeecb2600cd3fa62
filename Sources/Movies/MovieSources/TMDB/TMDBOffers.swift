package import MovieDomain
import UpstreamClient

extension TMDBMovies {
    /// JustWatch's offers in all countries, in one request.
    package func offers(of id: MovieID) async throws -> FilmOffers? {
        guard id.source == .tmdb else { return nil }
        let request = UpstreamRequest("/movie/\(id.key)/watch/providers", lifetime: TMDB.Lifetime.offers)
        return try await self.tmdb.client.get(request) { try TMDBOffers.offers(decoding: $0) }
    }
}

/// Where a film can be watched, by country.
enum TMDBOffers {
    /// The attribution that TMDB's terms require for offers.
    static let attribution = "Streaming availability by JustWatch (https://www.justwatch.com)."
    // Links lead to TMDB's pages, which credit JustWatch.
    private static let linkPrefix = "https://www.themoviedb.org/"

    /// Offers of unknown countries are dropped.
    static func offers(decoding answer: UpstreamResponse) throws -> FilmOffers {
        let object = try TolerantJSON.object(answer.body)
        guard object.has("results") else { throw UnreadableResponse(reason: "has no results") }
        let countries = object.object("results")
        let offers = Country.all.compactMap { country in
            countries?.object(country.code).map { (country, Self.offers($0)) }
        }
        return FilmOffers(byCountry: Dictionary(uniqueKeysWithValues: offers), attribution: Self.attribution)
    }

    private static func offers(_ row: TolerantObject) -> WatchOffers {
        let providers = WatchOffers.Kind.allCases.map { ($0, Self.providers(row.rows(Self.member(of: $0)))) }
        return WatchOffers(
            link: row.text("link").flatMap { $0.hasPrefix(Self.linkPrefix) ? $0 : nil },
            Dictionary(uniqueKeysWithValues: providers))
    }

    private static func member(of kind: WatchOffers.Kind) -> String {
        kind == .subscription ? "flatrate" : kind.rawValue
    }

    /// The providers by TMDB's priority, without duplicates.
    private static func providers(_ rows: [TolerantObject]) -> [WatchOffers.Provider] {
        let providers = rows.enumerated().compactMap { place, row in
            Self.provider(row).map { (rank: (row.integer("display_priority") ?? .max, place), provider: $0) }
        }
        var ids: Set<String> = []
        return providers.sorted { $0.rank < $1.rank }.map(\.provider).filter { ids.insert($0.id).inserted }
    }

    private static func provider(_ row: TolerantObject) -> WatchOffers.Provider? {
        guard let number = row.integer("provider_id"), let name = row.text("provider_name") else { return nil }
        return WatchOffers.Provider(
            id: String(number), name: name, logo: TMDBPicture.location(row.text("logo_path")))
    }
}
