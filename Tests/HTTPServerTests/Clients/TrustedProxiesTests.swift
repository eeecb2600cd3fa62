import HTTPTypes
import InternetAddress
import NIOCore
import Testing

@testable import HTTPServer

struct TrustedProxiesTests {
    private let proxies: TrustedProxies

    init() throws {
        self.proxies = TrustedProxies(networks: [
            try #require(IPNetwork("10.0.0.0/8")), try #require(IPNetwork("fd00::/8")),
        ])
    }

    /// - Parameter fields: Header lines, such as `X-Forwarded-For: 192.0.2.1`.
    private func client(behind peer: String, _ fields: [String]) throws -> String {
        var headers = HTTPFields()
        for field in fields {
            let parts = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            headers.append(HTTPField(name: try #require(HTTPField.Name(String(parts[0]))), value: String(parts[1])))
        }
        let peer = ClientAddress(try SocketAddress(ipAddress: peer, port: 1))
        return self.proxies.client(behind: peer, headers).description
    }

    @Test(
        "the client is the first from the end that is no proxy",
        arguments: [
            ("10.0.0.1", "192.0.2.1", "192.0.2.1"), ("10.0.0.1", "203.0.113.9, 192.0.2.1", "192.0.2.1"),
            ("10.0.0.1", "203.0.113.9, 192.0.2.1, 10.0.0.2, fd00::2", "192.0.2.1"),
            ("fd00::1", "2001:db8::7", "2001:db8::7"), ("::ffff:10.0.0.1", "192.0.2.1", "192.0.2.1"),
            ("10.0.0.1", "192.0.2.1, ::ffff:10.0.0.2", "192.0.2.1"), ("10.0.0.1", ",192.0.2.1,,", "192.0.2.1"),
            // Only proxies: the farthest one.
            ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
            // The chain is interrupted: the last proxy that it reaches.
            ("10.0.0.1", "192.0.2.1, unknown", "10.0.0.1"), ("10.0.0.1", "192.0.2.1, unknown, 10.0.0.2", "10.0.0.2"),
            ("10.0.0.1", "192.0.2.1, nonsense, 10.0.0.2", "10.0.0.2"), ("10.0.0.1", "", "10.0.0.1"),
            ("10.0.0.1", "\"", "10.0.0.1"),
        ])
    func walk(peer: String, value: String, client: String) throws {
        #expect(try self.client(behind: peer, ["X-Forwarded-For:\(value)"]) == client)
        let pairs = value.split(separator: ",", omittingEmptySubsequences: false).map { entry in
            let node = entry.trimmed
            return node.isEmpty ? "" : node.contains(":") ? "for=\"[\(node)]\"" : "for=\(node)"
        }
        #expect(try self.client(behind: peer, ["Forwarded:\(pairs.joined(separator: ", "))"]) == client)
    }

    @Test(
        "fields of untrusted peers are ignored",
        arguments: ["192.0.2.1", "127.0.0.1", "::1", "11.0.0.0", "2001:db8::1"])
    func untrusted(peer: String) throws {
        let fields = ["X-Forwarded-For: 203.0.113.9", "Forwarded: for=203.0.113.9", "X-Real-IP: 203.0.113.9"]
        #expect(try self.client(behind: peer, fields) == peer)
        let none = ClientAddress(try SocketAddress(ipAddress: peer, port: 1))
        #expect(TrustedProxies().client(behind: none, [:]) == none)
    }

    @Test func linesOfOneHeaderAreOneList() throws {
        let lines = ["X-Forwarded-For: 203.0.113.9", "X-Forwarded-For: 192.0.2.1", "X-Forwarded-For: 10.0.0.2"]
        #expect(try self.client(behind: "10.0.0.1", lines) == "192.0.2.1")
    }

    @Test func whereTheTwoHeadersDisagreeNeitherIsBelieved() throws {
        let written = "X-Forwarded-For: 192.0.2.1"
        #expect(try self.client(behind: "10.0.0.1", [written, "Forwarded: for=192.0.2.1"]) == "192.0.2.1")
        #expect(try self.client(behind: "10.0.0.1", [written, "Forwarded: for=203.0.113.9"]) == "10.0.0.1")
        #expect(try self.client(behind: "10.0.0.1", [written, "Forwarded: nonsense"]) == "10.0.0.1")
        #expect(try self.client(behind: "10.0.0.1", [written, "X-Real-IP: 203.0.113.9"]) == "192.0.2.1")
    }

    @Test func noMoreIsReadThanTheLimitOfEntries() throws {
        let near = Array(repeating: "10.0.0.2", count: TrustedProxies.entryLimit - 1).joined(separator: ",")
        #expect(try self.client(behind: "10.0.0.1", ["X-Forwarded-For: 192.0.2.1, \(near)"]) == "192.0.2.1")
        #expect(try self.client(behind: "10.0.0.1", ["X-Forwarded-For: 192.0.2.1, 10.0.0.3, \(near)"]) == "10.0.0.3")
        let commas = String(repeating: ",", count: 10_000)
        #expect(try self.client(behind: "10.0.0.1", ["X-Forwarded-For: 192.0.2.1\(commas)"]) == "10.0.0.1")
    }

    @Test func theUnixSocketIsAProxyWhenItIsSaidSo() throws {
        let peer = ClientAddress(try SocketAddress(unixDomainSocketPath: ""))
        #expect(peer == .unixSocket && peer.description == "unix")
        let fields: HTTPFields = [HTTPField.Name("X-Forwarded-For")!: "192.0.2.1"]
        #expect(self.proxies.client(behind: peer, fields) == .unixSocket)
        let trusting = TrustedProxies(includesUnixSocket: true)
        #expect(trusting.client(behind: peer, fields).description == "192.0.2.1")
        #expect(trusting.client(behind: .unknown, fields) == .unknown)
    }

    @Test func addressesAreWrittenInOneWayOnly() throws {
        let zoned = try SocketAddress(ipAddress: "fe80::1", port: 1)
        #expect(ClientAddress(zoned).description == "fe80::1")
        #expect(ClientAddress(try SocketAddress(ipAddress: "::ffff:192.0.2.1", port: 1)).description == "192.0.2.1")
        #expect(ClientAddress(nil).description == "unknown")
        #expect(try self.client(behind: "10.0.0.1", ["X-Forwarded-For: 2001:DB8:0::0:1%x"]) == "2001:db8::1")
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        Substring(self.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
