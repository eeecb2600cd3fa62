/// A value that processes of this program exchange, written as its fields in order, without names: both sides run the
/// same program.
///
/// Format: integers as eight bytes, little-endian; `Bool` and `UInt8` as one; floating-point numbers as their bits;
/// texts as their length and UTF-8; arrays as their count and elements; optional values after a byte for their
/// presence; cases as their raw values.
package protocol MessageValue {
    /// Appends the fields.
    func write(to message: inout MessageWriter)

    /// Reads the output of ``write(to:)``. Any bytes give a value or an error.
    /// - Throws: ``MalformedMessage``.
    init(from message: inout MessageReader) throws(MalformedMessage)
}

/// A message that this program cannot have written.
package struct MalformedMessage: Error, Hashable {
    package init() {}
}

/// The bytes of a message being written.
package struct MessageWriter {
    package private(set) var bytes: [UInt8] = []

    /// - Parameter capacity: The initially reserved size in bytes.
    package init(capacity: Int) {
        self.bytes.reserveCapacity(capacity)
    }

    package mutating func write(_ value: some MessageValue) {
        value.write(to: &self)
    }

    fileprivate mutating func append(_ byte: UInt8) {
        self.bytes.append(byte)
    }

    fileprivate mutating func append(word: UInt64) {
        withUnsafeBytes(of: word.littleEndian) { self.bytes.append(contentsOf: $0) }
    }

    fileprivate mutating func append(text: String) {
        self.append(word: UInt64(text.utf8.count))
        self.bytes.append(contentsOf: text.utf8)
    }
}

/// Reads a message from borrowed bytes. Rejects counts of arrays and texts that exceed the remaining bytes.
package struct MessageReader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    private init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// Reads one value from all of the bytes.
    /// - Throws: ``MalformedMessage``, also if bytes are left.
    package static func read<Value: MessageValue>(
        _ type: Value.Type, from bytes: UnsafeRawBufferPointer
    ) throws(MalformedMessage) -> Value {
        var message = MessageReader(bytes)
        let value = try Value(from: &message)
        guard message.offset == bytes.count else { throw MalformedMessage() }
        return value
    }

    package mutating func read<Value: MessageValue>(
        _ type: Value.Type = Value.self
    ) throws(MalformedMessage) -> Value {
        try Value(from: &self)
    }

    fileprivate mutating func byte() throws(MalformedMessage) -> UInt8 {
        guard self.offset < self.bytes.count else { throw MalformedMessage() }
        defer { self.offset += 1 }
        return self.bytes[self.offset]
    }

    fileprivate mutating func word() throws(MalformedMessage) -> UInt64 {
        guard self.bytes.count - self.offset >= 8 else { throw MalformedMessage() }
        defer { self.offset += 8 }
        return UInt64(littleEndian: self.bytes.loadUnaligned(fromByteOffset: self.offset, as: UInt64.self))
    }

    /// Reads a count of elements, which take at least a byte each.
    fileprivate mutating func count() throws(MalformedMessage) -> Int {
        let count = try self.word()
        guard count <= UInt64(self.bytes.count - self.offset) else { throw MalformedMessage() }
        return Int(count)
    }

    fileprivate mutating func text() throws(MalformedMessage) -> String {
        let count = try self.count()
        defer { self.offset += count }
        return String(decoding: self.bytes[self.offset..<self.offset + count], as: UTF8.self)
    }
}

extension Int: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.append(word: UInt64(bitPattern: Int64(self)))
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        self = Int(Int64(bitPattern: try message.word()))
    }
}

extension Int32: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(Int(self))
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        guard let value = Int32(exactly: try message.read(Int.self)) else { throw MalformedMessage() }
        self = value
    }
}

extension UInt64: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.append(word: self)
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        self = try message.word()
    }
}

extension UInt8: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.append(self)
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        self = try message.byte()
    }
}

extension Bool: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.append(self ? 1 : 0)
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        let byte = try message.byte()
        guard byte <= 1 else { throw MalformedMessage() }
        self = byte == 1
    }
}

extension Double: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.append(word: self.bitPattern)
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        self.init(bitPattern: try message.word())
    }
}

extension String: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.append(text: self)
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        self = try message.text()
    }
}

extension Optional: MessageValue where Wrapped: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(self != nil)
        if let value = self { message.write(value) }
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        self = try message.read(Bool.self) ? try message.read(Wrapped.self) : nil
    }
}

extension Array: MessageValue where Element: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.append(word: UInt64(self.count))
        for element in self { message.write(element) }
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        self = []
        for _ in 0..<(try message.count()) { self.append(try message.read()) }
    }
}

extension MessageValue where Self: RawRepresentable, RawValue: MessageValue {
    package func write(to message: inout MessageWriter) {
        message.write(self.rawValue)
    }

    package init(from message: inout MessageReader) throws(MalformedMessage) {
        guard let value = Self(rawValue: try message.read()) else { throw MalformedMessage() }
        self = value
    }
}
