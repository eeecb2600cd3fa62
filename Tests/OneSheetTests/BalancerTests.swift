import Foundation
import PictureTesting
import PosterTesting
import Testing

/// The balancer configurations of `deploy/cluster`, run by nginx, HAProxy and Varnish in front of two nodes.
@Suite(.timeLimit(.hang))
struct BalancerTests {
    private static let nginx = "/usr/sbin/nginx"
    private static let haproxy = "/usr/sbin/haproxy"
    private static let varnish = "/usr/sbin/varnishd"

    private static func has(_ program: String) -> Bool { FileManager.default.isExecutableFile(atPath: program) }

    private let folder = TemporaryFolder()
    private let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private func text(_ path: String) throws -> String {
        try String(contentsOf: self.package.appending(path: path), encoding: .utf8)
    }

    private func run(_ program: String, _ arguments: [String]) async throws -> (status: Int32, words: String) {
        let output = try OutputPipe()
        let child = try ChildProgram(program, arguments, output: output.descriptor, errors: output.descriptor)
        output.closeWriting()
        return try await onOwnThread {
            let words = String(decoding: output.readAll(), as: UTF8.self)
            return (child.wait(), words)
        }
    }

    /// `nginx.conf` with the test's ports, and with all paths inside the test's folder.
    private func nginxConfiguration(port: Int, nodes: [Int]) throws -> String {
        var text = try self.text("deploy/cluster/nginx.conf")
        let changes = [
            ("user www-data;", ""), ("/run/nginx.pid", self.folder.path + "/nginx.pid"),
            ("listen 80;", "listen 127.0.0.1:\(port);"), ("127.0.0.1:8081", "127.0.0.1:\(nodes[0])"),
            ("127.0.0.1:8082", "127.0.0.1:\(nodes[1])"),
            (
                "    access_log off;",
                ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map {
                    "    \($0)_temp_path \(self.folder.path)/\($0);"
                }.joined(separator: "\n") + "\n    access_log off;"
            ),
        ]
        for (old, new) in changes {
            try #require(text.contains(old), "\(old)")
            text = text.replacingOccurrences(of: old, with: new)
        }
        let path = self.folder.path + "/nginx.conf"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    private func haproxyConfiguration(port: Int, nodes: [Int]) throws -> String {
        var text = try self.text("deploy/cluster/haproxy.cfg")
        let changes = [
            ("bind :80", "bind 127.0.0.1:\(port)"), ("127.0.0.1:8081", "127.0.0.1:\(nodes[0])"),
            ("127.0.0.1:8082", "127.0.0.1:\(nodes[1])"), ("default-server check", "default-server no-check"),
        ]
        for (old, new) in changes {
            try #require(text.contains(old), "\(old)")
            text = text.replacingOccurrences(of: old, with: new)
        }
        let path = self.folder.path + "/haproxy.cfg"
        try Data(text.utf8).write(to: URL(filePath: path))
        return path
    }

    /// Starts Varnish with `varnish.vcl` and the test's ports.
    private func startVarnish(port: Int, nodes: [Int], operators: String = "\"127.0.0.0\"/8;") throws -> ChildProgram {
        var text = try self.text("deploy/cluster/varnish.vcl")
        let changes = [
            ("\"8081\"", "\"\(nodes[0])\""), ("\"8082\"", "\"\(nodes[1])\""),
            ("\"127.0.0.0\"/8;", operators),
            // Under load, a late probe does not mean that a node is down.
            (".timeout = 2s;", ".timeout = 60s;"),
        ]
        for (old, new) in changes {
            try #require(text.contains(old), "\(old)")
            text = text.replacingOccurrences(of: old, with: new)
        }
        let path = self.folder.path + "/varnish.vcl"
        try Data(text.utf8).write(to: URL(filePath: path))
        return try ChildProgram(
            Self.varnish,
            [
                "-F", "-j", "none", "-n", self.folder.path + "/varnish", "-a", "127.0.0.1:\(port)", "-f", path, "-s",
                "malloc,16m",
            ])
    }

    @Test(.enabled(if: Self.has(Self.nginx), "there is no nginx"))
    func nginxAcceptsItsConfiguration() async throws {
        let path = try self.nginxConfiguration(port: 8080, nodes: [8081, 8082])
        let (status, words) = try await self.run(Self.nginx, ["-t", "-p", self.folder.path, "-c", path])
        #expect(status == 0, "\(words)")
        #expect(!words.contains("[warn]"), "\(words)")
    }

    @Test(.enabled(if: Self.has(Self.haproxy), "there is no HAProxy"))
    func haproxyAcceptsItsConfiguration() async throws {
        let path = self.package.appending(path: "deploy/cluster/haproxy.cfg").path
        let (status, words) = try await self.run(Self.haproxy, ["-c", "-f", path])
        #expect(status == 0, "\(words)")
        #expect(!words.contains("WARNING"), "\(words)")
    }

    @Test(.enabled(if: Self.has(Self.nginx), "there is no nginx"))
    func nginxTakesAPosterToOneNodeWhateverItsSize() async throws {
        let port = try FreePort.find()
        try await self.checkAffinity(port: port) { nodes in
            let path = try self.nginxConfiguration(port: port, nodes: nodes)
            return try ChildProgram(
                Self.nginx, ["-p", self.folder.path, "-c", path, "-g", "daemon off; master_process off;"])
        }
    }

    @Test(.enabled(if: Self.has(Self.haproxy), "there is no HAProxy"))
    func haproxyTakesAPosterToOneNodeWhateverItsSize() async throws {
        let port = try FreePort.find()
        try await self.checkAffinity(port: port) { nodes in
            try ChildProgram(
                Self.haproxy, ["-db", "-f", try self.haproxyConfiguration(port: port, nodes: nodes)])
        }
    }

    @Test(.enabled(if: Self.has(Self.varnish), "there is no Varnish"))
    func varnishTakesAPosterToOneNodeWhateverItsSize() async throws {
        let port = try FreePort.find()
        try await self.checkAffinity(port: port) { try self.startVarnish(port: port, nodes: $0) }
    }

    @Test(.enabled(if: Self.has(Self.haproxy), "there is no HAProxy"))
    func haproxyRepeatsReadsButNoChangesThatANodeRefusesForNow() async throws {
        let port = try FreePort.find()
        try await withOrigin { first in
            try await withOrigin { second in
                let targets = (0..<20).map { "/poster/films:\($0)" }
                for target in targets {
                    first.on(target, .status(503))
                    second.on(target, .image([1, 2, 3]))
                }
                let changes = (0..<20).map { "/favourites/\($0)" }
                for node in [first, second] { for change in changes { node.on(change, .status(503)) } }
                let path = try self.haproxyConfiguration(port: port, nodes: [first.port, second.port])
                let balancer = try ChildProgram(Self.haproxy, ["-db", "-f", path])
                defer { balancer.signal(SIGTERM) }
                try await eventually { (try? HTTPConnection(port: port)) != nil }
                for target in targets { #expect(try await HTTPConnection(port: port).get(target).status == 200) }
                #expect(targets.contains { first.requestCount(to: $0) == 1 })
                for change in changes {
                    let connection = try HTTPConnection(port: port)
                    try connection.send("PUT", change)
                    #expect(try await connection.answer(hasBody: false).status == 503)
                    #expect(first.requestCount(to: change) + second.requestCount(to: change) == 1)
                }
            }
        }
    }

    private static func path(_ target: String) -> String { String(target.prefix { $0 != "?" }) }

    /// Requests posters by several routes through a balancer in front of two nodes: each poster's requests must reach
    /// one node.
    private func checkAffinity(port: Int, _ start: @Sendable ([Int]) throws -> ChildProgram) async throws {
        try await withOrigin { first in
            try await withOrigin { second in
                let targets: @Sendable (Int) -> [String] = { number in
                    ["?w=92", "?w=500&format=webp", "/info", "/srcset?widths=92", "/placeholder"]
                        .map { "/poster/films:a\(number)%2Fb\($0)" }
                }
                for node in [first, second] {
                    node.on("/readyz", .image([1]))
                    for number in 0..<40 {
                        for target in targets(number) { node.on(Self.path(target), .image([1, 2, 3])) }
                    }
                }
                let balancer = try start([first.port, second.port])
                defer { balancer.signal(SIGTERM) }
                try await eventually { (try? HTTPConnection(port: port)) != nil }
                var counts = [0, 0]
                for number in 0..<40 {
                    let before = Set(targets(number).map(Self.path)).map { first.requestCount(to: $0) }.reduce(0, +)
                    for target in targets(number) {
                        let answer = try await HTTPConnection(port: port).get(target)
                        #expect(answer.status == 200, "\(target)")
                    }
                    let after = Set(targets(number).map(Self.path)).map { first.requestCount(to: $0) }.reduce(0, +)
                    #expect(after == before || after == before + targets(number).count, "one node for \(number)")
                    counts[after == before ? 1 : 0] += 1
                }
                #expect(counts[0] > 4 && counts[1] > 4, "both have something to do: \(counts)")
            }
        }
    }

    /// Methods and spellings of targets that are closed to clients other than operators.
    private static let closed = [
        ("GET", "/metrics"), ("GET", "/metrics/"), ("GET", "//metrics"), ("GET", "//metrics//"), ("GET", "/%6detrics"),
        ("HEAD", "/readyz/"), ("GET", "/healthz/"), ("POST", "/purge"), ("GET", "/purge/"), ("GET", "//purge"),
        ("GET", "/poster/prefetch"), ("GET", "/poster//prefetch/"), ("DELETE", "/poster/x"), ("DELETE", "/poster/x/"),
        ("PUT", "/poster/x"), ("POST", "/t/p/w92/x.jpg"), ("POST", "/_next/image"),
    ]

    /// Requests that change a user's own data: open to all clients.
    private static let open = [
        ("POST", "/auth/token"), ("POST", "/auth/device"), ("DELETE", "/auth/session"), ("PUT", "/favourites/x"),
        ("DELETE", "/favourites/x"), ("PUT", "/movies/x/rating"), ("POST", "/sign-in"), ("POST", "/films/x/favourite"),
    ]

    @Test(.enabled(if: Self.has(Self.nginx), "there is no nginx"), arguments: [false, true])
    func nginxClosesToTheWorldWhatOperatorsUse(isOperator: Bool) async throws {
        let port = try FreePort.find()
        try await self.checkClosing(port: port, isOperator: isOperator) { nodes in
            let path = try self.nginxConfiguration(port: port, nodes: nodes)
            if !isOperator { try self.change(path, "127.0.0.1 1;", "") }
            return try ChildProgram(
                Self.nginx, ["-p", self.folder.path, "-c", path, "-g", "daemon off; master_process off;"])
        }
    }

    @Test(.enabled(if: Self.has(Self.haproxy), "there is no HAProxy"), arguments: [false, true])
    func haproxyClosesToTheWorldWhatOperatorsUse(isOperator: Bool) async throws {
        let port = try FreePort.find()
        try await self.checkClosing(port: port, isOperator: isOperator) { nodes in
            let path = try self.haproxyConfiguration(port: port, nodes: nodes)
            if !isOperator { try self.change(path, "src 127.0.0.0/8 ::1", "src ::1") }
            return try ChildProgram(Self.haproxy, ["-db", "-f", path])
        }
    }

    @Test(.enabled(if: Self.has(Self.varnish), "there is no Varnish"), arguments: [false, true])
    func varnishClosesToTheWorldWhatOperatorsUse(isOperator: Bool) async throws {
        let port = try FreePort.find()
        try await self.checkClosing(port: port, isOperator: isOperator) { nodes in
            isOperator
                ? try self.startVarnish(port: port, nodes: nodes)
                : try self.startVarnish(port: port, nodes: nodes, operators: "")
        }
    }

    private func change(_ path: String, _ old: String, _ new: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try #require(text.contains(old), "\(old)")
        try Data(text.replacingOccurrences(of: old, with: new).utf8).write(to: URL(filePath: path))
    }

    /// Requests operators' and users' resources through a balancer in front of two nodes.
    private func checkClosing(
        port: Int, isOperator: Bool, _ start: @Sendable ([Int]) throws -> ChildProgram
    ) async throws {
        try await withOrigin { first in
            try await withOrigin { second in
                let paths = Set((Self.closed + Self.open).map(\.1) + ["/metrics"])
                for node in [first, second] {
                    node.on("/readyz", .image([1]))
                    for path in paths.union(["/poster/x?w=92"]) { node.on(Self.path(path), .image([1, 2, 3])) }
                }
                let balancer = try start([first.port, second.port])
                defer { balancer.signal(SIGTERM) }
                try await eventually { (try? HTTPConnection(port: port)) != nil }
                // The balancer must not pass on clients' forwarding fields.
                let invented = ["X-Forwarded-For": "203.0.113.9", "Forwarded": "for=203.0.113.9"]
                for (method, target) in Self.closed {
                    let connection = try HTTPConnection(port: port)
                    try connection.send(method, target, headers: invented)
                    if isOperator {
                        let asked = {
                            [first, second].flatMap { $0.requests(to: target) }.last { $0.method == method }
                        }
                        try await eventually { asked() != nil }
                        let headers = try #require(asked()).headers
                        #expect(headers["x-forwarded-for"] == "127.0.0.1", "\(method) \(target)")
                        #expect(headers["forwarded"] == "for=127.0.0.1;proto=http", "\(method) \(target)")
                    } else {
                        let answer = try await connection.answer(hasBody: false)
                        #expect(answer.status == 403, "\(method) \(target)")
                    }
                }
                let world = try await HTTPConnection(port: port).get("/poster/x?w=92", headers: invented)
                #expect(world.status == 200)
                // All of a user's requests reach one node.
                var nodes: Set<Int> = []
                for (method, target) in Self.open {
                    let connection = try HTTPConnection(port: port)
                    try connection.send(method, target)
                    let answer = try await connection.answer(hasBody: false)
                    #expect(answer.status == 200, "\(method) \(target)")
                    nodes.formUnion([first, second].filter { $0.requestCount(to: target) > 0 }.map(\.port))
                }
                #expect(nodes.count == 1)
                let count = [first, second].flatMap { node in paths.flatMap { node.requests(to: $0) } }.count
                #expect(isOperator || count == 1 + Self.open.count, "the poster, and what users change")
            }
        }
    }
}
