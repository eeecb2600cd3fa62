/// A server's reply to one command.
package enum RedisReply: Hashable, Sendable {
    case status(String)
    /// An error within an array; a top-level error is thrown as ``RedisFailure/refused(_:)`` instead.
    case error(String)
    case integer(Int64)
    case bytes([UInt8])
    case array([RedisReply])
    case null

    /// A status, or bytes that are valid UTF-8.
    package var text: String? {
        switch self {
        case .status(let text): text
        case .bytes(let bytes): String(validating: bytes, as: UTF8.self)
        case .error, .integer, .array, .null: nil
        }
    }

    /// An integer, or text that is its decimal digits.
    package var number: Int64? {
        switch self {
        case .integer(let number): number
        case .status, .bytes: self.text.flatMap { Int64($0) }
        case .error, .array, .null: nil
        }
    }

    package var bytesValue: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }

    package var elements: [RedisReply]? {
        if case .array(let elements) = self { elements } else { nil }
    }
}
