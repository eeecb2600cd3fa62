import Synchronization

/// Says once that something happens for the first time: what may happen at every request is logged once.
final class FirstTime: Sendable {
    private let hasHappened = Atomic<Bool>(false)

    func happens() -> Bool { !self.hasHappened.exchange(true, ordering: .relaxed) }
}
