package import OpenAPI
import PosterCodec

extension APIOperation {
    /// The languages that other people's URLs of pictures are written in.
    package static let pictures: [APIOperation] = [
        APIOperation(
            method: .get, path: "/t/p/{size}/{file}", name: "tmdbImage", summary: "A picture of The Movie Database",
            meaning: "TMDB's own image paths: its clients need another base URL and nothing else. The format follows "
                + "Accept; a logo stays PNG for clients that take no WebP.",
            parameters: [
                .path(
                    "size",
                    .string(
                        pattern:
                            "^(original|[wh](1[6-9]|[2-9][0-9]|[1-9][0-9]{2}|[1-3][0-9]{3}|40[0-8][0-9]|409[0-6]))$"
                    ).example("w342"),
                    "original, or w or h and 16 to 4096 pixels."),
                .path(
                    "file",
                    .string(pattern: "^[A-Za-z0-9_-]{1,64}\\.(jpg|png|webp|svg)$").example(
                        "ojDg0PGvs6R9xYFodRct2kdI6wC.jpg"), "As TMDB names it."),
            ] + Self.aroundPictures,
            responses: Self.answersOfPictures, problems: Self.problemsOfPictures),
        APIOperation(
            method: .get, path: "/_next/image", name: "nextImage", summary: "What Next.js's image loader asks for",
            meaning: "The contract of the loader that Next.js has built in.",
            parameters: [
                .query(
                    "url", .string(1...2048).example("/poster/nosferatu-1922"), isRequired: true,
                    "An absolute URL that --allow-url or the signature allows, or /poster/{id}."),
                .query("w", .integer(PosterQuery.sides), isRequired: true, "Width in pixels."),
                .query("q", .integer(1...100), "Quality. The default is the encoder's, not Next.js's 75."),
            ] + Self.aroundPictures,
            responses: Self.answersOfPictures, problems: Self.problemsOfPictures),
        APIOperation(
            method: .get, path: "/proxy", name: "proxy", summary: "A picture of another server",
            meaning: "Everything that /poster/{id} takes, for a URL that --allow-url or the signature allows.",
            parameters: [
                .query(
                    "url", .string(1...2048).example("https://images.example.org/heat.jpg"), isRequired: true,
                    "The picture's own URL: http or https, without user, fragment and dot segments.")
            ] + APIParameter.rendition + [.version] + Self.aroundPictures,
            responses: Self.answersOfPictures, problems: Self.problemsOfPictures),
    ]

    /// What every request for a picture may say beside what it wants.
    package static let aroundPictures: [APIParameter] =
        [.signature, .signatureEnd, .ifNoneMatch] + APIParameter.conditions + APIParameter.hints

    static let answersOfPictures: [APIResponse] = [
        .picture, .partOfPicture, .notModified(APIResponse.headOfPictures),
    ]

}
