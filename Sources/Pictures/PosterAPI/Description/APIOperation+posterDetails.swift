import HTTPSemantics
package import OpenAPI
import PosterCodec

extension APIOperation {
    /// Operations for pages that show a poster: its `srcset` and its placeholder.
    package static let besidePosters: [APIOperation] = [
        APIOperation(
            method: .get, path: "/poster/{id}/srcset", name: "posterSrcset", summary: "The srcset of a poster",
            meaning: "URLs with the original's version, so that browsers cache them for a year; size and colours to "
                + "reserve the poster's place with. Widths above the original's are left out, except the smallest of them.",
            parameters: [
                .posterID, .posterLanguage, .textless,
                .query(
                    "widths", .array(.integer(PictureRequest.sides), count: 1...16).example([154, 342, 500]),
                    "In pixels, separated by commas."), .format, .signature, .signatureEnd, .ifNoneMatch, .ifMatch,
            ],
            responses: [
                .json(
                    200, "The srcset.", .reference("PosterSrcset"),
                    headers: [.cacheControl, .entityTag, .vary, .contentEncoding, .anyOrigin, .exposedNames, .age]),
                .notModified([.cacheControl, .entityTag, .vary]),
            ], problems: Self.problemsOfPictures),
        APIOperation(
            method: .get, path: "/poster/{id}/placeholder", name: "posterPlaceholder",
            summary: "A blurred placeholder of a poster",
            meaning: "The ThumbHash as a picture of at most 32 pixels a side and less than 1 KB.",
            parameters: [
                .posterID, .posterLanguage, .textless,
                .query(
                    "format", .choice(["auto", "png", "webp"]).by(default: "auto"),
                    "auto: WebP for clients that name it in Accept, else PNG."), .version,
            ] + Self.aroundPictures,
            responses: [
                APIResponse(
                    status: 200, meaning: "The picture.", headers: APIResponse.headOfPictures,
                    content: ["image/png": .any, "image/webp": .any]),
                .partOfPicture, .notModified(APIResponse.headOfPictures),
            ], problems: Self.problemsOfPictures),
    ]

    /// Operations that remove posters, for holders of the admin token.
    package static let purges: [APIOperation] = [
        APIOperation(
            method: .delete, path: "/poster/{id}", name: "purgePoster", summary: "Remove a poster",
            meaning: "Its original, all its variants, and cached failures; a film of the embedded catalogue "
                + "keeps its packaged original. Of a film's posters in several languages only the one that language and "
                + "textless select.",
            parameters: [.posterID] + APIParameter.selection,
            responses: [
                .json(
                    202, "It is removed here; other nodes have not been reached yet.", .reference("PurgeResult"),
                    headers: [.noStore]),
                APIResponse(status: 204, meaning: "It is removed, or was not stored.", headers: [.noStore]),
            ],
            problems: [.invalidParameter, .invalidID, .storageFailed], isForAdmins: true),
        APIOperation(
            method: .post, path: "/purge", name: "purge", summary: "Remove posters",
            meaning: "The same for up to 1000 posters.",
            body: Body(schema: .reference("PurgeOrder"), meaning: "Which posters."),
            responses: [
                .json(200, "The outcome for each.", .reference("PurgeResults"), headers: [.noStore])
            ], problems: [.invalidBody, .bodyTooLarge], isForAdmins: true),
    ]
}
