import CodecTesting
import Flights
import PictureTesting
import PosterCodec
import Testing

@testable import PosterPipeline

struct RenderTableTests {
    struct Caller: Identifiable, Hashable, Sendable {
        let id: Int
    }

    typealias Table = RenderTable<Caller>

    private static let header = Result {
        try inspect(TestPicture.jpeg(width: 600, height: 900).span.bytes, limits: CodecLimits())
    }

    static func flight(
        _ width: Int, of poster: String = "heat", level: Urgency.Level = .interactive
    ) throws -> Table.Flight {
        let target = RenderTarget(width: width, format: .jpeg)
        let original = Original.unopened(
            try PosterID(key: poster), OriginalFacts(digest: Digest(of: poster), header: try self.header.get()))
        return Table.Flight(
            key: try VariantKey(id: original.id, facts: original.facts, target: target), target: target,
            plan: try RenderPlan(original.header, target: target), original: original,
            epoch: OriginalMetadataCache(limit: 1).epoch(of: original.id), level: level)
    }

    @Test("variants gather until their job is sealed, and then for the next")
    func sealing() throws {
        var table = Table()
        let first = try #require(table.join(Caller(id: 1), try Self.flight(92, level: .warming)).begun)
        #expect(first.urgency.level == .warming)
        #expect(table.join(Caller(id: 2), try Self.flight(154)).begun == nil)
        let announced = [try Self.flight(92), try Self.flight(342, level: .revalidation)]
        let sealed = table.seal(first.id, announced: announced)
        #expect(sealed.map(\.target.width) == [154, 92, 342], "awaited ones first, then by urgency, and none twice")

        let next = try #require(table.join(Caller(id: 3), try Self.flight(500)).begun)
        #expect(table.join(Caller(id: 4), try Self.flight(342)).begun == nil, "what is made is joined")
        let others = table.begin(first.id, sealed.dropLast().map(\.key), JobControl(targetCount: 2))
        let rest = try #require(others)
        #expect(table.seal(rest.id, announced: []).map(\.target.width) == [342])
        #expect(table.finish(first.id, sealed[1].key) == [Caller(id: 1)])
        #expect(table.end(first.id) == [Caller(id: 2)])
        #expect(table.end(rest.id) == [Caller(id: 4)] && table.end(next.id) == [Caller(id: 3)] && table.jobCount == 0)
    }

    @Test("a queued job ends with its last waiter, and a running one when nothing of it is wanted")
    func leaving() async throws {
        var table = Table()
        let flight = try Self.flight(92)
        let queued = try #require(table.join(Caller(id: 1), flight).begun)
        let task = Task<Void, Never> {}
        table.setTask(task, of: queued.id)
        _ = table.join(Caller(id: 2), flight)
        #expect(table.leave(1, of: flight.key).cancelled == nil)
        let last = table.leave(2, of: flight.key)
        #expect(last.caller == Caller(id: 2) && last.isLast && last.cancelled == task && table.jobCount == 0)

        let running = try #require(table.join(Caller(id: 3), flight).begun)
        let other = try Self.flight(154)
        let id = flight.key.id
        let announced = table.announce([flight.target, other.target], of: id, level: .warming)
        let keys = table.seal(running.id, announced: [other]).map(\.key)
        let control = JobControl(targetCount: 2)
        #expect(table.begin(running.id, keys, control) == nil)
        #expect(table.dropUnwanted(of: id) == 0, "both are announced")
        #expect(table.withdraw([other.target], of: id, level: .warming) == 1)
        #expect(!control.stop.isRaised && table.jobCount == 1)
        let left = table.leave(3, of: flight.key)
        #expect(left.isLast && left.droppedCount == 0 && !control.stop.isRaised, "its target is announced")
        #expect(announced.count == 2 && table.withdraw([flight.target], of: id, level: .warming) == 1)
        #expect(control.stop.isRaised && table.jobCount == 0 && table.wanted.isEmpty)
    }

    @Test("a job takes no more variants than one decode serves")
    func limit() throws {
        var table = Table()
        let begun = try (0...RenderJob.targetLimit).compactMap { index in
            table.join(Caller(id: index), try Self.flight(100 + index)).begun
        }
        #expect(begun.count == 2)
        let sealed = table.seal(begun[0].id, announced: [try Self.flight(99)])
        #expect(sealed.count == RenderJob.targetLimit)
    }

    @Test("what becomes more urgent raises its job, and its target in one that runs")
    func raising() throws {
        var table = Table()
        let flights = try [92, 154].map { try Self.flight($0, level: .warming) }
        let queued = try #require(table.join(Caller(id: 1), flights[0]).begun)
        _ = table.join(Caller(id: 2), flights[1])
        let urgent = table.join(Caller(id: 3), try Self.flight(154))
        #expect(urgent.raised === queued.urgency && urgent.isShared)
        let patient = table.join(Caller(id: 5), try Self.flight(154, level: .warming))
        #expect(patient.isShared && patient.begun == nil)
        let sealed = table.seal(queued.id, announced: [])
        #expect(sealed.map(\.target.width) == [154, 92] && sealed.map(\.level) == [.interactive, .warming])
        let control = JobControl(targetCount: 2)
        #expect(table.begin(queued.id, [flights[0].key, flights[1].key], control) == nil)
        #expect(control.urgency(of: 0) == 0 && control.urgency(of: 1) == 2)
        _ = table.join(Caller(id: 4), try Self.flight(92))
        #expect(control.urgency(of: 0) == 2)
    }

    @Test("a request joins a render ahead of requests, which needs no caller, and raises it")
    func ahead() throws {
        var table = Table()
        let flight = try Self.flight(92, level: .warming)
        let control = JobControl(targetCount: 1)
        let begun = table.beginAhead(flight, control)
        let id = try #require(begun)
        let again = table.beginAhead(flight, control)
        let droppedCount = table.dropUnwanted(of: flight.key.id)
        #expect(again == nil && droppedCount == 0 && control.isWanted(0) && control.urgency(of: 0) == 0)
        #expect(table.join(Caller(id: 1), try Self.flight(92)).begun == nil)
        #expect(control.urgency(of: 0) == 2)
        #expect(table.finish(id, flight.key) == [Caller(id: 1)])
        #expect(control.stop.isRaised && table.jobCount == 0)
    }
}
