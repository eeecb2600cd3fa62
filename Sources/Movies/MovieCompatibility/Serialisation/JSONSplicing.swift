/// Edits another service's JSON document without changing its other bytes.
package enum JSONSplicing {
    private static let quote = UInt8(ascii: "\"")
    private static let slash = UInt8(ascii: "/")
    private static let backslash = UInt8(ascii: "\\")

    /// Replaces the prefixes of strings.
    ///
    /// - Parameters:
    ///   - prefixes: The replaced prefixes; their slashes may be escaped in the document.
    ///   - replacement: Must not contain characters that JSON escapes.
    package static func replacing(_ prefixes: [String], with replacement: String, in bytes: [UInt8]) -> [UInt8] {
        let texts = prefixes.flatMap { prefix in
            [Array(prefix.utf8), prefix.utf8.flatMap { $0 == Self.slash ? [Self.backslash, $0] : [$0] }]
        }
        var changed: [UInt8] = []
        changed.reserveCapacity(bytes.count)
        var start = 0
        while let mark = bytes[start...].firstIndex(of: Self.quote) {
            let first = mark + 1
            changed += bytes[start..<first]
            start = first
            guard let text = texts.first(where: { bytes[first...].starts(with: $0) }) else { continue }
            changed += replacement.utf8
            start += text.count
        }
        return changed + bytes[start...]
    }

    /// Appends a member to an object.
    ///
    /// - Parameters:
    ///   - name: Must not contain characters that JSON escapes.
    ///   - value: A JSON document.
    /// - Returns: `nil` if the document is no object.
    package static func adding(_ name: String, _ value: [UInt8], to object: [UInt8]) -> [UInt8]? {
        guard let open = object.firstIndex(where: { !Self.isWhiteSpace($0) }), object[open] == UInt8(ascii: "{"),
            let close = object.lastIndex(where: { !Self.isWhiteSpace($0) }), close > open,
            object[close] == UInt8(ascii: "}")
        else { return nil }
        let isEmpty = object[(open + 1)..<close].allSatisfy(Self.isWhiteSpace)
        var changed = Array(object[..<close])
        changed += "\(isEmpty ? "" : ",")\"\(name)\":".utf8
        changed += value
        return changed + object[close...]
    }

    private static func isWhiteSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }
}
