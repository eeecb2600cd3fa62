/// Where a film can be watched in a country.
package struct WatchOffers: Hashable, Sendable {
    /// How a film is offered, in the order of ``WatchOffers/offers``.
    package enum Kind: String, CaseIterable, Sendable {
        case subscription, free, ads, rent, buy
    }

    /// A service that offers films.
    package struct Provider: Hashable, Sendable {
        /// Unique among the source's providers.
        package let id: String
        package let name: String
        /// nil for none.
        package let logo: PictureLocation?

        package init(id: String, name: String, logo: PictureLocation? = nil) {
            self.id = id
            self.name = name
            self.logo = logo
        }
    }

    /// The services that offer a film in one way.
    package struct Offer: Hashable, Sendable {
        package let kind: Kind
        /// Not empty; in the source's order.
        package let providers: [Provider]
    }

    /// A web page about the offers; nil for none.
    package let link: String?
    /// At most one of a kind, in the order of ``Kind``.
    package let offers: [Offer]

    /// - Parameter providers: By kind, in the source's order.
    package init(link: String? = nil, _ providers: [Kind: [Provider]]) {
        self.link = link
        self.offers = Kind.allCases.compactMap { kind in
            providers[kind].flatMap { $0.isEmpty ? nil : Offer(kind: kind, providers: $0) }
        }
    }
}

/// Where a film can be watched.
package struct FilmOffers: Hashable, Sendable {
    /// A source that has no offers.
    package static let none = FilmOffers(byCountry: [:])

    package let byCountry: [Country: WatchOffers]
    /// The attribution that is required beside that of the film's source; nil for none.
    package let attribution: String?

    package init(byCountry: [Country: WatchOffers], attribution: String? = nil) {
        self.byCountry = byCountry
        self.attribution = attribution
    }
}
