import HTTPSemantics

/// A pull parser of small XML documents: returns one start tag, text or end tag at a time.
///
/// Supports only the subset that stores send: elements, text, CDATA. A document type is rejected, so that the only
/// entities are the five predefined ones and character references, and nothing external is ever loaded. Attributes,
/// comments and processing instructions are skipped.
struct XMLReader {
    enum Event: Hashable {
        /// The name without its namespace prefix.
        case start(String)
        case text(String)
        case end
    }

    struct Malformed: Error, Hashable {
        /// A clause that continues a sentence about the document.
        let reason: String
    }

    static let depthLimit = 16
    /// Maximum length of a name, in bytes.
    private static let nameLimit = 128

    private let bytes: [UInt8]
    private var position = 0
    private var open: [String] = []
    /// Whether the last start tag was of an empty element, `<a/>`: ``next()`` returns its end.
    private var endsAtOnce = false

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// - Returns: `nil` at the end of the document.
    mutating func next() throws(Malformed) -> Event? {
        if self.endsAtOnce {
            self.endsAtOnce = false
            self.open.removeLast()
            return .end
        }
        while self.position < self.bytes.count {
            guard self.bytes[self.position] == UInt8(ascii: "<") else {
                let text = try self.readText()
                // Drops line breaks outside the root element.
                if self.open.isEmpty || text.isEmpty { continue }
                return .text(text)
            }
            if self.skip("<?") {
                _ = try self.read(to: "?>")
            } else if self.skip("<!--") {
                _ = try self.read(to: "-->")
            } else if self.skip("<![CDATA[") {
                return .text(try Self.string(self.read(to: "]]>")))
            } else if self.skip("<!") {
                throw Malformed(reason: "it has a document type")
            } else if self.skip("</") {
                let name = try Self.name(of: self.read(to: ">"))
                guard self.open.popLast() == name else { throw Malformed(reason: "it has an unmatched end tag") }
                return .end
            } else {
                return try self.readStart()
            }
        }
        guard self.open.isEmpty else { throw Malformed(reason: "it ends early") }
        return nil
    }

    private mutating func readStart() throws(Malformed) -> Event {
        self.position += 1
        let start = self.position
        var quote: UInt8?
        while self.position < self.bytes.count {
            let byte = self.bytes[self.position]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                break
            }
            self.position += 1
        }
        guard self.position < self.bytes.count else { throw Malformed(reason: "it ends early") }
        var tag = self.bytes[start..<self.position]
        self.position += 1
        if tag.last == UInt8(ascii: "/") {
            self.endsAtOnce = true
            tag.removeLast()
        }
        let name = try Self.name(of: tag)
        guard self.open.count < Self.depthLimit else { throw Malformed(reason: "its elements are nested too deeply") }
        self.open.append(name)
        return .start(name)
    }

    /// Reads text up to the next tag and resolves its entities.
    private mutating func readText() throws(Malformed) -> String {
        let end = self.bytes[self.position...].firstIndex(of: UInt8(ascii: "<")) ?? self.bytes.endIndex
        let raw = self.bytes[self.position..<end]
        self.position = end
        guard raw.contains(UInt8(ascii: "&")) else { return try Self.string(raw) }
        var text: [UInt8] = []
        var rest = raw
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "&") else {
                text.append(byte)
                continue
            }
            guard let semicolon = rest.prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
                throw Malformed(reason: "it has a malformed entity")
            }
            text += try Self.entity(String(decoding: rest[..<semicolon], as: UTF8.self)).utf8
            rest = rest[(semicolon + 1)...]
        }
        return try Self.string(text[...])
    }

    private static func entity(_ name: String) throws(Malformed) -> String {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            let (digits, radix) = name.hasPrefix("#x") ? (name.dropFirst(2), 16) : (name.dropFirst(1), 10)
            guard name.hasPrefix("#"), let scalar = UInt32(digits, radix: radix).flatMap(UnicodeScalar.init) else {
                throw Malformed(reason: "it has an unknown entity")
            }
            return String(Character(scalar))
        }
    }

    /// Skips a delimiter if it is next; returns whether it was.
    private mutating func skip(_ mark: StaticString) -> Bool {
        let isNext = mark.withUTF8Buffer { self.bytes[self.position...].starts(with: $0) }
        if isNext { self.position += mark.utf8CodeUnitCount }
        return isNext
    }

    /// Returns the bytes before a delimiter, and skips both.
    private mutating func read(to mark: StaticString) throws(Malformed) -> ArraySlice<UInt8> {
        let mark = mark.withUTF8Buffer { Array($0) }
        guard let range = self.bytes[self.position...].firstRange(of: mark) else {
            throw Malformed(reason: "it ends early")
        }
        defer { self.position = range.upperBound }
        return self.bytes[self.position..<range.lowerBound]
    }

    /// Returns the name at the beginning of a tag, without its namespace prefix.
    private static func name(of tag: ArraySlice<UInt8>) throws(Malformed) -> String {
        let whole = tag.prefix { $0 > 0x20 }
        let name = whole.lastIndex(of: UInt8(ascii: ":")).map { whole[($0 + 1)...] } ?? whole
        guard !name.isEmpty, whole.count <= Self.nameLimit else { throw Malformed(reason: "an element has no name") }
        return try Self.string(name)
    }

    private static func string(_ bytes: ArraySlice<UInt8>) throws(Malformed) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw Malformed(reason: "it is not UTF-8") }
        return text
    }
}
