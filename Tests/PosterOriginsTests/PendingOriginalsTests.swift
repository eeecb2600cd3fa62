import FoundationEssentials
import Glibc
import PictureTesting
import PosterPipeline
import PosterTesting
import Testing

@testable import PosterOrigins

@Suite(.timeLimit(.hang))
struct PendingOriginalsTests {
    private let fixture = DiskFixture()
    private let picture = TestPicture.jpeg(width: 200, height: 300)
    private let other = TestPicture.jpeg(width: 60, height: 90)

    /// Runs `body` with a store in which a committed picture waits for the disk.
    private func withPending(
        _ configuration: DiskOriginalStore.Configuration = .init(),
        _ body: (DiskOriginalStore, StoredOriginal, SynchronisationHold) async throws -> Void
    ) async throws {
        let hold = self.fixture.holdSynchronisation()
        defer { hold.release() }
        try await self.fixture.withStore(configuration) { store in
            let stored = try await store.commit(self.picture)
            try await hold.arrivals.reached(1)
            do {
                try await body(store, stored, hold)
            } catch {
                hold.release()
                throw error
            }
        }
    }

    @Test("an original is served before it is durable")
    func served() async throws {
        try await self.withPending { store, stored, hold in
            #expect(stored.isStored)
            #expect(try stored.array == self.picture)
            let read = try await store.get()
            #expect(try read?.array == self.picture && read?.freshness == DiskFixture.freshness)
            let moved = try await store.original(
                try DiskFixture.id("heat"), from: .web(url: "http://b.test/heat.jpg"))
            #expect(moved == nil, "but not for another location")
            #expect(self.fixture.files == [] && self.fixture.incoming.count == 1)
            #expect(store.counters.stored == 0 && store.counters.count == 0)

            hold.release()
            try await store.settle()
            #expect(self.fixture.files.count == 1 && self.fixture.incoming == [])
            #expect(store.counters.stored == 1 && store.counters.count == 1)
            let later = try await store.get()
            #expect(try later?.array == self.picture && stored.array == self.picture)
        }
    }

    @Test("what is written to before it is durable is not served")
    func damaged() async throws {
        try await self.withPending { store, _, hold in
            let name = try #require(self.fixture.incoming.first)
            let file = try #require(name.split(separator: "/").last)
            let descriptor = open("\(self.fixture.originals)/incoming/\(file)", O_WRONLY)
            #expect(pwrite(descriptor, [0xAA, 0x55, 0xAA], 3, off_t(OriginalFileHeader.length) + 100) == 3)
            close(descriptor)
            let read = try await store.get()
            #expect(read == nil)
            hold.release()
        }
    }

    @Test("a process that is killed before loses the stored copy, and nothing else")
    func killed() async throws {
        try await self.fixture.withStore { _ = try await $0.put(self.other) }
        // The files that the next process finds.
        let copy = DiskFixture()
        try await self.withPending { store, _, hold in
            _ = try await store.commit(self.picture, as: "ronin")
            try FileManager.default.copyItem(atPath: self.fixture.path, toPath: copy.path)
            hold.release()
        }
        #expect(copy.files.count == 1 && copy.incoming.count == 2)
        try await copy.withStore { store in
            try await store.sweep()
            #expect(copy.incoming == [])
            let (heat, ronin) = (try await store.get(), try await store.get("ronin"))
            #expect(try heat?.array == self.other && ronin == nil, "the one before is still there")
            let report = try await store.verify()
            #expect(report.isFlawless && report.sound == 1)
            try await store.put(self.picture)
            let again = try await store.get()
            #expect(try again?.array == self.picture)
        }
    }

    @Test("what is forgotten before it is durable is gone", arguments: ["purged", "removed"])
    func forgotten(how: String) async throws {
        try await self.withPending { store, stored, hold in
            let id = try DiskFixture.id("heat")
            await store.remove(try DiskFixture.id("ronin"), digest: stored.original.digest)
            let forgetting = Task {
                if how == "purged" {
                    let wasThere = try await store.purge(id)
                    #expect(wasThere)
                } else {
                    await store.remove(id, digest: stored.original.digest)
                }
            }
            hold.release()
            try await forgetting.value
            let read = try await store.get()
            #expect(read == nil && self.fixture.files == [] && self.fixture.incoming == [])
            #expect(try stored.array == self.picture, "who has it reads it to its end")
        }
    }

    @Test("a purge that waits for the disk can be cancelled")
    func cancelled() async throws {
        try await self.withPending { store, _, hold in
            let purge = Task { try await store.purge(try DiskFixture.id("heat")) }
            purge.cancel()
            await #expect(throws: CancellationError.self) { try await purge.value }
            hold.release()
            try await store.settle()
            let read = try await store.get()
            #expect(read != nil)
        }
    }

    @Test("a 304 before it is durable is kept")
    func refreshed() async throws {
        let later = Freshness(validatedAt: 1_700_000_000, lifetime: 5000)
        try await self.withPending { store, stored, hold in
            let refresh = Task {
                await store.refresh(
                    try DiskFixture.id("heat"), digest: stored.original.digest, validators: Validators(etag: "\"v2\""),
                    freshness: later)
            }
            hold.release()
            try await refresh.value
            let read = try await store.get()
            #expect(read?.freshness == later && read?.validators == Validators(etag: "\"v2\""))
        }
    }

