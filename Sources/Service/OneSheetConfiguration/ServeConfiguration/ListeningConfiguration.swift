package import HTTPServer

/// The addresses that `onesheet serve` listens on.
package struct ListeningConfiguration {
    package struct TLS: Sendable {
        let certificatePath: String
        let keyPath: String
    }

    package var host: String
    /// The port without TLS: 0 lets the system choose; `nil` disables it.
    package var port: Int?
    /// The port with TLS; `nil` disables it.
    package var tlsPort: Int?
    package var tls: TLS?
    package var unixSocketPath: String?
    package var unixSocketMode: UInt32
    /// The port for monitoring; `nil` disables it.
    package var operationsPort: Int?

    private let isPortGiven: Bool
    private let isTLSPortGiven: Bool

    package init(_ settings: Settings) throws {
        self.host = settings.text("host") ?? "127.0.0.1"
        self.isPortGiven = settings.text("port") != nil
        self.port = try Self.port("port", settings) ?? 8080
        self.isTLSPortGiven = settings.text("tls-port") != nil
        self.tlsPort = try Self.port("tls-port", settings) ?? 8443
        self.unixSocketPath = settings.text("unix-socket")
        self.unixSocketMode =
            try settings.value("unix-socket-mode", allowed: "an octal number from 0 to 777") { text in
                UInt32(text, radix: 8).flatMap { $0 <= 0o777 ? $0 : nil }
            } ?? 0o660
        self.operationsPort = try Self.port("operations-port", settings) ?? nil
        switch (settings.text("tls-cert"), settings.text("tls-key")) {
        case (let certificate?, let key?): self.tls = TLS(certificatePath: certificate, keyPath: key)
        case (nil, nil): self.tls = nil
        case (let certificate?, nil):
            throw SettingError(option: "tls-cert", value: certificate, allowed: "together with --tls-key")
        case (nil, let key?):
            throw SettingError(option: "tls-key", value: key, allowed: "together with --tls-cert")
        }
    }

    /// - Returns: `nil` if the option is absent; contains `nil` if it is `off`.
    private static func port(_ option: String, _ settings: Settings) throws -> Int?? {
        try settings.valueOrOff(option, allowed: "a whole number from 0 to 65535, or off") { text in
            Int(text).flatMap { (0...65535).contains($0) ? $0 : nil }
        }
    }

    static let secureName = "tls"

    /// The port that distinguishes this server from others on its host; `nil` without a port.
    var namingPort: Int? {
        self.tls == nil || self.isPortGiven && self.port != nil ? self.port : self.tlsPort ?? self.port
    }

    /// All addresses to listen on. Omits default ports if other sockets are configured, and the default port without
    /// TLS also if TLS is.
    package func places(_ inherited: InheritedSockets) throws(ListeningProblem) -> [ListenAddress] {
        let others = inherited.entries.map { entry in
            ListenAddress(
                .inherited(descriptor: entry.descriptor, name: entry.name), isSecure: entry.name == Self.secureName)
        }
        if others.contains(where: \.isSecure), self.tls == nil {
            throw .withoutCertificate
        }
        var places: [ListenAddress] = []
        if self.tls != nil, let port = self.tlsPort, self.isTLSPortGiven || !others.contains(where: \.isSecure) {
            places.append(ListenAddress(.port(host: self.host, port), isSecure: true))
        }
        if let path = self.unixSocketPath {
            places.append(ListenAddress(.file(path: path, mode: self.unixSocketMode)))
        }
        places += others
        if let port = self.port, self.isPortGiven || places.isEmpty {
            places.insert(ListenAddress(.port(host: self.host, port)), at: 0)
        }
        guard !places.isEmpty else { throw .nowhere }
        return places
    }
}

/// A listening configuration without a usable socket.
package enum ListeningProblem: Error, CustomStringConvertible {
    case nowhere
    case withoutCertificate

    package var description: String {
        switch self {
        case .nowhere: "there is no address to listen on: --port and TLS are off, and --unix-socket is not set"
        case .withoutCertificate:
            "an inherited socket is named \(ListeningConfiguration.secureName), but --tls-cert is not set"
        }
    }
}
