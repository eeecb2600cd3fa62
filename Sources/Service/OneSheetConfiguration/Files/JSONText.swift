/// Reads JSON (RFC 8259) where people write it: says where it is wrong, keeps numbers as they are written, and refuses
/// objects that hold a name twice. Foundation's decoder does none of these.
struct JSONText {
    indirect enum Value: Equatable {
        case null
        /// A text, number or boolean, as written.
        case scalar(String)
        case array([Value])
        case object([String: Value])
    }

    struct Failure: Error, Equatable {
        let reason: String
        /// From 1, in bytes.
        let line: Int
        let column: Int
    }

    /// Values inside values.
    static let maxDepth = 32

    private let bytes: [UInt8]
    private var position = 0

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// - Parameter bytes: One value, and white space around it.
    /// - Throws: ``Failure``, which quotes nothing.
    static func parse(_ bytes: [UInt8]) throws(Failure) -> Value {
        var text = JSONText(bytes)
        let value = try text.value(depth: 0)
        text.skipSpace()
        guard text.position == bytes.count else { throw text.failure("something follows the value") }
        return value
    }

    private mutating func value(depth: Int) throws(Failure) -> Value {
        self.skipSpace()
        guard depth < Self.maxDepth else { throw self.failure("values are nested deeper than \(Self.maxDepth)") }
        switch self.next {
        case UInt8(ascii: "{"): return try self.object(depth: depth)
        case UInt8(ascii: "["): return try self.array(depth: depth)
        case UInt8(ascii: "\""): return .scalar(try self.string())
        case UInt8(ascii: "-"), .some(48...57): return .scalar(try self.number())
        default:
            for word in ["true", "false"] where self.skip(word) { return .scalar(word) }
            if self.skip("null") { return .null }
            throw self.failure("a value is missing")
        }
    }

    private mutating func object(depth: Int) throws(Failure) -> Value {
        var members: [String: Value] = [:]
        self.position += 1
        self.skipSpace()
        if self.skip("}") { return .object(members) }
        repeat {
            self.skipSpace()
            guard self.next == UInt8(ascii: "\"") else { throw self.failure("a name in quotes is missing") }
            let place = self.position
            let name = try self.string()
            self.skipSpace()
            guard self.skip(":") else { throw self.failure("':' is missing") }
            let value = try self.value(depth: depth + 1)
            guard members.updateValue(value, forKey: name) == nil else {
                self.position = place
                throw self.failure("a name is there twice")
            }
            self.skipSpace()
        } while self.skip(",")
        guard self.skip("}") else { throw self.failure("',' or '}' is missing") }
        return .object(members)
    }

    private mutating func array(depth: Int) throws(Failure) -> Value {
        var elements: [Value] = []
        self.position += 1
        self.skipSpace()
        if self.skip("]") { return .array(elements) }
        repeat {
            elements.append(try self.value(depth: depth + 1))
            self.skipSpace()
        } while self.skip(",")
        guard self.skip("]") else { throw self.failure("',' or ']' is missing") }
        return .array(elements)
    }

    private mutating func number() throws(Failure) -> String {
        let start = self.position
        while let byte = self.next, (48...57).contains(byte) || "+-.eE".utf8.contains(byte) { self.position += 1 }
        let text = String(decoding: self.bytes[start..<self.position], as: UTF8.self)
        guard text.wholeMatch(of: #/-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/#) != nil else {
            self.position = start
            throw self.failure("a number is malformed")
        }
        return text
    }

    private mutating func string() throws(Failure) -> String {
        self.position += 1
        var content: [UInt8] = []
        while let byte = self.next {
            guard byte >= 0x20 else { throw self.failure("a control character is not escaped") }
            self.position += 1
            switch byte {
            case UInt8(ascii: "\""):
                guard let text = String(validating: content, as: UTF8.self) else {
                    throw self.failure("a text is not UTF-8")
                }
                return text
            case UInt8(ascii: "\\"): content += Array(String(try self.escape()).utf8)
            default: content.append(byte)
            }
        }
        throw self.failure("a text does not end")
    }

    private mutating func escape() throws(Failure) -> Unicode.Scalar {
        let simple: [(String, Unicode.Scalar)] = [
            ("\"", "\""), ("\\", "\\"), ("/", "/"), ("b", "\u{8}"), ("f", "\u{C}"), ("n", "\n"), ("r", "\r"),
            ("t", "\t"),
        ]
        for (letter, scalar) in simple where self.skip(letter) { return scalar }
        guard let first = self.codeUnit() else { throw self.failure("an escape is malformed") }
        if let scalar = Unicode.Scalar(UInt32(first)) { return scalar }
        // A pair of surrogates.
        guard UTF16.isLeadSurrogate(first), self.skip("\\"), let second = self.codeUnit(),
            UTF16.isTrailSurrogate(second)
        else { throw self.failure("an escape is malformed") }
        return UTF16.decode(UTF16.EncodedScalar([first, second]))
    }

    /// `u` and four hexadecimal digits.
    private mutating func codeUnit() -> UInt16? {
        let end = self.position + 5
        guard self.next == UInt8(ascii: "u"), end <= self.bytes.count else { return nil }
        let digits = self.bytes[self.position + 1..<end]
        guard digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else { return nil }
        self.position = end
        return UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    }

    private var next: UInt8? {
        self.position < self.bytes.count ? self.bytes[self.position] : nil
    }

    private mutating func skipSpace() {
        while let byte = self.next, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { self.position += 1 }
    }

    /// Whether `word` was there.
    private mutating func skip(_ word: String) -> Bool {
        guard self.bytes[self.position...].starts(with: word.utf8) else { return false }
        self.position += word.utf8.count
        return true
    }

    private func failure(_ reason: String) -> Failure {
        let before = self.bytes[..<min(self.position, self.bytes.count)]
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return Failure(
            reason: reason, line: before.count { $0 == 0x0A } + 1, column: before.count - lineStart + 1)
    }
}
