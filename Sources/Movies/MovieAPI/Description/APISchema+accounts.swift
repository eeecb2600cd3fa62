import HTTPServer
import MovieDomain
import MovieHTTP
package import OpenAPI

extension APISchema {
    /// Schemas of users' own data.
    package static let accounts: [String: APISchema] = [
        "RequestToken": .object([
            "requestToken": .string(), "authorizeURL": .string(format: "uri").meaning("URL of the approval page."),
            "expiresAt": .string(format: "date-time").meaning("Expiry of the token."),
        ]),
        "SessionToken": .object(
            [
                "token": .string(pattern: "^[0-9a-f]{64}$").meaning("For Authorization: Bearer."),
                "expiresAt": .string(format: "date-time")
                    .meaning("Expiry of the token; use extends the token of a device or a guest once a day."),
                "movedFavourites": .integer().meaning(
                    "Number of favourites moved from the device to the account, without those it already had. "
                        + "Absent without the token of a device, for a guest, who uses the device's favourites, and if "
                        + "the favourites could not be moved."),
                "movedToWatchlist": .integer().meaning("The same for films on the watchlist."),
            ], required: ["token", "expiresAt"]),
        "Account": .object([
            "source": .source, "id": .string().meaning("The id at the source."), "username": .string(),
            "name": .string().meaning("May be empty."),
        ]),
        "AccountExport": .object(
            [
                "version": .integer(from: 1).meaning("Version of the format: \(UserDataObject.version)."),
                "exportedAt": .string(format: "date-time"),
                "owner": .string().meaning("device:ID, or SOURCE:ID of an account.").example("tmdb:548"),
                "isComplete": .boolean.meaning("Whether all arrays are complete."),
                "accounts": .array(
                    .object(
                        ["source": .source, "id": .string(), "username": .string()], required: ["source", "id"])
                ).meaning("The account, or the guests that used the device. A name that is not stored here is absent."),
                "favourites": .array(Self.exportedFilm(["addedAt": .string(format: "date-time")])),
                "watchlist": .array(Self.exportedFilm(["addedAt": .string(format: "date-time")])),
                "ratings": .array(Self.exportedFilm(["rating": Self.rating, "ratedAt": .string(format: "date-time")]))
                    .meaning("Absent for an account with ratings stored by its source."),
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
                "addedAt": .string(format: "date-time").meaning("Time of the addition."),
                "attribution": .attribution.meaning("Must be shown beside the film; in lists, a member of the page."),
            ]) { first, _ in first }, required: Self.requiredOfFilms + Self.requiredMarks + ["addedAt"]),
        "FavouritePage": .page(of: .reference("Favourite")),
        "WatchlistFilm": .object(
            Self.filmMembers.merging([
                "addedAt": .string(format: "date-time").meaning(
                    "Time of the addition; absent for a film on a watchlist at the user's source, which has no times."),
                "attribution": .attribution.meaning("Must be shown beside the film; in lists, a member of the page."),
            ]) { first, _ in first }, required: Self.requiredOfFilms + Self.requiredMarks),
        "WatchlistPage": .page(of: .reference("WatchlistFilm")),
        "MarksList": .object([
            "results": .array(
                .object(
                    [
                        "id": .movieID,
                        "isFavourite": .boolean.orNull.meaning("null while unknown."),
                        "isOnWatchlist": .boolean.orNull.meaning("null while unknown."),
                        "myRating": .rating.orNull.meaning("null without a rating, absent while unknown."),
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
        "Only for a stale response: seconds since the source last confirmed its oldest part (RFC 9111, 5.1).")
    private static let staleStatus = APIHeader(
        "Cache-Status", .string(pattern: "^OneSheet; hit; ttl=(0|-[0-9]+); detail=stale-"), key: "Stale-Status",
        "Only for a stale response (RFC 9211): the seconds since it became stale, as a negative ttl, and the reason: "
            + "stale-while-revalidate, or stale-if-error after a recent failure of the source.")
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
        "Only with marks=true and an invalid or expired token in Authorization: Bearer: films are not marked, and the "
            + "client has to sign in again (RFC 6750, 3.1).")
}
