import MovieDomain
import PosterTesting
import Synchronization
import Testing

@testable import HTTPSemantics
@testable import HTTPServer
@testable import MovieAPI
@testable import OneSheetServer
@testable import OpenAPI
@testable import PosterAPI
@testable import PrometheusMetrics

struct AnswerMemoryTests {
    private func key(_ target: String) -> AnswerMemory.Key {
        AnswerMemory.Key(target: target, languages: LanguagePreference(), generation: 0)
    }

    private final class Clock: Sendable {
        let nanoseconds = Mutex<UInt64>(0)
        func now() -> UInt64 { self.nanoseconds.withLock { $0 } }
    }

    @Test func whatEverybodyMayHaveIsRememberedForItsTime() throws {
        let clock = Clock()
        let memory = AnswerMemory(lifetime: .seconds(1), now: clock.now)
        let answer = try JSONAnswer(["a": 1], keeping: .shared(seconds: 60))
        memory.note(answer, for: self.key("/a"))
        #expect(memory.answer(for: self.key("/a"))?.tag == answer.tag)
        #expect(memory.answer(for: self.key("/b")) == nil)
        let other = AnswerMemory.Key(target: "/a", languages: LanguagePreference([.english]), generation: 0)
        #expect(memory.answer(for: other) == nil)
        clock.nanoseconds.withLock { $0 = 1_000_000_000 }
        #expect(memory.answer(for: self.key("/a")) == nil)
    }

    @Test func whatIsSomebodysOwnIsNot() throws {
        let memory = AnswerMemory(lifetime: .seconds(1), now: { 0 })
        for keeping in [JSONAnswer.Keeping.own, .none] {
            memory.note(try JSONAnswer(["a": 1], keeping: keeping), for: self.key("/a"))
            #expect(memory.answer(for: self.key("/a")) == nil)
        }
    }

    @Test func noMoreIsRememberedThanTheLimits() throws {
        let memory = AnswerMemory(lifetime: .seconds(1), now: { 0 })
        let answer = try JSONAnswer(["a": 1], keeping: .shared(seconds: 60))
        for number in 0...AnswerMemory.countLimit { memory.note(answer, for: self.key("/\(number)")) }
        #expect(memory.answer(for: self.key("/0")) == nil)
        #expect(memory.answer(for: self.key("/\(AnswerMemory.countLimit)")) != nil)
    }

    @Test func withoutATimeNothingIs() throws {
        let memory = AnswerMemory(lifetime: .zero, now: { 0 })
        memory.note(try JSONAnswer(["a": 1], keeping: .shared(seconds: 60)), for: self.key("/a"))
        #expect(memory.answer(for: self.key("/a")) == nil)
    }
}
