import Foundation
import OneSheetConfiguration

/// Finds the processes that listen on a port, in `/proc`. Other users' processes are visible to root only.
enum SocketHolders {
    /// Maximum number of processes that are examined.
    static let processLimit = 10_000
    /// The state of listening sockets in `/proc/net/tcp`.
    private static let listening = "0A"

    struct Process: Hashable, Sendable, CustomStringConvertible {
        let id: Int32
        /// The program's file name.
        let name: String
        /// The options that tell servers apart, with their values; other options may contain secrets.
        let options: String

        var isOneSheet: Bool { self.name == "onesheet" }

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

    /// Blocks.
    static func ofPort(_ port: Int, root: String = "") -> [Process] {
        let tables = ["tcp", "tcp6"].map { Self.bytes("\(root)/proc/net/\($0)") }
        let inodes = Set(tables.flatMap { Self.inodes(in: String(decoding: $0, as: UTF8.self), port: port) })
        guard !inodes.isEmpty else { return [] }
        let names = Set(inodes.map { "socket:[\($0)]" })
        let ids = ((try? FileManager.default.contentsOfDirectory(atPath: "\(root)/proc")) ?? []).compactMap {
            Int32($0)
        }
        return ids.sorted().prefix(Self.processLimit).filter { id in
            let folder = "\(root)/proc/\(id)/fd"
            let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return descriptors.contains { descriptor in
                (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(descriptor)")).map {
                    names.contains($0)
                } ?? false
            }
        }.map { Process(id: $0, arguments: Self.bytes("\(root)/proc/\($0)/cmdline")) }
    }

    /// The inodes of listening sockets, from a table of proc(5).
    static func inodes(in table: String, port: Int) -> [String] {
        table.split(separator: "\n").dropFirst().compactMap { row in
            // sl, local address, remote address, state, queues, timer, retransmissions, uid, timeout, inode
            let cells = row.split(separator: " ")
            guard cells.count > 9, cells[3] == Self.listening,
                let digits = cells[1].split(separator: ":").last, Int(digits, radix: 16) == port
            else { return nil }
            return String(cells[9])
        }
    }

    private static func bytes(_ path: String) -> [UInt8] {
        FileManager.default.contents(atPath: path).map(Array.init) ?? []
    }
}
