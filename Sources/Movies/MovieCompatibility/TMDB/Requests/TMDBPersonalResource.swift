import HTTPTypes

/// A resource of a client, a user or a guest.
enum TMDBPersonalResource: Hashable, Sendable {
    /// A list of an account, by its path.
    enum List: String, CaseIterable, Sendable {
        case favourites = "favorite"
        case watchlist
        case rated
    }

    /// Items rated by guests, by path.
    enum Rated: String, Sendable {
        case films = "movies"
        case series = "tv"
    }

    case keyCheck
    case newToken
    case login
    case newSession
    case session
    case newGuestSession
    case account
    case list(List)
    /// Adds an item to a list, or removes it.
    case mark(List)
    /// An account's list of items that this server does not have.
    case emptyList
    case guestRatings(session: String, of: Rated)
    case rating(film: String)
    case states(film: String)

    /// - Parameter path: Relative to the version.
    /// - Returns: `nil` for other resources.
    /// - Throws: ``TMDBFault`` for invalid ids.
    init?(_ path: [String]) throws(TMDBFault) {
        switch path.first {
        case "authentication":
            guard let resource = Self.authentication(path.dropFirst().joined(separator: "/")) else { return nil }
            self = resource
        case "account":
            guard let resource = Self.account(Array(path.dropFirst())) else { return nil }
            self = resource
        case "guest_session":
            guard path.count == 4, path[2] == "rated", let kind = Rated(rawValue: path[3]) else { return nil }
            self = .guestRatings(session: path[1], of: kind)
        case "movie":
            guard path.count == 3, ["rating", "account_states"].contains(path[2]) else { return nil }
            let film = try TMDBResource.id(path[1], orTitle: true)
            self = path[2] == "rating" ? .rating(film: film) : .states(film: film)
        default: return nil
        }
    }

    private static func authentication(_ path: String) -> TMDBPersonalResource? {
        switch path {
        case "": .keyCheck
        case "token/new": .newToken
        case "token/validate_with_login": .login
        case "session/new": .newSession
        case "session": .session
        case "guest_session/new": .newGuestSession
        default: nil
        }
    }

    /// Uses the session's account, whichever id the path has, as The Movie Database does.
    private static func account(_ path: [String]) -> TMDBPersonalResource? {
        switch path.count {
        case 0, 1: .account
        case 2 where path[1] == "lists": .emptyList
        case 2: List(rawValue: path[1]).flatMap { $0 == .rated ? nil : .mark($0) }
        case 3 where path[2] == "movies": List(rawValue: path[1]).map { .list($0) }
        case 3 where path[2] == "tv": List(rawValue: path[1]).map { _ in .emptyList }
        case 4 where path[1...] == ["rated", "tv", "episodes"]: .emptyList
        default: nil
        }
    }

    /// Old clients request sessions and logins by GET.
    var methods: Set<HTTPRequest.Method> {
        switch self {
        case .keyCheck, .newToken, .newGuestSession, .account, .list, .emptyList, .guestRatings, .states:
            [.get, .head]
        case .login, .newSession: [.get, .post]
        case .session: [.delete]
        case .mark: [.post]
        case .rating: [.post, .delete]
        }
    }
}
