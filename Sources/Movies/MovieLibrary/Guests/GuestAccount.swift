package import MovieDomain

/// A guest: an account of this installation that lasts as long as its session.
package struct GuestAccount: Sendable {
    package struct Limits: Hashable, Sendable {
        /// Lifetime of an authorization request, `1 h` by default.
        package var requestSeconds: Int64 = 3600
        /// Maximum number of authorization requests, `10,000` by default; `SignUpRateLimiter` allows fewer.
        /// The oldest are evicted.
        package var requests = 10_000
        /// Maximum number of accounts, `100,000` by default. Evicts the oldest, those without a session first.
        package var accounts = 100_000
        /// Ratings per page, `20` by default.
        package var pageSize = 20

        package init() {}
    }

    /// Maximum length of the URL to return to after the approval, in bytes; a longer one is ignored.
    package static let maxReturnLength = 4096

    package let id: String
    package let username: String

    package init(id: String, username: String) {
        self.id = id
        self.username = username
    }

    package init() {
        let symbols = Array("abcdefghijkmnpqrstuvwxyz23456789")
        let id = String((0..<20).map { _ in symbols[Int.random(in: symbols.indices)] })
        self.init(id: id, username: "guest-" + id.prefix(4))
    }

    package var account: Account { Account(source: .embedded, id: self.id, username: self.username, name: "") }
}
