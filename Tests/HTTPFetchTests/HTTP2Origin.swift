import Foundation
import PosterTesting
import Testing

/// nghttpd with its own certificate. It supports only HTTP/2, so a response from it proves HTTP/2.
final class HTTP2Origin {
    let certificateFile: String
    private let folder: TemporaryFolder
    private let server: ChildProgram
    private let port: UInt16

    /// The required programs; `nil` if not installed.
    private static let nghttpd = program("nghttpd")
    private static let openssl = program("openssl")

    static var isAvailable: Bool { Self.nghttpd != nil && Self.openssl != nil }

    /// Serves `body` as `/body`.
    init(body: [UInt8]) throws {
        let folder = TemporaryFolder()
        let (key, certificate) = ("\(folder.path)/key.pem", "\(folder.path)/certificate.pem")
        let signing = try Self.run(
            #require(Self.openssl),
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate,
            ],
            output: "\(folder.path)/openssl.log"
        )
        try #require(signing.wait() == 0)
        let root = "\(folder.path)/root"
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        try Data(body).write(to: URL(filePath: "\(root)/body"))
        self.port = UInt16(try FreePort.find())
        self.folder = folder
        self.certificateFile = certificate
        // -v logs every frame with the number of its connection.
        self.server = try Self.run(
            #require(Self.nghttpd),
            ["-v", "-a", "127.0.0.1", "-d", root, String(self.port), key, certificate],
            output: "\(folder.path)/nghttpd.log"
        )
    }

    var url: String { "https://127.0.0.1:\(self.port)/body" }

    /// Returns once the server accepts connections.
    func started() async throws {
        try await eventually {
            try #require(self.server.isRunning)
            return Self.isListening(self.port)
        }
    }

    /// The connection number of each request, once there are `count` requests.
    func connections(ofRequests count: Int) async throws -> [Int] {
        var connections: [Int] = []
        try await eventually {
            let log = try String(contentsOfFile: "\(self.folder.path)/nghttpd.log", encoding: .utf8)
            connections = log.split(separator: "\n").filter { $0.contains("recv HEADERS") }.compactMap { line in
                line.split(separator: "]").first.flatMap { Int($0.drop { !$0.isNumber }) }
            }
            return connections.count >= count
        }
        return connections
    }
}

extension HTTP2Origin {
    private static func program(_ name: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        // Debian installs nghttpd in a folder that is only in root's PATH.
        return (path.split(separator: ":") + ["/usr/sbin", "/usr/bin"]).map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }

    private static func run(_ program: String, _ arguments: [String], output path: String) throws -> ChildProgram {
        try Data().write(to: URL(filePath: path))
        let output = try #require(FileHandle(forWritingAtPath: path))
        defer { try? output.close() }  // the program has its own descriptor
        return try ChildProgram(
            program, arguments, output: output.fileDescriptor, errors: output.fileDescriptor)
    }

    private static func isListening(_ port: UInt16) -> Bool {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        return withUnsafePointer(to: Self.loopback(port: port)) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }

    private static func loopback(port: UInt16) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
        address.sin_port = port.bigEndian
        return address
    }
}
