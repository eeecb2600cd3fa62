import CodecTesting
import Flights
import PictureTesting
import PosterCodec
import Testing

@testable import PosterPipeline

struct JobBookTests {
    private struct Caller: Identifiable, Hashable, Sendable {
        let id: Int
    }

    private typealias Book = JobBook<Caller>

    private static let header = Result {
        try inspect(TestPicture.jpeg(width: 600, height: 900).span.bytes, limits: CodecLimits())
    }

    private func member(
        _ width: Int, of poster: String = "heat", level: Urgency.Level = .interactive
    ) throws -> Book.Member {
        let target = RenderTarget(width: width, format: .jpeg)
        let original = Original.unopened(
            try PosterID(key: poster), OriginalFacts(digest: Digest(of: poster), header: try Self.header.get()))
        return Book.Member(
            key: try VariantKey(id: original.id, facts: original.facts, target: target), target: target,
            plan: try RenderPlan(original.header, target: target), original: original,
            epoch: OriginalMetadataCache(limit: 1).epoch(of: original.id), level: level)
    }

    @Test("variants gather until their job is sealed, and then for the next")
    func sealing() throws {
        var book = Book()
        let first = try #require(book.join(Caller(id: 1), try self.member(92, level: .warming)).begun)
        #expect(first.urgency.level == .warming)
        #expect(book.join(Caller(id: 2), try self.member(154)).begun == nil)
        let announced = [try self.member(92), try self.member(342, level: .revalidation)]
        let sealed = book.seal(first.id, announced: announced)
        #expect(sealed.map(\.target.width) == [154, 342, 92], "the most urgent first, and none twice")

        let next = try #require(book.join(Caller(id: 3), try self.member(500)).begun)
        #expect(book.join(Caller(id: 4), try self.member(342)).begun == nil, "what is made is joined")
        let others = book.begin(first.id, sealed.dropLast().map(\.key), JobControl(targetCount: 2))
        let rest = try #require(others)
        #expect(book.seal(rest.id, announced: []).map(\.target.width) == [92])
        #expect(book.finish(first.id, sealed[1].key) == [Caller(id: 4)])
        #expect(book.end(first.id) == [Caller(id: 2)])
        #expect(book.end(rest.id) == [Caller(id: 1)] && book.end(next.id) == [Caller(id: 3)] && book.count == 0)
    }

    @Test("a queued job ends with its last waiter, and a running one when nothing of it is wanted")
    func leaving() async throws {
        var book = Book()
        let member = try self.member(92)
        let queued = try #require(book.join(Caller(id: 1), member).begun)
        let task = Task<Void, Never> {}
        book.setTask(task, of: queued.id)
        _ = book.join(Caller(id: 2), member)
        #expect(book.leave(1, of: member.key).cancelled == nil)
        let last = book.leave(2, of: member.key)
        #expect(last.waiter == Caller(id: 2) && last.cancelled == task && book.count == 0)

        let running = try #require(book.join(Caller(id: 3), member).begun)
        let other = try self.member(154)
        let keys = book.seal(running.id, announced: [other]).map(\.key)
        let control = JobControl(targetCount: 2)
        #expect(book.begin(running.id, keys, control) == nil)
        #expect(book.drop([member.key]) == 0, "it is waited for")
        #expect(book.idleMembers(of: member.key.id).map(\.key) == [other.key])
        #expect(book.drop([other.key]) == 1 && !control.stop.isRaised && book.count == 1)
        #expect(book.leave(3, of: member.key).waiter == Caller(id: 3) && !control.stop.isRaised)
        #expect(book.drop([member.key]) == 1 && control.stop.isRaised && book.count == 0)
    }

    @Test("a job takes no more variants than one decode serves")
    func limit() throws {
        var book = Book()
        let begun = try (0...RenderJob.targetLimit).compactMap { index in
            book.join(Caller(id: index), try self.member(100 + index)).begun
        }
        #expect(begun.count == 2)
        let sealed = book.seal(begun[0].id, announced: [try self.member(99)])
        #expect(sealed.count == RenderJob.targetLimit)
    }

