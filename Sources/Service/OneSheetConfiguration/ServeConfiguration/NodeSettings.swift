import Glibc
import HTTPSemantics

/// The settings of a node in a cluster.
package struct NodeSettings: Hashable, Sendable {
    /// Unique among the nodes that use one Redis, and the same after a restart.
    package var name: String
    /// The time without events of other nodes after which pictures are refused; `nil` never refuses them.
    package var purgeLag: Duration?

    /// The maximum length of a name, in bytes.
    private static let nameLimit = 64
    private static let hostNameLimit = 256

    init(_ settings: Settings, port: Int?) throws {
        self.name =
            try settings.value("node-name", allowed: "letters, digits and .:_-, at most \(Self.nameLimit)") { text in
                Self.isName(text) ? text : nil
            } ?? Self.defaultName(port: port)
        let lag = try settings.valueOrOff("purge-lag", allowed: "seconds, from 1 to 86400, or off") { text in
            Double(text).flatMap { (1...86_400).contains($0) ? Duration.milliseconds(Int(($0 * 1000).rounded())) : nil }
        }
        self.purgeLag = lag ?? nil
    }

    private static func isName(_ text: String) -> Bool {
        (1...self.nameLimit).contains(text.utf8.count)
            && text.utf8.allSatisfy { $0.isAlphanumeric || ".:_-".utf8.contains($0) }
    }

    private static func defaultName(port: Int?) -> String {
        var buffer = [CChar](repeating: 0, count: Self.hostNameLimit)
        let length = gethostname(&buffer, buffer.count - 1) == 0 ? strlen(buffer) : 0
        let host = String(decoding: buffer[..<length].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let suffix = port.map { ":\($0)" } ?? ""
        let name = String(host.prefix(Self.nameLimit - suffix.utf8.count))
        return (Self.isName(name) ? name : "node") + suffix
    }
}
