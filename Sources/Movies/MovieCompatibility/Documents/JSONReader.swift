import MovieDomain

/// Parses JSON (RFC 8259) into a document that keeps the order of members, so that unknown fields survive.
package struct JSONReader {
    package struct Malformed: Error, Hashable, Sendable {}

    private static let depthLimit = 64

    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The document; its strings are stream-safe.
    ///
    /// - Throws: ``Malformed`` for invalid JSON, and if the nesting is too deep or a name too long.
    package static func document(_ bytes: [UInt8]) throws(Malformed) -> OrderedJSON {
        var reader = JSONReader(bytes)
        let value = try reader.value(depth: 0)
        reader.skipWhiteSpace()
        guard reader.position == bytes.count else { throw Malformed() }
        return value
    }

    private mutating func skipWhiteSpace() {
        while self.position < self.bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(self.bytes[self.position]) {
            self.position += 1
        }
    }

    /// The next byte after white space, not consumed.
    private mutating func peek() throws(Malformed) -> UInt8 {
        self.skipWhiteSpace()
        guard self.position < self.bytes.count else { throw Malformed() }
        return self.bytes[self.position]
    }

    private mutating func take(_ byte: UInt8) throws(Malformed) {
        guard try self.peek() == byte else { throw Malformed() }
        self.position += 1
    }

    private mutating func value(depth: Int) throws(Malformed) -> OrderedJSON {
        guard depth < Self.depthLimit else { throw Malformed() }
        switch try self.peek() {
        case UInt8(ascii: "{"): return .object(try self.members(depth: depth))
        case UInt8(ascii: "["): return .array(try self.elements(depth: depth))
        case UInt8(ascii: "\""): return .string(try self.string())
        case UInt8(ascii: "t"): return try self.word("true", .boolean(true))
        case UInt8(ascii: "f"): return try self.word("false", .boolean(false))
        case UInt8(ascii: "n"): return try self.word("null", .null)
        default: return try self.number()
        }
    }

    private mutating func word(_ word: String, _ value: OrderedJSON) throws(Malformed) -> OrderedJSON {
        guard self.bytes[self.position...].starts(with: word.utf8) else { throw Malformed() }
        self.position += word.utf8.count
        return value
    }

    private mutating func members(depth: Int) throws(Malformed) -> [OrderedJSON.Member] {
        try self.take(UInt8(ascii: "{"))
        var members: [OrderedJSON.Member] = []
        if try self.peek() == UInt8(ascii: "}") {
            self.position += 1
            return members
        }
        while true {
            let name = try self.string()
            guard name.utf8.count <= JSONNames.byteLimit else { throw Malformed() }
            try self.take(UInt8(ascii: ":"))
            members.append(OrderedJSON.Member(name, try self.value(depth: depth + 1)))
            if try self.peek() == UInt8(ascii: "}") { break }
            try self.take(UInt8(ascii: ","))
        }
        self.position += 1
        return members
    }

    private mutating func elements(depth: Int) throws(Malformed) -> [OrderedJSON] {
        try self.take(UInt8(ascii: "["))
        var elements: [OrderedJSON] = []
        if try self.peek() == UInt8(ascii: "]") {
            self.position += 1
            return elements
        }
        while true {
            elements.append(try self.value(depth: depth + 1))
            if try self.peek() == UInt8(ascii: "]") { break }
            try self.take(UInt8(ascii: ","))
        }
        self.position += 1
        return elements
    }

    private mutating func number() throws(Malformed) -> OrderedJSON {
        let digits = self.bytes[self.position...].prefix { byte in
            (48...57).contains(byte) || "+-.eE".utf8.contains(byte)
        }
        self.position = digits.endIndex
        guard Self.isNumber(digits) else { throw Malformed() }
        let text = String(decoding: digits, as: UTF8.self)
        if let whole = Int(text) { return .integer(whole) }
        guard let number = Double(text), number.isFinite else { throw Malformed() }
        return .number(number)
    }

    /// Whether a text is a number (RFC 8259, 6); Swift also reads plus signs, leading zeros and `.5`.
    private static func isNumber(_ text: ArraySlice<UInt8>) -> Bool {
        var rest = text
        func removeDigits() -> ArraySlice<UInt8> {
            let digits = rest.prefix { (48...57).contains($0) }
            rest.removeFirst(digits.count)
            return digits
        }
        if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
        let whole = removeDigits()
        guard whole.count == 1 || whole.count > 1 && whole.first != UInt8(ascii: "0") else { return false }
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            guard !removeDigits().isEmpty else { return false }
        }
        if rest.first.map({ $0 | 0x20 }) == UInt8(ascii: "e") {
            rest.removeFirst()
            if rest.first == UInt8(ascii: "+") || rest.first == UInt8(ascii: "-") { rest.removeFirst() }
            guard !removeDigits().isEmpty else { return false }
        }
        return rest.isEmpty
    }

    private mutating func string() throws(Malformed) -> String {
        try self.take(UInt8(ascii: "\""))
        var text: [UInt8] = []
        while self.position < self.bytes.count {
            let byte = self.bytes[self.position]
            self.position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let string = String(validating: text, as: UTF8.self) else { throw Malformed() }
                return string.streamSafe
            case UInt8(ascii: "\\"): try self.escape(into: &text)
            case 0..<0x20: throw Malformed()
            default: text.append(byte)
            }
        }
        throw Malformed()
    }

    private static let escapes: [UInt8: UInt8] = [
        UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
        UInt8(ascii: "/"): UInt8(ascii: "/"), UInt8(ascii: "b"): 8, UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10,
        UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
    ]

    private mutating func escape(into text: inout [UInt8]) throws(Malformed) {
        guard self.position < self.bytes.count else { throw Malformed() }
        let byte = self.bytes[self.position]
        self.position += 1
        if let escaped = Self.escapes[byte] { return text.append(escaped) }
        guard byte == UInt8(ascii: "u") else { throw Malformed() }
        var code = try self.codeUnit()
        // A surrogate pair; an unpaired surrogate becomes U+FFFD.
        if (0xD800..<0xDC00).contains(code), let low = try self.lowSurrogate() {
            code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
        }
        text += Array(String(Unicode.Scalar(code) ?? "\u{FFFD}").utf8)
    }

    /// Reads an escaped low surrogate; `nil` leaves anything else unread.
    private mutating func lowSurrogate() throws(Malformed) -> UInt32? {
        let start = self.position
        guard self.bytes[start...].starts(with: #"\u"#.utf8) else { return nil }
        self.position += 2
        let code = try self.codeUnit()
        if (0xDC00..<0xE000).contains(code) { return code }
        self.position = start
        return nil
    }

    private mutating func codeUnit() throws(Malformed) -> UInt32 {
        let digits = self.bytes[self.position...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(UnicodeScalar($0)).isHexDigit }),
            let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw Malformed() }
        self.position += 4
        return code
    }
}
