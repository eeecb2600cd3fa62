import MovieDomain
package import OpenAPI

extension APISchema {
    /// Schemas of apps, and of responses in Naver's format.
    package static let store: [String: APISchema] = [
        "App": .object(
            Self.appMembers.merging(Self.detailsOfApp) { first, _ in first },
            required: Self.requiredOfApps
                + Array(Self.detailsOfApp.keys)),
        "AppSummary": .object(Self.appMembers, required: Self.requiredOfApps),
        "AppList": .object([
            "results": .array(.reference("AppSummary")), "offset": .integer(AppQuery.offsets),
            "limit": .integer(AppQuery.limits), "hasMore": .boolean.meaning("Whether more results may follow."),
        ]),
        "AppsToday": .object([
            "featured": .reference("AppSummary").orNull, "list": .array(.reference("AppSummary")),
        ]),
        "NaverMovies": .object([
            "lastBuildDate": .string().meaning("A date of RFC 822 in Korean time."), "total": .integer(),
            "start": .integer(SearchMoviesByOffset.Query.starts),
            "display": .integer().meaning("Number of items."),
            "items": .array(.reference("NaverMovie")),
        ]),
        "NaverMovie": .object([
            "title": .string().meaning("HTML, with the search terms in <b>."),
            "link": .string(format: "uri").meaning("A URL that is constant for the film."),
            "image": .string().meaning("A poster of 110 pixels; empty without one."),
            "subtitle": .string().meaning("The original title; empty if it equals the title."),
            "pubDate": .string().meaning("A year; empty when unknown."),
            "director": .string().meaning("Names, each followed by |."),
            "actor": .string().meaning("Names, each followed by |."),
            "userRating": .string(pattern: "^[0-9]{1,2}\\.[0-9]{2}$").meaning("From 0.00 to 10.00."),
        ]),
        "NaverFault": .object([
            "errorMessage": .string(), "errorCode": .choice(["SE01", "SE02", "SE03", "SE06", "SE99"]),
        ]),
    ]

    private static let appMembers: [String: APISchema] = [
        "id": .movieID, "source": .source, "name": .string(), "icon": .reference("Poster").orNull,
        "category": .string().meaning("May be empty."), "price": .number().meaning("Price in currency; when known."),
        "priceLabel": .string().meaning("For display; GET, 받기 or 入手 for a free app."),
        "currency": .string().meaning("ISO 4217; may be empty."), "averageRating": .number(0...5),
        "ratingCount": .integer(),
        "ratingCountLabel": .string().meaning("For display, such as 402.8K, 40.3만 or 40.3万."),
        "screenshots": .array(.reference("GalleryPicture")),
        "contentRating": .string().meaning("Age rating such as 4+; may be empty."), "languages": .array(.string()),
        "byteCount": .integer(from: 1), "version": .string().meaning("May be empty."), "releaseDate": .date,
        "seller": .string(), "developer": .string(), "minimumOSVersion": .string().meaning("May be empty."),
        "url": .string().meaning("URL of the app's page in the store."),
    ]

    private static let requiredOfApps = [
        "id", "source", "name", "icon", "category", "priceLabel", "currency", "ratingCount", "ratingCountLabel",
        "screenshots", "contentRating", "languages", "version", "seller", "developer", "minimumOSVersion",
    ]

    private static let detailsOfApp: [String: APISchema] = [
        "description": .string(), "releaseNotes": .string().meaning("May be empty."),
        "sections": .array(.reference("DetailSection")).meaning("In display order; empty sections are omitted."),
    ]
}