    @Test("originals of one poster are stored in the order in which they were committed")
    func order() async throws {
        try await self.withPending { store, first, hold in
            let second = try await store.commit(self.other)
            let read = try await store.get()
            #expect(try read?.array == self.other)
            #expect(hold.arrivals.value == 1, "the second waits for the first")
            hold.release()
            try await store.settle()
            #expect(hold.arrivals.value == 2 && store.counters.stored == 2 && store.counters.count == 1)
            let after = try await store.get()
            #expect(try after?.array == self.other)
            #expect(try first.array == self.picture && second.array == self.other)
        }
    }

    @Test("what the disk refuses afterwards is read no more, and the next is in memory", arguments: [ENOSPC, EIO])
    func refused(code: Int32) async throws {
        try await self.withPending { store, stored, hold in
            #expect(try stored.array == self.picture && store.isWritable)
            self.fixture.refuse(with: code, to: "synchronise")
            hold.release()
            try await store.settle()
            #expect(throws: OriginalBytes.Unreadable()) { try stored.array }
            await #expect(throws: OriginalBytes.Unreadable()) { try await stored.original.bytes.piece(0..<10) }
            let read = try await store.get()
            #expect(read == nil && self.fixture.files == [] && self.fixture.incoming == [])
            #expect(store.counters.unstored == 1 && !store.isWritable)
            #expect(self.fixture.log.warnings() == ["Originals cannot be stored; they are served from memory"])

            let next = try await store.commit(self.picture)
            #expect(try !next.isStored && next.array == self.picture)
            self.fixture.refuse(with: nil)
            let kept = try await store.commit(self.picture)
            #expect(kept.isStored && store.isWritable && store.counters.stored == 1, "durable before it is served")
        }
    }

    @Test("a file that is cut short before it has its name is not served any more")
    func changed() async throws {
        try await self.withPending { store, stored, hold in
            let file = try #require(self.fixture.incoming.first)
            try #require(truncate("\(self.fixture.folder.path)/\(file)", 5000) == 0)
            #expect(throws: OriginalBytes.Unreadable()) { try stored.array }
            let read = try await store.get()
            #expect(read == nil)
            hold.release()
            try await store.settle()
            let later = try await store.get()
            #expect(later == nil && self.fixture.files == [] && store.counters.damaged == 1)
        }
    }

    @Test("beyond the limit an original is durable before it is served")
    func limit() async throws {
        var configuration = DiskOriginalStore.Configuration()
        configuration.pendingLimit = 1
        try await self.withPending(configuration) { store, _, hold in
            let hasReturned = Counter()
            let second = Task {
                defer { hasReturned.increment() }
                return try await store.commit(self.other, as: "ronin")
            }
            try await hold.arrivals.reached(2)
            #expect(hasReturned.value == 0)
            hold.release()
            let stored = try await second.value
            #expect(try stored.isStored && stored.array == self.other)
            #expect(FileManager.default.fileExists(atPath: try self.path(of: "ronin")))
            try await store.settle()
            let next = self.fixture.holdSynchronisation()
            defer { next.release() }
            let third = try await store.commit(self.other, as: "thief")
            #expect(try third.array == self.other, "and there is room again")
            try await next.arrivals.reached(1)
        }
    }

    @Test("places are counted by originals and by bytes")
    func places() {
        let pending = PendingOriginals(countLimit: 2)
        #expect(pending.reserve(1) && pending.reserve(PendingOriginals.byteLimit - 1))
        #expect(!pending.reserve(0))
        #expect(pending.usage == (2, PendingOriginals.byteLimit))
        pending.release(1)
        #expect(pending.usage == (1, PendingOriginals.byteLimit - 1))
        #expect(!pending.reserve(2) && pending.reserve(1))
        pending.release(1)
        pending.close()
        #expect(!pending.reserve(0))
    }

    @Test("a store that is closed makes everything durable first")
    func closing() async throws {
        try await self.withPending { store, _, hold in
            let closing = Task { await store.close() }
            hold.release()
            await closing.value
            #expect(self.fixture.files.count == 1 && self.fixture.incoming == [])
            let after = try await store.commit(self.other, as: "ronin")
            #expect(after.isStored && self.fixture.files.count == 2, "and what comes later is durable at once")
        }
        try await self.fixture.withStore { store in
            let read = try await store.get()
            #expect(try read?.array == self.picture)
            #expect(store.counters.count == 1, "its row was written, too")
        }
    }

    @Test("upkeep leaves what is not durable yet")
    func upkeep() async throws {
        try await self.withPending { store, _, hold in
            try await store.sweep()
            let report = try await store.verify()
            #expect(report.isFlawless && report.checked == 0)
            #expect(self.fixture.incoming.count == 1)
            hold.release()
            try await store.settle()
            let read = try await store.get()
            #expect(try read?.array == self.picture)
        }
    }

    private func path(of key: String) throws -> String {
        "\(self.fixture.originals)/\(try DiskFixture.path(of: key))"
    }
}
