import Synchronization

/// Which script answers which path.
final class OriginAnswers: Sendable {
    typealias Answer = @Sendable (OriginRequest) -> OriginScript

    private let byPath = Mutex<[String: Answer]>([:])

    func set(_ answer: @escaping Answer, for path: String) {
        self.byPath.withLock { $0[path] = answer }
    }

    func script(for request: OriginRequest) -> OriginScript {
        let answer = self.byPath.withLock { $0[request.path] }
        return answer?(request) ?? .status(404)
    }
}
