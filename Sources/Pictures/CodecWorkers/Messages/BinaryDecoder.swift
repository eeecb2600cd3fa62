/// Decodes what ``BinaryEncoder`` has encoded. Any bytes give a value or an error; no array or text is longer than the bytes.
struct BinaryDecoder {
    /// - Throws: ``MalformedMessage``, also when bytes are left, or what the type's own decoding throws.
    static func decode<Value: Decodable>(_ type: Value.Type, from bytes: UnsafeRawBufferPointer) throws -> Value {
        let input = Input(bytes)
        let value = try Value(from: Source(input: input))
        guard input.isAtEnd else { throw MalformedMessage() }
        return value
    }

    /// How deep values may be nested.
    private static let depthLimit = 16

    fileprivate final class Input {
        private let bytes: UnsafeRawBufferPointer
        private var offset = 0
        private var depth = 0

        init(_ bytes: UnsafeRawBufferPointer) {
            self.bytes = bytes
        }

        var isAtEnd: Bool { self.offset == self.bytes.count }

        func byte() throws -> UInt8 {
            guard self.offset < self.bytes.count else { throw MalformedMessage() }
            defer { self.offset += 1 }
            return self.bytes[self.offset]
        }

        func flag() throws -> Bool {
            switch try self.byte() {
            case 0: return false
            case 1: return true
            default: throw MalformedMessage()
            }
        }

        func word() throws -> UInt64 {
            guard self.bytes.count - self.offset >= 8 else { throw MalformedMessage() }
            defer { self.offset += 8 }
            return UInt64(littleEndian: self.bytes.loadUnaligned(fromByteOffset: self.offset, as: UInt64.self))
        }

        /// A count of things that take at least a byte each.
        func count() throws -> Int {
            let count = try self.word()
            guard count <= UInt64(self.bytes.count - self.offset) else { throw MalformedMessage() }
            return Int(count)
        }

        func text() throws -> String {
            let count = try self.count()
            defer { self.offset += count }
            return String(decoding: self.bytes[self.offset..<self.offset + count], as: UTF8.self)
        }

        /// The text that follows, which stays; nil when none does.
        var nextText: String? {
            let start = self.offset
            defer { self.offset = start }
            return try? self.text()
        }

        func integer<Value: FixedWidthInteger>(_ type: Value.Type) throws -> Value {
            if Value.isSigned {
                guard let value = Value(exactly: Int64(bitPattern: try self.word())) else { throw MalformedMessage() }
                return value
            }
            guard let value = Value(exactly: try self.word()) else { throw MalformedMessage() }
            return value
        }

        func value<Value: Decodable>(_ type: Value.Type) throws -> Value {
            switch type {
            case is Int.Type: return try self.integer(Int.self) as! Value
            case is String.Type: return try self.text() as! Value
            case is UInt8.Type: return try self.byte() as! Value
            default:
                guard self.depth < BinaryDecoder.depthLimit else { throw MalformedMessage() }
                self.depth += 1
                defer { self.depth -= 1 }
                return try Value(from: Source(input: self))
            }
        }
    }

    fileprivate struct Source: Decoder {
        let input: Input
        var codingPath: [any CodingKey] { [] }
        var userInfo: [CodingUserInfoKey: Any] { [:] }

        func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
            KeyedDecodingContainer(Keyed<Key>(input: self.input))
        }

