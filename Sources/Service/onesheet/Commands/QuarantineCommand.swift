import ArgumentParser
import Flights
import OneSheetConfiguration
import OneSheetServer
import PosterOrigins
import PosterPipeline

/// `onesheet quarantine`
struct QuarantineCommand: ServiceAction {
    static let configuration = CommandConfiguration(
        commandName: "quarantine",
        abstract: "Lists the originals that are refused because they crashed two workers.",
        discussion: """
            Reads the file 'quarantine' of the data directory, whether a server runs or not. Prints a line per \
            original: its SHA-256, the seconds left, and the end of its worker; without any, a sentence on standard \
            error. Removing the file while no server runs clears the list.
            """)

    @Flag(help: .jsonResult)
    var json = false

    private struct Line: Encodable {
        let digest: String
        let seconds: Int64
        let reason: String
    }

    func run(_ given: [String: [String]]) async throws {
        let source = ConfigurationSource(commandLine: given)
        let (_, configuration) = try source.validated()
        let now = AnchoredClock.wallSeconds()
        do {
            try ControlCommand.requireDirectory(configuration.dataDirectory)
            let entries = try QuarantineFile(in: configuration.dataDirectory).read().filter { $0.until > now }
            let lines = entries.map { Line(digest: "\($0.digest)", seconds: $0.until - now, reason: $0.reason) }
            if self.json {
                try StandardOutput.write(try JSONLine.encode(lines))
            } else if lines.isEmpty {
                // Standard output has a line per original.
                StandardError.write("onesheet: no original is refused in \(configuration.dataDirectory)")
            } else {
                for line in lines { try StandardOutput.write("\(line.digest) \(line.seconds) \(line.reason)") }
            }
        } catch let code as ExitCode {
            throw code
        } catch {
            throw StandardError.failure("\(error)")
        }
    }
}
