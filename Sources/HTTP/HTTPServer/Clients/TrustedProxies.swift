import HTTPSemantics
import HTTPTypes
package import InternetAddress

/// The proxies that may name the client of a request.
///
/// Any client can send `Forwarded` and `X-Forwarded-For`, so they count only on connections of proxies that are named
/// here, and only as far as such proxies wrote them: from the end, up to the first address that is none of theirs. That
/// is the client. Where the trail ends otherwise, at a name that hides an address, at what cannot be understood or at
/// the limit of entries, the client is the last proxy that it led to.
///
/// A proxy that writes one of the two headers usually passes the other on as it came, from any sender. Which one it
/// writes cannot be seen, so where both are there and lead to different clients neither is believed, and the client is
/// the proxy: a forged header gets its sender a share of the proxy's own limit, and never that of another client. All
/// proxies in a row must write the same of the two.
///
/// `X-Forwarded-Proto`, `X-Forwarded-Host`, `X-Real-IP` and their kind are not used for anything.
package struct TrustedProxies: Hashable, Sendable {
    /// Entries of one header that are read.
    package static let entryLimit = 32

    package var networks: [IPNetwork]
    /// Whether every peer on a Unix socket is one.
    package var includesUnixSocket: Bool

    /// None by default: the client is the peer of the connection.
    package init(networks: [IPNetwork] = [], includesUnixSocket: Bool = false) {
        self.networks = networks
        self.includesUnixSocket = includesUnixSocket
    }

    package var isEmpty: Bool { self.networks.isEmpty && !self.includesUnixSocket }

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
    ///   - bytes: Hold the two headers' values.
    ///   - forwarded: Where that of `Forwarded` is; nil without one.
    ///   - xForwardedFor: Where that of `X-Forwarded-For` is; nil without one.
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
    /// Returns the client of a request that `peer` sent.
    func client(behind peer: ClientAddress, _ fields: HTTPFields) -> ClientAddress {
        guard self.contains(peer) else { return peer }
        var bytes: [UInt8] = []
        let forwarded = Self.append(fields[values: .forwarded], to: &bytes)
        let xForwardedFor = Self.append(fields[values: .xForwardedFor], to: &bytes)
        return self.client(behind: peer, in: bytes.span, forwarded: forwarded, xForwardedFor: xForwardedFor)
    }

    /// A header's lines are one list (RFC 9110, 5.3).
    private static func append(_ values: [String], to bytes: inout [UInt8]) -> Range<Int>? {
        guard !values.isEmpty else { return nil }
        let start = bytes.count
        bytes += values.joined(separator: ",").utf8
        return start..<bytes.count
    }
}
