import MovieDomain
package import OpenAPI

extension APISchema {
    /// Of what people have to themselves.
    package static let accounts: [String: APISchema] = [
        "RequestToken": .object([
            "requestToken": .string(), "authorizeURL": .string(format: "uri").meaning("Where the user approves."),
            "expiresAt": .string(format: "date-time").meaning("When the token is void."),
        ]),
        "SessionToken": .object([
            "token": .string(pattern: "^[0-9a-f]{64}$").meaning("For Authorization: Bearer."),
            "expiresAt": .string(format: "date-time").meaning("When the token is void."),
        ]),
        "Account": .object([
            "source": .source, "id": .string().meaning("What the source calls them."), "username": .string(),
            "name": .string().meaning("May be empty."),
        ]),
        "Rating": .object(["value": Self.rating.orNull]),
        "RatedFilm": .object(
            Self.filmMembers.merging(["rating": .rating]) { first, _ in first },
            required: Self.requiredOfFilms + ["rating"]),
        "RatedFilmPage": .page(of: .reference("RatedFilm")),
        "Favourite": .object(
            Self.filmMembers.merging([
                "addedAt": .string(format: "date-time").meaning("When it became a favourite."),
                "attribution": .attribution.meaning("What has to be shown beside it; in lists the page says it."),
            ]) { first, _ in first }, required: Self.requiredOfFilms + ["addedAt"]),
        "FavouritePage": .page(of: .reference("Favourite")),
    ]

    /// What somebody rated a film.
    static let rating = APISchema.number(0...10).meaning("\(Rating.range).").example(9)
}
