package import HTTPSemantics
package import OpenAPI

extension APIOperation {
    package static let posters: [APIOperation] = [
        APIOperation(
            method: .get, path: "/poster/{id}", name: "poster", summary: "A poster, at exactly the pixels asked for",
            meaning:
                "Without parameters, the original's own bytes. Unknown parameters are refused, so that a typo does "
                + "not fill caches. w and h times dpr are at most 4096. Where the server has few widths, a request "
                + "with parameters and without w and h gets the largest.",
            parameters: [.posterID] + APIParameter.rendition + [.version] + Self.aroundPictures,
            responses: Self.answersOfPictures, problems: Self.problemsOfPictures),
        APIOperation(
            method: .get, path: "/poster/{id}/info", name: "posterInfo", summary: "What the original is",
            meaning: "Its format, size and colours, and what a page can show before the poster arrives.",
            parameters: [.posterID, .signature, .signatureEnd, .ifNoneMatch, .ifMatch],
            responses: [
                APIResponse(
                    status: 200, meaning: "The original.",
                    headers: [.cacheControl, .entityTag, .noSniffing, .anyOrigin, .exposedNames, .age],
                    content: ["application/json": .reference("PictureInfo")]),
                .notModified([.cacheControl, .entityTag]),
            ], problems: Self.problemsOfPictures),
    ]

    /// What keeps a picture from being shown.
    package static let problemsOfPictures: [Problem.Kind] =
        [
            .invalidSignature, .expiredSignature, .urlNotAllowed, .preconditionFailed, .rangeNotSatisfiable,
            .invalidParameter, .invalidID, .notFound, .unknownPoster, .unsupportedImage, .imageOverLimit, .badOriginal,
            .originUnavailable, .originBusy, .overloaded, .storageFailed, .originTooSlow,
        ]
}

extension APIResponse {
    package static let partOfPicture = APIResponse(
        status: 206, meaning: "A part of the picture (Range).",
        headers: Self.headOfPictures + [.contentRange],
        content: ["image/jpeg": .any, "image/png": .any, "image/webp": .any])

    /// What every answer says of a picture, whether it carries it or not.
    package static let headOfPictures: [APIHeader] = [
        .cacheControl, .cacheStatus, .entityTag, .noSniffing, .vary, .age, .lastModified, .acceptRanges, .anyOrigin,
        .exposedNames,
        .acceptCH,
    ]

    static let picture = APIResponse(
        status: 200, meaning: "The picture.", headers: Self.headOfPictures + [.serverTiming],
        content: ["image/jpeg": .any, "image/png": .any, "image/webp": .any])
}
