import HTTPSemantics
import HTTPServer
import Hummingbird
import MovieDomain
import MovieHTTP

/// `GET /movies/{id}/offers`
struct OffersController: Sendable {
    static let countryParameter = "country"

    let responses: MovieResponses

    func register(on router: Router<ServerRequestContext>) {
        self.responses.get("/movies/:id/offers", known: [Self.countryParameter], on: router, self.offers)
    }

    private struct OffersObject: Encodable {
        struct Offer: Encodable {
            let type: String
            let providers: [Provider]
        }

        struct Provider: Encodable {
            /// The largest width of a logo's `url`, in pixels.
            private static let width = 92
            /// The largest width in its `srcset`, in pixels.
            private static let widest = 185

            let id: String
            let name: String
            /// `nil` if this server has none.
            let logo: PosterObject?

            init(_ provider: WatchOffers.Provider, _ urls: any PictureURLs) throws(Problem) {
                self.id = provider.id
                self.name = provider.name
                self.logo = try urls.picture(at: provider.logo, width: Self.width, widest: Self.widest)
            }
        }

        let id: String
        let country: String
        let link: String?
        let offers: [Offer]
        /// All countries with offers.
        let countries: [String]
        let attribution: [String]?
    }

    /// The response does not depend on the client's languages.
    @Sendable
    private func offers(_ parsed: MovieRequest) async throws -> EncodedResponse {
        let id = try parsed.movieID()
        let services = self.responses.services
        guard let country = try parsed.query.country(Self.countryParameter) ?? services.defaultRegion else {
            throw Problem(
                .invalidParameter,
                "country is missing; send an ISO 3166-1 code such as KR, or start the server with --region")
        }
        let found = try await services.showMovie.offers(of: id)
        let here = found.value.byCountry[country]
        let texts = (Attribution.texts(of: [found.source]) ?? []) + [found.value.attribution].compactMap(\.self)
        let offers = try (here?.offers ?? []).map { offer in
            OffersObject.Offer(
                type: offer.kind.rawValue,
                providers: try offer.providers.map { try OffersObject.Provider($0, self.responses.pictures) })
        }
        return try EncodedResponse.json(
            OffersObject(
                id: id.description, country: country.code, link: here?.link, offers: offers,
                countries: found.value.byCountry.filter { !$0.value.offers.isEmpty }.map(\.key.code).sorted(),
                attribution: texts.isEmpty ? nil : texts),
            caching: .shared(seconds: CacheLifetime.daily))
    }
}
