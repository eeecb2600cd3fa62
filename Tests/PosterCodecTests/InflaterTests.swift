import Testing

@testable import PosterCodec

/// All kinds of blocks, split anywhere.
@Suite(.computingThread) struct InflaterTests {
    /// The output of a stream given in pieces, and the final status.
    static func inflated(_ stream: [UInt8], pieces: Int = .max, demand: Int = 1000) -> ([UInt8], Inflater.Status) {
        var inflater = Inflater()
        var result: [UInt8] = []
        stream.withUnsafeBufferPointer { stream in
            var rest = stream[...]
            while inflater.status == .isFull || inflater.status == .needsInput && !rest.isEmpty {
                let count = inflater.status == .isFull ? 0 : min(pieces, rest.count)
                var piece = UnsafeBufferPointer(rebasing: rest.prefix(count))
                inflater.run(&piece)
                rest = rest.dropFirst(count - piece.count)
                while inflater.unreadCount > 0 {
                    result += [UInt8](unsafeUninitializedCapacity: demand) {
                        $1 = inflater.take(demand, to: $0.baseAddress!)
                    }
                }
            }
        }
        return (result, inflater.status)
    }

    static let noise = (0..<60_000).map { UInt8(truncatingIfNeeded: PNGFile.noise($0, 1, 2)) }

    /// A stream of all kinds of blocks, and its content.
    static func mixed() -> (stream: [UInt8], content: [UInt8]) {
        var writer = DeflateWriter()
        writer.putStored(Array(Self.noise.prefix(500)))
        writer.beginBlock(1, isLast: false)
        for byte in 0..<256 { writer.put(fixed: byte) }
        writer.putMatch(distance: 700, length: 100)
        writer.put(fixed: 256)
        // Code lengths: 1 bit for the end, 9 for literals except 10 for the last, 11 or 12 for the match lengths 3...5.
        let literals = [Int](repeating: 9, count: 255) + [10, 1, 11, 12, 12]
        writer.beginDynamic(literals: literals, distances: [1, 0, 0, 0, 1])
        writer.put(code: 0x1FE, 9)  // literal 254, the last nine-bit code
        writer.put(code: 0x3FE, 10)  // literal 255
        writer.put(code: 0x7FE, 11)  // length 3
        writer.put(code: 1, 1)  // distance 5...6
        writer.put(1, 1)
        writer.put(code: 0xFFF, 12)  // length 5
        writer.put(code: 0, 1)  // distance 1
        writer.put(code: 0, 1)  // the end
        var content = Array(Self.noise.prefix(500)) + Array(0...255)
        for _ in 0..<100 { content.append(content[content.count - 700]) }
        content += [254, 255]
        for _ in 0..<3 { content.append(content[content.count - 6]) }
        for _ in 0..<5 { content.append(content[content.count - 1]) }
        return (writer.finished(content), content)
    }

    @Test("a copy made at any byte continues by itself")
    func copies() {
        let (stream, content) = Self.mixed()
        stream.withUnsafeBufferPointer { stream in
            for cut in 0..<stream.count {
                var original = Inflater()
                var piece = UnsafeBufferPointer(rebasing: stream[..<cut])
                original.run(&piece)
                var copy = original.copy()
                var result = [UInt8](repeating: 0, count: content.count)
                for turn in 0..<2 {
                    var rest = UnsafeBufferPointer(rebasing: stream[cut...])
                    if turn == 0 { original.run(&rest) } else { copy.run(&rest) }
                }
                let count = result.withUnsafeMutableBufferPointer { copy.take($0.count, to: $0.baseAddress!) }
                let (statuses, unreadCount) = ([original.status, copy.status], copy.unreadCount)
                #expect(statuses == [.ended, .ended] && unreadCount == 0, "\(cut)")
                #expect(count == content.count && result == content, "\(cut)")
            }
        }
    }

    @Test("stored, fixed and dynamic blocks follow each other, cut into pieces of any size")
    func readsBlocks() {
        let (stream, content) = Self.mixed()
        for size in Array(1...50) + [100, 500, 510, 1000, 10_000] {
            let (bytes, status) = Self.inflated(stream, pieces: size, demand: 1 + size)
            #expect(status == .ended, "pieces of \(size) bytes")
            #expect(bytes == content, "pieces of \(size) bytes")
        }
    }

