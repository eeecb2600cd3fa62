import Synchronization

/// Which script answers which path.
final class OriginAnswers: Sendable {
    typealias Answer = @Sendable (OriginRequest) -> OriginScript

    private let byPath = Mutex<[String: Answer]>([:])
    private let fallback = Mutex<Answer?>(nil)

    func set(_ answer: @escaping Answer, for path: String) {
        self.byPath.withLock { $0[path] = answer }
    }

    func setFallback(_ answer: @escaping Answer) {
        self.fallback.withLock { $0 = answer }
    }

    func script(for request: OriginRequest) -> OriginScript {
        let answer = self.byPath.withLock { $0[request.path] }
        return (answer ?? self.fallback.withLock { $0 })?(request) ?? .status(404)
    }
}
