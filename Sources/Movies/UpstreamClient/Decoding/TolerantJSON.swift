import FoundationEssentials

/// JSON of others: what is not as promised is missing, unless it is no JSON at all.
package enum TolerantJSON {
    /// The largest answer that is read, in bytes.
    static let maxByteCount = 8 * 1024 * 1024

    /// Reads an object (RFC 8259); white space before it does not count.
    ///
    /// - Throws: ``UnreadableAnswer``, also for what nests deeper than Foundation's decoder allows (512).
    package static func object(_ bytes: [UInt8]) throws(UnreadableAnswer) -> TolerantObject {
        guard bytes.count <= Self.maxByteCount else { throw UnreadableAnswer(reason: "is too large") }
        guard bytes.contains(where: { $0 > 32 }) else { throw UnreadableAnswer(reason: "is empty") }
        do {
            // Raw control characters are white space between tokens, and an error within texts that some make.
            let json = Data(bytes.map { $0 < 32 ? 32 : $0 })
            return try JSONDecoder().decode(TolerantObject.self, from: json)
        } catch DecodingError.typeMismatch, DecodingError.valueNotFound {
            throw UnreadableAnswer(reason: "is no JSON object")
        } catch {
            // Foundation's own words quote the answer, which has no place in a log.
            throw UnreadableAnswer(reason: "is no well-formed JSON")
        }
    }
}

/// An answer that cannot be made sense of.
package struct UnreadableAnswer: Error, Hashable {
    /// A sentence's end about the answer, without anything of it.
    package let reason: String

    package init(reason: String) {
        self.reason = reason
    }
}

extension UnreadableAnswer: CustomStringConvertible {
    package var description: String { "the answer \(self.reason)" }
}
