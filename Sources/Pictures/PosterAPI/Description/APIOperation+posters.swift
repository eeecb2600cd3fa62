package import HTTPSemantics
package import OpenAPI
import PosterCodec
import PosterPipeline

extension APIOperation {
    package static let posters: [APIOperation] = [
        APIOperation(
            method: .get, path: "/poster/{id}", name: "poster", summary: "A poster at exactly the requested size",
            meaning:
                "Without parameters, or with language and textless only, returns the bytes of the original. Rejects "
                + "unknown parameters, so that a typo does not fill caches. w and h times dpr are at most 4096. If the "
                + "server allows only some widths, a request with parameters but without w and h returns the largest.",
            parameters: [.posterID] + APIParameter.selection + APIParameter.rendition + APIParameter.badges
                + [.version] + Self.aroundPictures,
            responses: Self.answersOfPictures, problems: Self.problemsOfPictures),
        APIOperation(
            method: .get, path: "/poster/{id}/info", name: "posterInfo", summary: "Details of the original",
            meaning: "Its format, size and colours, and placeholders to show while the poster loads.",
            parameters: [.posterID] + APIParameter.selection + [.signature, .signatureEnd, .ifNoneMatch, .ifMatch],
            responses: [
                .json(
                    200, "The original.", .reference("PictureInfo"),
                    headers: [.cacheControl, .entityTag, .vary, .contentEncoding, .anyOrigin, .exposedNames, .age]),
                .notModified([.cacheControl, .entityTag, .vary]),
            ], problems: Self.problemsOfPictures),
    ]

    package static let problemsOfPictures: [Problem.Kind] =
        [
            .invalidSignature, .expiredSignature, .urlNotAllowed, .preconditionFailed, .rangeNotSatisfiable,
            .invalidParameter, .invalidID, .notFound, .unknownPoster, .unsupportedImage, .imageOverLimit, .badOriginal,
            .originUnavailable, .originBusy, .overloaded, .cutOff, .storageFailed,
            .originTooSlow,
        ]
}

extension APIResponse {
    package static let partOfPicture = APIResponse(
        status: 206, meaning: "A part of the picture (Range).",
        headers: Self.headOfPictures + [.contentRange],
        content: [
            "image/avif": .any, "image/gif": .any, "image/jpeg": .any, "image/jxl": .any, "image/png": .any,
            "image/webp": .any,
        ])

    /// The fields of every response for a picture, with or without a body.
    package static let headOfPictures: [APIHeader] = [
        .cacheControl, .cacheStatus, .entityTag, .noSniffing, .vary, .age, .lastModified, .acceptRanges, .anyOrigin,
        .exposedNames,
        .acceptCH,
    ]

    static let picture = APIResponse(
        status: 200, meaning: "The picture.", headers: Self.headOfPictures + [.serverTiming],
        content: [
            "image/avif": .any, "image/gif": .any, "image/jpeg": .any, "image/jxl": .any, "image/png": .any,
            "image/webp": .any,
        ])
}

extension APIOperation {
    /// Matches 16 to 4096.
    private static let tmdbSide = "(1[6-9]|[2-9][0-9]|[1-9][0-9]{2}|[1-3][0-9]{3}|40[0-8][0-9]|409[0-6])"

    /// Picture URLs compatible with TMDB, Next.js and image proxies.
    package static let pictures: [APIOperation] = [
        APIOperation(
            method: .get, path: "/t/p/{size}/{file}", name: "tmdbImage", summary: "A picture of The Movie Database",
            meaning: "TMDB's image paths: its clients only need another base URL. The format follows "
                + "Accept; a logo is PNG for clients that accept neither JPEG XL nor WebP.",
            parameters: [
                .path(
                    "size",
                    .string(
                        pattern: "^(original|[wh]\(Self.tmdbSide)|w\(Self.tmdbSide)_and_h\(Self.tmdbSide))"
                            + "(_[A-Za-z0-9_(),]{1,100})?$"
                    ).example("w342"),
                    "original, or w or h and 16 to 4096 pixels, or a box such as w300_and_h450, which is filled. _face, "
                        + "_multi_faces and _bestv2 select the part that a box keeps; _filter(blur) and "
                        + "_filter(duotone,1F2937,A78BFA) change the look; other suffixes are ignored."),
                .path(
                    "file",
                    .string(pattern: "^[A-Za-z0-9_-]{1,64}\\.(jpg|png|webp|svg)$").example(
                        "ojDg0PGvs6R9xYFodRct2kdI6wC.jpg"), "File name at TMDB."),
            ] + Self.aroundPictures,
            responses: Self.answersOfPictures, problems: Self.problemsOfPictures),
        APIOperation(
            method: .get, path: "/_next/image", name: "nextImage", summary: "Images for Next.js",
            meaning: "Compatible with the built-in image loader of Next.js.",
            parameters: [
                .query(
                    "url", .string(1...2048).example("/poster/nosferatu-1922"), isRequired: true,
                    "An absolute URL that --allow-url or the signature allows, or /poster/{id}."),
                .query("w", .integer(PictureRequest.sides), isRequired: true, "Width in pixels."),
                .query(
                    "q", .quality, "Quality, as at /poster/{id}; the default is not Next.js's 75."),
            ] + Self.aroundPictures,
            responses: Self.answersOfPictures, problems: Self.problemsOfPictures),
        APIOperation(
            method: .get, path: "/proxy", name: "proxy", summary: "A picture from another server",
            meaning: "Accepts the parameters of /poster/{id}, for a URL that --allow-url or the signature allows.",
            parameters: [
                .query(
                    "url", .string(1...2048).example("https://images.example.org/heat.jpg"), isRequired: true,
                    "URL of the picture: http or https, without user, fragment and dot segments.")
            ] + APIParameter.rendition + [.version] + Self.aroundPictures,
            responses: Self.answersOfPictures, problems: Self.problemsOfPictures),
    ]

