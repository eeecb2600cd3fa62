package import InternetAddress
package import NIOCore

/// The address of the client that made a request.
package enum ClientAddress: Hashable, Sendable {
    /// A host; one of IPv4 is never written as one of IPv6.
    case host(IPAddress)
    /// A program of this machine, over a Unix socket.
    case unixSocket
    /// A client that left before its address was read, or a test without sockets.
    case unknown

    /// The other end of a connection.
    ///
    /// - Parameter address: A channel's `remoteAddress`; that of a stream of HTTP/2 is its connection's.
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
    /// For logs: an address in its canonical form (RFC 5952), `unix` or `unknown`, and never what a request said.
    package var description: String {
        switch self {
        case .host(let address): address.description
        case .unixSocket: "unix"
        case .unknown: "unknown"
        }
    }
}
