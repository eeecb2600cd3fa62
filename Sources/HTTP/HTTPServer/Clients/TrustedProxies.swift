import HTTPSemantics
import HTTPTypes
package import InternetAddress

/// The proxies that are trusted to name a request's client.
///
/// Any client can send `Forwarded` and `X-Forwarded-For`, so they count only on connections of the proxies listed here,
/// and only as far as such proxies wrote them: read from the end, the first address that is not a trusted proxy is the
/// client. If the trail ends otherwise (at an obfuscated name, a malformed entry or the limit of entries), the client
/// is the last proxy on it.
///
/// A proxy that writes one of the two headers usually passes the other on unchanged, from any sender. Which one it
/// writes is unknown, so if both are present and lead to different clients, neither is trusted, and the client is the
/// proxy: a forged header gets its sender a share of the proxy's own limit, and never of another client's. All proxies
/// in a row must write the same one of the two.
///
/// `X-Forwarded-Proto`, `X-Forwarded-Host`, `X-Real-IP` and similar headers are ignored.
package struct TrustedProxies: Hashable, Sendable {
    /// Maximum number of entries of a header that are read.
    package static let entryLimit = 32

    package var networks: [IPNetwork]
    /// Whether every peer on a Unix socket is a trusted proxy.
    package var includesUnixSocket: Bool

    /// By default no proxy is trusted: the client is the peer of the connection.
    package init(networks: [IPNetwork] = [], includesUnixSocket: Bool = false) {
        self.networks = networks
        self.includesUnixSocket = includesUnixSocket
    }

    package func contains(_ address: ClientAddress) -> Bool {
        switch address {
        case .host(let host): self.networks.contains { $0.contains(host) }
        case .unixSocket: self.includesUnixSocket
        case .unknown: false
        }
    }

    /// Returns the client of a request that `peer` sent.
    ///
    /// - Parameters:
    ///   - bytes: Contains the values of both headers.
    ///   - forwarded: Range of the `Forwarded` value; `nil` if the header is missing.
    ///   - xForwardedFor: Range of the `X-Forwarded-For` value; `nil` if the header is missing.
    package func client(
        behind peer: ClientAddress, in bytes: Span<UInt8>, forwarded: Range<Int>?, xForwardedFor: Range<Int>?
    ) -> ClientAddress {
        guard forwarded != nil || xForwardedFor != nil, self.contains(peer) else { return peer }
        let first = forwarded.map { self.client(behind: peer, .forwarded, bytes.extracting($0)) }
        let second = xForwardedFor.map { self.client(behind: peer, .xForwardedFor, bytes.extracting($0)) }
        guard let first, let second else { return first ?? second ?? peer }
        return first == second ? first : peer
    }

    private func client(
        behind peer: ClientAddress, _ field: ForwardedField, _ value: Span<UInt8>
    ) -> ClientAddress {
        var client = peer
        var end = value.count
        for _ in 0..<Self.entryLimit {
            switch field.lastEntry(of: value, before: &end) {
            case .address(let address)?:
                client = .host(address)
                guard self.contains(client) else { return client }
            case .empty?: continue
            case .noAddress?, nil: return client
            }
        }
        return client
    }
}

extension TrustedProxies {
    func client(behind peer: ClientAddress, _ fields: HTTPFields) -> ClientAddress {
        guard self.contains(peer) else { return peer }
        var bytes: [UInt8] = []
        let forwarded = Self.append(fields[values: .forwarded], to: &bytes)
        let xForwardedFor = Self.append(fields[values: .xForwardedFor], to: &bytes)
        return self.client(behind: peer, in: bytes.span, forwarded: forwarded, xForwardedFor: xForwardedFor)
    }

    /// Joins a header's lines to one list (RFC 9110, 5.3).
    private static func append(_ values: [String], to bytes: inout [UInt8]) -> Range<Int>? {
        guard !values.isEmpty else { return nil }
        let start = bytes.count
        bytes += values.joined(separator: ",").utf8
        return start..<bytes.count
    }
}
