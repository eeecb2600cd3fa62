import Foundation
import PictureTesting
import PosterTesting
import Testing

/// The client address that the service finds behind the balancers of `deploy/cluster/`.
@Suite(.timeLimit(.hang))
struct ForwardedClientTests {
    private static let nginx = "/usr/sbin/nginx"
    private static let haproxy = "/usr/sbin/haproxy"
    private static let curl = "/usr/bin/curl"

    private static func has(_ programs: String...) -> Bool {
        programs.allSatisfy(FileManager.default.isExecutableFile)
    }

    private static let hasIPv6 = (try? String(contentsOfFile: "/proc/net/if_inet6", encoding: .utf8))?.isEmpty == false

    private let folder = TemporaryFolder()

    @Test(.enabled(if: Self.has(Self.haproxy, Self.curl), "there is no HAProxy or no curl"))
    func haproxyNamesItsClients() async throws {
        try await self.check(listen: "bind :80", as: { "bind \($0)" }, in: "haproxy.cfg") { path in
            try ChildProgram(Self.haproxy, ["-db", "-f", path])
        }
    }

    @Test(.enabled(if: Self.has(Self.nginx, Self.curl), "there is no nginx or no curl"))
    func nginxNamesItsClients() async throws {
        try await self.check(listen: "listen 80;", as: { "listen \($0);" }, in: "nginx.conf") { path in
            try ChildProgram(
                Self.nginx, ["-p", self.folder.path, "-c", path, "-g", "daemon off; master_process off;"])
        }
    }

    /// Sends requests with forged forwarding fields as two clients through a balancer.
    private func check(
        listen: String, as written: (String) -> String, in name: String, _ start: (String) throws -> ChildProgram
    ) async throws {
        let output = try OutputPipe()
        let program = try Program.start(
            [
                "serve", "--port", "0", "--data-dir", self.folder.path + "/data", "--access-log", "text",
                "--trusted-proxy", "127.0.0.1",
            ],
            environment: [:], output: output.descriptor, errors: STDERR_FILENO)
        output.closeWriting()
        let greeting = try await onOwnThread { String(decoding: output.read(), as: UTF8.self) }
        let node = try #require(greeting.split(separator: ":").dropFirst(2).first?.prefix { $0.isNumber })

        let port = try FreePort.find()
        let families = ["127.0.0.1:\(port)"] + (Self.hasIPv6 ? ["[::1]:\(port)"] : [])
        let path = try self.configuration(
            name,
            [
                (listen, families.map(written).joined(separator: "\n    ")), ("127.0.0.1:8081", "127.0.0.1:\(node)"),
                ("127.0.0.1:8082", "127.0.0.1:\(node)"),
            ])
        let balancer = try start(path)
        defer { balancer.signal(SIGTERM) }
        try await eventually { (try? HTTPConnection(port: port)) != nil }

        // Not from 127.0.0.1, which is a trusted proxy.
        try await self.ask("http://127.0.0.1:\(port)/poster/nosferatu-1922?w=46", from: "127.0.0.2")
        if Self.hasIPv6 { try await self.ask("http://[::1]:\(port)/poster/nosferatu-1922?w=46", from: "::1") }
        program.signal(SIGTERM)
        let lines = try await onOwnThread { String(decoding: output.readAll(), as: UTF8.self) }
        #expect(try await onOwnThread { program.wait() } == 0)
        let clients = lines.split(separator: "\n").filter { $0.contains("nosferatu") }.compactMap { line in
            line.split(separator: " ").first { $0.hasPrefix("client=") }?.dropFirst("client=".count)
        }
        #expect(clients == ["127.0.0.2"] + (Self.hasIPv6 ? ["::1"] : []))
    }

    private func ask(_ target: String, from address: String) async throws {
        let program = try ChildProgram(
            Self.curl,
            [
                "-s", "--fail", "-o", self.folder.path + "/poster", "--interface", address, "-H",
                "X-Forwarded-For: 192.0.2.1", "-H", "Forwarded: for=192.0.2.1", target,
            ])
        #expect(try await onOwnThread { program.wait() } == 0, "\(target)")
    }

    /// A file of `deploy/cluster/` with `changes` applied, and with all paths inside the test's folder.
    private func configuration(_ name: String, _ changes: [(old: String, new: String)]) throws -> String {
        let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        var text = try String(contentsOf: package.appending(path: "deploy/cluster/" + name), encoding: .utf8)
        for (old, new) in changes {
            try #require(text.contains(old), "\(old)")
            text = text.replacingOccurrences(of: old, with: new)
        }
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
            "    \($0)_temp_path \(self.folder.path)/\($0);"
        }
        text = text.replacingOccurrences(of: "user www-data;", with: "")
            .replacingOccurrences(of: "/run/nginx.pid", with: self.folder.path + "/nginx.pid")
            .replacingOccurrences(
                of: "    access_log off;", with: temporary.joined(separator: "\n") + "\n    access_log off;"
            )
            .replacingOccurrences(of: "default-server check", with: "default-server no-check")
        let path = self.folder.path + "/" + name
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }
}