    @Test("what becomes more urgent raises its job, and its target in one that runs")
    func raising() throws {
        var book = Book()
        let members = try [92, 154].map { try self.member($0, level: .warming) }
        let queued = try #require(book.join(Caller(id: 1), members[0]).begun)
        _ = book.join(Caller(id: 2), members[1])
        #expect(book.raise(members[1].key, to: .interactive) === queued.urgency)
        #expect(book.seal(queued.id, announced: []).map(\.target.width) == [154, 92])
        let control = JobControl(targetCount: 2)
        #expect(book.begin(queued.id, [members[0].key, members[1].key], control) == nil)
        #expect(control.urgency(of: 0) == 0 && control.urgency(of: 1) == 2)
        _ = book.join(Caller(id: 3), try self.member(92))
        #expect(control.urgency(of: 0) == 2)
    }

    /// The test's model of a book's waiters and jobs.
    private struct Model {
        var waiting: [Caller: VariantKey] = [:]
        var jobs: [Book.ID] = []
        var sealed: [Book.ID: [VariantKey]] = [:]
        var running: [Book.ID: [VariantKey]] = [:]
        var lastCaller = 0

        mutating func add(_ queued: Book.Queued?) {
            if let queued { self.jobs.append(queued.id) }
        }

        /// Removes resumed waiters, which must have been waiting.
        mutating func resume(_ callers: [Caller], of key: VariantKey? = nil) {
            for caller in callers {
                let waited = self.waiting.removeValue(forKey: caller)
                #expect(waited != nil, "\(caller) is resumed twice")
                if let key { #expect(waited == key) }
            }
        }
    }

    @Test("in 20,000 random steps each waiter is resumed exactly once")
    func randomSteps() throws {
        var random = SeededRandom(seed: 19)
        var (book, model) = (Book(), Model())
        let members = try ["heat", "ronin"].flatMap { id in try (1...6).map { try self.member(50 * $0, of: id) } }
        for _ in 0..<20_000 {
            let member = members.randomElement(using: &random)!
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<8:
                model.lastCaller += 1
                let caller = Caller(id: model.lastCaller)
                model.add(book.join(caller, member).begun)
                model.waiting[caller] = member.key
            case 8..<11:
                guard let (caller, key) = model.waiting.min(by: { $0.key.id < $1.key.id }) else { continue }
                let left = book.leave(caller.id, of: key)
                #expect(left.waiter == caller)
                model.resume([caller], of: key)
                #expect(book.leave(caller.id, of: key).waiter == nil)
            case 11..<14:
                guard let id = model.jobs.randomElement(using: &random) else { continue }
                model.jobs.removeAll { $0 == id }
                let keys = book.seal(id, announced: [member]).map(\.key)
                #expect(Set(keys).count == keys.count)
                model.sealed[id] = keys
            case 14..<16:
                guard let (id, keys) = model.sealed.min(by: { $0.key < $1.key }) else { continue }
                model.sealed[id] = nil
                let chosen = keys.filter { _ in Bool.random(using: &random) }
                model.add(book.begin(id, chosen, JobControl(targetCount: max(1, chosen.count))))
                model.running[id] = chosen
            case 16..<18:
                guard let (id, keys) = model.running.min(by: { $0.key < $1.key }),
                    let key = keys.randomElement(using: &random)
                else { continue }
                model.resume(book.finish(id, key), of: key)
            case 18:
                let idle = book.idleMembers(of: member.key.id).map(\.key)
                #expect(book.drop(idle) == idle.count)
            default:
                guard let (id, _) = model.running.min(by: { $0.key < $1.key }) else { continue }
                model.add(book.giveBack(id) { $0.key == member.key })
                model.resume(book.end(id))
                model.running[id] = nil
            }
        }
        for id in model.jobs + Array(model.sealed.keys) + Array(model.running.keys) { model.resume(book.end(id)) }
        #expect(model.waiting.isEmpty && book.count == 0)
    }
}
