import Foundation
import PictureTesting
import PosterTesting
import Testing

extension FaultTests {
    @Suite struct PrefetchTests {
        private let folder = TemporaryFolder()
        private var data: String { self.folder.path + "/data" }

        private func prefetch(
            _ server: any TestServer, token: String?, _ body: String
        ) async throws -> HTTPConnection.Answer {
            let client = try server.connect()
            let authorization = token.map { "Authorization: Bearer \($0)\r\n" } ?? ""
            try client.send(
                raw: "POST /poster/prefetch HTTP/1.1\r\nHost: localhost\r\n\(authorization)"
                    + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
            return try await client.answer()
        }

        @Test func whatWasPrefetchedIsAHit() async throws {
            let token = "0123456789abcdef"
            let file = self.folder.path + "/token"
            try Data("\(token)\n".utf8).write(to: URL(filePath: file))
            #expect(chmod(file, 0o600) == 0)
            try await withOrigin { origin in
                for number in 0..<3 {
                    let picture = TestPicture.jpeg(width: 100, height: 150, seed: UInt64(number + 1))
                    origin.on("/film\(number).jpg", .image(picture))
                }
                let server = try await InProcessServer(
                    dataDirectory: self.data,
                    FaultTests.patience + FaultTests.mapping(origin) + ["--admin-token-file", file])
                let order = #"{"ids":["mine:film0","mine:film1","mine:film2"],"widths":[40,60],"formats":["jpeg"]}"#
                for wrong in [nil, token + "0", ""] {
                    let refused = try await self.prefetch(server, token: wrong, order)
                    #expect(refused.status == 401)
                    #expect(refused.headers["content-type"] == "application/problem+json")
                    #expect(refused.headers["www-authenticate"] != nil)
                }
                let accepted = try await self.prefetch(server, token: token, order)
                #expect(accepted.status == 202)
                let counts = try JSONDecoder().decode([String: Int].self, from: Data(accepted.body))
                #expect(counts == ["queued": 6, "cached": 0, "refused": 0])
                try await eventually { try await server.metric("onesheet_warmed_total") == 6 }
                for number in 0..<3 {
                    for width in [40, 60] {
                        let answer = try await server.get("/poster/mine:film\(number)?w=\(width)")
                        #expect(answer.status == 200)
                        #expect(answer.headers["cache-status"] == "OneSheet; hit")
                    }
                    #expect(origin.requestCount(to: "/film\(number).jpg") == 1)
                }
                let again = try await self.prefetch(server, token: token, order)
                #expect(again.status == 202)
                #expect(again.text == #"{"cached":6,"queued":0,"refused":0}"#)
                #expect(try await self.prefetch(server, token: token, "{}").status == 400)
                #expect(await server.stop() == 0)
            }
        }

        @Test func withoutATokenFileThereIsNoSuchResource() async throws {
            let server = try await InProcessServer(dataDirectory: self.data)
            let order = #"{"ids":["nosferatu-1922"],"widths":[40]}"#
            let answer = try await self.prefetch(server, token: "0123456789abcdef", order)
            let unknown = try await server.get("/poster/unknown", method: "POST")
            #expect(answer.status == unknown.status && [404, 405].contains(answer.status))
            #expect(try await server.get("/poster/prefetch").status == 404)
            #expect(try await server.metric("onesheet_warmed_total") == 0)
            #expect(await server.stop() == 0)
        }
    }
}
