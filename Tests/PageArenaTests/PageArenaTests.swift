import Glibc
import NIOCore
import Testing

@testable import PageArena

@Suite(.enabled(if: PageArena.shared != nil, "there are no files in memory"))
struct PageArenaTests {
    private static func bytes(_ count: Int, _ seed: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: ($0 &+ seed) &* 31 &+ $0 >> 8) }
    }

    private static func store(_ bytes: [UInt8], in arena: PageArena) throws -> UnsafeMutableRawBufferPointer {
        try #require(bytes.withUnsafeBytes { arena.store($0) })
    }

    /// The memory of the arena's file, in bytes.
    private static func memory(of arena: PageArena) -> Int {
        var status = stat()
        fstat(arena.descriptor, &status)
        return Int(status.st_blocks) * 512
    }

    @Test func theFileHasExactlyThePagesOfItsExtents() throws {
        let arena = try #require(PageArena(capacity: 64 << 20))
        var starts: [UnsafeMutableRawPointer] = []
        for number in 0..<50 {
            let bytes = Self.bytes(20_000 + 700 * number, number)
            let extent = try Self.store(bytes, in: arena)
            #expect(extent.count == arena.extentSize(of: bytes.count))
            #expect(Array(extent) == bytes + [UInt8](repeating: 0, count: extent.count - bytes.count))
            starts.append(try #require(extent.baseAddress))
            #expect(Self.memory(of: arena) == arena.usedByteCount)
        }
        for start in starts {
            arena.free(start)
            #expect(Self.memory(of: arena) == arena.usedByteCount)
        }
        #expect(arena.usedByteCount == 0)
    }

    @Test func aFullArenaTakesNothingUntilAnExtentIsFreed() throws {
        let arena = try #require(PageArena(capacity: 16 << 20))
        let bytes = [UInt8](repeating: 1, count: 1 << 20)
        let starts = (0..<16).compactMap { _ in bytes.withUnsafeBytes { arena.store($0)?.baseAddress } }
        #expect(starts.count == 16)
        #expect(bytes.withUnsafeBytes { arena.store($0) } == nil)
        arena.free(starts[3])
        #expect(try Self.store(bytes, in: arena).baseAddress == starts[3])
    }

    @Test func aBufferOfTheArenaHoldsItsExtentUntilTheLastSliceIsGone() throws {
        let bytes = ByteBuffer(bytes: Self.bytes(50_000, 1))
        var buffer = ByteBuffer(copyingIntoArena: bytes)
        #expect(buffer == bytes && buffer?.storageCapacity == PageArena.shared?.extentSize(of: 50_000))
        let offset = try #require(buffer?.arenaOffset)
        let slice = try #require(buffer?.getSlice(at: 1000, length: 40_000))
        #expect(slice.arenaOffset == offset + 1000)
        buffer = nil
        let other = ByteBuffer(repeating: 0, count: 50_000)
        for _ in 0..<100 { #expect(ByteBuffer(copyingIntoArena: other) != nil) }
        #expect(slice == bytes.getSlice(at: 1000, length: 40_000))
    }

    @Test func aBufferThatIsWrittenToMovesToTheHeap() throws {
        let bytes = Self.bytes(20_000, 2)
        var buffer = try #require(ByteBuffer(copyingIntoArena: ByteBuffer(bytes: bytes)))
        let copy = buffer
        buffer.writeBytes(bytes)
        #expect(buffer.arenaOffset == nil && Array(buffer.readableBytesView) == bytes + bytes)
        #expect(Array(copy.readableBytesView) == bytes && copy.arenaOffset != nil)
        var only = try #require(ByteBuffer(copyingIntoArena: ByteBuffer(bytes: bytes)))
        only.reserveCapacity(100_000)
        #expect(only.arenaOffset == nil && Array(only.readableBytesView) == bytes)
    }

    @Test func shortBytesStayOnTheHeap() {
        let bytes = ByteBuffer(repeating: 1, count: PageArena.leastLength - 1)
        #expect(ByteBuffer(copyingIntoArena: bytes) == nil && bytes.arenaOffset == nil)
    }

    @Test(arguments: [AF_UNIX, AF_INET])
    func aReaderThatStallsGetsTheBytesOfFreedExtents(family: CInt) throws {
        let arena = try #require(PageArena(capacity: 16 << 20))
        let (server, client) = try Self.connection(family)
        defer {
            close(server)
            close(client)
        }
        var expected: [UInt8] = []
        // As many extents as the socket takes.
        for number in 0..<100 {
            let bytes = Self.bytes(20_000, number)
            let start = try #require(try Self.store(bytes, in: arena).baseAddress)
            var offset = off_t(try #require(arena.offset(of: start)))
            let count = sendfile(server, arena.descriptor, &offset, bytes.count)
            arena.free(start)
            expected += bytes.prefix(max(0, count))
            if count < bytes.count { break }
        }
        #expect(expected.count > 40_000)
        let other = [UInt8](repeating: 0xEE, count: 20_000)
        for _ in 0..<10_000 { arena.free(try #require(try Self.store(other, in: arena).baseAddress)) }
        var received: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while received.count < expected.count {
            let count = recv(client, &piece, min(piece.count, expected.count - received.count), 0)
            try #require(count > 0)
            received += piece.prefix(count)
        }
        #expect(received == expected)
    }

    /// A connection with a first end that does not block.
    private static func connection(_ family: CInt) throws -> (server: CInt, client: CInt) {
        let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        var ends: [CInt] = [-1, -1]
        if family == AF_UNIX {
            try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
        } else {
            let listener = socket(family, type, 0)
            defer { close(listener) }
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            ends[1] = socket(family, type, 0)
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isConnected = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listener, $0, length) == 0 && listen(listener, 1) == 0
                        && getsockname(listener, $0, &length) == 0 && connect(ends[1], $0, length) == 0
                }
            }
            try #require(isConnected)
            ends[0] = accept(listener, nil, nil)
        }
        try #require(fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0)
        return (ends[0], ends[1])
    }
}
