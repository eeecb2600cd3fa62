import Synchronization

@testable import HTTPFetch

/// A resolver that returns these answers in turn and repeats the last one.
final class ScriptedResolver: Sendable {
    private let answers: Mutex<[NameResolver.Outcome]>

    init(_ answers: [NameResolver.Outcome]) {
        self.answers = Mutex(answers)
    }

    var lookUp: NameResolver.LookUp {
        { _ in self.answers.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
    }
}