    @Test("a stream that is cut anywhere needs input, and a longer beginning gives no less")
    func needsInput() {
        let (stream, content) = Self.mixed()
        var latest = 0
        for count in 0..<stream.count {
            let (bytes, status) = Self.inflated(Array(stream.prefix(count)))
            #expect(status == .needsInput)
            #expect(bytes.count >= latest && content.starts(with: bytes))
            latest = bytes.count
        }
    }

    @Test("matches of any length repeat what is near, also what they write themselves", arguments: [1, 7, 50, 1 << 20])
    func repeats(pieces: Int) {
        for distance in Array(1...40) + [255, 256, 300] {
            var content = Array(Self.noise.prefix(300))
            var writer = DeflateWriter()
            writer.putStored(content)
            writer.beginBlock(1)
            for length in 3...258 {
                writer.putMatch(distance: distance, length: length)
                for _ in 0..<length { content.append(content[content.count - distance]) }
                writer.put(fixed: length & 0xFF)
                content.append(UInt8(length & 0xFF))
            }
            writer.put(fixed: 256)
            let (bytes, status) = Self.inflated(writer.finished(content), pieces: pieces, demand: 70_000)
            #expect(status == .ended)
            #expect(bytes == content, "distance \(distance)")
        }
    }

    @Test("matches reach back 32 KiB, however much came out", arguments: [100, 1 << 20])
    func reachesBack(pieces: Int) {
        var content = Self.noise
        var writer = DeflateWriter()
        writer.putStored(content)
        writer.beginBlock(1)
        for step in 0..<2000 {
            let distance = 32768 - step % 3
            writer.putMatch(distance: distance, length: 258)
            for _ in 0..<258 { content.append(content[content.count - distance]) }
        }
        writer.put(fixed: 256)
        let (bytes, status) = Self.inflated(writer.finished(content), pieces: pieces)
        #expect(status == .ended)
        #expect(bytes == content)
    }

    @Test("what is not taken is held, and no more than 96 KiB and a match are")
    func isBounded() {
        var writer = DeflateWriter()
        writer.beginBlock(1)
        writer.put(fixed: 0)
        for _ in 0..<8000 { writer.putMatch(distance: 1, length: 258) }
        var inflater = Inflater()
        writer.bytes.withUnsafeBufferPointer {
            var piece = $0
            for _ in 0..<20 {
                inflater.run(&piece)
                #expect(inflater.status == .isFull)
                #expect(1 << 16...(1 << 16) + (1 << 15) + 300 ~= inflater.unreadCount)
                inflater.skip()
                #expect(inflater.unreadCount == 0)
            }
        }
    }

    @Test("many blocks without a symbol give nothing, and end")
    func readsEmptyBlocks() {
        var writer = DeflateWriter()
        for _ in 0..<10_000 {
            writer.beginBlock(1, isLast: false)
            writer.put(fixed: 256)
            writer.putStored([])
        }
        writer.beginBlock(1)
        writer.put(fixed: 256)
        let (bytes, status) = Self.inflated(writer.finished([]), pieces: 1000)
        #expect(bytes.isEmpty)
        #expect(status == .ended)
    }

    @Test("what follows the checksum is left alone")
    func ignoresRest() {
        let (stream, content) = Self.mixed()
        let (bytes, status) = Self.inflated(stream + [1, 2, 3, 4, 5, 6, 7, 8, 9])
        #expect(status == .ended)
        #expect(bytes == content)
    }

    @Test("the checksum is that of RFC 1950 for any length")
    func addsUp() {
        let bytes = Self.noise + [UInt8](repeating: 255, count: 20_000)
        for count in Array(0...600) + [5551, 5552, 5553, 20_000, 80_000] {
            for start in [0, 1, bytes.count - 20_000] where start + count <= bytes.count {
                var checksum = Adler32()
                bytes.withUnsafeBufferPointer { checksum.add($0.baseAddress! + start, count: count) }
                #expect(checksum.value == DeflateWriter.adler(Array(bytes[start..<start + count])))
            }
        }
    }
}
