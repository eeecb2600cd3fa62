import CodecTesting
import Flights
import PictureTesting
import PosterTesting
import Testing

extension FaultTests {
    @Suite struct StormTests {
        private let folder = TemporaryFolder()
        private var data: String { self.folder.path + "/data" }

        private enum Event {
            case arrival(client: Int)
            case leaving(client: Int)
            case answer(poster: Int)
        }

        private static let posterCount = 20
        private static let widths = [16, 20, 30, 40, 60, 80]
        private static let clientCount = 300

        /// Half of the clients leave before their response; origins respond in between. Sorted by random times from 0
        /// to 1.
        private static func events() -> [Event] {
            var random = SeededRandom(seed: 20)
            var events: [(moment: Double, event: Event)] = []
            for client in 0..<Self.clientCount {
                let arrival = Double.random(in: 0..<0.9, using: &random)
                events.append((arrival, .arrival(client: client)))
                guard client % 2 == 0 else { continue }
                events.append((Double.random(in: arrival..<1, using: &random), .leaving(client: client)))
            }
            for poster in 0..<Self.posterCount {
                events.append((Double.random(in: 0.1..<1, using: &random), .answer(poster: poster)))
            }
            return events.sorted { $0.moment < $1.moment }.map(\.event)
        }

        @Test func amongManyClientsAllThatStayAreAnsweredAndNothingIsLeft() async throws {
            FaultTests.raiseDescriptorLimit(to: 8192)
            try await withOrigin { origin in
                let gates = (0..<Self.posterCount).map { _ in Gate() }
                for (number, gate) in gates.enumerated() {
                    let picture = OriginScript.image(TestPicture.jpeg(width: 100, height: 150, seed: UInt64(number)))
                    origin.on("/film\(number).jpg", OriginScript([.wait(gate)] + picture.steps))
                }
                let server = try await RunningServer(
                    dataDirectory: self.data, FaultTests.patience + FaultTests.mapping(origin))
                // By number: its remainder modulo 20 selects the poster; its quotient, modulo 6, the width.
                var clients: [Int: HTTPConnection] = [:]
                func target(_ client: Int) -> String {
                    let width = Self.widths[client / Self.posterCount % Self.widths.count]
                    return "/poster/mine:film\(client % Self.posterCount)?w=\(width)"
                }
                for event in Self.events() {
                    switch event {
                    case .arrival(let client):
                        let connection = try server.connect()
                        try connection.send("GET", target(client))
                        clients[client] = connection
                    case .leaving(let client):
                        if client % 4 == 0 { clients[client]?.reset() } else { clients[client]?.close() }
                        clients[client] = nil
                    case .answer(let poster): gates[poster].open()
                    }
                }
                #expect(clients.count == Self.clientCount / 2)

                // A variant has one tag per scale of the decode that it is made from.
                var bodies: [String: [UInt8]] = [:]
                for (client, connection) in clients {
                    let answer = try await connection.answer()
                    #expect(answer.status == 200, "\(target(client)): \(answer.text)")
                    let name = "\(target(client)) \(try #require(answer.headers["etag"]))"
                    let isSame = bodies[name, default: answer.body] == answer.body
                    #expect(isSame, "\(name)")
                    bodies[name] = answer.body
                }
                #expect(Set(bodies.values).count == bodies.count)
                try await eventually { try await server.health().isIdle }
                try await eventually { FaultTests.files(in: self.data + "/originals/incoming").isEmpty }
                #expect(await server.stop() == 0)
                #expect(server.errors == "")
            }
        }
    }
}
