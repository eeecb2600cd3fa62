import HTTPSemantics
package import OpenAPI
import PosterCodec

extension APIOperation {
    /// Operations for pages that show a poster: its `srcset` and its placeholder.
    package static let besidePosters: [APIOperation] = [
        APIOperation(
            method: .get, path: "/poster/{id}/srcset", name: "posterSrcset", summary: "The srcset of a poster",
            meaning: "URLs with the original's version, which browsers cache for a year; size and colours that reserve "
                + "the poster's place in a page. Omits widths above the original's, except the smallest of them.",
            parameters: [
                .posterID, .posterLanguage, .textless,
                .query(
                    "widths", .array(.integer(PictureRequest.sides), count: 1...16).example([154, 342, 500]),
                    "Pixel widths, separated by commas."), .format, .signature, .signatureEnd, .ifNoneMatch, .ifMatch,
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
                    "auto: WebP if Accept lists it, otherwise PNG."), .version,
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
            meaning: "Removes the original, all variants and cached failures; a film of the embedded catalogue "
                + "keeps its packaged original. If a film has posters in several languages, removes only the one "
                + "selected by language and textless.",
            parameters: [.posterID] + APIParameter.selection,
            responses: [
                .json(
                    202, "The poster is removed on this node; other nodes have not been reached yet.",
                    .reference("PurgeResult"), headers: [.noStore]),
                APIResponse(status: 204, meaning: "The poster is removed, or was not stored.", headers: [.noStore]),
            ],
            problems: [.invalidParameter, .invalidID, .storageFailed], isForAdmins: true),
        APIOperation(
            method: .post, path: "/purge", name: "purge", summary: "Remove posters",
            meaning: "Removes up to 1000 posters, as DELETE /poster/{id} does.",
            body: Body(schema: .reference("PurgeOrder"), meaning: "Ids of the posters."),
            responses: [
                .json(200, "The outcome for each poster.", .reference("PurgeResults"), headers: [.noStore])
            ], problems: [.invalidBody, .bodyTooLarge], isForAdmins: true),
    ]
}
