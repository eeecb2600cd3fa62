import FoundationEssentials

/// Base64 for URLs without padding (RFC 4648, 5).
package enum Base64URL {
    package static func encode(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// - Returns: `nil` unless `text` is exactly the result of ``encode(_:)``: each value has one encoding.
    package static func decode(_ text: String) -> [UInt8]? {
        let digits = text.replacing("-", with: "+").replacing("_", with: "/")
        let padding = String(repeating: "=", count: (4 - digits.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: digits + padding), self.encode([UInt8](data)) == text else { return nil }
        return [UInt8](data)
    }
}
