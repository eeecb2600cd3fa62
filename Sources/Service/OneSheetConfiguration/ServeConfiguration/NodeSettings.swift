import Glibc
import HTTPSemantics

/// A node among several.
package struct NodeSettings: Hashable, Sendable {
    /// Different for each node that uses one Redis, and the same after a restart.
    package var name: String
    /// After which time without events of other nodes pictures are refused; nil for never.
    package var purgeLag: Duration?

    /// The longest name, in bytes.
    private static let nameLimit = 64
    /// The longest host name, in bytes.
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
