import FoundationEssentials

/// Decodes JSON of other services leniently: a member with an undocumented type counts as missing.
package enum TolerantJSON {
    /// The size limit of a decoded response in bytes.
    static let maxByteCount = 8 * 1024 * 1024

    /// Decodes an object (RFC 8259), ignoring leading white space.
    /// - Throws: ``UnreadableResponse``, also for names of members longer than ``ResponseLimits/nameBytes``, and for
    ///   nesting deeper than Foundation's decoder allows (512).
    package static func object(_ bytes: [UInt8]) throws(UnreadableResponse) -> TolerantObject {
        guard bytes.count <= Self.maxByteCount else { throw UnreadableResponse(reason: "is too large") }
        guard bytes.contains(where: { $0 > 32 }) else { throw UnreadableResponse(reason: "is empty") }
        guard !Self.hasLongName(bytes) else {
            let limit = ResponseLimits.nameBytes
            throw UnreadableResponse(reason: "has a member whose name is longer than \(limit) bytes")
        }
        do {
            // Raw control characters are white space between tokens, and a mistake of some services in strings.
            let json = Data(bytes.map { $0 < 32 ? 32 : $0 })
            return try JSONDecoder().decode(TolerantObject.self, from: json)
        } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
            throw UnreadableResponse(reason: "is not a JSON object")
        } catch {
            // Foundation's error quotes the response, which must not be logged.
            throw UnreadableResponse(reason: "is not well-formed JSON")
        }
    }

    /// Whether a string before a colon exceeds ``ResponseLimits/nameBytes`` in its encoded form.
    ///
    /// The decoder hashes names, in time quadratic in the number of combining marks (``Swift/String/streamSafe``).
    private static func hasLongName(_ bytes: [UInt8]) -> Bool {
        var index = 0
        while index < bytes.count {
            defer { index += 1 }
            guard bytes[index] == UInt8(ascii: "\"") else { continue }
            let start = index + 1
            index = start
            while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
                index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
            }
            guard index - start > ResponseLimits.nameBytes, index < bytes.count else { continue }
            let next = bytes[(index + 1)...].first { $0 > 32 }
            if next == UInt8(ascii: ":") { return true }
        }
        return false
    }
}

/// A response that cannot be decoded.
package struct UnreadableResponse: Error, Hashable {
    /// The predicate of a sentence that begins with "the response"; quotes nothing of the response.
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }
}

extension UnreadableResponse: CustomStringConvertible {
    package var description: String { "the response \(self.reason)" }
}
