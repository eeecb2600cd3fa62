import Synchronization

struct OriginEvents {
    var requests: [OriginRequest] = []
    var acceptedCount = 0
    var closedConnections: Set<Int> = []

    func requestCount(to path: String) -> Int {
        self.requests.count { $0.path == path }
    }
}

/// The scripts of an ``OriginServer`` by path.
final class ScriptedResponses: Sendable {
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
