/// Reads a JPEG XL codestream bit by bit, the lowest bit of each byte first (ISO/IEC 18181-1, annex B). Borrows its
/// input.
struct JXLBits {
    private let bytes: UnsafeRawBufferPointer
    /// The number of bits read.
    private(set) var position = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    /// One of the four codings between which the two bits before a number choose.
    struct Form {
        fileprivate let offset, bitCount: Int

        /// A fixed value.
        static func value(_ value: Int) -> Form { Form(offset: value, bitCount: 0) }
        /// A number of bits, which is added to `offset`.
        static func bits(_ count: Int, plus offset: Int = 0) -> Form { Form(offset: offset, bitCount: count) }
    }

    /// - Parameter count: At most 32.
    /// - Throws: ``CodecError/truncated`` after the last bit.
    mutating func number(_ count: Int) throws(CodecError) -> Int {
        guard self.position + count <= 8 * self.bytes.count else { throw .truncated }
        var value = 0
        for index in 0..<count {
            value |= Int(self.bytes[self.position >> 3] >> UInt8(self.position & 7) & 1) << index
            self.position += 1
        }
        return value
    }

    mutating func flag() throws(CodecError) -> Bool { try self.number(1) == 1 }

    mutating func number(_ forms: (Form, Form, Form, Form)) throws(CodecError) -> Int {
        let form =
            switch try self.number(2) {
            case 0: forms.0
            case 1: forms.1
            case 2: forms.2
            default: forms.3
            }
        return try form.offset + self.number(form.bitCount)
    }

    /// A member of an enumeration.
    mutating func choice() throws(CodecError) -> Int {
        try self.number((.value(0), .value(1), .bits(4, plus: 2), .bits(6, plus: 18)))
    }

    /// A number of at most 64 bits in variable length.
    mutating func long() throws(CodecError) -> UInt64 {
        switch try self.number(2) {
        case 0: return 0
        case 1: return UInt64(1 + (try self.number(4)))
        case 2: return UInt64(17 + (try self.number(8)))
        default: break
        }
        var value = UInt64(try self.number(12))
        var shift = 12
        while try self.flag() {
            let count = shift == 60 ? 4 : 8
            value |= UInt64(try self.number(count)) << UInt64(shift)
            if shift == 60 { break }
            shift += 8
        }
        return value
    }

    /// A number in half precision (IEEE 754); infinities and NaN are not allowed.
    mutating func half() throws(CodecError) -> Double {
        let bits = try self.number(16)
        let (exponent, fraction) = (bits >> 10 & 31, Double(bits & 1023) / 1024)
        guard exponent < 31 else { throw .damaged(reason: "a JPEG XL with a number that is not finite") }
        var scale = 1.0
        for _ in 0..<abs(max(exponent, 1) - 15) { scale *= exponent < 15 ? 0.5 : 2 }
        return (bits >> 15 == 1 ? -scale : scale) * (exponent == 0 ? fraction : 1 + fraction)
    }

    mutating func skipHalves(_ count: Int) throws(CodecError) {
        for _ in 0..<count { _ = try self.half() }
    }

    /// Skips the name of a channel or a frame.
    mutating func skipName() throws(CodecError) {
        let count = try self.number((.value(0), .bits(4), .bits(5, plus: 16), .bits(10, plus: 48)))
        try self.skip(8 * count)
    }

    /// Skips extensions, which have no meaning yet: their lengths come first.
    mutating func skipExtensions() throws(CodecError) {
        var names = try self.long()
        var total = 0
        while names != 0 {
            names &= names - 1
            let length = try self.long()
            // More than any file has.
            guard length < 1 << 40 else { throw .damaged(reason: "a JPEG XL with an extension of impossible length") }
            total += Int(length)
        }
        try self.skip(total)
    }

    /// Continues at the next whole byte.
    /// - Throws: ``CodecError/damaged(reason:)`` if the bits before it are not zero.
    mutating func align() throws(CodecError) {
        guard try self.number(-self.position & 7) == 0 else {
            throw .damaged(reason: "a JPEG XL with bits between its parts")
        }
    }

    private mutating func skip(_ count: Int) throws(CodecError) {
        guard count <= 8 * self.bytes.count - self.position else { throw .truncated }
        self.position += count
    }
}
