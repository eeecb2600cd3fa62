import ArgumentParser
import Glibc
import OneSheetConfiguration
import OneSheetServer
import PosterAPI
import PosterOrigins
import PosterPipeline

/// What commands share that act on a data directory: through the server that holds it, or else by themselves.
enum ControlCommand {
    /// Does what is asked, and shows how far it is and how it ended.
    ///
    /// - Parameter offline: Refuses what makes sense in a server only; nil lets everything be done here.
    /// - Throws: `ExitCode` after an explanation.
    static func run(
        _ request: ControlRequest, options: [String: [String]], isJSON: Bool,
        isFailure: @escaping @Sendable ([String: Int]) -> Bool
    ) async throws {
        let configuration = try ServeConfiguration.read(options)
        let printer = ControlPrinter(isJSON: isJSON, isFailure: isFailure)
        do {
            try Self.requireDirectory(configuration.dataDirectory)
            if let client = try ControlClient.connect(to: configuration.dataDirectory) {
                for try await event in client.send(request) { try printer.show(event) }
            } else {
                try await self.runHere(request, configuration, printer)
            }
        } catch let code as ExitCode {
            throw code
        } catch is CancellationError {
            throw ExitCode.failure
        } catch {
            printer.clear()
            StandardError.write("onesheet: \(error)")
            throw ExitCode.failure
        }
    }

    /// One that is made for the occasion has nothing in it, and is not the server's.
    private static func requireDirectory(_ path: String) throws {
        var status = stat()
        guard stat(path, &status) != 0, errno == ENOENT else { return }
        throw NoDirectory(path: path)
    }

    private struct NoDirectory: Error, CustomStringConvertible {
        let path: String

        var description: String { "there is no data directory at \(self.path); --data-dir names the server's" }
    }

    private static func runHere(
        _ request: ControlRequest, _ configuration: ServeConfiguration, _ printer: ControlPrinter
    ) async throws {
        let data = try DataDirectory(path: configuration.dataDirectory)
        let rooms = try Rooms(configuration, data: data, logger: configuration.makeLogger())
        // Its keys are of no use here: an order has no signature.
        var pictures = configuration.pictures
        pictures.signKeyFile = nil
        // Originals have no widths.
        pictures.ladder = nil
        let policies = PicturePolicies(try pictures.policy(effort: configuration.effort))
        let desk = ControlDesk(rooms: rooms, policies: policies, servesVariants: false)
        let outcome: Result<Void, any Error>
        do {
            try await desk.handle(request) { event in try printer.show(event) }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        try await rooms.close()
        withExtendedLifetime(data) {}
        try outcome.get()
    }
}
