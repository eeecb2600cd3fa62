/// The address of a PostgreSQL database, possibly with a password: a connection URL of libpq.
package struct LibraryAddress: Hashable, Sendable {
    /// The accepted form, for error messages.
    package static let forms = "postgres://user@host/database, with parameters of libpq such as sslmode"

    package let url: String

    /// - Returns: `nil` if the text has another scheme, spaces or control characters.
    package init?(_ text: String) {
        guard ["postgres://", "postgresql://"].contains(where: { text.hasPrefix($0) }),
            text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { return nil }
        self.url = text
    }
}

extension LibraryAddress: CustomStringConvertible {
    /// The URL with user and password masked.
    package var description: String { SecretMask.masked(self.url, option: "library") }
}
