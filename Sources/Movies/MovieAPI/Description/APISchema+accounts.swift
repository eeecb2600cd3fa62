import HTTPServer
import MovieDomain
import MovieHTTP
package import OpenAPI

extension APISchema {
    /// Schemas of users' own data.
    package static let accounts: [String: APISchema] = [
        "RequestToken": .object([
            "requestToken": .string(), "authorizeURL": .string(format: "uri").meaning("Where the user approves."),
            "expiresAt": .string(format: "date-time").meaning("When the token expires."),
        ]),
        "SessionToken": .object(
            [
                "token": .string(pattern: "^[0-9a-f]{64}$").meaning("For Authorization: Bearer."),
                "expiresAt": .string(format: "date-time")
                    .meaning("When the token expires; that of a device or a guest is renewed once a day in use."),
                "movedFavourites": .integer().meaning(
                    "How many favourites were moved from the device to the account, which it did not have; absent without the token of a "
                        + "device, for a guest, who uses the device's favourites, and if they could not be moved."),
                "movedToWatchlist": .integer().meaning("The same of films of the watchlist."),
            ], required: ["token", "expiresAt"]),
        "Account": .object([
            "source": .source, "id": .string().meaning("The id at the source."), "username": .string(),
            "name": .string().meaning("May be empty."),
        ]),
        "AccountExport": .object(
            [
                "version": .integer(from: 1).meaning("Of the format: \(UserDataObject.version)."),
                "exportedAt": .string(format: "date-time"),
                "owner": .string().meaning("device:ID, or SOURCE:ID of an account.").example("tmdb:548"),
                "isComplete": .boolean.meaning("Whether no array was cut."),
                "accounts": .array(
                    .object(
                        ["source": .source, "id": .string(), "username": .string()], required: ["source", "id"])
                ).meaning("The account, or the guests that used the device. A name that is not stored here is absent."),
                "favourites": .array(Self.exportedFilm(["addedAt": .string(format: "date-time")])),
                "watchlist": .array(Self.exportedFilm(["addedAt": .string(format: "date-time")])),
                "ratings": .array(Self.exportedFilm(["rating": Self.rating, "ratedAt": .string(format: "date-time")]))
                    .meaning("Absent for an account whose source stores them."),
                "sessions": .array(
                    .object(["owner": .string(), "expiresAt": .string(format: "date-time")])
                ),
            ], optional: ["ratings"]),
        "Rating": .object(["value": Self.rating.orNull]),
        "RatedFilm": .object(
            Self.filmMembers.merging(["rating": .rating]) { first, _ in first },
            required: Self.requiredOfFilms + Self.requiredMarks + ["rating"]),
        "RatedFilmPage": .page(of: .reference("RatedFilm")),
        "Favourite": .object(
            Self.filmMembers.merging([
                "addedAt": .string(format: "date-time").meaning("When it became a favourite."),
                "attribution": .attribution.meaning("Must be shown beside it; in lists it is a member of the page."),
            ]) { first, _ in first }, required: Self.requiredOfFilms + Self.requiredMarks + ["addedAt"]),
        "FavouritePage": .page(of: .reference("Favourite")),
        "WatchlistFilm": .object(
            Self.filmMembers.merging([
                "addedAt": .string(format: "date-time").meaning(
                    "When it was added; absent for a film of a watchlist at the user's source, which does not say it."),
                "attribution": .attribution.meaning("Must be shown beside it; in lists it is a member of the page."),
            ]) { first, _ in first }, required: Self.requiredOfFilms + Self.requiredMarks),
        "WatchlistPage": .page(of: .reference("WatchlistFilm")),
        "MarksList": .object([
            "results": .array(
                .object(
                    [
                        "id": .movieID,
                        "isFavourite": .boolean.orNull.meaning("null while unknown."),
                        "isOnWatchlist": .boolean.orNull.meaning("null while unknown."),
                        "myRating": .rating.orNull.meaning("null for none, absent while unknown."),
                    ], required: ["id"] + Self.requiredMarks)
            ).meaning("In the order of ids.")
        ]),
    ]

    /// A film of an export; title and year are absent if unknown.
    private static func exportedFilm(_ members: [String: APISchema]) -> APISchema {
        .object(
            members.merging(["id": .movieID, "title": .string(), "year": .integer()]) { first, _ in first },
            optional: ["title", "year"])
    }

    /// The required marks of films; `myRating` may be absent.
    private static let requiredMarks = ["isFavourite", "isOnWatchlist"]

    static let rating = APISchema.number(0...10).meaning("\(Rating.range).").example(9)
}

extension APIHeader {
    /// Headers specific to responses about films, accounts and apps.
    package static let movies: [APIHeader] =
        [.ownCaching, .setCookie, .invalidToken, .contentDisposition] + Self.marks

    /// Headers of stale responses.
    static let marks: [APIHeader] = [.dataAge, .staleStatus]

    private static let dataAge = APIHeader(
        "Age", .integer(from: 0), key: "Data-Age",
        "Only where the response is stale: seconds since the source last confirmed its oldest part (RFC 9111, 5.1).")
    private static let staleStatus = APIHeader(
        "Cache-Status", .string(pattern: "^OneSheet; hit; ttl=(0|-[0-9]+); detail=stale-"), key: "Stale-Status",
        "Only where the response is stale (RFC 9211): for how many seconds, as a negative ttl, and why: "
            + "stale-while-revalidate, or stale-if-error when the source failed lately.")
    static let ownCaching = APIHeader(
        "Cache-Control", .constant(PrivateResponse.cacheControl), always: true, key: "Own-Cache-Control",
        "The response belongs to the user: no shared cache stores it.")
    static let contentDisposition = APIHeader(
        "Content-Disposition", .constant("attachment; filename=\"\(UserDataController.fileName)\""), always: true,
        "Browsers store the response as a file of this name.")
    static let setCookie = APIHeader(
        "Set-Cookie", .string(pattern: "^(__Host-)?\(SessionCookie.name)="),
        "The token for browsers: HttpOnly, SameSite=Lax; not sent from pages of other sites.")
    static let invalidToken = APIHeader(
        "WWW-Authenticate", .constant(Principal.bearerChallenge), key: "Invalid-Token",
        "Only with marks=true, where the token of Authorization: Bearer is invalid or has expired: nothing is marked, and the client signs "
            + "in again (RFC 6750, 3.1).")
}
