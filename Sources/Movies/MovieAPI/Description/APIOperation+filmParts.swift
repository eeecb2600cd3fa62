import HTTPSemantics
import MovieDomain
import MovieHTTP
package import OpenAPI

extension APIOperation {
    /// Operations for the parts of a film that are not in its details.
    package static let filmParts: [APIOperation] = [
        .film(
            "/movies/{id}/videos", name: "movieVideos", summary: "Trailers and other videos of a film",
            meaning: "The best for the languages first. Videos at youtube have a thumbnail that this server renders.",
            parameters: [.movieID], schema: "Videos", session: .none, problems: [.invalidID, .unknownMovie]),
        .part(
            "/movies/{id}/images", name: "movieImages", summary: "All pictures of a film",
            meaning: "In all languages, unless they are selected. The response does not depend on Accept-Language.",
            parameters: [
                .query(
                    "kind",
                    .array(
                        .choice(GalleryPicture.Kind.allCases.map(\.rawValue)),
                        count: 1...GalleryPicture.Kind.allCases.count),
                    "Separated by commas; default: all."),
                .query(
                    RequestedLanguages.parameter, APIParameter.languageTag,
                    "Of the text in the pictures: those in this language, and those without text or with text in a "
                        + "language that is not known."),
                .query(
                    "textless", .boolean.by(default: false), "Whether only pictures known to have no text are listed."),
            ], schema: "Images"),
        .part(
            "/movies/{id}/releases", name: "movieReleases", summary: "Releases of a film by country",
            meaning: "By country, then date; those without a date last.",
            parameters: [
                .query(
                    QueryParameters.regionParameter, .countryCode,
                    "The releases of this country alone (ISO 3166-1); default: of all.")
            ], schema: "Releases"),
        .part(
            "/movies/{id}/offers", name: "movieOffers", summary: "Where a film can be watched",
            meaning: "The services of a country. The attribution must be shown, also beside an empty list.",
            parameters: [
                .query(
                    OffersController.countryParameter, .countryCode,
                    "The country (ISO 3166-1); default: --region. A problem without either.")
            ], schema: "Offers"),
    ]

    /// A part that is the same for readers of all languages.
    private static func part(
        _ path: String, name: String, summary: String, meaning: String, parameters: [APIParameter], schema: String
    ) -> APIOperation {
        .read(
            path, name: name, summary: summary, meaning: meaning, parameters: [.movieID] + parameters, schema: schema,
            headers: APIHeader.marks, problems: [.invalidID, .unknownMovie] + Self.problemsOfFilms)
    }
}

extension APISchema {
    /// Schemas of ``APIOperation/filmParts``.
    package static let filmParts: [String: APISchema] = [
        "Videos": .object(
            ["id": .movieID, "videos": .array(.reference("Video")), "attribution": .attribution],
            required: ["id", "videos"]),
        "Images": .object(
            [
                "id": .movieID, "images": .array(.reference("Image")),
                "counts": .object(
                    Dictionary(
                        uniqueKeysWithValues: GalleryPicture.Kind.allCases.map { ($0.rawValue, .integer(from: 1)) }),
                    required: []
                ).meaning("Of all pictures by kind, whatever is selected."),
                "attribution": .attribution,
            ], required: ["id", "images", "counts"]),
        "Image": .object(
            APISchema.galleryMembers.merging([
                "language": .string(pattern: "^[a-z]{2,3}$").meaning("ISO 639; absent without text, or unknown."),
                "textless": .boolean.meaning("Absent when unknown."),
            ]) { first, _ in first }, required: ["kind", "url", "srcset"]),
        "Releases": .object(
            ["id": .movieID, "releases": .array(.reference("Release")), "attribution": .attribution],
            required: ["id", "releases"]),
        "Offers": .object(
            [
                "id": .movieID, "country": .country,
                "link": .string().meaning("A page about the offers; absent without one."),
                "offers": .array(.reference("Offer")).meaning("At most one of a type."),
                "countries": .array(.country).meaning("All with offers."), "attribution": .attribution,
            ], required: ["id", "country", "offers", "countries"]),
        "Offer": .object([
            "type": .choice(WatchOffers.Kind.allCases.map(\.rawValue)),
            "providers": .array(
                .object(
                    ["id": .string(), "name": .string(), "logo": .reference("Poster")], required: ["id", "name"])),
        ]),
    ]
}
