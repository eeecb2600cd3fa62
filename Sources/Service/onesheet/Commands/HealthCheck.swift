import ArgumentParser
import HTTPServer
import NIOHTTP1
import OneSheetConfiguration
import OneSheetServer

/// `onesheet healthcheck`
struct HealthCheck: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "healthcheck", abstract: "Asks a server on this machine whether it is well.",
        discussion:
            """
            Ends with 0 when it answers 200, else with 1; for containers, which have no other program to ask with. It asks where \
            the server's options, environment and file say that it listens: in the clear if it does, else over TLS, whatever \
            the certificate's names are. Where it has an --operations-port, that is asked.
            """)

    @Option(help: "JSON or YAML file of options, that of the server.")
    var config: String?

    @Option(help: "Address that the server listens on. Default: 127.0.0.1")
    var host: String?

    @Option(
        help: "Port that the server listens on in the clear, or off. Default: 8080 in the clear, off with other sockets"
    )
    var port: String?

    @Option(
        help:
            "Port that the server listens on with TLS, for when it does not in the clear. Default: 8443 with a certificate"
    )
    var tlsPort: String?

    @Option(help: "Unix socket that the server listens on; in place of host and port.")
    var unixSocket: String?

    @Option(help: "What to ask for.")
    var path = "/healthz"

    @Option(help: "Seconds to wait for an answer, 1 to 300.")
    var timeout = 5

    func validate() throws {
        guard (1...300).contains(self.timeout) else { throw ValidationError("--timeout is 1 to 300 seconds") }
        guard self.path.hasPrefix("/"), self.path.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ValidationError("--path begins with / and holds no spaces")
        }
    }

    func run() async throws {
        let place = try self.place()
        if case .inherited = place.socket { return try self.fail("a socket that is handed over cannot be asked") }
        do {
            guard let head = try await HealthProbe(place: place, timeout: self.timeout).head(of: self.path) else {
                return try self.fail("no answer within \(self.timeout) s")
            }
            guard head.status == .ok else {
                return try self.fail("\(head.version) \(head.status.code) \(head.status.reasonPhrase)")
            }
        } catch HealthProbe.Failure.unusable(let error) where place.isSecure {
            try self.fail("it cannot be asked over TLS: \(error)")
        } catch let failure as HealthProbe.Failure {
            try self.fail("\(failure)")
        }
    }

    /// The address to probe: in the clear if the server listens so, else TLS.
    private func place() throws -> ListenAddress {
        let given = [
            ("config", self.config), ("host", self.host), ("port", self.port), ("tls-port", self.tlsPort),
            ("unix-socket", self.unixSocket),
        ]
        do {
            let settings = try Settings.layered(
                Dictionary(uniqueKeysWithValues: given.compactMap { name, value in value.map { (name, [$0]) } }))
            let listening = try ListeningConfiguration(settings)
            if self.port == nil, self.tlsPort == nil, self.unixSocket == nil,
                PosterRouter.operationsPaths.contains(self.path), let port = listening.operationsPort
            {
                return ListenAddress(.port(host: listening.host, port))
            }
            // With an explicit port no certificate is needed.
            if self.tlsPort != nil, self.port == nil, self.unixSocket == nil, let port = listening.tlsPort {
                return ListenAddress(.port(host: listening.host, port), isSecure: true)
            }
            let places = try listening.places(InheritedSockets(environment: [:], processID: 0))
            return places.first { !$0.isSecure } ?? places[0]
        } catch let error as SettingError {
            throw ValidationError(error.description)
        } catch let error as SettingsFile.Failure {
            throw ValidationError(error.description)
        } catch let error as ListeningFailure {
            throw ValidationError(error.description)
        } catch let error as ListeningProblem {
            throw ValidationError(error.description)
        }
    }

    private func fail(_ reason: String) throws {
        StandardError.write("onesheet: \(reason)")
        throw ExitCode.failure
    }
}
