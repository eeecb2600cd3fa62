import ArgumentParser
import Glibc
import OneSheetConfiguration
import OneSheetServer
import PosterAPI
import PosterOrigins
import PosterPipeline
import Synchronization

/// Runs the commands that act on a data directory: through the server that holds it, else in this process.
enum ControlCommand {
    /// Executes a request; shows progress and the result.
    /// - Parameter isFailure: Whether a summary means that the command failed.
    static func run(
        _ request: ControlRequest, _ given: [String: [String]], isJSON: Bool,
        isFailure: @escaping @Sendable ([String: Int]) -> Bool
    ) async throws {
        let configuration = try ServeConfiguration.read(given)
        let printer = ControlPrinter(isJSON: isJSON, isFailure: isFailure)
        do {
            try Self.requireDirectory(configuration.dataDirectory)
            let isServed = try await ControlClient.send(
                request, toServerOf: configuration.dataDirectory, receive: printer.show)
            if !isServed { try await self.runHere(request, configuration, printer) }
        } catch let code as ExitCode {
            throw code
        } catch is CancellationError {
            throw ExitCode.failure
        } catch {
            printer.clear()
            throw StandardError.failure("\(error)")
        }
    }

    /// A missing directory is an error: a new one would be empty, and not the server's.
    static func requireDirectory(_ path: String) throws {
        var status = stat()
        guard stat(path, &status) != 0, errno == ENOENT else { return }
        throw StandardError.failure("there is no data directory at \(path); set --data-dir to the server's")
    }

    private static func runHere(
        _ request: ControlRequest, _ configuration: ServeConfiguration, _ printer: ControlPrinter
    ) async throws {
        let data = try DataDirectory(path: configuration.dataDirectory)
        let dependencies = try ServerDependencies(configuration, data: data, logger: configuration.makeLogger())
        // Control requests have no signatures.
        var pictures = configuration.pictures
        pictures.signKeyFile = nil
        // Only originals are fetched, which have no widths.
        pictures.ladder = nil
        let policies = ReloadablePicturePolicy(try pictures.policy(effort: configuration.effort))
        let commands = ControlHandler(dependencies: dependencies, policies: policies, servesVariants: false)
        try await dependencies.closing {
            // Flushes before the result is shown, so that the shared store is up to date by that time.
            try await commands.handle(request) { event in
                if event.isLast { try await dependencies.flush() }
                try printer.show(event)
            }
        }
        withExtendedLifetime(data) {}
    }
}

/// Shows events: progress on standard error, the result on standard output.
final class ControlPrinter: Sendable {
    private let isJSON: Bool
    private let isFailure: @Sendable ([String: Int]) -> Bool
    private let bar = Mutex(Bar(ProgressBar.onStandardError()))

    /// The closures of the bar are called only under the lock.
    private struct Bar: @unchecked Sendable {
        var bar: ProgressBar

        init(_ bar: ProgressBar) {
            self.bar = bar
        }
    }

    init(isJSON: Bool, isFailure: @escaping @Sendable ([String: Int]) -> Bool) {
        self.isJSON = isJSON
        self.isFailure = isFailure
    }

    /// - Throws: `ExitCode.failure` if the command failed; ``FileError``.
    func show(_ event: ControlEvent) throws {
        switch event {
        case .progress(let done, let total, let note):
            self.bar.withLock { $0.bar.show(done: done, total: total, note: note) }
        case .finished(let summary, let text):
            self.clear()
            try StandardOutput.write(self.isJSON ? try JSONLine.encode(summary) : text)
            if self.isFailure(summary) { throw ExitCode.failure }
        case .report(let json):
            self.clear()
            try StandardOutput.write(json)
        case .failed(let reason):
            self.clear()
            throw StandardError.failure(reason)
        }
    }

    func clear() {
        self.bar.withLock { $0.bar.finish() }
    }
}
