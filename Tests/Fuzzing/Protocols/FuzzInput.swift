/// Reads choices and parts from an input's start; the remaining bytes are the text.
struct FuzzInput {
    private var bytes: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) {
        self.bytes = bytes[...]
    }

    var isEmpty: Bool { self.bytes.isEmpty }

    /// The next byte; 0 at the end.
    mutating func byte() -> UInt8 { self.bytes.popFirst() ?? 0 }

    /// A number below `limit`, at most 256, from one byte.
    mutating func number(below limit: Int) -> Int { Int(self.byte()) % limit }

    /// Up to `count` bytes.
    mutating func take(_ count: Int) -> [UInt8] {
        let part = self.bytes.prefix(count)
        self.bytes = self.bytes.dropFirst(count)
        return Array(part)
    }

    /// All bytes that are left.
    mutating func rest() -> [UInt8] { self.take(self.bytes.count) }

    /// The bytes that are left as text; malformed UTF-8 is replaced.
    mutating func text() -> String { String(decoding: self.rest(), as: UTF8.self) }

    /// The bytes up to a line feed, which is skipped.
    mutating func line() -> [UInt8] {
        let line = self.bytes.prefix { $0 != 0x0A }
        self.bytes = self.bytes.dropFirst(line.count + 1)
        return Array(line)
    }
}
