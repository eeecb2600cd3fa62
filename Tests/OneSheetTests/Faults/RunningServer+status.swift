import Foundation
import PosterTesting

extension RunningServer {
    /// The body of `/readyz`.
    struct Health: Decodable {
        struct Origin: Decodable {
            let name: String
            let breaker: String
            let underWay: Int
            let waiting: Int
        }
        struct Disk: Decodable {
            let originals: Int
            let unstored: Int
            let isWritable: Bool
        }
        struct Queue: Decodable {
            let name: String
            let running: Int
            let waiting: Int
        }

        let status: String
        let origins: [Origin]
        let disk: Disk
        let queues: [Queue]

        /// Fetches in progress and waiting, at all origins.
        var fetchCount: Int { self.origins.reduce(0) { $0 + $1.underWay + $1.waiting } }

        /// Whether no fetch and no work is running or waiting.
        var isIdle: Bool { self.fetchCount == 0 && self.queues.allSatisfy { $0.running + $0.waiting == 0 } }
    }

    func health() async throws -> Health {
        try JSONDecoder().decode(Health.self, from: Data(try await self.get("/readyz").body))
    }
}
