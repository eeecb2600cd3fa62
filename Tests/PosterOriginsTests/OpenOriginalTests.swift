import FoundationEssentials
import Glibc
import NIOCore
import PictureTesting
import PosterPipeline
import PosterTesting
import Testing

@testable import PosterOrigins

@Suite(.timeLimit(.hang))
struct OpenOriginalTests {
    private let fixture = DiskFixture()
    private let picture = TestPicture.jpeg(width: 400, height: 600)

    @Test(
        "a file that is cut short or written to while it is used cannot be read, and is dropped",
        arguments: ["cut short", "cut short and filled up again", "written to"])
    func changed(how: String) async throws {
        try await self.fixture.withStore { store in
            try await store.put(self.picture)
            let used = try #require(try await store.get())
            #expect(try used.array == self.picture)
            let path = try #require(self.fixture.files.first)
            let length = off_t(4096 + self.picture.count)
            switch how {
            case "cut short": try #require(truncate(path, 5000) == 0)
            case "cut short and filled up again":
                try #require(truncate(path, 5000) == 0 && truncate(path, length) == 0)
            default: try self.fixture.edit(path) { $0[4096 + self.picture.count / 2] ^= 1 }
            }
            #expect(throws: OriginalBytes.Unreadable()) { try used.original.bytes.withSpan { $0.byteCount } }
            await #expect(throws: OriginalBytes.Unreadable()) { try await used.original.bytes.piece(0..<10) }
            #expect(self.fixture.files.isEmpty)
            #expect(store.counters.damaged == 1 && store.counters.count == 0)
            #expect(self.fixture.log.warnings() == ["Dropping a stored original"])
            try await store.put(self.picture)
            let again = try await store.get()
            #expect(try again?.array == self.picture)
        }
    }

    @Test("a worker gets a descriptor that is only open for reading, of a new original, too")
    func readOnly() async throws {
        try await self.fixture.withStore { store in
            let committed = try await store.commit(self.picture)
            let new = try #require(try await store.get())
            try await store.settle()
            let settled = try #require(try await store.get())
            for original in [committed, new, settled] {
                guard case .stored(let bytes) = original.original.bytes else {
                    Issue.record("not in a file")
                    continue
                }
                let mode = try bytes.withDescriptor { descriptor, _ in fcntl(descriptor, F_GETFL) & O_ACCMODE }
                #expect(mode == O_RDONLY)
            }
        }
    }

    @Test("what is evicted, replaced or purged while it is used is read to its end")
    func renamed() async throws {
        try await self.fixture.withStore { store in
            try await store.put(self.picture)
            let used = try #require(try await store.get())
            try await store.put(TestPicture.jpeg(width: 60, height: 90))
            let next = try #require(try await store.get())
            let wasThere = try await store.purge(try DiskFixture.id("heat"))
            #expect(wasThere)
            #expect(try used.array == self.picture)
            #expect(try next.original.bytes.count < self.picture.count && next.array.count > 0)
            #expect(store.counters.damaged == 0)
            let piece = try await used.original.bytes.piece(100..<300)
            #expect(Array(piece.readableBytesView) == Array(self.picture[100..<300]))
        }
    }

    @Test("a file of another one that took its name is not dropped for it")
    func another() async throws {
        try await self.fixture.withStore { store in
            try await store.put(self.picture)
            let used = try #require(try await store.get())
            let path = try #require(self.fixture.files.first)
            // Renames the file of the open descriptor.
            try FileManager.default.moveItem(atPath: path, toPath: path + ".old")
            let other = TestPicture.jpeg(width: 60, height: 90)
            try await store.put(other)
            try #require(truncate(path + ".old", 4096) == 0)
            #expect(throws: OriginalBytes.Unreadable()) { try used.array }
            let read = try await store.get()
            #expect(try read?.array == other)
        }
    }

    @Test("no more originals are open than the limit allows")
    func limit() async throws {
        var configuration = DiskOriginalStore.Configuration()
        configuration.openLimit = 2
        try await self.fixture.withStore(configuration) { store in
            try await store.put(self.picture)
            var open = [try await store.get(), try await store.get()]
            await #expect(throws: PosterError.overloaded(retryAfter: 1)) { try await store.get() }
            open.removeLast()
            let read = try await store.get()
            #expect(try read?.array == self.picture)
            #expect(open.count == 1)
        }
    }

    @Test("an original is checked once, and read again when it is used")
    func checked() async throws {
        try await self.fixture.withStore { store in
            try await store.put(self.picture)
            let first = try await store.get()
            let second = try await store.get()
            #expect(first?.original.header == second?.original.header && second != nil)
            #expect(second?.original.bytes.loadingByteCount == self.picture.count)
        }
    }
}
