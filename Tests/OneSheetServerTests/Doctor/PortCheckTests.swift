import Foundation
import Glibc
import HTTPServer
import OneSheetConfiguration
import PosterAPI
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

    @Test("the process of a socket beyond the first page of the kernel's table is found")
    func manySockets() throws {
        var (sockets, ports): ([Int32], [Int]) = ([], [])
        defer { for socket in sockets { close(socket) } }
        for _ in 0..<100 {
            let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            try #require(socket >= 0)
            sockets.append(socket)
            try #require(listen(socket, 1) == 0, "binds to a free port, too")
            var address = sockaddr_in()
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let code = withUnsafeMutablePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
            }
            try #require(code == 0)
            ports.append(Int(UInt16(bigEndian: address.sin_port)))
        }
        let page = String(decoding: ProcFile.bytes("/proc/net/tcp").prefix(4096), as: UTF8.self)
        let port = try #require(ports.first { SocketHolders.listeners(in: page, port: $0).isEmpty })
        #expect(SocketHolders.ofPort(port).processes.map(\.id).contains(getpid()))
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

    private func busy(
        _ holders: SocketHolders, serverName: @escaping @Sendable (ListenAddress) async -> String?
    ) async throws -> CheckResult {
        let listening = try ListeningConfiguration(Settings([:], environment: [:]))
        let check = PortCheck(listening: listening, dataDirectory: self.folder.path, serverName: serverName)
        return try await check.busy(ListenAddress(.port(host: "127.0.0.1", 80)), holders)
    }

    @Test func aProcessOfAnotherUserIsKnownByItsAnswer() async throws {
        for (name, words) in [("OneSheet", "another OneSheet of another user"), ("nginx", "a program of another user")]
        {
            let result = try await self.busy(SocketHolders(processes: []), serverName: { _ in name })
            #expect(result.outcome == .failure && result.text.contains(words))
        }
    }

    @Test func theRunningServerDoesNotExplainThePortOfAnotherProgram() async throws {
        let socket = try ControlSocket.listen(in: self.folder.path)
        defer { close(socket) }
        let own = try await self.busy(SocketHolders(processes: []), serverName: { _ in HTTPFrontend.serverName })
        #expect(own.outcome == .ok && own.text.contains("process \(getpid())"))
        let other = try await self.busy(SocketHolders(processes: []), serverName: { _ in "nginx" })
        #expect(other.outcome == .failure && other.text.contains("a program of another user"))
        let silent = try await self.busy(SocketHolders(processes: []), serverName: { _ in nil })
        #expect(silent.outcome == .failure)
    }

    @Test func aSocketOfSystemdIsNotConnectedTo() async throws {
        let root = self.folder.path
        for path in ["/proc/net", "/proc/1/fd", "/run/systemd/system"] {
            try FileManager.default.createDirectory(atPath: root + path, withIntermediateDirectories: true)
        }
        try Data(Self.table.utf8).write(to: URL(filePath: root + "/proc/net/tcp"))
        let hidden = SocketHolders.ofPort(8080, root: root, userID: 1000)
        #expect(hidden.mayBeSystemd && hidden.processes.isEmpty)
        #expect(!SocketHolders.ofPort(8080, root: root, userID: 0).mayBeSystemd, "root sees all processes")
        #expect(!SocketHolders.ofPort(8081, root: root, userID: 1000).mayBeSystemd, "another user's socket")
        try Data("/sbin/init\0splash\0".utf8).write(to: URL(filePath: root + "/proc/1/cmdline"))
        try FileManager.default.createSymbolicLink(
            atPath: root + "/proc/1/fd/40", withDestinationPath: "socket:[4242]")
        let visible = SocketHolders.ofPort(8080, root: root, userID: 0)
        #expect(visible.mayBeSystemd && visible.processes.map(\.id) == [1])
        for holders in [hidden, visible] {
            let result = try await self.busy(holders) { _ in
                Issue.record("a connection would start the service")
                return nil
            }
            #expect(result.outcome == .skipped && result.text.contains("socket unit of systemd"), "\(result)")
        }
    }

    @Test func aUnixSocketOfSystemdMayBelongToTheServicesUser() throws {
        let (root, path) = (self.folder.path, self.folder.path + "/a b.sock")
        for path in ["/proc/net", "/run/systemd/system"] {
            try FileManager.default.createDirectory(atPath: root + path, withIntermediateDirectories: true)
        }
        let table = """
            Num       RefCount Protocol Flags    Type St Inode Path
            0000000000000000: 00000002 00000000 00010000 0001 01 4545 \(path)
            0000000000000000: 00000003 00000000 00000000 0001 03 4646 \(path)
            """
        try Data(table.utf8).write(to: URL(filePath: root + "/proc/net/unix"))
        for (owner, isHeld) in [(UInt32(0), true), (1000, true), (33, false)] {
            let holders = SocketHolders.ofFile(path, owner: owner, root: root, userID: 1000)
            #expect(holders.listeners.map(\.inode) == ["4545"] && holders.mayBeSystemd == isHeld, "\(owner)")
        }
        let none = SocketHolders.ofFile(root + "/b.sock", owner: 0, root: root, userID: 1000)
        #expect(none.listeners.isEmpty && !none.mayBeSystemd)
    }

    @Test func aFileInTheWayOfAUnixSocketIsAFailure() async throws {
        let path = self.folder.path + "/socket"
        #expect(try await self.check(["unix-socket": path]).map(\.outcome) == [.ok])
        close(open(path, O_CREAT | O_WRONLY, 0o600))
        #expect(try await self.check(["unix-socket": path]).map(\.outcome) == [.failure])
        #expect(try await self.check(["unix-socket": "/nowhere/socket"]).map(\.outcome) == [.failure])
    }

    private static let table = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 4242 1 0 100 0 0 10 0
           1: 0100007F:1F90 0100007F:8888 01 00000000:00000000 00:00000000 00000000     0        0 4343 1 0 100 0 0 10 0
           2: 0100007F:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000    33        0 4444 1 0 100 0 0 10 0
        """

    @Test func listeningSocketsAreFoundInTheTableOfTheKernel() {
        #expect(SocketHolders.listeners(in: Self.table, port: 8080) == [.init(inode: "4242", userID: 0)])
        #expect(SocketHolders.listeners(in: Self.table, port: 8081).map(\.userID) == [33])
        #expect(SocketHolders.listeners(in: "", port: 8080) == [])
    }

    @Test func aCommandLineIsShownWithoutItsSecrets() {
        let words = ["/usr/bin/onesheet", "serve", "--tmdb-key", "SECRET", "--data-dir", "/data", "--config=/a\u{1b}b"]
        let process = SocketHolders.Process(id: 7, arguments: words.flatMap { Array($0.utf8) + [0] })
        #expect(process.isOneSheet)
        #expect(process.description == #"process 7 (onesheet --data-dir /data --config=/a\u{1b}b)"#)
    }
}
