/// The names of members in JSON text (RFC 8259) that is not decoded yet.
package enum JSONNames {
    /// Maximum length of a name in its encoded form, in bytes.
    package static let byteLimit = 128

    /// Whether a name is longer than ``byteLimit``: a string before a colon. Malformed text is no error.
    ///
    /// Foundation's decoder hashes names, in time quadratic in the number of combining marks
    /// (``Swift/String/streamSafe``).
    package static func exceedLimit(in json: [UInt8]) -> Bool {
        var index = 0
        while index < json.count {
            defer { index += 1 }
            guard json[index] == UInt8(ascii: "\"") else { continue }
            let start = index + 1
            index = start
            while index < json.count, json[index] != UInt8(ascii: "\"") {
                index += json[index] == UInt8(ascii: "\\") ? 2 : 1
            }
            guard index - start > Self.byteLimit, index < json.count else { continue }
            if json[(index + 1)...].first(where: { $0 > 0x20 }) == UInt8(ascii: ":") { return true }
        }
        return false
    }
}
