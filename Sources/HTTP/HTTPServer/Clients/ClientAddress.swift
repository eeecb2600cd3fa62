package import InternetAddress
package import NIOCore

/// The address of a request's client.
package enum ClientAddress: Hashable, Sendable {
    /// A host; IPv4-mapped IPv6 addresses are converted to IPv4.
    case host(IPAddress)
    /// A program on this machine, over a Unix socket.
    case unixSocket
    /// The address is not known: the client left before it was read, or a test uses no sockets.
    case unknown

    /// The peer of a connection.
    ///
    /// - Parameter address: A channel's `remoteAddress`; an HTTP/2 stream has its connection's.
    package init(_ address: SocketAddress?) {
        let host: IPAddress?
        switch address {
        case .v4(let address)?: host = withUnsafeBytes(of: address.address) { IPAddress(sockaddr: $0) }
        case .v6(let address)?: host = withUnsafeBytes(of: address.address) { IPAddress(sockaddr: $0) }
        case .unixDomainSocket?:
            self = .unixSocket
            return
        case nil: host = nil
        }
        self = host.map { .host($0.unmapped) } ?? .unknown
    }
}

extension ClientAddress: CustomStringConvertible {
    /// For logs: an address in its canonical form (RFC 5952), `unix` or `unknown`; never text of a request.
    package var description: String {
        switch self {
        case .host(let address): address.description
        case .unixSocket: "unix"
        case .unknown: "unknown"
        }
    }
}
