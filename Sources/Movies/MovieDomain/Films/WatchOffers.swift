/// Where a film can be watched in a country.
package struct WatchOffers: Hashable, Sendable {
    /// The kinds of offers, in the order of ``WatchOffers/offers``.
    package enum Kind: String, CaseIterable, Sendable {
        case subscription, free, ads, rent, buy
    }

    /// A service that offers films.
    package struct Provider: Hashable, Sendable {
        /// Unique among the source's providers.
        package let id: String
        package let name: String
        package let logo: PictureLocation?

        package init(id: String, name: String, logo: PictureLocation? = nil) {
            self.id = id
            self.name = name
            self.logo = logo
        }
    }

    /// The services of one kind of offer.
    package struct Offer: Hashable, Sendable {
        package let kind: Kind
        /// Never empty; in the source's order.
        package let providers: [Provider]
    }

    /// A web page about the offers; `nil` if there is none.
    package let link: String?
    /// At most one per kind, in the order of ``Kind``.
    package let offers: [Offer]

    /// - Parameter providers: The providers by kind, in the source's order.
    package init(link: String? = nil, _ providers: [Kind: [Provider]]) {
        self.link = link
        self.offers = Kind.allCases.compactMap { kind in
            providers[kind].flatMap { $0.isEmpty ? nil : Offer(kind: kind, providers: $0) }
        }
    }
}

/// A film's offers by country.
package struct FilmOffers: Hashable, Sendable {
    /// The value of sources without offers.
    package static let none = FilmOffers(byCountry: [:])

    package let byCountry: [Country: WatchOffers]
    /// An attribution that is required in addition to the source's; `nil` if there is none.
    package let attribution: String?

    package init(byCountry: [Country: WatchOffers], attribution: String? = nil) {
        self.byCountry = byCountry
        self.attribution = attribution
    }
}
