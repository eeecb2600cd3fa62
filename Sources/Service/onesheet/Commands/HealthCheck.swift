import ArgumentParser
import HTTPServer
import NIOHTTP1
import OneSheetConfiguration
import OneSheetServer

/// `onesheet healthcheck`
struct HealthCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck", abstract: "Checks the health of a server on this machine.",
        discussion:
            """
            Exits with 0 if the server answers 200, else with 1; for containers without an HTTP client. The address is \
            that of the server's options, environment and file: the --operations-port if set, else an address without \
            TLS, else one with TLS, accepting any certificate.
            """)

    @Option(help: "The server's JSON or YAML file of options.", completion: .file())
    var config: String?

    @Option(help: "Address that the server listens on. Default: 127.0.0.1")
    var host: String?

    @Option(help: "The server's port without TLS, or off. Default: 8080 alone, off with TLS or other sockets")
    var port: String?

    @Option(help: "The server's port with TLS. Default: 8443 with a certificate")
    var tlsPort: String?

    @Option(help: "Unix socket of the server, instead of host and port.", completion: .file())
    var unixSocket: String?

    @Option(help: "Path of the request.")
    var path = "/healthz"

    @Option(help: "Seconds to wait for an answer, 1 to 300.")
    var timeout = 5

    func validate() throws {
        guard (1...300).contains(self.timeout) else { throw ValidationError("--timeout must be 1 to 300 seconds") }
        guard self.path.hasPrefix("/"), self.path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ValidationError("--path must begin with / and contain no spaces")
        }
    }

    func run() async throws {
        let place = try self.place()
        if case .inherited = place.socket {
            throw StandardError.failure("cannot check an inherited socket")
        }
        do {
            guard let head = try await HealthProbe(place: place, timeout: self.timeout).head(of: self.path) else {
                throw StandardError.failure("no answer within \(self.timeout) s")
            }
            guard head.status == .ok else {
                throw StandardError.failure("\(head.version) \(head.status.code) \(head.status.reasonPhrase)")
            }
        } catch let failure as HealthProbe.Failure {
            throw StandardError.failure("\(failure)")
        }
    }

    /// The address to probe: without TLS if the server listens so, else with TLS.
    private func place() throws -> ListenAddress {
        do {
            let listening = try ListeningConfiguration(try Settings.layered(self.given))
            if self.port == nil, self.tlsPort == nil, self.unixSocket == nil,
                PosterRouter.operationsPaths.contains(self.path), let port = listening.operationsPort
            {
                return ListenAddress(.port(host: listening.host, port))
            }
            // An explicit port needs no certificate.
            if self.tlsPort != nil, self.port == nil, self.unixSocket == nil, let port = listening.tlsPort {
                return ListenAddress(.port(host: listening.host, port), isSecure: true)
            }
            let places = try listening.places(InheritedSockets(environment: [:], processID: 0))
            return places.first { !$0.isSecure } ?? places[0]
        } catch {
            throw ValidationError("\(error)")
        }
    }
}
