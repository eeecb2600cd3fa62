import Glibc
import PosterTesting
import Testing

@testable import HTTPServer

@Suite(.timeLimit(.hang))
struct ListeningTests {
    private let folder = TemporaryFolder()
    private var path: String { self.folder.path + "/socket" }

    // MARK: Unix sockets

    @Test func aSocketOfADeadProcessIsReplacedAndALivingOnesIsNot() throws {
        let first = try UnixSocketFile(path: self.path, mode: 0o640, backlog: 16)
        var facts = stat()
        #expect(stat(self.path, &facts) == 0 && facts.st_mode & 0o777 == 0o640)
        let living = #expect(throws: ListeningFailure.self) {
            try UnixSocketFile(path: self.path, mode: 0o600, backlog: 16)
        }
        #expect(living?.code == EADDRINUSE)

        close(first.descriptor)
        let second = try UnixSocketFile(path: self.path, mode: 0o600, backlog: 16)
        first.remove()
        #expect(access(self.path, F_OK) == 0, "another's file is left alone")
        close(second.descriptor)
        second.remove()
        #expect(access(self.path, F_OK) != 0)
    }

    @Test func aFileThatIsNoSocketIsLeftAlone() throws {
        let file = try #require(fopen(self.path, "w"))
        fclose(file)
        let failure = #expect(throws: ListeningFailure.self) {
            try UnixSocketFile(path: self.path, mode: 0o600, backlog: 16)
        }
        #expect(failure?.description.contains("not a socket") == true)
        #expect(throws: ListeningFailure.self) {
            try UnixSocketFile(path: String(repeating: "a", count: 108), mode: 0o600, backlog: 16)
        }
    }

    // MARK: Inherited sockets

    @Test func inheritedSocketsHaveNumbersAndNames() throws {
        let environment = ["LISTEN_PID": "7", "LISTEN_FDS": "3", "LISTEN_FDNAMES": "http:tls"]
        let sockets = try InheritedSockets(environment: environment, processID: 7)
        #expect(sockets.entries.map(\.descriptor) == [3, 4, 5])
        #expect(sockets.entries.map(\.name) == ["http", "tls", "unknown"])
        #expect(try InheritedSockets(environment: environment, processID: 8).entries.isEmpty, "they are another's")
        #expect(try InheritedSockets(environment: [:], processID: 7).entries.isEmpty)
        for count in ["-1", "65", "x", ""] {
            #expect(throws: ListeningFailure.self, "\(count)") {
                try InheritedSockets(environment: ["LISTEN_PID": "7", "LISTEN_FDS": count], processID: 7)
            }
        }
    }
}
