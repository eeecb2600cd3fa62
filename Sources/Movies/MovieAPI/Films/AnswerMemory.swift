import Flights
import HTTPServer
import MovieDomain
import NIOCore
import Synchronization

/// What anybody was answered just now, to be given again without asking sources and encoding: lists are asked for by many at once.
///
/// Bounded, and short-lived enough that nobody notices. Under the lock: what is remembered.
final class AnswerMemory: Sendable {
    /// What an answer depends on, for those who do not say who they are.
    struct Key: Hashable {
        /// Path and query, as sent.
        let target: String
        let languages: LanguagePreference
        /// Of what may be asked for: URLs of pictures depend on it.
        let generation: UInt64
    }

    private struct Entry {
        let answer: JSONAnswer
        /// In nanoseconds.
        let expiry: UInt64
    }

    private struct State {
        var entries: [Key: Entry] = [:]
        var bytes = 0
    }

    /// The most answers.
    static let countLimit = 1024
    /// Their bytes.
    static let byteLimit = 16 << 20

    private let lifetime: UInt64
    private let now: @Sendable () -> UInt64
    private let state = Mutex(State())

    /// - Parameters:
    ///   - lifetime: Zero remembers nothing.
    ///   - now: A monotonic time in nanoseconds.
    init(lifetime: Duration, now: @escaping @Sendable () -> UInt64 = Uptime.nanoseconds) {
        self.lifetime = UInt64(max(0, lifetime / .nanoseconds(1)))
        self.now = now
    }

    /// nil when nothing is remembered, or for too long.
    func answer(for key: Key) -> JSONAnswer? {
        guard self.lifetime > 0 else { return nil }
        let now = self.now()
        return self.state.withLock { state in state.entries[key].flatMap { now < $0.expiry ? $0.answer : nil } }
    }

    /// Remembers an answer that everybody may have; others not.
    func note(_ answer: JSONAnswer, for key: Key) {
        guard self.lifetime > 0, case .shared = answer.keeping, answer.bytes.readableBytes <= Self.byteLimit else {
            return
        }
        let now = self.now()
        let entry = Entry(answer: answer, expiry: now &+ self.lifetime)
        // What is dropped is freed outside the lock.
        let dropped = self.state.withLock { state -> [Entry] in
            var dropped = state.entries.removeValue(forKey: key).map { [$0] } ?? []
            state.bytes += answer.bytes.readableBytes - dropped.reduce(0) { $0 + $1.answer.bytes.readableBytes }
            if state.entries.count >= Self.countLimit || state.bytes > Self.byteLimit {
                // All of them are gone in a moment anyway.
                dropped += state.entries.values
                state.entries = [:]
                state.bytes = answer.bytes.readableBytes
            }
            state.entries[key] = entry
            return dropped
        }
        withExtendedLifetime(dropped) {}
    }
}
