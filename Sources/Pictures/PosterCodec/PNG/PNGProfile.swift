/// The ICC profile in a PNG's iCCP chunk (third edition, 11.3.2.3), with its beginning inflated.
struct PNGProfile {
    /// Maximum bytes of the stream that are read for the profile's beginning: a bound on the time that empty blocks
    /// take. A stream without the beginning in them is ignored.
    private static let prefixStreamBytes = 2048
    /// Bytes of the stream that are read between two checks of the watch.
    private static let pieceBytes = 1 << 16

    /// The first bytes of the profile, ``ICCTagTable/maxLength`` at most.
    let prefix: [UInt8]
    /// The length of the profile in bytes, as it declares itself.
    let byteCount: Int
    /// The zlib stream. Borrowed.
    private let stream: UnsafeBufferPointer<UInt8>

    /// - Parameter payload: A name, a zero, the method (0), and the profile as a zlib stream.
    /// - Returns: `nil` if the stream does not begin with the header of a profile.
    init?(_ payload: UnsafeRawBufferPointer) {
        // The name has 1 to 79 bytes.
        guard let nameEnd = payload.prefix(80).firstIndex(of: 0), nameEnd > 0, nameEnd + 2 < payload.count,
            payload[nameEnd + 1] == 0
        else { return nil }
        let stream = UnsafeRawBufferPointer(rebasing: payload[(nameEnd + 2)...]).bindMemory(to: UInt8.self)
        var inflater = Inflater()
        var piece = UnsafeBufferPointer(rebasing: stream.prefix(Self.prefixStreamBytes))
        inflater.run(&piece)
        let prefix = [UInt8](unsafeUninitializedCapacity: ICCTagTable.maxLength) { buffer, count in
            count = inflater.take(ICCTagTable.maxLength, to: buffer.baseAddress!)
        }
        // The size comes first in an ICC profile, and "acsp" is at 36 (ICC.1, 7.2).
        guard prefix.count > ICCTagTable.headerLength, prefix[36..<40].elementsEqual("acsp".utf8) else {
            return nil
        }
        let byteCount = prefix.withUnsafeBytes { $0.bigEndian(at: 0) }
        guard byteCount > ICCTagTable.headerLength, prefix.count >= min(byteCount, ICCTagTable.maxLength) else {
            return nil
        }
        self.prefix = Array(prefix.prefix(byteCount))
        self.byteCount = byteCount
        self.stream = stream
    }

    /// Inflates the whole profile; `nil` if the stream is invalid, too short, or longer than any encoder writes.
    func bytes(watch: RenderWatch) throws(CodecError) -> [UInt8]? {
        try watch.limits.check(profileBytes: self.byteCount)
        var inflater = Inflater()
        var rest = self.stream
        var profile = [UInt8](repeating: 0, count: self.byteCount)
        var done = 0
        while true {
            try watch.check()
            var piece = UnsafeBufferPointer(rebasing: rest.prefix(Self.pieceBytes))
            let count = piece.count
            inflater.run(&piece)
            rest = UnsafeBufferPointer(rebasing: rest[(count - piece.count)...])
            profile.withUnsafeMutableBufferPointer {
                done += inflater.take($0.count - done, to: $0.baseAddress! + done)
            }
            if done == profile.count { return profile }
            switch inflater.status {
            case .isFull: break
            case .needsInput where !rest.isEmpty: break
            case .needsInput, .ended, .corrupt, .wrongChecksum: return nil
            }
            guard self.stream.count - rest.count <= Self.streamBytes(for: done) + Self.pieceBytes else { return nil }
        }
    }

    /// The longest stream that an encoder writes for `count` bytes, by zlib's `deflateBound`.
    private static func streamBytes(for count: Int) -> Int { count + (count + 7) / 8 + (count + 63) / 64 + 11 }
}
