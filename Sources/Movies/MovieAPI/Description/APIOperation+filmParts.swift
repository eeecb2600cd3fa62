import HTTPSemantics
import MovieDomain
import MovieHTTP
package import OpenAPI

extension APIOperation {
    /// Operations for the parts of a film that are not in its details.
    package static let filmParts: [APIOperation] = [
        .film(
            "/movies/{id}/videos", name: "movieVideos", summary: "Trailers and other videos of a film",
            meaning:
                "The best videos for the languages come first. Videos at youtube have a thumbnail that this server "
                + "renders.",
            parameters: [.movie], schema: "Videos", session: .none, problems: [.invalidID, .unknownMovie]),
        .part(
            "/movies/{id}/images", name: "movieImages", summary: "All pictures of a film",
            meaning: "In all languages, unless language selects one. The response does not depend on Accept-Language.",
            parameters: [
                .query(
                    "kind",
                    .array(
                        .choice(GalleryPicture.Kind.allCases.map(\.rawValue)),
                        count: 1...GalleryPicture.Kind.allCases.count),
                    "Kinds, separated by commas; default: all."),
                .query(
                    RequestedLanguages.parameter, APIParameter.languageTag,
                    "The language of text in the pictures. Pictures without text or with text in an unknown language "
                        + "are always included."),
                .query(
                    "textless", .boolean.by(default: false), "Whether only pictures known to have no text are listed."),
            ], schema: "Images"),
        .part(
            "/movies/{id}/releases", name: "movieReleases", summary: "Releases of a film by country",
            meaning: "Sorted by country, then date; releases without a date last.",
            parameters: [
                .query(
                    QueryParameters.regionParameter, .countryCode,
                    "Selects the releases of one country (ISO 3166-1); default: all.")
            ], schema: "Releases"),
        .part(
            "/movies/{id}/offers", name: "movieOffers", summary: "Offers to watch a film",
            meaning: "The offers of a country. The attribution must be shown, also beside an empty list.",
            parameters: [
                .query(
                    OffersController.countryParameter, .countryCode,
                    "The country (ISO 3166-1); default: --region. Required without --region.")
            ], schema: "Offers"),
    ]

    /// Explains the choice of a film's poster.
    package static let posterCandidates = APIOperation.read(
        "/movies/{id}/poster-candidates", name: "posterCandidates", summary: "The choice of a film's poster",
        meaning: "The candidates of the decision in order, with the verdict on each. "
            + "URLs have no queries.",
        parameters: [.movie], answer: "The decision.", schema: "PosterCandidates",
        headers: APIHeader.marks,
        problems: [.invalidID, .unknownMovie] + Self.problemsOfFilms)

    /// A part that is the same for readers of all languages.
    private static func part(
        _ path: String, name: String, summary: String, meaning: String, parameters: [APIParameter], schema: String
    ) -> APIOperation {
        .read(
            path, name: name, summary: summary, meaning: meaning, parameters: [.movie] + parameters, schema: schema,
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
                ).meaning("Numbers of all pictures by kind, regardless of the selection."),
                "attribution": .attribution,
            ], required: ["id", "images", "counts"]),
        "Image": .object(
            APISchema.galleryMembers.merging([
                "language": .string(pattern: "^[a-z]{2,3}$").meaning("ISO 639; absent without text, or if unknown."),
                "textless": .boolean.meaning("Absent when unknown."),
            ]) { first, _ in first }, required: ["kind", "url", "srcset"]),
        "Releases": .object(
            ["id": .movieID, "releases": .array(.reference("Release")), "attribution": .attribution],
            required: ["id", "releases"]),
        "Offers": .object(
            [
                "id": .movieID, "country": .country,
                "link": .string().meaning("URL of a page about the offers, if any."),
                "offers": .array(.reference("Offer")).meaning("At most one per type."),
                "countries": .array(.country).meaning("All countries with offers."), "attribution": .attribution,
            ], required: ["id", "country", "offers", "countries"]),
        "Offer": .object([
            "type": .choice(WatchOffers.Kind.allCases.map(\.rawValue)),
            "providers": .array(
                .object(
                    ["id": .string(), "name": .string(), "logo": .reference("Poster")], required: ["id", "name"])),
        ]),
    ]

    /// Schemas of ``APIOperation/posterCandidates``.
    package static let posterCandidates: [String: APISchema] = [
        "PosterCandidates": .object(
            [
                "id": .movieID,
                "source": .source.orNull.meaning("The source of the poster; null when there is none."),
                "chosen": .reference("PosterCandidate").orNull,
                "candidates": .array(.reference("PosterCandidate")).meaning("In the order of the decision."),
                "failures": .array(
                    .object([
                        "source": .source, "type": .string().meaning("The type of the problem."),
                        "detail": .string().meaning("A description of the failure."),
                    ])
                ).meaning("Sources that failed."),
                "counterpart": .counterpart, "decidedAt": .string().meaning("RFC 3339."),
            ], required: ["id", "source", "chosen", "candidates", "failures", "decidedAt"]),
        "PosterCandidate": .object(
            [
                "source": .source,
                "title": .string().meaning("The film's title at the source; absent if the source has only pictures."),
                "year": .integer(0...9999).meaning("The film's year at the source."),
                "url": .string().meaning("The URL without its query."),
                "file": .string().meaning("The file name of a picture without a URL."),
                "width": .integer(from: 1).meaning("In pixels, when known."),
                "height": .integer(from: 1).meaning("In pixels, when known."),
                "verdict": .choice(PosterCandidates.Candidate.Verdict.allCases.map(\.rawValue)),
                "reason": .string().meaning("The reason for a rejection."),
            ], required: ["source", "verdict"]),
    ]
}
