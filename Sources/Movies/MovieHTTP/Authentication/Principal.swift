package import MovieDomain

/// The result of authenticating a public request, which works without a session.
package enum Principal: Hashable, Sendable {
    /// The challenge for an invalid token (RFC 6750, 3.1).
    package static let bearerChallenge = "Bearer error=\"invalid_token\""

    /// Without credentials, or with a malformed, unknown or expired cookie.
    case anonymous
    /// With a malformed, unknown or expired bearer token.
    case invalidToken
    /// The session could not be read.
    case unknown
    case user(AuthenticatedSession)

    /// `WWW-Authenticate` for an invalid bearer token, which explains why the films have no marks; `nil` otherwise.
    package var challenge: String? { self == .invalidToken ? Self.bearerChallenge : nil }
}
