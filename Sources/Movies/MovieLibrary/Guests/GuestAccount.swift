package import MovieDomain

/// A guest: an account of this installation that lasts as long as its session.
package struct GuestAccount: Sendable {
    /// Bounds of number and time.
    package struct Limits: Hashable, Sendable {
        /// Lifetime of an authorization request, `1 h` by default.
        package var requestSeconds: Int64 = 3600
        /// Authorization requests in all, `10,000` by default; the oldest are evicted. `SignUpRateLimiter` allows fewer.
        package var requests = 10_000
        /// Accounts in all, `100,000` by default; the oldest without a session are evicted first, then the oldest.
        package var accounts = 100_000
        /// Ratings of a page, `20` by default.
        package var pageSize = 20

        package init() {}
    }

    /// The longest URL to return to after the approval, in bytes; a longer one is ignored.
    package static let maxReturnLength = 4096

    package let id: String
    package let username: String

    package init(id: String, username: String) {
        self.id = id
        self.username = username
    }

    /// A new guest with an invented name.
    package init() {
        let symbols = Array("abcdefghijkmnpqrstuvwxyz23456789")
        let id = String((0..<20).map { _ in symbols[Int.random(in: symbols.indices)] })
        self.init(id: id, username: "guest-" + id.prefix(4))
    }

    package var account: Account { Account(source: .embedded, id: self.id, username: self.username, name: "") }
}
