import FoundationEssentials
import MovieDomain

/// Decodes JSON of other services leniently: a member with an undocumented type counts as missing.
package enum TolerantJSON {
    /// The size limit of a decoded response in bytes.
    static let maxByteCount = 8 * 1024 * 1024

    /// Decodes an object (RFC 8259), ignoring leading white space.
    /// - Throws: ``UnreadableResponse``, also for names of members longer than ``JSONNames/byteLimit``, and for
    ///   nesting deeper than Foundation's decoder allows (512).
    package static func object(_ bytes: [UInt8]) throws(UnreadableResponse) -> TolerantObject {
        guard bytes.count <= Self.maxByteCount else { throw UnreadableResponse(reason: "is too large") }
        guard bytes.contains(where: { $0 > 32 }) else { throw UnreadableResponse(reason: "is empty") }
        guard !JSONNames.exceedLimit(in: bytes) else {
            throw UnreadableResponse(reason: "has a member whose name is longer than \(JSONNames.byteLimit) bytes")
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
