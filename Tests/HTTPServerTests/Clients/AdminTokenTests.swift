import Foundation
import Hummingbird
import PosterTesting
import Testing

@testable import HTTPSemantics
@testable import HTTPServer

struct AdminTokenTests {
    private let secret = "0123456789abcdef-XYZ"

    @Test func onlyTheTokenItselfPermits() throws {
        let token = try AdminToken(" \t\(self.secret)\r\n")
        for header in ["Bearer \(self.secret)", "bearer \(self.secret)"] { #expect(token.permits(header)) }
        let wrong: [String?] = [
            nil, "", "Bearer", "Bearer ", self.secret, "Basic \(self.secret)", "Bearer \(self.secret) ",
            "Bearer  \(self.secret)", "Bearer \(self.secret)\(self.secret)", "Bearer \(self.secret.dropLast())",
            "Bearer \(self.secret.uppercased())", "Bearer ä\(self.secret)",
        ]
        for header in wrong { #expect(!token.permits(header), "\(header ?? "none")") }
    }

    @Test("a token is 16 to 512 visible characters", arguments: [0, 15, 16, 512, 513])
    func lengths(count: Int) {
        let token = try? AdminToken(String(repeating: "k", count: count))
        #expect((token != nil) == (16...512).contains(count))
    }

    @Test(
        "what is no token is refused",
        arguments: ["two words of a secret", "0123456789abcdeé", "0123456789\u{0}abcdef"])
    func unacceptable(text: String) {
        #expect(throws: AdminToken.Failure.unacceptable) { try AdminToken(text) }
    }

    @Test func aFileIsReadAndReportedIfItIsWorldReadable() throws {
        let folder = TemporaryFolder()
        let path = folder.path + "/token"
        #expect(throws: AdminToken.Failure.unreadable(path: path, reason: "No such file or directory")) {
            try AdminToken(contentsOf: path)
        }
        try Data((self.secret + "\n").utf8).write(to: URL(filePath: path))
        for (mode, isPublic) in [(0o600, false), (0o640, false), (0o644, true)] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let token = try AdminToken(contentsOf: path)
            #expect(token.isPublic == isPublic)
            #expect(token.permits("Bearer \(self.secret)"))
        }
        try Data(repeating: 0x61, count: 1 << 20).write(to: URL(filePath: path))
        #expect(throws: AdminToken.Failure.unacceptable) { try AdminToken(contentsOf: path) }
        #expect(throws: AdminToken.Failure.self) { try AdminToken(contentsOf: folder.path) }
    }

    @Test func theProblemSaysWhichSchemeIsWanted() {
        let response = Problem(.unauthorized, "no").response()
        #expect(response.status.code == 401)
        #expect(response.headers[.wwwAuthenticate] == "Bearer")
    }
}
