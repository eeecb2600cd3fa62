import Foundation
import Glibc
import OneSheetConfiguration
import PosterAPI
import PosterOrigins

/// The processes that hold a listening socket, from `/proc`. Other users' processes are visible to root only.
struct SocketHolders {
    /// Maximum number of processes that are examined.
    static let processLimit = 10_000
    /// The state of listening sockets in `/proc/net/tcp`.
    private static let listening = "0A"
    /// The flag of listening sockets in `/proc/net/unix`.
    private static let acceptsConnections: UInt32 = 0x10000

    struct Process: Hashable, Sendable, CustomStringConvertible {
        let id: Int32
        /// The program's file name.
        let name: String
        /// The options that tell servers apart, with their values; other options may contain secrets.
        let options: String

        var isOneSheet: Bool { self.name == "onesheet" }

        var isSystemd: Bool { self.name == "systemd" || self.id == 1 && self.name == "init" }

        var description: String {
            "process \(self.id) (\(self.name)\(self.options.isEmpty ? "" : " " + self.options))"
        }

        /// - Parameter arguments: The command line, with a zero byte after each word.
        init(id: Int32, arguments: [UInt8]) {
            let words = arguments.split(separator: 0, omittingEmptySubsequences: false).map {
                TerminalText.escaped(String(decoding: $0, as: UTF8.self))
            }
            self.id = id
            self.name = words.first.flatMap { $0.split(separator: "/").last.map(String.init) } ?? "unknown"
            let shown = ["--data-dir", "--config", "--port"]
            self.options = words.indices.compactMap { index in
                let word = words[index]
                if shown.contains(word), index + 1 < words.count { return "\(word) \(words[index + 1])" }
                return shown.contains { word.hasPrefix($0 + "=") } ? word : nil
            }.joined(separator: " ")
        }
    }

    struct Listener: Hashable, Sendable {
        let inode: String
        /// The user of the process that made the socket.
        let userID: UInt32
    }

    /// Empty if nothing listens there.
    var listeners: [Listener] = []
    var processes: [Process] = []
    /// Whether a connection may start a service: systemd holds the socket, or a process of the superuser that is not
    /// visible, and may be systemd.
    var mayBeSystemd = false

    /// Blocks.
    static func ofPort(_ port: Int, root: String = "", userID: UInt32 = geteuid()) -> SocketHolders {
        let listeners = ["tcp", "tcp6"].flatMap {
            Self.listeners(in: ProcFile.text("\(root)/proc/net/\($0)"), port: port)
        }
        return SocketHolders(listeners, owners: [0], root: root, userID: userID)
    }

    /// Blocks.
    /// - Parameter owner: The owner of the socket's file.
    static func ofFile(
        _ path: String, owner: UInt32, root: String = "", userID: UInt32 = geteuid()
    ) -> SocketHolders {
        var paths: Set = [path]
        if let resolved = realpath(path, nil) {
            paths.insert(String(cString: resolved))
            free(resolved)
        }
        let listeners = Self.listeners(in: ProcFile.text("\(root)/proc/net/unix"), paths: paths, owner: owner)
        // The file may belong to the service's user (SocketUser=). A user can see all of their own processes.
        return SocketHolders(listeners, owners: [0, userID], root: root, userID: userID)
    }

    init(processes: [Process]) {
        self.processes = processes
    }

    /// - Parameters:
    ///   - owners: Users; systemd may hold the sockets that belong to them.
    ///   - userID: This process's user.
    private init(_ listeners: [Listener], owners: Set<UInt32>, root: String, userID: UInt32) {
        self.listeners = listeners
        self.processes = Self.processes(holding: listeners, root: root)
        // sd_booted(3)
        let hasSystemd = access("\(root)/run/systemd/system", F_OK) == 0
        self.mayBeSystemd =
            self.processes.isEmpty
            ? hasSystemd && userID != 0 && listeners.contains { owners.contains($0.userID) }
            : self.processes.allSatisfy(\.isSystemd)
    }

    private static func processes(holding listeners: [Listener], root: String) -> [Process] {
        guard !listeners.isEmpty else { return [] }
        let names = Set(listeners.map { "socket:[\($0.inode)]" })
        let ids = ((try? FolderNames.read("\(root)/proc")) ?? []).compactMap { Int32($0) }
        return ids.sorted().prefix(Self.processLimit).filter { id in
            let folder = "\(root)/proc/\(id)/fd"
            let descriptors = (try? FolderNames.read(folder)) ?? []
            return descriptors.contains { descriptor in
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(descriptor)")).map {
                    names.contains($0)
                } ?? false
            }
        }.map { Process(id: $0, arguments: ProcFile.bytes("\(root)/proc/\($0)/cmdline")) }
    }

    /// The listening sockets of a port, from a table of proc(5).
    static func listeners(in table: String, port: Int) -> [Listener] {
        table.split(separator: "\n").dropFirst().compactMap { row in
            // sl, local address, remote address, state, queues, timer, retransmissions, uid, timeout, inode
            let cells = row.split(separator: " ")
            guard cells.count > 9, cells[3] == Self.listening,
                let digits = cells[1].split(separator: ":").last, Int(digits, radix: 16) == port,
                let userID = UInt32(cells[7])
            else { return nil }
            return Listener(inode: String(cells[9]), userID: userID)
        }
    }

    /// The listening sockets with a name in the file system, from the table `unix` of proc(5), which has no users.
    static func listeners(in table: String, paths: Set<String>, owner: UInt32) -> [Listener] {
        table.split(separator: "\n").dropFirst().compactMap { row in
            // number, references, protocol, flags, type, state, inode, path
            let cells = row.split(separator: " ", maxSplits: 7)
            guard cells.count > 7, let flags = UInt32(cells[3], radix: 16), flags & Self.acceptsConnections != 0,
                paths.contains(String(cells[7]))
            else { return nil }
            return Listener(inode: String(cells[6]), userID: owner)
        }
    }
}
