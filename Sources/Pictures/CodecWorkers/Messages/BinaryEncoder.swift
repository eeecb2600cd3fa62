/// Encodes values as their fields one after the other, without names: both sides are the same program.
///
/// Shape: integers as eight bytes, little-endian; `Bool` and `UInt8` as one; floating-point numbers as their bits; texts as
/// their length and UTF-8; cases of enumerations with values as their names and these; arrays as their count and elements; optional fields after a byte that says whether they are there.
struct BinaryEncoder {
    /// - Throws: What the value's own encoding throws.
    static func encode(_ value: some Encodable) throws -> [UInt8] {
        let output = Output()
        try value.encode(to: Sink(output: output))
        return output.bytes
    }

    fileprivate final class Output {
        var bytes: [UInt8] = []

        init() {
            self.bytes.reserveCapacity(1024)
        }

        func append(_ value: UInt64) {
            withUnsafeBytes(of: value.littleEndian) { self.bytes.append(contentsOf: $0) }
        }

        func append(_ flag: Bool) { self.bytes.append(flag ? 1 : 0) }

        func append(_ text: String) {
            self.append(UInt64(text.utf8.count))
            self.bytes.append(contentsOf: text.utf8)
        }

        func append<Value: Encodable>(_ value: Value) throws {
            switch value {
            case let value as Int: self.append(UInt64(bitPattern: Int64(value)))
            case let value as String: self.append(value)
            case let value as UInt8: self.bytes.append(value)
            default: try value.encode(to: Sink(output: self))
            }
        }
    }

    fileprivate struct Sink: Encoder {
        let output: Output
        var codingPath: [any CodingKey] { [] }
        var userInfo: [CodingUserInfoKey: Any] { [:] }

        func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
            KeyedEncodingContainer(Keyed<Key>(output: self.output))
        }

        func unkeyedContainer() -> any UnkeyedEncodingContainer { Unkeyed(self.output) }

        func singleValueContainer() -> any SingleValueEncodingContainer { Single(output: self.output) }
    }

    fileprivate struct Keyed<Key: CodingKey>: KeyedEncodingContainerProtocol {
        let output: Output
        var codingPath: [any CodingKey] { [] }

        func encodeNil(forKey key: Key) { self.output.append(false) }
        func encode(_ value: Bool, forKey key: Key) { self.output.append(value) }
        func encode(_ value: String, forKey key: Key) { self.output.append(value) }
        func encode(_ value: Double, forKey key: Key) { self.output.append(value.bitPattern) }
        func encode(_ value: Float, forKey key: Key) { self.output.append(Double(value).bitPattern) }
        func encode(_ value: Int, forKey key: Key) { self.output.append(UInt64(bitPattern: Int64(value))) }
        func encode(_ value: Int8, forKey key: Key) { self.output.append(UInt64(bitPattern: Int64(value))) }
        func encode(_ value: Int16, forKey key: Key) { self.output.append(UInt64(bitPattern: Int64(value))) }
        func encode(_ value: Int32, forKey key: Key) { self.output.append(UInt64(bitPattern: Int64(value))) }
        func encode(_ value: Int64, forKey key: Key) { self.output.append(UInt64(bitPattern: value)) }
        func encode(_ value: UInt, forKey key: Key) { self.output.append(UInt64(value)) }
        func encode(_ value: UInt8, forKey key: Key) { self.output.bytes.append(value) }
        func encode(_ value: UInt16, forKey key: Key) { self.output.append(UInt64(value)) }
        func encode(_ value: UInt32, forKey key: Key) { self.output.append(UInt64(value)) }
        func encode(_ value: UInt64, forKey key: Key) { self.output.append(value) }
        func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { try self.output.append(value) }

        // Without these, what is nil would leave no trace.
        func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try self.optional(value) }
        func encodeIfPresent(_ value: String?, forKey key: Key) throws { try self.optional(value) }
        func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try self.optional(value) }
        func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try self.optional(value) }
        func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try self.optional(value) }
        func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try self.optional(value) }
        func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try self.optional(value) }
        func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try self.optional(value) }
        func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try self.optional(value) }
        func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try self.optional(value) }
        func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try self.optional(value) }
        func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try self.optional(value) }
        func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try self.optional(value) }
        func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try self.optional(value) }
        func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws { try self.optional(value) }

        private func optional(_ value: (some Encodable)?) throws {
            self.output.append(value != nil)
            if let value { try self.output.append(value) }
        }

        func nestedContainer<Nested: CodingKey>(
            keyedBy type: Nested.Type, forKey key: Key
        ) -> KeyedEncodingContainer<Nested> {
            // The case of an enumeration with values: the only name that is written.
            self.output.append(key.stringValue)
            return KeyedEncodingContainer(Keyed<Nested>(output: self.output))
        }

        func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer { Unkeyed(self.output) }
        func superEncoder() -> any Encoder { Sink(output: self.output) }
        func superEncoder(forKey key: Key) -> any Encoder { Sink(output: self.output) }
    }

    fileprivate struct Single: SingleValueEncodingContainer {
        let output: Output
        var codingPath: [any CodingKey] { [] }

        func encodeNil() { self.output.append(false) }
        func encode(_ value: Bool) { self.output.append(value) }
        func encode(_ value: String) { self.output.append(value) }
        func encode(_ value: Double) { self.output.append(value.bitPattern) }
        func encode(_ value: Float) { self.output.append(Double(value).bitPattern) }
        func encode(_ value: Int) { self.output.append(UInt64(bitPattern: Int64(value))) }
        func encode(_ value: Int8) { self.output.append(UInt64(bitPattern: Int64(value))) }
        func encode(_ value: Int16) { self.output.append(UInt64(bitPattern: Int64(value))) }
        func encode(_ value: Int32) { self.output.append(UInt64(bitPattern: Int64(value))) }
        func encode(_ value: Int64) { self.output.append(UInt64(bitPattern: value)) }
        func encode(_ value: UInt) { self.output.append(UInt64(value)) }
        func encode(_ value: UInt8) { self.output.bytes.append(value) }
        func encode(_ value: UInt16) { self.output.append(UInt64(value)) }
        func encode(_ value: UInt32) { self.output.append(UInt64(value)) }
        func encode(_ value: UInt64) { self.output.append(value) }
        func encode<Value: Encodable>(_ value: Value) throws { try self.output.append(value) }
    }

    /// The elements of an array, behind their count.
    fileprivate final class Unkeyed: UnkeyedEncodingContainer {
        private let output: Output
        private let place: Int
        private(set) var count = 0
        var codingPath: [any CodingKey] { [] }

        init(_ output: Output) {
            self.output = output
            self.place = output.bytes.count
            output.append(0 as UInt64)
        }

        private func begin() {
            self.count += 1
            withUnsafeBytes(of: UInt64(self.count).littleEndian) { bytes in
                self.output.bytes.replaceSubrange(self.place..<self.place + 8, with: bytes)
            }
        }

        func encodeNil() {
            self.begin()
            self.output.append(false)
        }

        func encode<Value: Encodable>(_ value: Value) throws {
            self.begin()
            try self.output.append(value)
        }

        func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
            self.begin()
            return KeyedEncodingContainer(Keyed<Nested>(output: self.output))
        }

        func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
            self.begin()
            return Unkeyed(self.output)
        }

        func superEncoder() -> any Encoder {
            self.begin()
            return Sink(output: self.output)
        }
    }
}
