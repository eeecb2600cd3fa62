import ArgumentParser
import Flights
import FoundationEssentials
import Glibc
import HTTPFetch
import HTTPSemantics
import HTTPServer
import MovieAPI
import MovieDomain
import OneSheetConfiguration
import OneSheetServer
import PosterAPI
import PosterPipeline

/// Runs the commands about films, which query the sources themselves and store nothing.
enum SourceCommand {
    /// Queries the sources and prints JSON or a table.
    /// - Parameter lines: Formats the result in at most `width` columns; `nil` for any width.
    static func run<Value: Sendable>(
        _ given: [String: [String]], isJSON: Bool, ask: (MovieResponses) async throws -> MovieResponses.Report<Value>,
        lines: (Value, _ width: Int?) -> [String]
    ) async throws {
        let (settings, read) = try ConfigurationSource(commandLine: given).validated()
        let configuration = Self.configuration(read, settings, environment: ProcessInfo.processInfo.environment)
        do {
            let fetcher = try Fetcher(configuration: configuration.fetch)
            defer { fetcher.shutdown() }
            let movies = try MovieDependencies(
                configuration, directory: nil, fetcher: fetcher, clock: AnchoredClock.make(),
                logger: configuration.makeLogger())
            defer { movies.close() }
            var pictures = configuration.pictures
            // URLs that only the server can sign are omitted.
            pictures.signKeyFile = nil
            pictures.requiresSignatures = false
            let urls = PipelinePictureURLs(
                policies: ReloadablePicturePolicy(
                    try pictures.policy(effort: configuration.effort), languages: configuration.posterLanguages),
                urls: PosterURLBuilder(publicURL: configuration.publicURL), pipeline: nil)
            let report = try await ask(
                MovieResponses(movies.services, pictures: urls, publicURL: configuration.publicURL))
            guard !isJSON else { return try StandardOutput.write(String(decoding: report.json, as: UTF8.self)) }
            for line in lines(report.value, TerminalSize.columns) { try StandardOutput.write(line) }
            for text in report.attribution { try StandardOutput.write("\n\(TerminalText.escaped(text))") }
        } catch is CancellationError {
            throw ExitCode.failure
        } catch {
            let problem = (error as? any ProblemConvertible)?.problem ?? error as? Problem
            throw StandardError.failure(problem?.detail ?? "\(error)")
        }
    }

    /// The configuration of a command: without the option, the language is the locale's.
    static func configuration(
        _ read: ServeConfiguration, _ settings: Settings, environment: [String: String]
    ) -> ServeConfiguration {
        var configuration = read
        if settings.text(SourceSettings.languageOption) == nil, let language = Language(environment: environment) {
            configuration.sources.language = language
        }
        // Late supplements cannot be in a next response, because a command has none.
        configuration.sources.supplementTimeout = configuration.fetch.totalTimeout
        return configuration
    }
}
