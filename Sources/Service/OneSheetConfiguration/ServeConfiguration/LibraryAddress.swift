/// The address of a PostgreSQL database, which may have a password: a connection URL of libpq.
package struct LibraryAddress: Hashable, Sendable {
    /// In messages about values that are none.
    package static let forms = "postgres://user@host/database, with parameters of libpq such as sslmode"

    package let url: String

    /// - Returns: nil for anything else.
    package init?(_ text: String) {
        guard ["postgres://", "postgresql://"].contains(where: { text.hasPrefix($0) }),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        self.url = text
    }
}

extension LibraryAddress: CustomStringConvertible {
    /// Without user and password.
    package var description: String { SecretMask.masked(self.url, option: "library") }
}
