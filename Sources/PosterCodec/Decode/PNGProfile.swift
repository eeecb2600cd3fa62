import CPosterCodecs

/// The ICC profile in a PNG's iCCP chunk (third edition, 11.3.2.3).
enum PNGProfile {
    /// An ICC profile's header (ICC.1, 7.2): the size comes first, and "acsp" is at 36.
    private static let headerLength = 128

    /// - Parameter payload: A name, a zero, the method (0), and the profile as a zlib stream.
    /// - Returns: nil for what is no whole profile.
    /// - Throws: ``CodecError/overLimit(_:value:limit:)``.
    static func inflate(_ payload: UnsafeRawBufferPointer, limits: CodecLimits) throws(CodecError) -> [UInt8]? {
        // The name has 1 to 79 bytes.
        guard let nameEnd = payload.prefix(80).firstIndex(of: 0), nameEnd > 0, nameEnd + 2 < payload.count,
            payload[nameEnd + 1] == 0
        else { return nil }
        let stream = UnsafeRawBufferPointer(rebasing: payload[(nameEnd + 2)...])
        // A small chunk may inflate to anything, so the size is taken from the header and not from the stream.
        guard let header = Self.inflate(stream, byteCount: Self.headerLength) else { return nil }
        let size = header.withUnsafeBytes { Int($0.bigEndian(at: 0)) }
        guard size > Self.headerLength, header[36..<40].elementsEqual("acsp".utf8) else { return nil }
        guard size <= limits.maxProfileBytes else {
            throw .overLimit(.profileBytes, value: size, limit: limits.maxProfileBytes)
        }
        return Self.inflate(stream, byteCount: size)
    }

    /// The first bytes of a stream; nil when it has less.
    private static func inflate(_ stream: UnsafeRawBufferPointer, byteCount: Int) -> [UInt8]? {
        guard let base = stream.bindMemory(to: UInt8.self).baseAddress else { return nil }
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, initialized in
            initialized = poster_inflate(base, stream.count, buffer.baseAddress!, byteCount)
            count = initialized
        }
        return count == byteCount ? bytes : nil
    }
}
