import Glibc
import HTTPServer
import OneSheetConfiguration
import PosterTesting
import Testing

@testable import OneSheetServer

@Suite(.timeLimit(.hang))
struct PortCheckTests {
    private let folder = TemporaryFolder()

    private func check(_ options: [String: String], serverName: String? = nil) async throws -> [CheckResult] {
        let configuration = try ConfigurationSource(
            commandLine: options.mapValues { [$0] }, environment: [:]
        ).read().configuration
        let check = PortCheck(
            listening: configuration.listening, dataDirectory: self.folder.path, serverName: { _ in serverName })
        return try await ServiceChecks(check.checks).run()
    }

    @Test func aFreePortIsGood() async throws {
        let results = try await self.check(["port": "0", "operations-port": "0"])
        #expect(results.map(\.outcome) == [.ok, .ok])
    }

    @Test func theProcessThatHoldsABusyPortIsNamed() async throws {
        try await withOrigin { origin in
            let port = try #require(origin.baseURL.split(separator: ":").last)
            let results = try await self.check(["port": String(port)])
            #expect(results.map(\.outcome) == [.failure])
            #expect(results[0].text.contains("another program, process \(getpid())"), "\(results[0].text)")
        }
    }

    @Test func theServerOfTheDataDirectoryMayListenThere() async throws {
        let socket = try ControlSocket.listen(in: self.folder.path)
        defer { close(socket) }
        #expect(try ControlSocket.serverProcess(in: self.folder.path) == getpid())
        try await withOrigin { origin in
            let port = try #require(origin.baseURL.split(separator: ":").last)
            let results = try await self.check(["port": String(port)])
            #expect(results.map(\.outcome) == [.ok], "\(results)")
        }
    }

    @Test func aProcessOfAnotherUserIsKnownByItsAnswer() async throws {
        let listening = try ListeningConfiguration(Settings([:], environment: [:]))
        for (name, words) in [("OneSheet", "another OneSheet of another user"), ("nginx", "a program of another user")]
        {
            let check = PortCheck(listening: listening, dataDirectory: self.folder.path, serverName: { _ in name })
            let result = await check.busy(ListenAddress(.port(host: "127.0.0.1", 80)), [])
            #expect(result.outcome == .failure && result.text.contains(words))
        }
    }

    @Test func aFileInTheWayOfAUnixSocketIsAFailure() async throws {
        let path = self.folder.path + "/socket"
        #expect(try await self.check(["unix-socket": path]).map(\.outcome) == [.ok])
        close(open(path, O_CREAT | O_WRONLY, 0o600))
        #expect(try await self.check(["unix-socket": path]).map(\.outcome) == [.failure])
        #expect(try await self.check(["unix-socket": "/nowhere/socket"]).map(\.outcome) == [.failure])
    }

    @Test func listeningSocketsAreFoundInTheTableOfTheKernel() {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4242 1 0 100 0 0 10 0
               1: 0100007F:1F90 0100007F:8888 01 00000000:00000000 00:00000000 00000000     0        0 4343 1 0 100 0 0 10 0
               2: 0100007F:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4444 1 0 100 0 0 10 0
            """
        #expect(SocketHolders.inodes(in: table, port: 8080) == ["4242"])
        #expect(SocketHolders.inodes(in: "", port: 8080) == [])
    }

    @Test func aCommandLineIsShownWithoutItsSecrets() {
        let words = ["/usr/bin/onesheet", "serve", "--tmdb-key", "SECRET", "--data-dir", "/data", "--config=/a\u{1b}b"]
        let process = SocketHolders.Process(id: 7, arguments: words.flatMap { Array($0.utf8) + [0] })
        #expect(process.isOneSheet)
        #expect(process.description == #"process 7 (onesheet --data-dir /data --config=/a\u{1b}b)"#)
    }
}
