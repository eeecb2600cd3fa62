/// The age ratings of films by country, in The Movie Database's format.
enum TMDBCertifications {
    /// Countries with their ratings, from the mildest on, and meanings.
    private static let countries: [(country: String, ratings: [(rating: String, meaning: String)])] = [
        (
            "DE",
            [
                ("0", "No age restriction."), ("6", "No children younger than 6 years admitted."),
                ("12", "Children 12 or older admitted, children between 6 and 11 with a parent."),
                ("16", "Children 16 or older admitted."), ("18", "No youth admitted, only adults."),
            ]
        ),
        (
            "FR",
            [
                ("TP", "Valid for all audiences."), ("12", "Forbidden under 12."), ("16", "Forbidden under 16."),
                ("18", "Forbidden under 18."),
            ]
        ),
        (
            "GB",
            [
                ("U", "All ages admitted."), ("PG", "All ages admitted, with parental guidance."),
                ("12A", "Children younger than 12 with an adult."), ("12", "Suitable for 12 years and over."),
                ("15", "Suitable for 15 years and over."), ("18", "Suitable for adults."),
                ("R18", "In licensed cinemas alone."),
            ]
        ),
        (
            "JP",
            [
                ("G", "General, suitable for all ages."), ("PG12", "Parental guidance under 12."),
                ("R15+", "No one under 15 admitted."), ("R18+", "No one under 18 admitted."),
            ]
        ),
        (
            "KR",
            [
                ("ALL", "Suitable for all ages."), ("12", "Suitable for 12 years and over, or with a parent."),
                ("15", "Suitable for 15 years and over, or with a parent."), ("18", "No one under 18 admitted."),
                ("RESTRICTED", "In licensed cinemas alone."),
            ]
        ),
        (
            "US",
            [
                ("G", "All ages admitted."), ("PG", "Some material may not be suitable for children under 10."),
                ("PG-13", "Some material may be inappropriate for children under 13."),
                ("R", "Under 17 requires an accompanying parent or adult guardian."),
                ("NC-17", "No one 17 and under admitted."),
            ]
        ),
    ]
    /// The rating of unrated films, listed first in each country.
    private static let unrated = (rating: "NR", meaning: "No rating information.")

    static var films: OrderedJSON {
        let members = self.countries.map { country, ratings in
            let rows: [OrderedJSON] = ([self.unrated] + ratings).enumerated().map { order, row in
                [
                    "certification": .string(row.rating), "meaning": .string(row.meaning), "order": .integer(order),
                ]
            }
            return OrderedJSON.Member(country, .array(rows))
        }
        return ["certifications": .object(members)]
    }
}
