import ArgumentParser
import Glibc
import HTTPServer
import OneSheetConfiguration
import OneSheetServer
import PosterCodec

/// `onesheet serve`
struct Serve: ServiceAction {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Serves posters over HTTP.",
        discussion: """
            Without options it serves the embedded catalogue; no account and no network are needed. Most used: --port \
            8080, --host 127.0.0.1, --data-dir FOLDER, --tmdb-key KEY for TMDB's films, and --origin \
            NAME=https://host/{key}.jpg for pictures of your own at /poster/NAME:key, with --allow-private-origins also \
            from localhost.
            """)

    typealias ServerOptions = HTTPServerOptions

    func run(_ given: [String: [String]]) async throws {
        // A reload before the server is up has no effect; the signal's default action would end the process.
        signal(SIGHUP, SIG_IGN)
        ProcessHeap.configure()
        let source = ConfigurationSource(commandLine: given)
        let (settings, configuration) = try source.validated()
        let logger = configuration.makeLogger()
        do {
            try await PosterServer(
                configuration: configuration, settings: settings, source: source, logger: logger
            ).run()
        } catch {
            throw StandardError.failure(self.words(for: error, settings))
        }
    }

    private func words(for error: any Error, _ settings: Settings) -> String {
        switch error {
        case let error as ListeningFailure where error.code == EADDRINUSE:
            "\(error); choose another with --port, --tls-port or --unix-socket"
        case let error as ListeningFailure where error.code != 0:
            "\(error); choose another with --host, --port, --tls-port or --unix-socket"
        case let error as SettingError: error.placed(in: settings).description
        default: "\(error)"
        }
    }
}
