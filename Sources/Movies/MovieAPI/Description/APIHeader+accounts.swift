package import OpenAPI

extension APIHeader {
    /// Headers of responses about accounts.
    package static let accounts: [APIHeader] = [.ownCaching, .setCookie, .invalidToken]

    static let ownCaching = APIHeader(
        "Cache-Control", .constant(OwnAnswer.cacheControl), always: true, key: "Own-Cache-Control",
        "It is for whoever asks: no cache keeps it.")
    static let setCookie = APIHeader(
        "Set-Cookie", .string(pattern: "^\(SessionCookie.name)="),
        "The token for browsers: HttpOnly, SameSite=Lax; not for other sites' pages.")
    static let invalidToken = APIHeader(
        "WWW-Authenticate", .constant(FilmCaller.invalidToken), key: "Invalid-Token",
        "Only where Authorization: Bearer has a token that is worth nothing: nobody's favourites are told, and it is time to sign in "
            + "again (RFC 6750, 3.1).")
}
