import HTTPSemantics
import HTTPServer
import MovieDomain
import MovieHTTP

/// Where a film can be watched in the reader's country.
struct OffersModel: Sendable {
    /// Widths of a logo's `url` and of the largest picture in its `srcset`, in pixels; displayed 32 pixels wide.
    private static let (width, widest) = (92, 185)

    /// `nil` if the source has no offers for any country.
    let model: Model?

    /// - Throws: ``Problem`` if the logos' URLs cannot be signed.
    init(_ found: Sourced<FilmOffers>, in country: Country, _ request: PageRequest) throws(Problem) {
        guard !found.value.byCountry.isEmpty else {
            self.model = nil
            return
        }
        let name = country.name(in: request.formats.preference)
        let here = found.value.byCountry[country]
        var kinds: [Model] = []
        for offer in here?.offers ?? [] {
            var rows: [Model] = []
            for provider in offer.providers {
                let logo = try request.site.pictures.urls.picture(
                    at: provider.logo, width: Self.width, widest: Self.widest)
                rows.append(["name": provider.name, "logo": logo.map { ["url": $0.url] as Model }])
            }
            kinds.append(["name": request.formats(Self.textKey(of: offer.kind)), "rows": rows])
        }
        self.model = [
            "country": request.formats("filmOffersIn", ["country": name]),
            "none": kinds.isEmpty ? request.formats("filmOffersNone", ["country": name]) : nil,
            "kinds": kinds, "url": here?.link.flatMap { OuterLink($0)?.description },
            "attribution": found.value.attribution,
        ]
    }

    private static func textKey(of kind: WatchOffers.Kind) -> String {
        switch kind {
        case .subscription: "offerSubscription"
        case .free: "offerFree"
        case .ads: "offerAds"
        case .rent: "offerRent"
        case .buy: "offerBuy"
        }
    }
}
