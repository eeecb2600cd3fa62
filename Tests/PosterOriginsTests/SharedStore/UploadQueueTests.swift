import Flights
import FoundationEssentials
import PosterPipeline
import PosterTesting
import Synchronization
import Testing

@testable import PosterOrigins

@Suite(.timeLimit(.hang))
struct UploadQueueTests {
    private let folder = TemporaryFolder()
    private let key = Digest(of: "mine:heat")
    private let digest = Digest(of: "bytes")

    private func open(_ limits: UploadQueue.Limits = .init()) throws -> UploadQueue {
        // May be called while the previous queue exists, as after a crash.
        try FileManager.default.createDirectory(atPath: self.data, withIntermediateDirectories: true)
        return try UploadQueue(
            in: try DataDirectory(path: self.data), limits: limits, locks: StripedLock(), calls: .system)
    }

    private var data: String { self.folder.path + "/data" }
    private var files: [String] { self.folder.files.filter { $0.contains("/uploads/") }.map { String($0.suffix(70)) } }

    /// An original's file with these bytes.
    private func original(_ text: String = "bytes") throws -> String {
        let header = OriginalFileHeader(
            id: "mine:heat", location: "http://a.test/heat.jpg", digest: Digest(of: text).description,
            length: text.utf8.count, fetchedAt: 1)
        let path = "\(self.folder.path)/\(text.utf8.count).original"
        try Data(try #require(header.encoded()) + Array(text.utf8)).write(to: URL(filePath: path))
        return path
    }

    private func claim(_ queue: UploadQueue) -> UploadJob? {
        if case .job(let job) = queue.claim() { job } else { nil }
    }

    @Test func aJobIsDoneOnce() throws {
        let queue = try self.open()
        try queue.addUpload(self.key, onlyIfAbsent: true, from: try self.original())
        #expect(queue.usage.count == 1 && queue.usage.bytes == 4101)
        let job = try #require(self.claim(queue))
        #expect(job.work == .upload(onlyIfAbsent: true) && self.claim(queue) == nil, "it runs")
        try queue.finish(job)
        #expect(queue.usage == (0, 0, 0) && self.claim(queue) == nil && self.files.isEmpty)
    }

    @Test func anUploadTakesThePlaceOfOneOfItsKind() throws {
        let queue = try self.open()
        let path = try self.original()
        for text in ["bytes", "bytes", "other bytes"] {
            let source = text == "bytes" ? path : try self.original(text)
            try queue.addUpload(self.key, onlyIfAbsent: false, from: source)
            #expect(self.files == ["\(self.key).replace".suffix(70).description], "\(text)")
        }
        #expect(queue.usage.count == 1 && queue.usage.bytes == 4107)
    }

    @Test func theEndOfOneJobCanBeWaitedFor() async throws {
        let queue = try self.open()
        try await queue.waitForEnd(of: self.key)
        try queue.addUpload(self.key, onlyIfAbsent: true, from: try self.original())
        let waiter = Task { try await queue.waitForEnd(of: self.key) }
        let leaver = Task { try await queue.waitForEnd(of: self.key) }
        try await eventually { queue.state.withLock { $0.ends[self.key]?.waiterCount } == 2 }
        leaver.cancel()
        await #expect(throws: CancellationError.self) { try await leaver.value }
        let job = try #require(self.claim(queue))
        queue.putBack(job)
        queue.retryFailed()
        #expect(queue.state.withLock { $0.ends[self.key]?.waiterCount } == 1, "it has only failed")
        try queue.finish(try #require(self.claim(queue)))
        try await waiter.value
        #expect(queue.state.withLock { $0.ends.isEmpty })
    }

    @Test func whatWaitsSurvivesARestartAndTheEvictionOfItsOriginal() throws {
        let path = try self.original()
        let other = Digest(of: "other")
        do {
            let queue = try self.open()
            try queue.addUpload(self.key, onlyIfAbsent: false, from: path)
            #expect(try queue.addRemoval(other, digest: self.digest))
            _ = self.claim(queue)
        }
        try FileManager.default.removeItem(atPath: path)
        let queue = try self.open()
        let removal = try #require(self.claim(queue))
        #expect(removal.key == other && removal.work == .removal(self.digest), "removals are first")
        let upload = try #require(self.claim(queue))
        #expect(upload.key == self.key && upload.work == .upload(onlyIfAbsent: false))
        #expect(try OriginalFile(queue.path(of: upload)).header.digest == self.digest.description)
    }

    @Test func foreignFilesAndHalfOnesAreRemovedAtAStart() throws {
        try FileManager.default.createDirectory(atPath: self.data + "/uploads", withIntermediateDirectories: true)
        let names = ["x", "\(self.key).remove.partial", "\(self.key).new", "\(self.key).remove", "\(self.key).other"]
        for name in names { try Data("x".utf8).write(to: URL(filePath: "\(self.data)/uploads/\(name)")) }
        let queue = try self.open()
        #expect(self.claim(queue)?.work == .removal(nil), "a removal counts, of any bytes if its file has no digest")
        #expect(self.files.count == 1)
    }

    @Test func theLaterWorkCounts() throws {
        let queue = try self.open()
        let path = try self.original()
        try queue.addUpload(self.key, onlyIfAbsent: true, from: path)
        try queue.addUpload(self.key, onlyIfAbsent: true, from: path)
        #expect(queue.work(for: self.key) == .upload(onlyIfAbsent: true))
        try queue.addUpload(self.key, onlyIfAbsent: false, from: path)
        #expect(queue.work(for: self.key) == .upload(onlyIfAbsent: false))
        #expect(try queue.addRemoval(self.key, digest: nil))
        #expect(queue.work(for: self.key) == .removal(nil))
        try queue.addUpload(self.key, onlyIfAbsent: true, from: path)
        #expect(queue.work(for: self.key) == .upload(onlyIfAbsent: false), "what is there may be what was removed")
        #expect(queue.usage.count == 1 && self.files.count == 1)
    }

    @Test func aRemovalOfOtherBytesLetsAnUploadGoOn() throws {
        let queue = try self.open()
        try queue.addUpload(self.key, onlyIfAbsent: true, from: try self.original())
        #expect(try queue.addRemoval(self.key, digest: Digest(of: "older")))
        #expect(queue.work(for: self.key) == .upload(onlyIfAbsent: false))
        #expect(try queue.addRemoval(self.key, digest: self.digest))
        #expect(queue.work(for: self.key) == .removal(nil), "also of what the upload would have replaced")
    }

    @Test func aRemovalOfAnOriginalThatReplacesNothingIsOfItsBytes() throws {
        let queue = try self.open()
        try queue.addUpload(self.key, onlyIfAbsent: true, from: try self.original())
        #expect(try queue.addRemoval(self.key, digest: self.digest))
        #expect(queue.work(for: self.key) == .removal(self.digest))
        #expect(try queue.addRemoval(self.key, digest: Digest(of: "older")))
        #expect(queue.work(for: self.key) == .removal(nil), "either of both")
    }

    @Test func whatIsAddedWhileItRunsIsDoneAfterIt() throws {
        let queue = try self.open()
        try queue.addUpload(self.key, onlyIfAbsent: true, from: try self.original())
        let upload = try #require(self.claim(queue))
        #expect(try queue.addRemoval(self.key, digest: nil))
        #expect(self.claim(queue) == nil)
        try queue.finish(upload)
        let removal = try #require(self.claim(queue))
        #expect(removal.work == .removal(nil))
        try queue.finish(removal)
        #expect(queue.usage.count == 0 && self.files.isEmpty)
    }

    @Test func whatFailedComesBehindTheOthers() throws {
        let queue = try self.open()
        let path = try self.original()
        let keys = (0..<3).map { Digest(of: "\($0)") }
        for key in keys { try queue.addUpload(key, onlyIfAbsent: true, from: path) }
        let first = try #require(self.claim(queue))
        queue.putBack(first, isRefused: true)
        #expect(queue.usage.count == 3 && queue.work(for: keys[0]) != nil)
        #expect([self.claim(queue), self.claim(queue)].map { $0?.key } == [keys[1], keys[2]])
        #expect(self.claim(queue) == nil, "not at once")
        queue.retryFailed()
        let again = try #require(self.claim(queue))
        #expect(again.key == keys[0] && again.refusals == 1)
    }

    @Test func aJobThatIsRefusedPausesLongerEachTime() throws {
        let queue = try self.open()
        #expect(try queue.addRemoval(self.key, digest: nil))
        var pauses: [Int] = []
        for _ in 0..<11 {
            queue.putBack(try #require(self.claim(queue)), isRefused: true)
            var pause = 0
            while queue.state.withLock({ !$0.failed.isEmpty }) {
                #expect(self.claim(queue) == nil)
                queue.retryFailed()
                pause += 1
            }
            pauses.append(pause)
        }
        #expect(pauses == [1, 2, 4, 8, 16, 32, 64, 128, 256, 256, 256])
    }

    @Test func whatTakesThePlaceOfARefusedJobDoesNotWaitForItsRound() throws {
        let queue = try self.open()
        #expect(try queue.addRemoval(self.key, digest: nil))
        queue.putBack(try #require(self.claim(queue)), isRefused: true)
        try queue.addUpload(self.key, onlyIfAbsent: true, from: try self.original())
        let upload = try #require(self.claim(queue))
        #expect(upload.work == .upload(onlyIfAbsent: false) && upload.refusals == 0)
        try queue.finish(upload)
        queue.retryFailed()
        #expect(self.claim(queue) == nil && queue.usage.count == 0)
    }

    @Test func itIsBounded() throws {
        var limits = UploadQueue.Limits()
        (limits.uploads, limits.bytes, limits.removals) = (2, 10_000, 1)
        let queue = try self.open(limits)
        let (path, large) = (try self.original(), try self.original(String(repeating: "b", count: 3000)))
        let keys = (0..<4).map { Digest(of: "\($0)") }
        try queue.addUpload(keys[0], onlyIfAbsent: true, from: path)
        try queue.addUpload(keys[1], onlyIfAbsent: true, from: path)
        try queue.addUpload(keys[2], onlyIfAbsent: true, from: path)
        #expect(queue.usage == (2, 8202, 1), "more than two")
        try queue.addUpload(keys[1], onlyIfAbsent: true, from: large)
        #expect(queue.usage == (1, 4101, 2), "too large in place of the other, which is outdated")
        try queue.addUpload(keys[1], onlyIfAbsent: true, from: path)
        #expect(try queue.addRemoval(keys[2], digest: nil))
        #expect(try queue.addRemoval(keys[2], digest: nil))
        #expect(try !queue.addRemoval(keys[3], digest: nil))
        #expect(queue.usage.count == 3 && self.files.count == 3)
    }

    /// A queue with room for one upload, with one that replaces an object of purged bytes.
    private func queueAfterAPurge(removals: Int = 2) throws -> UploadQueue {
        var limits = UploadQueue.Limits()
        (limits.bytes, limits.removals) = (5000, removals)
        let queue = try self.open(limits)
        #expect(try queue.addRemoval(self.key, digest: nil))
        try queue.addUpload(self.key, onlyIfAbsent: true, from: try self.original())
        #expect(queue.work(for: self.key) == .upload(onlyIfAbsent: false))
        return queue
    }

    @Test func withoutRoomAPurgedObjectIsRemovedInsteadOfReplaced() throws {
        let queue = try self.queueAfterAPurge()
        let large = try self.original(String(repeating: "b", count: 3000))
        try queue.addUpload(self.key, onlyIfAbsent: false, from: large)
        #expect(queue.work(for: self.key) == .removal(nil) && queue.usage == (1, 0, 1))
        #expect(self.files == ["\(self.key).remove".suffix(70).description])
        try queue.addUpload(self.key, onlyIfAbsent: false, from: large)
        #expect(queue.work(for: self.key) == .removal(nil), "a removal stays")
    }

    @Test func withoutRoomForTheRemovalEitherThePurgedObjectIsReplacedByTheEarlierBytes() throws {
        let queue = try self.queueAfterAPurge(removals: 1)
        #expect(try queue.addRemoval(Digest(of: "other"), digest: nil))
        try queue.addUpload(
            self.key, onlyIfAbsent: false, from: try self.original(String(repeating: "b", count: 3000)))
        #expect(queue.work(for: self.key) == .upload(onlyIfAbsent: false) && queue.usage == (2, 4101, 1))
    }

    @Test func aStartWithLowerLimitsRemovesAPurgedObjectInsteadOfReplacingIt() throws {
        let path = try self.original()
        let other = Digest(of: "other")
        do {
            let queue = try self.open()
            try queue.addUpload(self.key, onlyIfAbsent: false, from: path)
            try queue.addUpload(other, onlyIfAbsent: true, from: path)
        }
        var limits = UploadQueue.Limits()
        limits.uploads = 0
        let queue = try self.open(limits)
        #expect(queue.work(for: self.key) == .removal(nil) && queue.work(for: other) == nil)
        #expect(queue.usage == (1, 0, 2) && self.files.count == 1)
    }

    @Test func aHopelessUploadRemovesThePurgedObjectThatItWouldHaveReplaced() throws {
        let queue = try self.queueAfterAPurge()
        try queue.finish(try #require(self.claim(queue)), isDropped: true)
        #expect(queue.work(for: self.key) == .removal(nil) && queue.usage == (1, 0, 1))
        #expect(self.files == ["\(self.key).remove".suffix(70).description])
        try queue.finish(try #require(self.claim(queue)))
        #expect(queue.work(for: self.key) == nil && self.files.isEmpty)
    }

    @Test func anOriginalThatIsGoneIsNotAdded() throws {
        let queue = try self.open()
        try queue.addUpload(self.key, onlyIfAbsent: true, from: self.folder.path + "/missing")
        #expect(queue.usage == (0, 0, 0))
    }

    @Test func anOrderHasEachKeyOnce() {
        var order = JobOrder()
        let keys = (0..<5).map { Digest(of: "\($0)") }
        for _ in 0..<3 { for key in keys { order.append(key) } }
        #expect(order.pop() == keys[0])
        order.append(keys[0])
        order.append(keys[1])
        #expect((0..<6).map { _ in order.pop() } == [keys[1], keys[2], keys[3], keys[4], keys[0], nil])
    }
}