    /// Parameters and fields of every request for a picture that do not select pixels.
    package static let aroundPictures: [APIParameter] =
        [.signature, .signatureEnd, .ifNoneMatch] + APIParameter.conditions + APIParameter.hints

    static let answersOfPictures: [APIResponse] = [
        .picture, .partOfPicture, .notModified(APIResponse.headOfPictures),
    ]

}

extension APIParameter {
    package static let posterID = APIParameter.path(
        "id", .posterID,
        "The poster, as [source:]key; without a source, a film of the embedded catalogue. The key is percent-encoded "
            + "once, a / in it is %2F; it has at most \(PosterID.maxKeyLength) bytes.")

    /// The parameters that select one of a film's posters.
    static let selection: [APIParameter] = [.posterLanguage, .textless]

    package static let posterLanguage = APIParameter.query(
        "language", .string(2...35, pattern: "^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$").example("ja"),
        "Language of the poster, if the film's source has posters in several. The default, also for languages "
            + "without a poster, is the server's --language.")

    package static let textless = APIParameter.query(
        "textless", .boolean.by(default: false),
        "true: the poster without text if the film's source marks one, otherwise the one selected by language.")

    /// The parameters that select a variant.
    static let rendition: [APIParameter] = [
        .query(
            "w", Self.side,
            "Width of the box in pixels; the limits also apply to w times dpr. Pictures are never enlarged."),
        .query("h", Self.side, "Height of the box in pixels; the limits also apply to h times dpr."),
        .query(
            "fit", .choice(RenderTarget.Fit.allCases.map(\.rawValue)).by(default: "contain"),
            "contain: the whole picture fits in the box; cover: the picture fills the box and is cropped."),
        .query(
            "position", .choice(RenderTarget.Position.allCases.map(\.rawValue)).by(default: "center"),
            "The part of the picture that a crop keeps."),
        .query(
            "dpr", .string(pattern: "^([1-3](\\.[0-9]{1,3})?|4(\\.0{1,3})?)$").by(default: "1"),
            "Multiplies w and h: 1 to 4, at most three decimals."),
        Self.format,
        .query(
            "q", .quality,
            "low, auto or high: the likeness to the original, for which the encoder's quality is chosen per picture. "
                + "1 to 100: that quality, on the scale of the format's encoder. Ignored for PNG. The default is auto "
                + "unless the server has --no-likeness."),
        .query(
            "bg", .string(pattern: "^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$").by(default: "ffffff"),
            "Background of transparent pixels where the format has no alpha."),
    ]

    package static let format = APIParameter.query(
        "format", .choice(["auto"] + OutputFormat.allCases.map(\.rawValue)).by(default: "auto"),
        "auto: JPEG XL, AVIF once it is encoded, or WebP, if Accept lists the format; otherwise JPEG.")

    private static let side = APISchema.integer(PictureRequest.sides)
}

extension APISchema {
    /// ``Quality``.
    fileprivate static let quality = APISchema.string(
        pattern: "^(\(Likeness.allCases.map(\.rawValue).joined(separator: "|"))|[1-9][0-9]?|100)$"
    ).example("auto")

    /// `[source:]key`. Its limits are in bytes of UTF-8, but a schema can only count characters.
    package static let posterID = APISchema.string(
        1...(PosterID.maxKeyLength + 33),
        pattern: "^([a-z][a-z0-9-]{0,31}:[^\\u0000-\\u001f\\u007f-\\u009f]{1,\(PosterID.maxKeyLength)}"
            + "|[^:\\u0000-\\u001f\\u007f-\\u009f]{1,\(PosterID.maxKeyLength)})$"
    ).example("nosferatu-1922")
}
