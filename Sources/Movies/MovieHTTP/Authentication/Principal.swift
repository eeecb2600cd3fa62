package import MovieDomain

/// The client of a request for marks.
package enum Principal: Hashable, Sendable {
    /// The challenge for an invalid token (RFC 6750, 3.1).
    package static let bearerChallenge = "Bearer error=\"invalid_token\""

    /// Without credentials, or with some that mean nothing here.
    case anonymous
    /// With a bearer token that is none, or is no longer valid.
    case invalidToken
    /// While sessions cannot be read.
    case unknown
    case user(AuthenticatedSession)

    /// `WWW-Authenticate` for an invalid bearer token: the films have no marks, and this says why; nil without.
    package var challenge: String? { self == .invalidToken ? Self.bearerChallenge : nil }
}
