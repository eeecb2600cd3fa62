import FoundationEssentials

/// A server's address with credentials: `redis[s]://[user[:password]@]host[:port][/database]`.
package struct RedisAddress: Hashable, Sendable {
    /// Why a text is not an address. Omits the text, which may contain a password.
    package struct Malformed: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    package static let defaultPort = 6379

    /// A name, an IPv4 address, or an IPv6 address without brackets.
    package let host: String
    package let port: Int
    /// Whether the connection uses TLS and verifies the server's certificate.
    package let isEncrypted: Bool
    package let database: Int
    /// `nil` means the default user.
    package let user: String?
    /// `nil` if the address has none; a file may contain it instead.
    package let password: String?

    package init(_ text: String) throws(Malformed) {
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            scheme == "redis" || scheme == "rediss"
        else { throw Malformed(description: "it must be redis://host or rediss://host") }
        guard let host = parts.host, !host.isEmpty else { throw Malformed(description: "it has no host") }
        guard parts.query == nil, parts.fragment == nil else {
            throw Malformed(description: "it must end with the number of the database")
        }
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        self.host = isBracketed ? String(host.dropFirst().dropLast()) : host
        guard (1...65_535).contains(parts.port ?? Self.defaultPort) else {
            throw Malformed(description: "its port must be from 1 to 65535")
        }
        self.port = parts.port ?? Self.defaultPort
        self.isEncrypted = scheme == "rediss"
        let path = parts.path.dropFirst()
        guard let database = path.isEmpty ? 0 : Int(path), (0..<(1 << 20)).contains(database) else {
            throw Malformed(description: "its path must be the number of a database, as in redis://host/0")
        }
        self.database = database
        self.user = parts.user.flatMap { $0.isEmpty ? nil : $0 }
        self.password = parts.password.flatMap { $0.isEmpty ? nil : $0 }
        guard self.user == nil || self.password != nil || parts.password == nil else {
            throw Malformed(description: "it has a user and no password")
        }
    }

}

extension RedisAddress: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Without user and password.
    package var description: String {
        let host = self.host.contains(":") ? "[\(self.host)]" : self.host
        return "\(self.isEncrypted ? "rediss" : "redis")://\(host):\(self.port)/\(self.database)"
    }

    package var debugDescription: String { self.description }

    /// No children: `dump` would show the password.
    package var customMirror: Mirror { Mirror(self, children: []) }
}