        func unkeyedContainer() throws -> any UnkeyedDecodingContainer { try Unkeyed(self.input) }
        func singleValueContainer() -> any SingleValueDecodingContainer { Single(input: self.input) }
    }

    fileprivate struct Keyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let input: Input
        var codingPath: [any CodingKey] { [] }
        /// The case of an enumeration that follows; other names are not part of the format.
        var allKeys: [Key] { self.input.nextText.flatMap(Key.init(stringValue:)).map { [$0] } ?? [] }

        func contains(_ key: Key) -> Bool { true }
        func decodeNil(forKey key: Key) throws -> Bool { try !self.input.flag() }
        func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try self.input.flag() }
        func decode(_ type: String.Type, forKey key: Key) throws -> String { try self.input.text() }
        func decode(_ type: Double.Type, forKey key: Key) throws -> Double { Double(bitPattern: try self.input.word()) }
        func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
            Float(Double(bitPattern: try self.input.word()))
        }
        func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try self.input.integer(type) }
        func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try self.input.integer(type) }
        func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try self.input.integer(type) }
        func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try self.input.integer(type) }
        func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try self.input.integer(type) }
        func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try self.input.integer(type) }
        func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try self.input.byte() }
        func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try self.input.integer(type) }
        func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try self.input.integer(type) }
        func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try self.input.word() }
        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try self.input.value(type)
        }

        // The default of these is right: ``decodeNil(forKey:)`` reads the byte before an optional field.

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) throws -> KeyedDecodingContainer<Nested> {
            guard try self.input.text() == key.stringValue else { throw MalformedMessage() }
            return KeyedDecodingContainer(Keyed<Nested>(input: self.input))
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer { try Unkeyed(self.input) }
        func superDecoder() -> any Decoder { Source(input: self.input) }
        func superDecoder(forKey key: Key) -> any Decoder { Source(input: self.input) }
    }

    fileprivate struct Single: SingleValueDecodingContainer {
        let input: Input
        var codingPath: [any CodingKey] { [] }

        /// Only ever asked of a value that may be nil.
        func decodeNil() -> Bool { (try? !self.input.flag()) ?? true }
        func decode(_ type: Bool.Type) throws -> Bool { try self.input.flag() }
        func decode(_ type: String.Type) throws -> String { try self.input.text() }
        func decode(_ type: Double.Type) throws -> Double { Double(bitPattern: try self.input.word()) }
        func decode(_ type: Float.Type) throws -> Float { Float(Double(bitPattern: try self.input.word())) }
        func decode(_ type: Int.Type) throws -> Int { try self.input.integer(type) }
        func decode(_ type: Int8.Type) throws -> Int8 { try self.input.integer(type) }
        func decode(_ type: Int16.Type) throws -> Int16 { try self.input.integer(type) }
        func decode(_ type: Int32.Type) throws -> Int32 { try self.input.integer(type) }
        func decode(_ type: Int64.Type) throws -> Int64 { try self.input.integer(type) }
        func decode(_ type: UInt.Type) throws -> UInt { try self.input.integer(type) }
        func decode(_ type: UInt8.Type) throws -> UInt8 { try self.input.byte() }
        func decode(_ type: UInt16.Type) throws -> UInt16 { try self.input.integer(type) }
        func decode(_ type: UInt32.Type) throws -> UInt32 { try self.input.integer(type) }
        func decode(_ type: UInt64.Type) throws -> UInt64 { try self.input.word() }
        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try self.input.value(type) }
    }

    fileprivate final class Unkeyed: UnkeyedDecodingContainer {
        private let input: Input
        private let total: Int
        private(set) var currentIndex = 0
        var codingPath: [any CodingKey] { [] }
        var count: Int? { self.total }
        var isAtEnd: Bool { self.currentIndex == self.total }

        init(_ input: Input) throws {
            self.input = input
            self.total = try input.count()
        }

        private func next() throws {
            guard !self.isAtEnd else { throw MalformedMessage() }
            self.currentIndex += 1
        }

        func decodeNil() throws -> Bool {
            let isThere = try self.input.flag()
            if !isThere { try self.next() }
            return !isThere
        }

        func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try self.next()
            return try self.input.value(type)
        }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) throws -> KeyedDecodingContainer<Nested> {
            try self.next()
            return KeyedDecodingContainer(Keyed<Nested>(input: self.input))
        }

        func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try self.next()
            return try Unkeyed(self.input)
        }

        func superDecoder() throws -> any Decoder {
            try self.next()
            return Source(input: self.input)
        }
    }
}

/// A message that is not as the program writes it.
struct MalformedMessage: Error, Hashable {}
