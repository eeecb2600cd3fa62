import FoundationEssentials

/// Decodes JSON of other services leniently: a member that is not as documented is missing.
package enum TolerantJSON {
    /// The largest response that is decoded, in bytes.
    static let maxByteCount = 8 * 1024 * 1024

    /// Reads an object (RFC 8259); white space before it does not count.
    /// - Throws: ``UnreadableResponse``, also for what nests deeper than Foundation's decoder allows (512).
    package static func object(_ bytes: [UInt8]) throws(UnreadableResponse) -> TolerantObject {
        guard bytes.count <= Self.maxByteCount else { throw UnreadableResponse(reason: "is too large") }
        guard bytes.contains(where: { $0 > 32 }) else { throw UnreadableResponse(reason: "is empty") }
        do {
            // Raw control characters are white space between tokens, and an error of some services within strings.
            let json = Data(bytes.map { $0 < 32 ? 32 : $0 })
            return try JSONDecoder().decode(TolerantObject.self, from: json)
        } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
            throw UnreadableResponse(reason: "is no JSON object")
        } catch {
            // Foundation's text quotes the response, which must not be logged.
            throw UnreadableResponse(reason: "is no well-formed JSON")
        }
    }
}

/// A response that cannot be decoded.
package struct UnreadableResponse: Error, Hashable {
    /// The end of a sentence that begins with "the answer", without content of it.
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }
}

extension UnreadableResponse: CustomStringConvertible {
    package var description: String { "the answer \(self.reason)" }
}
